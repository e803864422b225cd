package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ucc"
)

// FileUCC sends the drafted financing statement of a deal to the state.
func (s Seeds) FileUCC(ctx context.Context, dealID int) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC1, uccfiling.StatusDRAFT, (*tx).submitFiling)
}

// AcceptUCC notes that the state has accepted a deal's financing statement under a number.
func (s Seeds) AcceptUCC(ctx context.Context, dealID int, number string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC1, uccfiling.StatusSUBMITTED, accepting(number))
}

// RejectUCC notes that the state has sent a deal's financing statement back.
func (s Seeds) RejectUCC(ctx context.Context, dealID int, reason string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC1, uccfiling.StatusSUBMITTED,
		func(t *tx, ctx context.Context, f *filing) (*ent.UCCFiling, error) {
			return t.moveFiling(ctx, f, ucc.Rejected, columnChange{uccfiling.FieldRejectionReason, reason})
		})
}

// accepting accepts a filing under a number.
func accepting(number string) func(*tx, context.Context, *filing) (*ent.UCCFiling, error) {
	return func(t *tx, ctx context.Context, f *filing) (*ent.UCCFiling, error) {
		return t.acceptFiling(ctx, f, number, t.At())
	}
}

// moveFiling moves the newest filing of a deal that is of the type and has the status.
func (s Seeds) moveFiling(
	ctx context.Context, dealID int, of uccfiling.Type, from uccfiling.Status,
	move func(*tx, context.Context, *filing) (*ent.UCCFiling, error),
) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		id, err := t.filingOf(ctx, dealID, of, from)
		if err != nil {
			return 0, err
		}
		f, err := t.lockFiling(ctx, id)
		if err != nil {
			return 0, err
		}
		_, err = move(t, ctx, f)
		return id, err
	})
}

func (t *tx) filingOf(ctx context.Context, dealID int, of uccfiling.Type, status uccfiling.Status) (int, error) {
	id, err := t.UCCFiling.Query().Where(uccfiling.DealID(dealID), uccfiling.TypeEQ(of), uccfiling.StatusEQ(status)).
		Order(uccfiling.ByID(descending())).FirstID(ctx)
	return id, missing(err, "UCC filing")
}

// RedraftUCC drafts a deal's financing statement anew after it was sent back.
func (s Seeds) RedraftUCC(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		made, err := t.draftFiling(ctx, NewUCCFiling{DealID: Some(dealID), Type: Some(uccfiling.TypeUCC1)})
		if err != nil {
			return 0, err
		}
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
		base, err := t.filingOf(ctx, dealID, uccfiling.TypeUCC1, uccfiling.StatusACCEPTED)
		if err != nil {
			return 0, err
		}
		made, err := t.draftFiling(ctx, NewUCCFiling{
			DealID: Some(dealID), Type: Some(uccfiling.TypeUCC3_TERMINATION), AmendsID: Some(base),
		})
		if err != nil {
			return 0, err
		}
		f, err := t.lockFiling(ctx, made.ID)
		if err != nil {
			return 0, err
		}
		sent, err := t.submitFiling(ctx, f)
		if err != nil {
			return 0, err
		}
		t.record("uccFiling.create", "uccFiling", made.ID, &dealID, nil, sent)
		return made.ID, nil
	})
}

// AcceptTermination notes that the state has accepted the termination of a deal's financing statement under a number.
func (s Seeds) AcceptTermination(ctx context.Context, dealID int, number string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC3_TERMINATION, uccfiling.StatusSUBMITTED, accepting(number))
}
