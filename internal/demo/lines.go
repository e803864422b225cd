package demo

import (
	"context"

	"paydown/ent"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// limit is what the merchant may draw in all: more than the deal funds at once, in steps of five thousand dollars.
func (d *life) limit() money.Amount { return dollars((d.amount*8/5 + 4_999) / 5_000 * 5_000) }

// openLine makes the line of an LOC deal that has been priced.
func (d *life) openLine(ctx context.Context) error {
	if d.product != deal.LOC || d.ending == withdrawn {
		return nil
	}
	var err error
	d.line, err = d.step(ctx, "line of "+d.merchant, func(ctx context.Context) (int, error) {
		row, err := d.CreditFacilities.Create(ctx, service.NewCreditFacility{
			DealID: some(d.id), CreditLimit: some(d.limit()), RequestedBy: some(d.ownerName()),
		})
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	return err
}

func (d *life) ownerName() string {
	for _, m := range d.company.merchants {
		if m.slug == d.merchant {
			return m.owner.name()
		}
	}
	return ""
}

// planDraws plans what else the merchant asks to draw: too much too soon, which is declined, and, while the line runs,
// what is asked for about the eve of the anchor: it waits for an answer, or has just been approved.
func (d *life) planDraws(rows []due) {
	if d.line == 0 {
		return
	}
	d.on(rows[len(rows)/3].day, afternoon+25, d.draw(part(d.limit(), 35), func(id int) {
		decline := func(ctx context.Context, id int) (*ent.LocDraw, error) {
			return d.CreditFacilities.DeclineDraw(ctx, id, "The first draw is not paid down far enough.")
		}
		d.reviewDraw(schedule.NextBankingDay(d.today()), morning+35, id, decline)
	}))
	if d.ending != collecting {
		return
	}
	eve := schedule.PreviousBankingDay(d.anchor)
	more := part(d.limit(), 15)
	if d.number%2 == 0 {
		d.on(eve, morning+95, d.draw(more, nil))
		return
	}
	d.on(schedule.PreviousBankingDay(eve), morning+70, d.draw(more, func(id int) {
		d.reviewDraw(eve, noon+20, id, d.CreditFacilities.ApproveDraw)
	}))
}

// reviewDraw plans the answer to a draw that was asked for.
func (d *life) reviewDraw(
	day civil.Date, minutes, id int, judge func(context.Context, int) (*ent.LocDraw, error),
) {
	d.on(day, minutes, func(ctx context.Context) error {
		_, err := d.step(ctx, "draw of "+d.merchant, func(ctx context.Context) (int, error) {
			_, err := judge(ctx, id)
			return id, err
		})
		return err
	})
}

// draw asks for a draw, and tells then of its id.
func (d *life) draw(amount money.Amount, then func(id int)) func(context.Context) error {
	return func(ctx context.Context) error {
		if d.over || d.paused {
			return nil
		}
		id, err := d.step(ctx, "draw of "+d.merchant, func(ctx context.Context) (int, error) {
			row, err := d.CreditFacilities.RequestDraw(ctx, d.line, service.DrawInput{
				Amount: some(amount), RequestedBy: some(d.ownerName()),
			})
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		})
		if err == nil && then != nil {
			then(id)
		}
		return err
	}
}
