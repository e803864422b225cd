package demo

import (
	"context"
	"maps"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// planPayouts plans the batches of each month. Commissions are approved on the 5th of the next month and paid
// on the 12th, or a month later if they were still at risk. Payouts to syndicators are drafted once they have
// been held for long enough, and paid two days later. The last batch of those waits to be paid, and a transfer
// of the one before has come back.
func (b *builder) planPayouts() {
	opened := b.anchor.AddDays(-b.company.founded)
	for month := opened.Month(); ; month++ {
		from := civil.Of(opened.Year(), month, 1)
		next := civil.Of(opened.Year(), month+1, 1)
		if !next.Before(b.anchor) {
			return
		}
		to := next.AddDays(-1)
		commissions := b.payout(payoutbatch.KindCOMMISSION, from, to)
		b.on(schedule.RollForward(next.AddDays(4)), morning+15, commissions(b.approvePayout))
		for _, first := range []civil.Date{next, civil.Of(opened.Year(), month+2, 1)} {
			b.on(schedule.RollForward(first.AddDays(11)), morning+40, commissions(b.payPayout))
		}
		shares := b.payout(payoutbatch.KindPARTICIPATION, from, to)
		drafted := schedule.AddBankingDays(schedule.RollForward(next), heldFor)
		b.on(drafted, morning+5, b.draftDistribution(from, to))
		b.on(schedule.NextBankingDay(drafted), morning+20, shares(b.approvePayout))
		if later := b.approvedBy(opened.Year(), month+2); later.Before(b.anchor) {
			b.on(schedule.AddBankingDays(drafted, 2), morning+30, shares(b.payPayout))
			if last := !b.approvedBy(opened.Year(), month+3).Before(b.anchor); last {
				b.on(schedule.AddBankingDays(drafted, 4), noon+5, shares(b.failLast))
			}
		}
	}
}

// approvedBy is the day of a month on which the distribution of the month before is approved.
func (b *builder) approvedBy(year int, month time.Month) civil.Date {
	return schedule.AddBankingDays(schedule.RollForward(civil.Of(year, month, 1)), heldFor+1)
}

// heldFor is how many banking days a cleared payment is held before its shares are paid out.
const heldFor = 5

// draftDistribution drafts what syndicators are to get of a period, where there is anything.
func (b *builder) draftDistribution(from, to civil.Date) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := b.step(ctx, "payout of "+from.String(), func(ctx context.Context) (int, error) {
			row, err := b.Payouts.Make(ctx, service.NewPayout{
				Kind: some(payoutbatch.KindPARTICIPATION), PeriodFrom: some(from), PeriodTo: some(to),
			})
			if fault.Is(err, fault.Conflict) {
				return 0, nil // nothing is due
			}
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		})
		return err
	}
}

// payout makes events of what is done with the batch of a period, where there is one.
func (b *builder) payout(
	kind payoutbatch.Kind, from, to civil.Date,
) func(do func(context.Context, *ent.PayoutBatch) error) func(context.Context) error {
	return func(do func(context.Context, *ent.PayoutBatch) error) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := b.step(ctx, "payout of "+from.String(), func(ctx context.Context) (int, error) {
				batch, err := b.batchOf(ctx, kind, from, to)
				if batch == nil || err != nil {
					return 0, err
				}
				return batch.ID, do(ctx, batch)
			})
			return err
		}
	}
}

// batchOf is the batch of a period; nil where there is none.
func (b *builder) batchOf(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (*ent.PayoutBatch, error) {
	page, err := b.Payouts.ListWithoutItems(ctx, service.ListRequest{
		Sort: newestFirst, Limit: new(service.MaxLimit),
		Filters: map[string]service.FilterValue{"kind": service.TextFilter(string(kind))},
	})
	if err != nil {
		return nil, err
	}
	for _, batch := range page.Records {
		if batch.PeriodFrom.Equal(from) && batch.PeriodTo.Equal(to) {
			return batch, nil
		}
	}
	return nil, nil //nolint:nilnil // there is none
}

func (b *builder) approvePayout(ctx context.Context, batch *ent.PayoutBatch) error {
	_, err := b.Payouts.Approve(ctx, batch.ID)
	return err
}

// payPayout pays what can be paid of a batch; the rest is held back.
func (b *builder) payPayout(ctx context.Context, batch *ent.PayoutBatch) error {
	_, err := b.Payouts.Pay(ctx, batch.ID, nil)
	return err
}

// failLast has the transfer to the last of several syndicators come back that a batch has paid.
func (b *builder) failLast(ctx context.Context, batch *ent.PayoutBatch) error {
	items, err := b.Payouts.Items(ctx, auth.Read("payouts"), []int{batch.ID})
	if err != nil {
		return err
	}
	paid := map[int]int{} // an item of each syndicator who was paid
	for _, item := range items[batch.ID] {
		if item.SyndicatorID != nil && item.PaymentID != nil && item.Status == payoutitem.StatusPAID {
			paid[*item.SyndicatorID] = item.ID
		}
	}
	if len(paid) < 2 {
		return nil
	}
	last := slices.Max(slices.Collect(maps.Keys(paid)))
	_, err = b.Payouts.Fail(ctx, paid[last], "The bank sent the transfer back: no such account.")
	return err
}

// planBankCharge has some syndicators bear what the bank charged for a transfer.
func (d *life) planBankCharge() {
	if len(d.investors) == 0 || d.number%4 != 0 {
		return
	}
	day := schedule.RollForward(civil.Of(d.firstDay.Year(), d.firstDay.Month()+3, 24))
	d.on(day, noon, func(ctx context.Context) error {
		in := service.NewPayment{DealID: some(d.id), Amount: some(dollars(-15))}
		in.Type = some(payment.ParticipationPayoutAdjustment)
		in.SyndicatorID, in.Status, in.Method = some(d.investors[0].id), some(payment.Paid), some(payment.ACH)
		in.Note = some("Charge of the bank for the transfer before.")
		_, err := d.newPayment(ctx, "payout of "+d.merchant, in)
		return err
	})
}
