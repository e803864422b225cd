package demo

import (
	"context"

	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// limit is what the merchant may draw in all: more than the deal funds at once, in steps of five thousand dollars.
func (d *life) limit() money.Amount { return dollars((d.amount*8/5 + 4_999) / 5_000 * 5_000) }

// openLine makes the line of an LOC deal that has been priced.
func (d *life) openLine(ctx context.Context) error {
	if d.product != deal.LOC || d.ending == withdrawn {
		return nil
	}
	_, err := d.step(ctx, "line of "+d.merchant, func(ctx context.Context) (int, error) {
		return d.Seeds.OpenLine(ctx, d.id, d.limit(), d.ownerName())
	})
	d.line = err == nil
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

// planDraws plans what else the merchant asks to draw: more than the line has, sooner or later, and, while it runs, what
// waits for an answer on the day of the anchor.
func (d *life) planDraws(rows []due) {
	if !d.line {
		return
	}
	d.on(rows[len(rows)/3].day, afternoon+25, d.draw(part(d.limit(), 70), nil))
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
		d.on(eve, noon+20, func(ctx context.Context) error {
			_, err := d.step(ctx, "draw of "+d.merchant, func(ctx context.Context) (int, error) {
				_, err := d.CreditFacilities.ApproveDraw(ctx, id)
				return id, err
			})
			return err
		})
	}))
}

// draw asks for a draw, and tells then of its id.
func (d *life) draw(amount money.Amount, then func(id int)) func(context.Context) error {
	return func(ctx context.Context) error {
		if d.over || d.paused {
			return nil
		}
		id, err := d.step(ctx, "draw of "+d.merchant, func(ctx context.Context) (int, error) {
			return d.Seeds.RequestDraw(ctx, d.id, amount, d.ownerName())
		})
		if err == nil && then != nil {
			then(id)
		}
		return err
	}
}
