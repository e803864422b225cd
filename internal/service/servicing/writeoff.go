package servicing

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// WriteOff writes off what a deal in default still owes and closes it. The reason is kept as a note on the
// deal. Money that comes in later is posted as a recovery. It needs the permission deals.write-off and, because
// it posts like a payment, the scope payments:write. A deal that is already CLOSED is a conflict.
func (s Deals) WriteOff(ctx context.Context, id int, reason string) (*ent.Deal, error) {
	if _, err := unit.RequirePermission(ctx, auth.WriteOff); err != nil {
		return nil, err
	}
	if message := input.Violation(reason, "notes"); message != "" || reason == "" {
		return nil, fault.Field("reason",
			"must be 1 to 10000 characters, without control characters other than newline and tab")
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.Deal, error) {
		before, err := books.LockDeal(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if before.State != deal.Defaulted {
			return nil, fault.Conflictf("Only a deal in default can be written off; this one is %s.", before.State).
				With("state", "must be DEFAULTED")
		}
		facts, balances, err := books.Books(ctx, t, before)
		if err != nil {
			return nil, err
		}
		if ledger.Outstanding(balances).IsZero() {
			return nil, fault.Conflictf("The deal owes nothing: close it instead.").
				With("state", "can become CLOSED without a write-off")
		}
		entries, err := ledger.WriteOffBalance(facts, balances)
		if err != nil {
			return nil, err
		}
		if err := books.Post(ctx, t, books.Posting{Deal: &id, Entries: entries}); err != nil {
			return nil, err
		}
		after, err := move(ctx, t, before, deal.Closed, trigger(t))
		if err != nil {
			return nil, err
		}
		t.Record("deal.writeOff", "deal", id, &id, before, after)
		return after, noteOn(ctx, t, id, "Written off: "+reason)
	})
}

// opensWrittenOff reports whether a written-off balance has become owed again.
func opensWrittenOff(b ledger.Balances) bool {
	return ledger.WrittenOff(b).Sign() > 0 && ledger.Outstanding(b).Sign() > 0
}

// writeOffAgain writes off what is owed again after a payment was returned on a written-off deal, effective on
// the day of the return. The deal becomes DEFAULTED.
func writeOffAgain(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facts ledger.Facts, balances ledger.Balances, on civil.Date,
) error {
	entries, err := ledger.WriteOffBalance(facts, balances)
	if err != nil {
		return err
	}
	if err := books.Post(ctx, t, books.Posting{Deal: &d.ID, On: on, Entries: entries}); err != nil {
		return err
	}
	after, err := follow(ctx, t, d, deal.Defaulted, deal.ByAutomation)
	if err != nil {
		return err
	}
	if after == d {
		return syncFacilityBalance(ctx, t, d)
	}
	unit.AlsoUpdated(t, "deal", d, after)
	return nil
}

// noteOn adds a note to a deal, in the name of the acting member of staff if there is one.
func noteOn(ctx context.Context, t *unit.Tx, dealID int, body string) error {
	create := t.Note.Create().SetDealID(dealID).SetBody(input.Truncate(body, input.MaxNotes))
	if t.Actor.IsUser() {
		create.SetAuthorID(t.Actor.ID)
	}
	created, err := create.Save(ctx)
	if err == nil {
		unit.AlsoCreated(t, "note", created)
	}
	return err
}
