package servicing

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/pricing"
	"paydown/internal/service/books"
	"paydown/internal/service/payouts"
	"paydown/internal/service/unit"
)

// commissionRisk is how long after funding a default claws the commission back.
const commissionRisk = 30 * 24 * time.Hour

// oweCommission posts the broker's commission and adds it to this month's draft batch.
func oweCommission(ctx context.Context, t *unit.Tx, d *ent.Deal, terms pricing.Terms) error {
	amount := terms.Commission()
	if d.IsoID == nil || amount.Sign() <= 0 {
		return nil
	}
	entries, err := ledger.OweCommission(*d.IsoID, amount)
	if err != nil {
		return err
	}
	if err := books.Post(ctx, t, books.Posting{Deal: &d.ID, On: fundedOn(t, d), Entries: entries}); err != nil {
		return err
	}
	batch, err := commissionBatch(ctx, t)
	if err != nil {
		return err
	}
	item, err := t.PayoutItem.Create().SetBatchID(batch.ID).SetIsoID(*d.IsoID).SetDealID(d.ID).SetAmount(amount).
		SetClawbackRiskAt(d.FundedAt.Add(commissionRisk)).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "payoutItem", item)
	return nil
}

// commissionBatch returns the draft batch of this month's commissions and creates it if there is none. It
// serializes on the commission account, so that deals that fund at the same time do not create one batch each.
func commissionBatch(ctx context.Context, t *unit.Tx) (*ent.PayoutBatch, error) {
	if err := payouts.Serialize(ctx, t, ledger.CommissionPayable); err != nil {
		return nil, err
	}
	today := t.Today()
	from := civil.Of(today.Year(), today.Month(), 1)
	to := civil.Of(today.Year(), today.Month()+1, 1).AddDays(-1)
	batch, err := t.PayoutBatch.Query().Where(payoutbatch.KindEQ(payoutbatch.KindCOMMISSION),
		payoutbatch.StatusEQ(payoutbatch.StatusDRAFT), payoutbatch.PeriodFrom(from), payoutbatch.PeriodTo(to), unit.Locked).
		Order(payoutbatch.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		batch, err = t.PayoutBatch.Create().SetKind(payoutbatch.KindCOMMISSION).SetPeriodFrom(from).SetPeriodTo(to).Save(ctx)
		if err == nil {
			unit.AlsoCreated(t, "payoutBatch", batch)
		}
	}
	if err != nil {
		return nil, err
	}
	return batch, payouts.TakeCarried(ctx, t, batch)
}
