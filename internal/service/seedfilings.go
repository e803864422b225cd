package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
)

// FileUCC sends the drafted financing statement of a deal to the state.
func (s Seeds) FileUCC(ctx context.Context, dealID int) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.StatusDRAFT, func(t *tx) []columnChange {
		return []columnChange{{uccfiling.FieldStatus, uccfiling.StatusSUBMITTED}, {uccfiling.FieldFiledAt, t.At()}}
	})
}

// AcceptUCC notes that the state has accepted a deal's financing statement under a number. It lasts for five years.
func (s Seeds) AcceptUCC(ctx context.Context, dealID int, number string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.StatusSUBMITTED, func(t *tx) []columnChange {
		today := t.today()
		return []columnChange{
			{uccfiling.FieldStatus, uccfiling.StatusACCEPTED},
			{uccfiling.FieldFileNumber, number},
			{uccfiling.FieldFiledAt, t.At()},
			{uccfiling.FieldLapsesAt, civil.Of(today.Year()+5, today.Month(), today.Day())},
		}
	})
}

// RejectUCC notes that the state has sent a deal's financing statement back.
func (s Seeds) RejectUCC(ctx context.Context, dealID int, reason string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.StatusSUBMITTED, func(*tx) []columnChange {
		return []columnChange{{uccfiling.FieldStatus, uccfiling.StatusREJECTED}, {uccfiling.FieldRejectionReason, reason}}
	})
}

// moveFiling moves the UCC-1 of a deal that has the status.
func (s Seeds) moveFiling(
	ctx context.Context, dealID int, from uccfiling.Status, move func(*tx) []columnChange,
) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.financingStatement(ctx, dealID, from)
		if err != nil {
			return 0, err
		}
		update := t.UCCFiling.Update().Where(uccfiling.ID(before.ID))
		after, err := stored(ctx, t, before, move(t), update.Mutation(), update.Save)
		if err != nil {
			return 0, err
		}
		t.record("uccFiling.update", "uccFiling", before.ID, &dealID, before, after)
		return before.ID, nil
	})
}

func (t *tx) financingStatement(ctx context.Context, dealID int, status uccfiling.Status) (*ent.UCCFiling, error) {
	row, err := t.UCCFiling.Query().Where(uccfiling.DealID(dealID), uccfiling.TypeEQ(uccfiling.TypeUCC1),
		uccfiling.StatusEQ(status), locked).Order(uccfiling.ByID(descending())).First(ctx)
	return row, missing(err, "UCC filing")
}

// RedraftUCC drafts a deal's financing statement anew after it was sent back.
func (s Seeds) RedraftUCC(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		last, err := t.financingStatement(ctx, dealID, uccfiling.StatusREJECTED)
		if err != nil {
			return 0, err
		}
		made, err := t.UCCFiling.Create().SetDealID(dealID).SetProvider(last.Provider).SetJurisdiction(last.Jurisdiction).
			SetType(uccfiling.TypeUCC1).SetNillableCollateral(last.Collateral).Save(ctx)
		if err != nil {
			return 0, err
		}
		t.record("uccFiling.create", "uccFiling", made.ID, &dealID, nil, made)
		return made.ID, nil
	})
}

// TerminateUCC sends in a termination of a deal's financing statement that was accepted, once nothing is owed any more.
func (s Seeds) TerminateUCC(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return 0, err
		}
		if d.State != deal.Closed && d.State != deal.Renewed {
			return 0, fault.Conflictf("Deal %s is not over.", d.DealNumber)
		}
		before, err := t.financingStatement(ctx, dealID, uccfiling.StatusACCEPTED)
		if err != nil {
			return 0, err
		}
		made, err := t.UCCFiling.Create().SetDealID(dealID).SetProvider(before.Provider).SetJurisdiction(before.Jurisdiction).
			SetType(uccfiling.TypeUCC3_TERMINATION).SetStatus(uccfiling.StatusSUBMITTED).SetFiledAt(t.At()).
			SetAmendsID(before.ID).Save(ctx)
		if err != nil {
			return 0, err
		}
		t.record("uccFiling.create", "uccFiling", made.ID, &dealID, nil, made)
		return made.ID, nil
	})
}

// AcceptTermination notes that the state has accepted the termination of a deal's financing statement under a number.
func (s Seeds) AcceptTermination(ctx context.Context, dealID int, number string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		end, err := t.UCCFiling.Query().Where(uccfiling.DealID(dealID), uccfiling.TypeEQ(uccfiling.TypeUCC3_TERMINATION),
			uccfiling.StatusEQ(uccfiling.StatusSUBMITTED), locked).Only(ctx)
		if err != nil {
			return 0, missing(err, "UCC filing")
		}
		before, err := t.financingStatement(ctx, dealID, uccfiling.StatusACCEPTED)
		if err != nil {
			return 0, err
		}
		accept := t.UCCFiling.Update().Where(uccfiling.ID(end.ID))
		accepted, err := stored(ctx, t, end, []columnChange{
			{uccfiling.FieldStatus, uccfiling.StatusACCEPTED}, {uccfiling.FieldFileNumber, number},
		}, accept.Mutation(), accept.Save)
		if err != nil {
			return 0, err
		}
		update := t.UCCFiling.Update().Where(uccfiling.ID(before.ID))
		after, err := stored(ctx, t, before, []columnChange{{uccfiling.FieldStatus, uccfiling.StatusTERMINATED}},
			update.Mutation(), update.Save)
		if err != nil {
			return 0, err
		}
		alsoChanged(t, "uccFiling", before, after)
		t.record("uccFiling.update", "uccFiling", end.ID, &dealID, end, accepted)
		return end.ID, nil
	})
}
