package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/service/unit"
)

// ByHand is the provider of a filing that is made without a filing service.
const ByHand = "MANUAL"

// LiveStatement returns the deal's financing statement that is drafted, filed or active; nil if there is none.
func LiveStatement(ctx context.Context, t *unit.Tx, dealID int) (*ent.UCCFiling, error) {
	row, err := t.UCCFiling.Query().Where(uccfiling.DealID(dealID), uccfiling.TypeEQ(uccfiling.TypeUCC1),
		uccfiling.StatusIn(uccfiling.StatusDRAFT, uccfiling.StatusSUBMITTED, uccfiling.StatusACCEPTED)).
		Order(uccfiling.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return row, err
}

// DebtorState returns the state in which to file against a merchant: the state of incorporation, else the state
// of its address; nil if neither is known.
func DebtorState(m *ent.Merchant) *string {
	if m.StateOfIncorporation != nil {
		return m.StateOfIncorporation
	}
	return m.State
}

// ReceivablesOf describes the collateral of an advance.
func ReceivablesOf(m *ent.Merchant) string {
	return "All present and future receivables of " + m.LegalName
}

// draftUCC drafts the financing statement in the merchant's DebtorState. If that is unknown, staff have to file
// it. An existing draft is kept.
func draftUCC(ctx context.Context, t *unit.Tx, d *ent.Deal, m *ent.Merchant) error {
	where := DebtorState(m)
	if where == nil {
		return nil
	}
	if live, err := LiveStatement(ctx, t, d.ID); err != nil || live != nil {
		return err
	}
	filing, err := t.UCCFiling.Create().SetDealID(d.ID).SetProvider(ByHand).SetJurisdiction(*where).
		SetType(uccfiling.TypeUCC1).SetCollateral(ReceivablesOf(m)).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "uccFiling", filing)
	return nil
}
