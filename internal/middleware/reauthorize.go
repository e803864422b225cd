package middleware

import (
	"errors"
	"net/http"
	"slices"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// ErrChanged is returned for a caller who would still be admitted, but with other permissions.
var ErrChanged = errors.New("middleware: what the caller may do has changed")

// Reauthorize checks a request with a key or session again while its answer continues. It returns nil if the
// caller would be admitted with the same permissions, a fault if the caller would be refused, ErrChanged if the
// permissions differ, and another error if the check failed. It counts neither as a call nor as use of the
// session.
func (m *Chain) Reauthorize(r *http.Request) error {
	in := FromContext(r.Context())
	if in.Operator != nil && in.Operator.Surface == auth.CLI {
		return nil // admitted as long as the process lives
	}
	if in.Operator != nil {
		_, err := m.operator(r, in)
		return err
	}
	host, err := m.Service.Tenants.ByHost(r.Context(), r.Host)
	if err != nil {
		return err
	}
	now := &service.Caller{Tenant: host}
	if in.Caller.Key == nil {
		now.Actor, err = m.Service.Sessions.Caller(r.Context(), host, SessionToken(r), m.via, in.RequestID)
	} else if now, err = m.Service.Keys.Caller(r.Context(), host, bearer(r), m.via, in.RequestID); err == nil &&
		!auth.Allowed(now.Key.IPAllowList, in.Address) {
		err = errAddress
	}
	if err != nil {
		return err
	}
	if !alike(in.Caller.Actor, now.Actor) {
		return ErrChanged
	}
	return nil
}

var errAddress = fault.New(fault.Forbidden, "This key may not be used from this address.")

// alike reports whether two actors are the same caller with the same permissions.
func alike(a, b *auth.Actor) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.TenantID == b.TenantID && a.ReadOnly == b.ReadOnly &&
		slices.Equal(a.Scopes, b.Scopes) && slices.Equal(a.Permissions, b.Permissions)
}
