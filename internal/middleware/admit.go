package middleware

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

// Requests per minute and address for public pages and their files. They are cheap, and a company's whole staff
// may share one address and open the portal at the same time. A browser without cached files loads some 15
// files with a page and then keeps them.
const (
	PageLimit = 600
	FileLimit = 6000
)

// admit checks that the host is a tenant's, the key valid, the address allowed, and the rate within the limit.
// A caller without a valid key is counted by address. So is an unknown host or key before it is looked up in
// the database; a key that turns out to be valid gets the request back.
func (m *Chain) admit(w http.ResponseWriter, r *http.Request, in *RequestInfo, entry Entry) error {
	s := &Unauthenticated{chain: m, caller: ratelimit.Address(in.Address)}
	if entry == ByOperator {
		return m.admitOperator(w, r, in, s)
	}
	if entry == InProcess {
		in.Operator = auth.NewOperator(auth.CommandLine, "", m.via, in.RequestID)
		return nil
	}
	if !m.Service.Tenants.Known(r.Host) {
		if err := s.Count(w, r); err != nil {
			return err
		}
	}
	tenant, err := m.Service.Tenants.ByHost(r.Context(), r.Host)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	switch entry {
	case ByViewer:
		in.Tenant = tenant
		_, err := m.Take(w, r, ratelimit.Viewer(in.Address), PageLimit)
		return err
	case ByLoader:
		_, err := m.Take(w, r, ratelimit.Loader(in.Address), FileLimit)
		return err
	case ByAnyone:
		in.Tenant = tenant
		return s.Count(w, r)
	case BySignature:
		s.Forgive() // the host exists
		in.Tenant, in.Sender = tenant, &Unauthenticated{chain: m, caller: ratelimit.Unsigned(in.Address)}
		return nil
	case BySession:
		return m.admitSession(w, r, in, tenant, s)
	case ByCaller:
		if len(r.Header.Values("Authorization")) == 0 {
			return m.admitSession(w, r, in, tenant, s)
		}
	case ByKey, ByOperator, InProcess:
	}
	return m.admitKey(w, r, in, tenant, s)
}

func (m *Chain) admitKey(
	w http.ResponseWriter, r *http.Request, in *RequestInfo, tenant *service.TenantEntry, s *Unauthenticated,
) error {
	token := bearer(r)
	if !m.Service.Keys.Known(token) {
		if err := s.Count(w, r); err != nil {
			return err
		}
	}
	caller, err := m.Service.Keys.Authenticate(r.Context(), tenant, token, in.Address, m.via, in.RequestID)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	in.Caller = caller
	if !auth.Allowed(caller.Key.IPAllowList, in.Address) {
		// Counted by address, so that nobody can use up a key's limit from an address where it is not allowed. The
		// key is refused either way.
		_ = s.Count(w, r)
		return errAddress
	}
	s.Forgive()
	in.counted, in.limit = ratelimit.Key(caller.Key.ID), caller.Key.RateLimit
	return m.Charge(w, r, 1)
}

// admitSession admits a signed-in member of staff. It refuses a cross-site request before it looks at the
// cookie.
func (m *Chain) admitSession(
	w http.ResponseWriter, r *http.Request, in *RequestInfo, tenant *service.TenantEntry, s *Unauthenticated,
) error {
	if err := SameOrigin(r); err != nil {
		return s.Refuse(w, r, err)
	}
	token := SessionToken(r)
	if !m.Service.Sessions.Known(token) {
		if err := s.Count(w, r); err != nil {
			return err
		}
	}
	actor, err := m.Service.Sessions.Authenticate(r.Context(), tenant, token, m.via, in.RequestID)
	if err != nil {
		return s.Refuse(w, r, err)
	}
	in.Caller = &service.Caller{Actor: actor, Tenant: tenant}
	s.Forgive()
	in.counted, in.limit = ratelimit.Known("user", actor.ID), service.StaffRateLimit
	return m.Charge(w, r, 1)
}

// Charge counts n requests of a caller with a key or a session. It returns an error if fewer are left.
func (m *Chain) Charge(w http.ResponseWriter, r *http.Request, n int) (err error) {
	in := FromContext(r.Context())
	for ; n > 0 && err == nil; n-- {
		in.Decision, err = m.Take(w, r, in.counted, in.limit)
	}
	return err
}

// Unauthenticated is an unauthenticated caller, identified by address.
type Unauthenticated struct {
	chain    *Chain
	caller   ratelimit.Caller
	decision *ratelimit.Decision // nil until the request is counted
	err      error
}

// Count counts the request once. It returns an error if the address has no requests left.
func (s *Unauthenticated) Count(w http.ResponseWriter, r *http.Request) error {
	if s.decision == nil {
		var d ratelimit.Decision
		d, s.err = s.chain.Take(w, r, s.caller, service.DefaultRateLimit)
		s.decision = &d
	}
	return s.err
}

// Refuse counts the request and returns the reason. Internal errors are not counted.
func (s *Unauthenticated) Refuse(w http.ResponseWriter, r *http.Request, reason error) error {
	if fault.As(reason) == nil {
		return reason
	}
	if err := s.Count(w, r); err != nil {
		return err
	}
	return reason
}

// Forgive gives the request back, because another caller was charged for it.
func (s *Unauthenticated) Forgive() {
	if s.decision != nil {
		s.chain.Limiter.Return(s.caller, *s.decision)
	}
}

// Take counts the request and sets the rate-limit headers of the response. It returns an error if the caller
// has no requests left.
func (m *Chain) Take(
	w http.ResponseWriter, r *http.Request, caller ratelimit.Caller, limit int,
) (ratelimit.Decision, error) {
	d, err := m.Limiter.Take(r.Context(), caller, limit)
	if err != nil {
		m.Log.WarnContext(r.Context(), "rate limit store unavailable: counting in this process only", "error", err,
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

// unlimited is the header value for a caller without a limit: every response has the headers, and they are
// numbers.
const unlimited = math.MaxInt32

// announce sets the rate-limit headers.
func announce(h http.Header, d ratelimit.Decision) {
	if d.Limit == 0 {
		d.Limit, d.Remaining, d.Reset = unlimited, unlimited, ratelimit.Window
	}
	// The reset is rounded up, so that a caller who waits that long is admitted.
	values := [...]string{
		strconv.Itoa(d.Limit), strconv.Itoa(d.Remaining), strconv.Itoa(int(math.Ceil(d.Reset.Seconds()))),
	}
	h[limitHeader], h[remainingHeader], h[resetHeader] = values[0:1:1], values[1:2:2], values[2:3:3]
}

// The rate-limit headers as http.Header keeps them; names are not case-sensitive.
const (
	limitHeader     = "X-Ratelimit-Limit"
	remainingHeader = "X-Ratelimit-Remaining"
	resetHeader     = "X-Ratelimit-Reset"
)

var (
	defaultLimit = []string{strconv.Itoa(service.DefaultRateLimit)}
	zero         = []string{"0"}
)

// announceUncounted sets the rate-limit headers of a response whose caller has not been counted.
func announceUncounted(h http.Header) {
	h[limitHeader], h[remainingHeader], h[resetHeader] = defaultLimit, zero, zero
}

// bearer returns the token of the Authorization header. It returns "" if there is none or more than one,
// because two readers could otherwise pick different tokens.
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
