package demo

import (
	"context"

	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/schedule"
)

// after is the index of the payment that comes after the script's part of them.
func (d *life) after(rows []due) int { return min(len(rows)-1, len(rows)*d.upTo/100) }

// planEnding plans what the script says of the deal's end.
func (d *life) planEnding(rows []due) {
	switch d.ending {
	case paidEarly:
		d.on(rows[d.after(rows)].day, afternoon, d.payOff)
	case struggling:
		for _, row := range rows {
			if row.day.Before(d.anchor.AddDays(-20)) {
				d.trouble = row.index + 1
			}
		}
	case defaulted, settled, cured:
		d.trouble = d.after(rows)
	case neverPaid:
		d.trouble = 0
		d.on(schedule.RollForward(d.firstDay.AddDays(20)), afternoon, d.putInDefault)
	default: // it ends with its last payment, if at all
	}
}

// fail makes a debit of a merchant in trouble come back. After three, nothing is collected until somebody has
// spoken to the merchant; some are put in default.
func (d *life) fail(row due) {
	d.failures++
	if d.failures == 3 {
		d.paused = true
		if d.ending.broken() && d.ending != struggling && d.ending != neverPaid {
			d.on(schedule.AddBankingDays(row.day, 8), afternoon, d.putInDefault)
		}
	}
	code := pick(d.dice, badReturns)
	if d.ending == struggling {
		code = "R01"
	}
	d.on(schedule.NextBankingDay(row.day), morning, func(ctx context.Context) error { return d.bounce(ctx, row, code) })
}

func (d *life) putInDefault(ctx context.Context) error {
	d.paused = true
	d.round++ // what was scheduled is called off
	if err := d.move(deal.Defaulted)(ctx); err != nil {
		return err
	}
	if err := d.label(ctx, d.merchant, "In collections"); err != nil {
		return err
	}
	d.press()
	day := d.today()
	switch d.ending {
	case cured:
		d.on(schedule.RollForward(day.AddDays(18)), noon, d.cure)
	case settled:
		d.on(schedule.RollForward(day.AddDays(60)), noon, d.settle)
	case defaulted:
		d.on(schedule.RollForward(day.AddDays(14)), noon, func(ctx context.Context) error {
			amount := money.Min(dollars(500), d.owed)
			d.take0(amount)
			_, err := d.receive(ctx, payment.AdvancePayback, amount, payment.Check, "Paid to the collection agency.")
			return err
		})
	default: // nothing more is heard of it
	}
	return nil
}

// cure takes the deal out of default; what is left is rescheduled.
func (d *life) cure(ctx context.Context) error {
	if err := d.resume("The owner signed a new authorization for the account of the new bank.")(ctx); err != nil {
		return err
	}
	if err := d.move(deal.Funded)(ctx); err != nil {
		return err
	}
	if err := d.label(ctx, d.merchant, "Active"); err != nil {
		return err
	}
	rows, err := d.scheduled(ctx, payment.AdvancePayback)
	if err != nil {
		return err
	}
	d.paused, d.trouble = false, -1
	d.planCollection(rows)
	return nil
}

// settle takes all that is owed at once, and closes the deal.
func (d *life) settle(ctx context.Context) error {
	amount := d.owed
	d.take0(amount)
	if _, err := d.receive(ctx, payment.AdvancePayback, amount, payment.Wire, "Paid by the sale of a truck."); err != nil {
		return err
	}
	d.over = true
	if err := d.move(deal.Closed)(ctx); err != nil {
		return err
	}
	d.release()
	return d.label(ctx, d.merchant, "Do not fund")
}

// payOff settles the deal early: the price is the early factor less what was collected, and the rest is forgiven.
func (d *life) payOff(ctx context.Context) error {
	row, err := d.Deals.Get(d.as(ctx, requestPrefix), d.id)
	if err != nil {
		return err
	}
	price := row.FundedAmount.Times(*row.EpoFactorRate).Sub(d.collected)
	if _, err := d.receive(ctx, payment.WireFee, dollars(35), payment.Wire, ""); err != nil {
		return err
	}
	if _, err := d.receive(ctx, payment.EPODiscount, d.owed.Sub(price), payment.Other, "Early payoff"); err != nil {
		return err
	}
	d.owed = price
	d.take0(price)
	if _, err := d.receive(ctx, payment.AdvancePayback, price, payment.Wire, "Early payoff"); err != nil {
		return err
	}
	return d.closeWhenPaid(ctx)
}

// planExtras plans what happens beside the collection.
func (d *life) planExtras(rows []due) {
	if d.amount >= 40_000 {
		d.on(schedule.AddBankingDays(d.firstDay, 5), noon, d.charge(payment.UCCFee, 95, payment.ACH, "UCC-1 filing"))
	}
	switch d.product {
	case deal.SBA, deal.Equipment:
		fee := d.charge(payment.ApplicationFee, 120, payment.Check, "Credit reports")
		d.on(schedule.AddBankingDays(d.firstDay, 2), noon, fee)
	case deal.LOC:
		for month := range 6 {
			d.on(schedule.RollForward(d.firstDay.AddDays(30*(month+1))), noon,
				d.charge(payment.OtherFee, 25, payment.ACH, "Monthly fee of the line"))
		}
	default: // no fees of their own
	}
	if d.ending != collecting {
		return
	}
	if d.product == deal.MCA && d.number%3 == 0 {
		d.on(rows[len(rows)/4].day, settling+60, d.adjust)
	}
	d.on(d.anchor.AddDays(-1-d.number%4), afternoon, d.contactRenewal)
}

// charge takes a fee.
func (d *life) charge(kind payment.Type, amount int, method payment.Method, note string) func(context.Context) error {
	return func(ctx context.Context) error {
		if d.over || d.paused {
			return nil
		}
		_, err := d.receive(ctx, kind, dollars(amount), method, note)
		return err
	}
}

// adjust gives one payment back: the merchant's revenue was lower than the payments had been set by.
func (d *life) adjust(ctx context.Context) error {
	if d.over || d.paused || d.collected.Less(d.payment) {
		return nil
	}
	d.take0(d.payment.Neg())
	_, err := d.receive(ctx, payment.AdvancePaybackAdjustment, d.payment.Neg(), payment.ACH,
		"Reconciled with the revenue of the month")
	return err
}
