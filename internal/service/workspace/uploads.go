package workspace

import (
	"sync"

	"paydown/internal/auth"
	"paydown/internal/fault"
)

// How many files come in at a time: in this process, of a tenant, and of one caller. Each takes disk, and memory while it
// is looked through.
const (
	maxUploads         = 32
	maxUploadsOfTenant = 16
	maxUploadsOfCaller = 4
	// uploadRetry is how long to wait for a place, in seconds.
	uploadRetry = 5
)

// uploads are those under way.
type uploads struct {
	mu   sync.Mutex
	open int
	of   map[uploader]int
}

// uploader is whose uploads are counted; of no kind it is the tenant.
type uploader struct {
	tenant int
	kind   auth.ActorKind
	id     int
}

func newUploads() *uploads { return &uploads{of: map[uploader]int{}} }

// begin counts an upload of the actor's until end is called. The error is that there are too many.
func (u *uploads) begin(actor *auth.Actor) (end func(), err error) {
	tenant, caller := uploader{tenant: actor.TenantID}, uploader{actor.TenantID, actor.Kind, actor.ID}
	u.mu.Lock()
	defer u.mu.Unlock()
	switch {
	case u.open >= maxUploads:
		return nil, tooManyUploads(fault.Unavailable, "Too many files are being uploaded. Please try again.")
	case u.of[tenant] >= maxUploadsOfTenant:
		return nil, tooManyUploads(fault.RateLimited, "The company has %d uploads under way and can have no more.", maxUploadsOfTenant)
	case u.of[caller] >= maxUploadsOfCaller:
		return nil, tooManyUploads(fault.RateLimited, "You have %d uploads under way and can have no more.", maxUploadsOfCaller)
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
