package unit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"entgo.io/ent/dialect/sql"

	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/store"
)

// RequireScope returns the actor of the context, or forbidden if the actor lacks the scope.
func RequireScope(ctx context.Context, scope auth.Scope) (*auth.Actor, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	if !actor.May(scope) {
		return nil, fault.New(fault.Forbidden, "This needs the scope %s.", scope)
	}
	return actor, nil
}

// RequirePermission returns the actor, or forbidden if the actor lacks the permission. API keys have no
// permissions that are not scopes.
func RequirePermission(ctx context.Context, p auth.Permission) (*auth.Actor, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	if !actor.Has(p) {
		return nil, fault.New(fault.Forbidden, "This needs the permission %s.", p)
	}
	return actor, nil
}

// RequireWriteScope is RequireScope that also refuses a read-only actor.
func RequireWriteScope(ctx context.Context, scope auth.Scope) (*auth.Actor, error) {
	actor, err := RequireScope(ctx, scope)
	if err == nil && actor.ReadOnly {
		err = fault.New(fault.Forbidden,
			"This test key reads production data until the tenant has a sandbox; it cannot write.")
	}
	return actor, err
}

// RequireOperator refuses API keys and users, who belong to one tenant. The command line, which opens the database
// itself, has no actor and may do everything.
func RequireOperator(ctx context.Context) error {
	if a := auth.From(ctx); a != nil && (a.Kind == auth.ByKey || a.IsUser()) {
		return fault.New(fault.Forbidden, "Only operators may do this.")
	}
	return nil
}

// Tx is an open write: the transaction, the actor, and the audit entries and events to store with it. A write that
// changes nothing must record nothing.
type Tx struct {
	*store.Tx
	Core   *Core
	Actor  *auth.Actor
	events []event
	// For the audit trail: the write's own entry, the entries of other records, and the names of all of those.
	entry       *auditEntry
	sideEffects []auditEntry
	effects     []effect
	// settles is set if Flush completes a record that CreateLast has created.
	settles bool
	// viewing is set on a Tx without a transaction, which only reads.
	viewing bool
}

// View returns a Tx that applies the rules of a write to reads outside a transaction, for an actor whose rights
// were checked.
func (c *Core) View(actor *auth.Actor) *Tx {
	return &Tx{Tx: c.Store.View(), Core: c, Actor: actor, viewing: true}
}

// RowLock is Locked for queries that a View also runs; there it locks nothing.
func (t *Tx) RowLock(s *sql.Selector) {
	if !t.viewing {
		Locked(s)
	}
}

// Today is the current date in the tenant's time zone.
func (t *Tx) Today() civil.Date { return civil.On(t.At(), t.Zone()) }

// Zone is the tenant's time zone.
func (t *Tx) Zone() *time.Location { return ZoneOf(t.Actor) }

// UserID is the id of the acting user, or nil if the actor is not a user.
func (t *Tx) UserID() *int {
	if !t.Actor.IsUser() {
		return nil
	}
	return &t.Actor.ID
}

// ZoneOf is the time zone of the actor's tenant, or UTC if it has none.
func ZoneOf(actor *auth.Actor) *time.Location {
	if actor.Zone != nil {
		return actor.Zone
	}
	return time.UTC
}

// Write runs a write in one transaction: it checks the scope, claims the Idempotency-Key, runs work, stores audit
// entries, events and the answer, and commits. All of it is stored or none. If the key was answered before, the
// error is ErrReplayed.
func Write[T any](
	ctx context.Context, c *Core, scope auth.Scope, work func(context.Context, *Tx) (T, error),
) (T, error) {
	var result T
	actor, err := RequireWriteScope(ctx, scope)
	if err != nil {
		return result, err
	}
	return Transact(ctx, c, actor, work)
}

// Transact is Write for an actor whose rights were checked.
func Transact[T any](
	ctx context.Context, c *Core, actor *auth.Actor, work func(context.Context, *Tx) (T, error),
) (T, error) {
	var result T
	call := callOf(ctx)
	err := c.Store.Write(ctx, func(ctx context.Context, stx *store.Tx) error {
		t := &Tx{Tx: stx, Core: c, Actor: actor}
		done, err := call.begin(ctx, t, &result)
		if err != nil || done {
			return err
		}
		if result, err = work(ctx, t); err != nil {
			return err
		}
		if err := t.Flush(ctx); err != nil {
			return err
		}
		return call.keep(ctx, t, result)
	})
	return result, TranslateError(err)
}

// Flush stores the audit entries and events that the write has collected.
func (t *Tx) Flush(ctx context.Context) error {
	if err := t.writeAudit(ctx); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if err := t.writeEvents(ctx); err != nil {
		return fmt.Errorf("outbox: %w", err)
	}
	if recorded := t.Core.Signals.Recorded; recorded != nil && t.Recorded() {
		t.AfterCommit(recorded)
	}
	if t.settles {
		return t.RunDeferred(ctx)
	}
	return nil
}

// CreateLast runs the save of a create that ends the write: on PostgreSQL the row is stored together with the audit
// entries. Until Flush id, which belongs to the created record, may be 0, so nothing else may refer to the record.
func CreateLast[E any](
	ctx context.Context, t *Tx, id func(*E) *int, save func(context.Context) (*E, error),
) (row *E, err error) {
	row, err = save(t.DeferredCreate(ctx, func(created int) { *id(row) = created }))
	t.settles = t.settles || err == nil
	return row, err
}

// TranslateError turns integrity errors of the database into faults; other errors pass through.
func TranslateError(err error) error {
	if foreign, ok := errors.AsType[*store.ForeignError](err); ok {
		return fault.UnknownReference(fault.Detail{Path: foreign.Edge, Message: "no such record"}).Because(err)
	}
	if fault.As(err) == nil && store.IsBrokenReference(err) {
		// The record was deleted, or a reference to it was added, after the service checked.
		return fault.New(fault.InvalidReference, "The request refers to a record that no longer exists.").Because(err)
	}
	return err
}

// Unreachable reports whether the error means that the database cannot be reached.
func Unreachable(err error) bool { return store.IsUnreachable(err) }
