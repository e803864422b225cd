package demo

import (
	"context"

	"paydown/ent/disbursement"
	"paydown/internal/auth"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// wire sends the advance of a deal once it is funded, and has it arrive on the next banking day. Where a renewal pays off
// the deal before and nothing is left, there is none.
func (d *life) wire(ctx context.Context) error {
	all, err := d.Disbursements.OfDeals(d.as(ctx, requestPrefix), auth.Read("payments"), []int{d.id})
	if err != nil || len(all[d.id]) == 0 {
		return err
	}
	id := all[d.id][0].ID // further ones are of draws
	if err := d.transfer(ctx, id, disbursement.StatusSENT); err != nil {
		return err
	}
	d.on(schedule.NextBankingDay(d.today()), noon+50, func(ctx context.Context) error {
		return d.transfer(ctx, id, disbursement.StatusSETTLED)
	})
	return nil
}

func (d *life) transfer(ctx context.Context, id int, to disbursement.Status) error {
	_, err := d.step(ctx, "advance of "+d.merchant, func(ctx context.Context) (int, error) {
		_, err := d.Disbursements.Move(ctx, id, service.TransferInput{Status: some(to)})
		return id, err
	})
	return err
}
