package webhook

import (
	"context"
	"math/rand/v2"
	"time"
)

// Delivery is an event on its way to an endpoint, held by this process for its next attempt.
type Delivery struct {
	ID       int
	Tenant   int
	Endpoint int
	// Fence distinguishes holders; writes with an earlier fence are rejected.
	Fence     int64
	MessageID string
	Event     string
	Body      []byte
	// Tries is the number of earlier attempts.
	Tries int
	// Redelivery is true if it repeats an earlier delivery.
	Redelivery bool
	// Age is the time from the event to the claim of the delivery.
	Age time.Duration
	// Taken is the time of the claim on the queue's clock, which all processes share. Held is the end of the lease
	// on this process's clock: Lease later.
	Taken, Held time.Time
	// Inactive is true if the endpoint was turned off or paused since: nothing must be sent.
	Inactive bool
	URL      string
	Secret   string
	Previous string // the secret before the last rotation while it still signs, else ""
}

// Now returns the current time on the queue's clock.
func (d *Delivery) Now() time.Time { return d.Taken.Add(Lease - d.Held.Sub(monotonic())) }

// monotonic is the machine's clock, used only for differences: setting the clock does not affect them.
func monotonic() time.Time { return time.Now() } //nolint:forbidigo // see above

// Backlog is an endpoint with waiting deliveries.
type Backlog struct {
	Tenant, Endpoint int
	// In is the time until the first of them is due; zero or negative if one is due.
	In time.Duration
	// Failing is true if the last delivery that ended there failed.
	Failing bool
}

// Quota is the number of deliveries that may be claimed for an endpoint.
type Quota struct {
	Backlog

	N int
}

// Verdict is the result of an attempt for its delivery.
type Verdict int

// The verdicts.
const (
	// Delivered: the receiver answered 2xx in time.
	Delivered Verdict = iota
	// Retry: the attempt failed and is repeated after Result.After.
	Retry
	// Failed: the last attempt failed.
	Failed
	// Returned: there was no attempt, or an internal error; it is repeated after Result.After and does not count.
	Returned
	// Dropped: the endpoint is no longer active; there was no attempt.
	Dropped
)

// Result is a delivery with the result of its attempt.
type Result struct {
	*Delivery
	Outcome

	Verdict Verdict
	After   time.Duration // until the next attempt, for Retry and Returned
}

// Queue stores waiting deliveries. Every method may be called again after an error; none loses or duplicates
// anything.
type Queue interface {
	// FanOut creates the deliveries of events. It claims those that room has a slot for; the rest wait. rest
	// reports that some got no slot, more that there are more events.
	FanOut(ctx context.Context, room Room) (taken []*Delivery, rest, more bool, err error)
	// Backlog lists the endpoints with waiting deliveries, each once.
	Backlog(ctx context.Context) ([]Backlog, error)
	// Claim claims the deliveries that have been due longest, up to the quota of each endpoint.
	Claim(ctx context.Context, quotas []Quota) ([]*Delivery, error)
	// Complete stores results, in order. It skips deliveries that the caller no longer holds, and returns their
	// number.
	Complete(ctx context.Context, results []Result) (stale int, err error)
	// SignalOthers tells other processes on the queue that this one cannot handle all due deliveries.
	SignalOthers(ctx context.Context) error
}

// Room assigns slots to deliveries. It is not safe for concurrent use.
type Room interface {
	// Take reserves a slot for a delivery; it returns false if there is none. Leave frees an unused slot.
	Take(tenant, endpoint int) bool
	Leave(tenant, endpoint int)
}

// retryAfter are the pauses before each retry.
var retryAfter = [Retries]time.Duration{
	15 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 4 * time.Minute,
}

// Backoff returns the pause after so many failed attempts: that of the contract plus up to a tenth, so that
// deliveries that failed together are not retried together. more is false if no retry is left.
func Backoff(tries int) (pause time.Duration, more bool) {
	if tries < 1 || tries > Retries {
		return 0, false
	}
	pause = retryAfter[tries-1]
	return pause + rand.N(pause/10), true //nolint:gosec // jitter, not a secret
}
