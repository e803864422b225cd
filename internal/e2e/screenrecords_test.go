package e2e

import (
	"context"
	"testing"

	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/store"
)

// owe adds records to the company that a deal without a broker does not lead to: a batch of commissions, partly
// held back, and an opportunity to renew the deal.
func (o *office) owe(t *testing.T, deal int) {
	t.Helper()
	broker := o.admin.mutate("createIso", "NewIso", 0, object{"name": "Bridge Capital Brokers"}, "id")
	ctx := o.a.Operator(t, o.host)
	err := o.a.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		d := tx.Deal.GetX(ctx, deal)
		batch := tx.PayoutBatch.Create().SetKind(payoutbatch.KindCOMMISSION).SetPeriodFrom(civil.Of(2026, 1, 1)).
			SetPeriodTo(civil.Of(2026, 1, 31)).SetCreatedByUserID(1).SaveX(ctx)
		tx.PayoutItem.Create().
			SetBatch(batch).
			SetDealID(deal).
			SetIsoID(idIn(broker, "id")).
			SetAmount(money.Must("5000.00")).
			SaveX(ctx)
		tx.PayoutItem.Create().SetBatch(batch).SetDealID(deal).SetIsoID(idIn(broker, "id")).SetAmount(money.Must("250.00")).
			SetStatus(payoutitem.StatusHELD).SetHeldReason("Their agreement is being renewed").SaveX(ctx)
		return tx.RenewalOpportunity.Create().SetPriorDealID(deal).SetMerchantID(d.MerchantID).
			SetPaidDownPct(money.MustRate("50")).SetOutstanding(money.Must("30000.00")).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
}
