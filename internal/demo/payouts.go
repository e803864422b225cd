package demo

import (
	"context"
	"time"

	"paydown/ent/payoutbatch"
	"paydown/internal/civil"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// planPayouts plans the batches of each month: commissions are approved on the 5th of the next and paid on the 12th, those
// that were still at risk a month later; what syndicators get is drafted once it has been held for long enough, and paid
// two days after. The last batch of those waits to be paid, and of the one before a transfer has failed.
func (b *builder) planPayouts() {
	opened := b.anchor.AddDays(-b.company.founded)
	for month := opened.Month(); ; month++ {
		from := civil.Of(opened.Year(), month, 1)
		next := civil.Of(opened.Year(), month+1, 1)
		if !next.Before(b.anchor) {
			return
		}
		to := next.AddDays(-1)
		b.on(schedule.RollForward(next.AddDays(4)), morning+15, b.payout(payoutbatch.KindCOMMISSION, from, to, b.Seeds.ApprovePayout))
		for _, first := range []civil.Date{next, civil.Of(opened.Year(), month+2, 1)} {
			b.on(schedule.RollForward(first.AddDays(11)), morning+40, b.payout(payoutbatch.KindCOMMISSION, from, to, b.pay(false)))
		}
		drafted := schedule.AddBankingDays(schedule.RollForward(next), heldFor)
		b.on(drafted, morning+5, b.payout(payoutbatch.KindPARTICIPATION, from, to,
			func(ctx context.Context, _ payoutbatch.Kind, from, to civil.Date) (int, error) {
				return b.Seeds.DraftDistribution(ctx, from, to)
			}))
		b.on(schedule.NextBankingDay(drafted), morning+20, b.payout(payoutbatch.KindPARTICIPATION, from, to, b.Seeds.ApprovePayout))
		if later := b.approvedBy(opened.Year(), month+2); later.Before(b.anchor) {
			failing := !b.approvedBy(opened.Year(), month+3).Before(b.anchor)
			b.on(schedule.AddBankingDays(drafted, 2), morning+30, b.payout(payoutbatch.KindPARTICIPATION, from, to, b.pay(failing)))
		}
	}
}

// approvedBy is the day of a month on which the distribution of the month before is approved.
func (b *builder) approvedBy(year int, month time.Month) civil.Date {
	return schedule.AddBankingDays(schedule.RollForward(civil.Of(year, month, 1)), heldFor+1)
}

func (b *builder) pay(failing bool) func(context.Context, payoutbatch.Kind, civil.Date, civil.Date) (int, error) {
	return func(ctx context.Context, kind payoutbatch.Kind, from, to civil.Date) (int, error) {
		return b.Seeds.PayPayout(ctx, kind, from, to, failing)
	}
}

// heldFor is how many banking days a cleared payment is held before its shares are paid out.
const heldFor = 5

func (b *builder) payout(
	kind payoutbatch.Kind, from, to civil.Date,
	write func(context.Context, payoutbatch.Kind, civil.Date, civil.Date) (int, error),
) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := b.step(ctx, "payout of "+from.String(), func(ctx context.Context) (int, error) {
			return write(ctx, kind, from, to)
		})
		return err
	}
}

// planBankCharge has some syndicators bear what the bank charged for a transfer.
func (d *life) planBankCharge() {
	if len(d.investors) == 0 || d.number%4 != 0 {
		return
	}
	d.on(schedule.RollForward(civil.Of(d.firstDay.Year(), d.firstDay.Month()+3, 24)), noon, func(ctx context.Context) error {
		in := service.NewPayment{DealID: some(d.id), Type: some(payment.ParticipationPayoutAdjustment), Amount: some(dollars(-15))}
		in.SyndicatorID, in.Status, in.Method = some(d.investors[0].id), some(payment.Paid), some(payment.ACH)
		in.Note = some("Charge of the bank for the transfer before.")
		_, err := d.newPayment(ctx, "payout of "+d.merchant, in)
		return err
	})
}
