package seeds

import (
	"context"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/books"
	"paydown/internal/service/compliance"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/ucc"
)

// FileUCC sends the drafted financing statement of a deal to the state.
func (s Seeds) FileUCC(ctx context.Context, dealID int) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC1, uccfiling.StatusDRAFT, compliance.SubmitFiling)
}

// AcceptUCC notes that the state has accepted a deal's financing statement under a number.
func (s Seeds) AcceptUCC(ctx context.Context, dealID int, number string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC1, uccfiling.StatusSUBMITTED, accepting(number))
}

// RejectUCC notes that the state has sent a deal's financing statement back.
func (s Seeds) RejectUCC(ctx context.Context, dealID int, reason string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC1, uccfiling.StatusSUBMITTED,
		func(ctx context.Context, t *unit.Tx, f *compliance.Filing) (*ent.UCCFiling, error) {
			return compliance.MoveFiling(ctx, t, f, ucc.Rejected, input.Set(uccfiling.FieldRejectionReason, reason))
		})
}

// accepting accepts a filing under a number.
func accepting(number string) func(context.Context, *unit.Tx, *compliance.Filing) (*ent.UCCFiling, error) {
	return func(ctx context.Context, t *unit.Tx, f *compliance.Filing) (*ent.UCCFiling, error) {
		return compliance.AcceptFiling(ctx, t, f, number, t.At())
	}
}

// moveFiling moves the newest filing of a deal that is of the type and has the status.
func (s Seeds) moveFiling(
	ctx context.Context, dealID int, of uccfiling.Type, from uccfiling.Status,
	move func(context.Context, *unit.Tx, *compliance.Filing) (*ent.UCCFiling, error),
) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		id, err := filingOf(ctx, t, dealID, of, from)
		if err != nil {
			return 0, err
		}
		f, err := compliance.LockFiling(ctx, t, id)
		if err != nil {
			return 0, err
		}
		_, err = move(ctx, t, f)
		return id, err
	})
}

func filingOf(ctx context.Context, t *unit.Tx, dealID int, of uccfiling.Type, status uccfiling.Status) (int, error) {
	id, err := t.UCCFiling.Query().Where(uccfiling.DealID(dealID), uccfiling.TypeEQ(of), uccfiling.StatusEQ(status)).
		Order(uccfiling.ByID(unit.Descending())).FirstID(ctx)
	return id, unit.NotFound(err, "UCC filing")
}

// RedraftUCC drafts a deal's financing statement anew after it was sent back.
func (s Seeds) RedraftUCC(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		made, err := compliance.DraftFiling(ctx, t, compliance.NewUCCFiling{DealID: input.Some(dealID), Type: input.Some(uccfiling.TypeUCC1)})
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// TerminateUCC sends in a termination of a deal's financing statement that was accepted, once nothing is owed any more.
func (s Seeds) TerminateUCC(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		if d.State != deal.Closed && d.State != deal.Renewed {
			return 0, fault.Conflictf("Deal %s is not over.", d.DealNumber)
		}
		base, err := filingOf(ctx, t, dealID, uccfiling.TypeUCC1, uccfiling.StatusACCEPTED)
		if err != nil {
			return 0, err
		}
		made, err := compliance.DraftFiling(ctx, t, compliance.NewUCCFiling{
			DealID: input.Some(dealID), Type: input.Some(uccfiling.TypeUCC3_TERMINATION), AmendsID: input.Some(base),
		})
		if err != nil {
			return 0, err
		}
		f, err := compliance.LockFiling(ctx, t, made.ID)
		if err != nil {
			return 0, err
		}
		sent, err := compliance.SubmitFiling(ctx, t, f)
		if err != nil {
			return 0, err
		}
		t.Record("uccFiling.create", "uccFiling", made.ID, &dealID, nil, sent)
		return made.ID, nil
	})
}

// AcceptTermination notes that the state has accepted the termination of a deal's financing statement under a number.
func (s Seeds) AcceptTermination(ctx context.Context, dealID int, number string) (int, error) {
	return s.moveFiling(ctx, dealID, uccfiling.TypeUCC3_TERMINATION, uccfiling.StatusSUBMITTED, accepting(number))
}
