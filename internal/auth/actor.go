// Package auth defines who may do what: actors, scopes, permissions and roles; API tokens, passwords, second
// factors, address allow-lists. It does no I/O.
package auth

import (
	"context"
	"errors"
	"time"
)

// ActorKind is the kind of an actor.
type ActorKind string

// The kinds of actors.
const (
	ByKey       ActorKind = "KEY"
	ByUser      ActorKind = "USER"
	ByMerchant  ActorKind = "MERCHANT"
	ByApplicant ActorKind = "APPLICANT"
	ByOperator  ActorKind = "OPERATOR"
	BySystem    ActorKind = "SYSTEM"
)

// Surface is the way a request came in.
type Surface string

// The surfaces.
const (
	REST    Surface = "REST"
	GraphQL Surface = "GRAPHQL"
	RPC     Surface = "RPC"
	CLI     Surface = "CLI"
	Inbound Surface = "INBOUND"
	SignIn  Surface = "SIGN_IN"
	// OfferPage is the public page of an offer.
	OfferPage Surface = "OFFER_PAGE"
	// ApplicationPage is the public page of an application form.
	ApplicationPage Surface = "APPLICATION_PAGE"
	System          Surface = "SYSTEM"
)

// Actor is who acts, for which tenant, and through which surface. It is immutable once in a context.
type Actor struct {
	Kind     ActorKind
	ID       int // of the key or the member of staff; otherwise 0
	Name     string
	TenantID int
	// Zone is the tenant's time zone.
	Zone *time.Location
	// Lineage identifies the actor across key rotations, for idempotency.
	Lineage int
	Scopes  Scopes
	// Permissions are those of a member of staff, an operator or the system; a key has only scopes.
	Permissions Permissions
	// Session is the id of the session of a member of staff; otherwise 0.
	Session int
	// Credential identifies how an operator authenticated: "token 7", or "certificate" and its SHA-256. Two
	// operators may have the same name. It is "" for everybody else, and once the operator acts in a tenant.
	Credential string
	// ReadOnly refuses every write, regardless of scopes: a test key of a tenant without a sandbox.
	ReadOnly  bool
	Surface   Surface
	RequestID string
}

// May reports whether the actor has the scope.
func (a *Actor) May(s Scope) bool { return a.Scopes.Grant(s) }

// Has reports whether the actor has the permission. A key has the permissions that its scopes grant.
func (a *Actor) Has(p Permission) bool {
	return a.Permissions.Grant(p) || !p.isStaffs() && p != EveryPermission && a.May(Scope(p))
}

// IsUser reports whether the actor is a member of staff.
func (a *Actor) IsUser() bool { return a.Kind == ByUser }

type contextKey struct{}

type allTenantsKey struct{}

// ErrNoActor is returned for a query or write without an actor. It is a bug in the program, never the caller's
// fault.
var ErrNoActor = errors.New("auth: no actor in the context")

// With returns a context with the actor.
func With(ctx context.Context, a *Actor) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// From returns the actor, or nil.
func From(ctx context.Context) *Actor {
	a, _ := ctx.Value(contextKey{}).(*Actor)
	return a
}

// AsSystem returns a context in which the system acts in one tenant, with every scope.
func AsSystem(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: BySystem, Name: "system", TenantID: tenantID, Zone: zone,
		Scopes: AllScopes(), Permissions: Permissions{EveryPermission}, Surface: System, RequestID: requestID,
	})
}

// NewOperator returns an operator who does not act in a tenant yet; see AsOperator. Until then nothing of a
// tenant can be read or written.
func NewOperator(name, credential string, via Surface, requestID string) *Actor {
	return &Actor{Kind: ByOperator, Name: name, Credential: credential, Surface: via, RequestID: requestID}
}

// CommandLine is the name of the operator who runs this program's commands on the database.
const CommandLine = "command line"

// AsOperator returns a context in which an operator acts in one tenant, with every scope: the operator in the
// context, or else the one at the command line.
func AsOperator(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	name, via := CommandLine, CLI
	if a := From(ctx); a != nil && a.Kind == ByOperator {
		name, via = a.Name, a.Surface
	}
	return With(ctx, &Actor{
		Kind: ByOperator, Name: name, TenantID: tenantID, Zone: zone,
		Scopes: AllScopes(), Permissions: Permissions{EveryPermission}, Surface: via, RequestID: requestID,
	})
}

// AsInbound returns a context in which one of the tenant's own systems, identified by its signature, delivers
// an event. It has every scope; the receiver decides what its events do.
func AsInbound(ctx context.Context, tenantID int, zone *time.Location, source, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: BySystem, Name: "inbound " + source, TenantID: tenantID, Zone: zone,
		Scopes: AllScopes(), Permissions: Permissions{EveryPermission}, Surface: Inbound, RequestID: requestID,
	})
}

// AsOfferHolder returns a context for a visitor of an offer's public page, identified only by the token in its
// URL. It has no scopes and no permissions; the service decides what the token allows.
func AsOfferHolder(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: ByMerchant, Name: "offer page", TenantID: tenantID, Zone: zone, Surface: OfferPage, RequestID: requestID,
	})
}

// AsApplicant returns a context for an anonymous visitor of a form's public page. It has no scopes and no
// permissions; the service decides what a published form allows.
func AsApplicant(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: ByApplicant, Name: "application page", TenantID: tenantID, Zone: zone, Surface: ApplicationPage,
		RequestID: requestID,
	})
}

// AllTenants exempts a worker from the tenant scope, visibly; reason says which worker and why.
func AllTenants(ctx context.Context, reason string) context.Context {
	return context.WithValue(ctx, allTenantsKey{}, reason)
}

// SeesAllTenants reports whether AllTenants was called.
func SeesAllTenants(ctx context.Context) bool {
	_, ok := ctx.Value(allTenantsKey{}).(string)
	return ok
}
