package service

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

// permit refuses an actor who lacks the scope.
func permit(ctx context.Context, scope auth.Scope) (*auth.Actor, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	if !actor.May(scope) {
		return nil, fault.New(fault.Forbidden, "This needs the scope %s.", scope)
	}
	return actor, nil
}

// entitled refuses an actor who lacks a permission that is not a scope. No key has one.
func entitled(ctx context.Context, p auth.Permission) (*auth.Actor, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	if !actor.Has(p) {
		return nil, fault.New(fault.Forbidden, "This needs the permission %s.", p)
	}
	return actor, nil
}

// permitWrite also refuses an actor who may only read.
func permitWrite(ctx context.Context, scope auth.Scope) (*auth.Actor, error) {
	actor, err := permit(ctx, scope)
	if err == nil && actor.ReadOnly {
		err = fault.New(fault.Forbidden,
			"This test key reads production data until the tenant has a sandbox; it cannot write.")
	}
	return actor, err
}

// operatorsOnly refuses keys and members of staff what is not of their tenant alone. The command line, which works straight
// on the database, acts for nobody.
func operatorsOnly(ctx context.Context) error {
	if a := auth.From(ctx); a != nil && (a.Kind == auth.ByKey || a.IsUser()) {
		return fault.New(fault.Forbidden, "This is for those who run the installation.")
	}
	return nil
}

// tx is an open write: the transaction, who asked for it, and what it leaves behind. A write that changes nothing
// records nothing.
type tx struct {
	*store.Tx
	core   *core
	actor  *auth.Actor
	events []event
	// What goes into the audit trail: the write itself, what it did to other records, and the names of all of those.
	entry        *auditEntry
	consequences []auditEntry
	effects      []effect
	// viewing says that there is no transaction: what a write would find is only looked at.
	viewing bool
}

// view judges by the rules of a write what is only shown to the actor, who has been let in.
func (c *core) view(actor *auth.Actor) *tx {
	return &tx{Tx: c.store.View(), core: c, actor: actor, viewing: true}
}

// held is the row lock as a predicate, for queries that a view makes too.
func (t *tx) held(s *sql.Selector) {
	if !t.viewing {
		locked(s)
	}
}

// today is the day it is for the tenant.
func (t *tx) today() civil.Date { return civil.On(t.At(), t.zone()) }

func (t *tx) zone() *time.Location { return zoneOf(t.actor) }

// userID is the acting member of staff; nil where somebody else acts.
func (t *tx) userID() *int {
	if !t.actor.IsUser() {
		return nil
	}
	return &t.actor.ID
}

func zoneOf(actor *auth.Actor) *time.Location {
	if actor.Zone != nil {
		return actor.Zone
	}
	return time.UTC
}

// write runs one write of the actor: scope, transaction, idempotency claim, the work, audit, outbox, the stored answer,
// commit. Either all of it is there afterwards or none. Where the answer was stored before, the error is *ReplayedError.
func write[T any](
	ctx context.Context, c *core, scope auth.Scope, work func(context.Context, *tx) (T, error),
) (T, error) {
	var result T
	actor, err := permitWrite(ctx, scope)
	if err != nil {
		return result, err
	}
	return transact(ctx, c, actor, work)
}

// transact is write for an actor who has been let in already.
func transact[T any](
	ctx context.Context, c *core, actor *auth.Actor, work func(context.Context, *tx) (T, error),
) (T, error) {
	var result T
	idem := idempotencyOf(ctx)
	release, err := c.enter(actor, idem)
	if err != nil {
		return result, err
	}
	defer release()
	err = c.store.Write(ctx, func(ctx context.Context, stx *store.Tx) error {
		t := &tx{Tx: stx, core: c, actor: actor}
		if err := t.claim(ctx, idem); err != nil {
			return err
		}
		var err error
		if result, err = work(ctx, t); err != nil {
			return err
		}
		if err := t.flush(ctx); err != nil {
			return err
		}
		return t.keepAnswer(ctx, idem, result)
	})
	err = explain(resumed(err, &result))
	return result, err
}

// flush stores what the write leaves behind: its audit entries and its events.
func (t *tx) flush(ctx context.Context) error {
	if err := t.writeAudit(ctx); err != nil {
		return fmt.Errorf("audit: %w", err)
	}
	if err := t.writeEvents(ctx); err != nil {
		return fmt.Errorf("outbox: %w", err)
	}
	if recorded := t.core.signals.recorded; recorded != nil && t.entry != nil {
		t.AfterCommit(recorded)
	}
	return nil
}

// explain turns what the database noticed, where the service did not, into a fault.
func explain(err error) error {
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
