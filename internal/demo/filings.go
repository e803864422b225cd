package demo

import (
	"context"
	"fmt"

	"paydown/internal/schedule"
)

// worthFiling is the least amount, in dollars, for which the financing statement is filed.
const worthFiling = 20_000

// planFiling plans what becomes of the financing statement that the funding drafted. Some come back to be mended.
func (d *life) planFiling() {
	if d.amount < worthFiling {
		return
	}
	day := schedule.AddBankingDays(d.firstDay, 2)
	d.on(day, morning+80, d.filing("filing of ", d.Seeds.FileUCC))
	if d.number%9 == 4 {
		d.on(schedule.AddBankingDays(day, 3), noon+10, d.filing("filing of ", func(ctx context.Context, id int) (int, error) {
			return d.Seeds.RejectUCC(ctx, id, "The debtor's name is not that of the public organic record.")
		}))
		d.on(schedule.AddBankingDays(day, 4), morning+15, d.filing("filing of ", d.Seeds.RedraftUCC))
		day = schedule.AddBankingDays(day, 5)
		d.on(day, morning+45, d.filing("filing of ", d.Seeds.FileUCC))
	}
	number := d.fileNumber()
	d.on(schedule.AddBankingDays(day, 4), noon+50, d.filing("filing of ", func(ctx context.Context, id int) (int, error) {
		return d.Seeds.AcceptUCC(ctx, id, number)
	}))
	d.filed = schedule.AddBankingDays(day, 4)
}

func (d *life) filing(what string, write func(context.Context, int) (int, error)) func(context.Context) error {
	return func(ctx context.Context) error {
		_, err := d.step(ctx, what+d.merchant, func(ctx context.Context) (int, error) { return write(ctx, d.id) })
		return err
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
	d.on(day, morning+130, d.filing("release of ", d.Seeds.TerminateUCC))
	d.on(schedule.AddBankingDays(day, 30), noon+40, d.filing("release of ", func(ctx context.Context, id int) (int, error) {
		return d.Seeds.AcceptTermination(ctx, id, number)
	}))
}
