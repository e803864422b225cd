package workspace

import (
	"sync"

	"paydown/internal/auth"
	"paydown/internal/fault"
)

// Maximum numbers of concurrent uploads: in this process, per tenant, and per caller. Each upload uses disk
// space, and memory while its content is checked.
const (
	maxUploads         = 32
	maxUploadsOfTenant = 16
	maxUploadsOfCaller = 4
	// uploadRetry is the Retry-After of a refused upload, in seconds.
	uploadRetry = 5
)

// uploads counts the running uploads.
type uploads struct {
	mu   sync.Mutex
	open int
	of   map[uploader]int
}

// uploader identifies whose uploads are counted; with an empty kind it is the tenant.
type uploader struct {
	tenant int
	kind   auth.ActorKind
	id     int
}

func newUploads() *uploads { return &uploads{of: map[uploader]int{}} }

// begin counts an upload of the actor until end is called. The error means that there are too many.
func (u *uploads) begin(actor *auth.Actor) (end func(), err error) {
	tenant, caller := uploader{tenant: actor.TenantID}, uploader{actor.TenantID, actor.Kind, actor.ID}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.open >= maxUploads:
		return nil, tooManyUploads(fault.Unavailable, "Too many files are being uploaded. Try again shortly.")
	case u.of[tenant] >= maxUploadsOfTenant:
		return nil, tooManyUploads(fault.RateLimited, "The company has reached its limit of %d concurrent uploads.",
			maxUploadsOfTenant)
	case u.of[caller] >= maxUploadsOfCaller:
		return nil, tooManyUploads(fault.RateLimited, "You have reached your limit of %d concurrent uploads.",
			maxUploadsOfCaller)
	}
	u.open++
	u.of[tenant]++
	u.of[caller]++
	return func() {
		u.mu.Lock()
		defer u.mu.Unlock()
		u.open--
		for _, whose := range []uploader{tenant, caller} {
			if u.of[whose]--; u.of[whose] == 0 {
				delete(u.of, whose)
			}
		}
	}, nil
}

func tooManyUploads(code fault.Code, format string, args ...any) error {
	f := fault.New(code, format, args...)
	f.RetryAfter = uploadRetry
	return f
}
