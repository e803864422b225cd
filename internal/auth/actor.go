// Package auth knows who may do what: actors, scopes, the form of API tokens and address allow-lists. It does no I/O.
package auth

import (
	"context"
	"errors"
	"time"
)

// ActorKind is what an actor is.
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

// Actor is who is asking, on behalf of which tenant, and through which surface. It is immutable once in a context.
type Actor struct {
	Kind     ActorKind
	ID       int // of the key or the member of staff; 0 for everybody else
	Name     string
	TenantID int
	// Zone is the tenant's time zone.
	Zone *time.Location
	// Lineage names the actor across key rotations, for idempotency.
	Lineage int
	Scopes  Scopes
	// Permissions are those of a member of staff, an operator or the product itself; a key has none but its scopes.
	Permissions Permissions
	// Session is the id of the session that a member of staff is signed in by; 0 for everybody else.
	Session int
	// Credential tells what an operator has proven by who they are from any other: "token 7", or "certificate" and its
	// SHA-256. Two may bear one name. It is "" for everybody else, and once the operator acts in a tenant.
	Credential string
	// ReadOnly refuses every write, whatever the scopes: a test key of a tenant without a sandbox.
	ReadOnly  bool
	Surface   Surface
	RequestID string
}

// May reports whether the actor holds the scope.
func (a *Actor) May(s Scope) bool { return a.Scopes.Grant(s) }

// Has reports whether the actor has the permission. Of those that are scopes, a key has what its scopes grant.
func (a *Actor) Has(p Permission) bool {
	return a.Permissions.Grant(p) || !p.isStaffs() && p != EveryPermission && a.May(Scope(p))
}

// IsUser reports whether the actor is a member of staff.
func (a *Actor) IsUser() bool { return a.Kind == ByUser }

type contextKey struct{}

type allTenantsKey struct{}

// ErrNoActor is a query or write that nobody asked for. It is a bug in the program, never the caller's fault.
var ErrNoActor = errors.New("auth: no actor in the context")

// With puts the actor into the context.
func With(ctx context.Context, a *Actor) context.Context {
	return context.WithValue(ctx, contextKey{}, a)
}

// From returns the actor, or nil.
func From(ctx context.Context) *Actor {
	a, _ := ctx.Value(contextKey{}).(*Actor)
	return a
}

// AsSystem is the product itself acting inside one tenant, with every scope.
func AsSystem(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: BySystem, Name: "system", TenantID: tenantID, Zone: zone,
		Scopes: AllScopes(), Permissions: Permissions{EveryPermission}, Surface: System, RequestID: requestID,
	})
}

// NewOperator is a person who runs the installation, known by name and let in by a credential, who acts in no tenant yet; see
// AsOperator. Nothing of a tenant's can be read or written on their behalf until then.
func NewOperator(name, credential string, via Surface, requestID string) *Actor {
	return &Actor{Kind: ByOperator, Name: name, Credential: credential, Surface: via, RequestID: requestID}
}

// CommandLine is the name of the operator who works on the database with this program's commands.
const CommandLine = "command line"

// AsOperator is an operator acting inside one tenant, with every scope: the one in the context or, where there is none, a
// person at the command line.
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

// AsInbound is one of a tenant's own systems, known by its signature, delivering an event to one of our receivers. It
// acts with every scope: what its events do is the receiver's to decide.
func AsInbound(ctx context.Context, tenantID int, zone *time.Location, source, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: BySystem, Name: "inbound " + source, TenantID: tenantID, Zone: zone,
		Scopes: AllScopes(), Permissions: Permissions{EveryPermission}, Surface: Inbound, RequestID: requestID,
	})
}

// AsOfferHolder is whoever opens the public page of an offer, known by nothing but the token in its address. It holds no
// scope and no permission: what can be done with an offer's token is for the service to say.
func AsOfferHolder(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: ByMerchant, Name: "offer page", TenantID: tenantID, Zone: zone, Surface: OfferPage, RequestID: requestID,
	})
}

// AsApplicant is whoever fills in a form on its public page, known by nothing. It holds no scope and no permission: what
// can be done with a form that is published is for the service to say.
func AsApplicant(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: ByApplicant, Name: "application page", TenantID: tenantID, Zone: zone, Surface: ApplicationPage, RequestID: requestID,
	})
}

// AllTenants opts a worker out of the tenant scope, visibly; reason says which worker and why.
func AllTenants(ctx context.Context, reason string) context.Context {
	return context.WithValue(ctx, allTenantsKey{}, reason)
}

// SeesAllTenants reports whether AllTenants was called.
func SeesAllTenants(ctx context.Context) bool {
	_, ok := ctx.Value(allTenantsKey{}).(string)
	return ok
}
