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

// RequireScope refuses an actor who lacks the scope.
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

// RequirePermission refuses an actor who lacks a permission that is not a scope. No key has one.
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

// RequireWriteScope also refuses an actor who may only read.
func RequireWriteScope(ctx context.Context, scope auth.Scope) (*auth.Actor, error) {
	actor, err := RequireScope(ctx, scope)
	if err == nil && actor.ReadOnly {
		err = fault.New(fault.Forbidden,
			"This test key reads production data until the tenant has a sandbox; it cannot write.")
	}
	return actor, err
}

// RequireOperator refuses keys and members of staff what is not of their tenant alone. The command line, which works straight
// on the database, acts for nobody.
func RequireOperator(ctx context.Context) error {
	if a := auth.From(ctx); a != nil && (a.Kind == auth.ByKey || a.IsUser()) {
		return fault.New(fault.Forbidden, "This is for those who run the installation.")
	}
	return nil
}

// Tx is an open write: the transaction, who asked for it, and what it leaves behind. A write that changes nothing
// records nothing.
type Tx struct {
	*store.Tx
	Core   *Core
	Actor  *auth.Actor
	events []event
	// What goes into the audit trail: the write itself, what it did to other records, and the names of all of those.
	entry        *auditEntry
	consequences []auditEntry
	effects      []effect
	// viewing says that there is no transaction: what a write would find is only looked at.
	viewing bool
}

// View judges by the rules of a write what is only shown to the actor, who has been let in.
func (c *Core) View(actor *auth.Actor) *Tx {
	return &Tx{Tx: c.Store.View(), Core: c, Actor: actor, viewing: true}
}

// RowLock is the row lock as a predicate, for queries that a view makes too.
func (t *Tx) RowLock(s *sql.Selector) {
	if !t.viewing {
		Locked(s)
	}
}

// Today is the day it is for the tenant.
func (t *Tx) Today() civil.Date { return civil.On(t.At(), t.Zone()) }

func (t *Tx) Zone() *time.Location { return ZoneOf(t.Actor) }

// UserID is the acting member of staff; nil where somebody else acts.
func (t *Tx) UserID() *int {
	if !t.Actor.IsUser() {
		return nil
	}
	return &t.Actor.ID
}

func ZoneOf(actor *auth.Actor) *time.Location {
	if actor.Zone != nil {
		return actor.Zone
	}
	return time.UTC
}

// Write runs one write of the actor: scope, transaction, idempotency claim, the work, audit, outbox, the stored answer,
// commit. Either all of it is there afterwards or none. Where the answer was stored before, the error is ErrReplayed.
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

// Transact is Write for an actor who has been let in already.
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

// Flush stores what the write leaves behind: its audit entries and its events.
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
	return nil
}

// TranslateError turns what the database noticed, where the service did not, into a fault.
func TranslateError(err error) error {
	if foreign, ok := errors.AsType[*store.ForeignError](err); ok {
		return fault.UnknownReference(fault.Detail{Path: foreign.Edge, Message: "no such record"}).Because(err)
	}
	if fault.As(err) == nil && store.IsBrokenReference(err) {
		// Somebody deleted the record between the look-up and the write, or made one that refers to it.
		return fault.New(fault.InvalidReference, "The request refers to a record that does not exist any more.").Because(err)
	}
	return err
}

// Unreachable reports an error that means the database does not answer at the moment.
func Unreachable(err error) bool { return store.IsUnreachable(err) }
