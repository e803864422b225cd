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
	ByKey      ActorKind = "KEY"
	ByUser     ActorKind = "USER"
	ByOperator ActorKind = "OPERATOR"
	BySystem   ActorKind = "SYSTEM"
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
	System  Surface = "SYSTEM"
)

// Actor is who is asking, on behalf of which tenant, and through which surface. It is immutable once in a context.
type Actor struct {
	Kind     ActorKind
	ID       int // of the key or user; 0 for operators and the system
	Name     string
	TenantID int
	// Zone is the tenant's time zone.
	Zone *time.Location
	// Lineage names the actor across key rotations, for idempotency.
	Lineage int
	Scopes  Scopes
	// ReadOnly refuses every write, whatever the scopes: a test key of a tenant without a sandbox.
	ReadOnly  bool
	Surface   Surface
	RequestID string
}

// May reports whether the actor holds the scope.
func (a *Actor) May(s Scope) bool { return a.Scopes.Grant(s) }

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
		Scopes: AllScopes(), Surface: System, RequestID: requestID,
	})
}

// AsOperator is a person at the command line acting inside one tenant, with every scope.
func AsOperator(ctx context.Context, tenantID int, zone *time.Location, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: ByOperator, Name: "command line", TenantID: tenantID, Zone: zone,
		Scopes: AllScopes(), Surface: CLI, RequestID: requestID,
	})
}

// AsInbound is one of a tenant's own systems, known by its signature, delivering an event to one of our receivers. It
// acts with every scope: what its events do is the receiver's to decide.
func AsInbound(ctx context.Context, tenantID int, zone *time.Location, source, requestID string) context.Context {
	return With(ctx, &Actor{
		Kind: BySystem, Name: "inbound " + source, TenantID: tenantID, Zone: zone,
		Scopes: AllScopes(), Surface: Inbound, RequestID: requestID,
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
