package webhook

import (
	"context"
	"math/rand/v2"
	"time"
)

// Delivery is an event on its way to an endpoint, held by this process for its next try.
type Delivery struct {
	ID       int
	Tenant   int
	Endpoint int
	// Fence tells this holder from others; what is written under an earlier one is refused.
	Fence     int64
	MessageID string
	Event     string
	Body      []byte
	// Tries is how many were made before.
	Tries int
	// Redelivery is set where somebody sends again what was sent before.
	Redelivery bool
	// Age is how long ago the event happened, at the moment the delivery was taken.
	Age time.Duration
	// Taken is when it was taken by the queue's clock, which all processes share, and Held until when nobody else takes it
	// by this process's own: Lease later.
	Taken, Held time.Time
	// Inactive is set where the endpoint has been turned off or paused since: nothing is to be sent.
	Inactive bool
	URL      string
	Secret   string
	Previous string // the secret before the last rotation while it still signs, else ""
}

// Now is the present instant by the queue's clock.
func (d *Delivery) Now() time.Time { return d.Taken.Add(Lease - d.Held.Sub(monotonic())) }

// monotonic is the machine's clock for what only differences are taken of: setting it changes none.
func monotonic() time.Time { return time.Now() } //nolint:forbidigo // see above

// Backlog is an endpoint that deliveries wait for.
type Backlog struct {
	Tenant, Endpoint int
	// In is how long until the first of them is due; not positive where it is due already.
	In time.Duration
	// Failing is set where the last delivery to have ended there failed.
	Failing bool
}

// Quota is how many deliveries may be taken for an endpoint.
type Quota struct {
	Backlog

	N int
}

// Verdict is what comes of a try.
type Verdict int

// The verdicts.
const (
	// Delivered: the receiver answered 2xx in time.
	Delivered Verdict = iota
	// Retry: it failed and is tried again, after Result.After.
	Retry
	// Failed: the last try failed.
	Failed
	// Returned: no try was made, or it failed for a reason of ours; it is tried again after Result.After and counts for nothing.
	Returned
	// Dropped: the endpoint is not active any more; nothing was tried.
	Dropped
)

// Result is a delivery with what came of its try.
type Result struct {
	*Delivery
	Outcome

	Verdict Verdict
	After   time.Duration // until the next try, of Retry and Returned
}

// Queue is where deliveries wait. Every method may be called again after an error, and none loses or doubles anything.
type Queue interface {
	// FanOut makes the deliveries of events that happened. Those that room has a place for it takes for the caller at
	// once; the rest wait. rest reports that room had none for some, more that there are more events.
	FanOut(ctx context.Context, room Room) (taken []*Delivery, rest, more bool, err error)
	// Backlog lists the endpoints that deliveries wait for, each once.
	Backlog(ctx context.Context) ([]Backlog, error)
	// Claim takes the deliveries that are due longest, up to the quota of each endpoint.
	Claim(ctx context.Context, quotas []Quota) ([]*Delivery, error)
	// Complete stores results, in their order. It passes over those whose delivery is not the caller's any more, and returns
	// how many those were.
	Complete(ctx context.Context, results []Result) (stale int, err error)
	// CallForHelp tells other processes on the same queue that there is more to do than this one can.
	CallForHelp(ctx context.Context) error
}

// Room is where deliveries are tried. It may be asked from one goroutine at a time.
type Room interface {
	// Take takes a place for a delivery; false where there is none. Leave gives back one that was not used.
	Take(tenant, endpoint int) bool
	Leave(tenant, endpoint int)
}

// retryAfter are the pauses before the second try and those that follow.
var retryAfter = [Retries]time.Duration{15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute}

// Backoff is how long to wait once so many tries have failed: the pause of the contract and up to a tenth more, so that
// what failed together is not tried again together. more is false where no try is left.
func Backoff(tries int) (pause time.Duration, more bool) {
	if tries < 1 || tries > Retries {
		return 0, false
	}
	pause = retryAfter[tries-1]
	return pause + rand.N(pause/10), true //nolint:gosec // jitter, not a secret
}
