package demo

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/ent/uccfiling"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// minFilingAmount is the smallest amount, in dollars, for which a financing statement is filed.
const minFilingAmount = 20_000

// planFiling plans what becomes of the financing statement that the funding drafted. Some come back to be mended.
func (d *life) planFiling() {
	if d.amount < minFilingAmount {
		return
	}
	day := schedule.AddBankingDays(d.firstDay, 2)
	d.on(day, morning+80, d.statement(uccfiling.StatusDRAFT, d.UCCFilings.Submit))
	if d.number%9 == 4 {
		sentBack := service.UCCRejection{Reason: some("The debtor's name is not that of the public organic record.")}
		d.on(schedule.AddBankingDays(day, 3), noon+10, d.statement(uccfiling.StatusSUBMITTED,
			func(ctx context.Context, id int) (*ent.UCCFiling, error) {
				return d.UCCFilings.Reject(ctx, id, sentBack)
			}))
		d.on(schedule.AddBankingDays(day, 4), morning+15, d.draftFiling(uccfiling.TypeUCC1))
		day = schedule.AddBankingDays(day, 5)
		d.on(day, morning+45, d.statement(uccfiling.StatusDRAFT, d.UCCFilings.Submit))
	}
	d.filed = schedule.AddBankingDays(day, 4)
	d.on(d.filed, noon+50, d.statement(uccfiling.StatusSUBMITTED, d.acceptFiling(d.fileNumber())))
}

// draftFiling drafts a financing statement, or the termination of the active one.
func (d *life) draftFiling(of uccfiling.Type) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := d.step(ctx, "filing of "+d.merchant, func(ctx context.Context) (int, error) {
			in := service.NewUCCFiling{DealID: some(d.id), Type: some(of)}
			if of == uccfiling.TypeUCC3_TERMINATION {
				base, err := d.filing(ctx, uccfiling.TypeUCC1, uccfiling.StatusACCEPTED)
				if err != nil {
					return 0, err
				}
				in.AmendsID = some(base)
			}
			row, err := d.UCCFilings.Create(ctx, in)
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		})
		return err
	}
}

// statement does something with the financing statement of the deal.
func (d *life) statement(
	in uccfiling.Status, do func(context.Context, int) (*ent.UCCFiling, error),
) func(context.Context) error {
	return d.withFiling(uccfiling.TypeUCC1, in, do)
}

// withFiling does something with the filing of the deal that is of the type and has the status.
func (d *life) withFiling(
	of uccfiling.Type, in uccfiling.Status, do func(context.Context, int) (*ent.UCCFiling, error),
) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := d.step(ctx, "filing of "+d.merchant, func(ctx context.Context) (int, error) {
			id, err := d.filing(ctx, of, in)
			if err != nil {
				return 0, err
			}
			_, err = do(ctx, id)
			return id, err
		})
		return err
	}
}

// filing is the id of the newest filing of the deal that is of the type and has the status.
func (d *life) filing(ctx context.Context, of uccfiling.Type, in uccfiling.Status) (int, error) {
	pages, err := d.UCCFilings.OfDeals(ctx, []int{d.id}, service.ListRequest{Sort: newestFirst})
	if err != nil {
		return 0, err
	}
	for _, row := range pages[d.id].Records {
		if row.Type == of && row.Status == in {
			return row.ID, nil
		}
	}
	return 0, fmt.Errorf("deal %d has no %s that is %s", d.id, of, in)
}

// acceptFiling has the state take a filing under a number.
func (d *life) acceptFiling(number string) func(context.Context, int) (*ent.UCCFiling, error) {
	return func(ctx context.Context, id int) (*ent.UCCFiling, error) {
		return d.UCCFilings.Accept(ctx, id, service.UCCAcceptance{FileNumber: some(number)})
	}
}

// fileNumber is one that the state gives out.
func (d *life) fileNumber() string {
	return fmt.Sprintf("U%02d%07d", d.firstDay.Year()%100, d.side.IntN(10_000_000))
}

// release plans the termination of the financing statement of a deal that is over.
func (d *life) release() {
	day := schedule.AddBankingDays(d.today(), 10)
	if d.filed.IsZero() || !d.filed.Before(day) {
		return
	}
	number := d.fileNumber()
	termination := uccfiling.TypeUCC3_TERMINATION
	d.on(day, morning+130, d.draftFiling(termination))
	d.on(day, morning+140, d.withFiling(termination, uccfiling.StatusDRAFT, d.UCCFilings.Submit))
	d.on(schedule.AddBankingDays(day, 30), noon+40,
		d.withFiling(termination, uccfiling.StatusSUBMITTED, d.acceptFiling(number)))
}
