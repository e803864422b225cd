package gate

import (
	"math"
	"net/http"
	"strconv"
	"strings"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
)

// How many requests in a minute an address has for what anybody may look at, which costs next to nothing: all of a company's
// staff may sit behind one address, and all open the portal at nine. A browser that has none of the portal's files yet loads
// some 15 of them with a page, and keeps them for ever.
const (
	PageLimit = 600
	FileLimit = 6000
)

// admit lets the request in: its host must be a tenant's, its key good, its address allowed, its rate within the limit.
// A caller without a good key is counted by address. So is, before it is looked up, a host or key that is not known to
// exist; a key that proves good gets the request back.
func (g *Gate) admit(w http.ResponseWriter, r *http.Request, in *Passage, entry Entry) error {
	s := &Stranger{gate: g, caller: ratelimit.Address(in.Address)}
	if entry == ByOperator {
		return g.admitOperator(w, r, in, s)
	}
	if entry == InProcess {
		in.Operator = auth.NewOperator(auth.CommandLine, "", g.via, in.RequestID)
		return nil
	}
	if !g.Service.Tenants.Known(r.Host) {
		if err := s.Count(w, r); err != nil {
			return err
		}
	}
	tenant, err := g.Service.Tenants.ByHost(r.Context(), r.Host)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	switch entry {
	case ByViewer:
		in.Tenant = tenant
		_, err := g.Take(w, r, ratelimit.Viewer(in.Address), PageLimit)
		return err
	case ByLoader:
		_, err := g.Take(w, r, ratelimit.Loader(in.Address), FileLimit)
		return err
	case ByAnybody:
		in.Tenant = tenant
		return s.Count(w, r)
	case BySignature:
		s.Forgive() // the host exists
		in.Tenant, in.Sender = tenant, &Stranger{gate: g, caller: ratelimit.Unsigned(in.Address)}
		return nil
	case BySession:
		return g.admitSession(w, r, in, tenant, s)
	case ByCaller:
		if len(r.Header.Values("Authorization")) == 0 {
			return g.admitSession(w, r, in, tenant, s)
		}
	case ByKey, ByOperator, InProcess:
	}
	return g.admitKey(w, r, in, tenant, s)
}

func (g *Gate) admitKey(
	w http.ResponseWriter, r *http.Request, in *Passage, tenant *service.TenantEntry, s *Stranger,
) error {
	token := bearer(r)
	if !g.Service.Keys.Known(token) {
		if err := s.Count(w, r); err != nil {
			return err
		}
	}
	caller, err := g.Service.Keys.Authenticate(r.Context(), tenant, token, in.Address, g.via, in.RequestID)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	in.Caller = caller
	if !auth.Allowed(caller.Key.IPAllowList, in.Address) {
		// Counted by the address, so that nobody can use up a key from where it is not good, and refused either way.
		_ = s.Count(w, r)
		return errAddress
	}
	s.Forgive()
	in.counted, in.limit = ratelimit.Key(caller.Key.ID), caller.Key.RateLimit
	return g.Charge(w, r, 1)
}

// admitSession lets in whoever is signed in. A request that another site made the browser send is refused before its
// cookie is looked at.
func (g *Gate) admitSession(
	w http.ResponseWriter, r *http.Request, in *Passage, tenant *service.TenantEntry, s *Stranger,
) error {
	if err := SameOrigin(r); err != nil {
		return s.Refuse(w, r, err)
	}
	token := SessionToken(r)
	if !g.Service.Sessions.Known(token) {
		if err := s.Count(w, r); err != nil {
			return err
		}
	}
	actor, err := g.Service.Sessions.Authenticate(r.Context(), tenant, token, g.via, in.RequestID)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	in.Caller = &service.Caller{Actor: actor, Tenant: tenant}
	s.Forgive()
	in.counted, in.limit = ratelimit.Known("user", actor.ID), service.StaffRateLimit
	return g.Charge(w, r, 1)
}

// Charge counts n requests of the caller whom a key or a session let in; the error is that there are not so many left.
func (g *Gate) Charge(w http.ResponseWriter, r *http.Request, n int) (err error) {
	in := Of(r.Context())
	for ; n > 0 && err == nil; n-- {
		in.Decision, err = g.Take(w, r, in.counted, in.limit)
	}
	return err
}

// Stranger is a caller as long as nobody else is known to be calling: whoever it is at the address.
type Stranger struct {
	gate     *Gate
	caller   ratelimit.Caller
	decision *ratelimit.Decision // nil until the request is counted
	err      error
}

// Count counts the request, once; the error is that the address has no requests left.
func (s *Stranger) Count(w http.ResponseWriter, r *http.Request) error {
	if s.decision == nil {
		var d ratelimit.Decision
		d, s.err = s.gate.Take(w, r, s.caller, service.DefaultRateLimit)
		s.decision = &d
	}
	return s.err
}

// Refuse counts the request and lets the reason stand. Where the fault is ours the stranger is not counted for it.
func (s *Stranger) Refuse(w http.ResponseWriter, r *http.Request, reason error) error {
	if fault.As(reason) == nil {
		return reason
	}
	if err := s.Count(w, r); err != nil {
		return err
	}
	return reason
}

// Forgive gives the request back: it is counted as somebody else's.
func (s *Stranger) Forgive() {
	if s.decision != nil {
		s.gate.Limiter.Return(s.caller, *s.decision)
	}
}

// Take counts the request and sets the headers that every response carries; the error is that the caller has none left.
func (g *Gate) Take(
	w http.ResponseWriter, r *http.Request, caller ratelimit.Caller, limit int,
) (ratelimit.Decision, error) {
	d, err := g.Limiter.Take(r.Context(), caller, limit)
	if err != nil {
		g.Log.WarnContext(r.Context(), "a caller is counted by this process alone", "error", err,
			"requestId", RequestID(r.Context()))
	}
	announce(w.Header(), d)
	if !d.Allowed {
		f := fault.New(fault.RateLimited, "Too many requests: at most %d in %d seconds.",
			d.Limit, int(ratelimit.Window.Seconds()))
		f.RetryAfter = ratelimit.RetryAfter
		return d, f
	}
	return d, nil
}

// unlimited is what a caller without a limit is told: the headers are on every response, and are numbers.
const unlimited = math.MaxInt32

// announce sets the headers of the rate limit.
func announce(h http.Header, d ratelimit.Decision) {
	if d.Limit == 0 {
		d.Limit, d.Remaining, d.Reset = unlimited, unlimited, ratelimit.Window
	}
	h.Set("X-RateLimit-Limit", strconv.Itoa(d.Limit))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(d.Remaining))
	// Rounded up, so that a caller who waits that long is let in.
	h.Set("X-RateLimit-Reset", strconv.Itoa(int(math.Ceil(d.Reset.Seconds()))))
}

// bearer is the token of the Authorization header; "" where there is none, or more than one: nobody may be taken for
// another by whoever reads the other one.
func bearer(r *http.Request) string {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return ""
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return ""
	}
	return strings.TrimSpace(token)
}
