package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"paydown/ent"
	"paydown/ent/disbursement"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// due is a scheduled payment.
type due struct {
	id     int
	index  int
	round  int // of schedules: the first, or that after a default
	day    civil.Date
	amount money.Amount
	last   bool
}

// fund funds the deal, and plans what becomes of it.
func (d *life) fund(ctx context.Context) error {
	if err := d.move(deal.Funded)(ctx); err != nil {
		return err
	}
	if err := d.wire(ctx); err != nil {
		return err
	}
	if err := d.label(ctx, d.merchant, "Active"); err != nil {
		return err
	}
	if d.prior != nil {
		d.prior.over = true
		d.prior.release()
	}
	d.firstDay = d.today()
	rows, err := d.scheduled(ctx, payment.OriginalAdvancePayback)
	if err != nil {
		return err
	}
	for _, row := range rows {
		d.payback = d.payback.Add(row.amount)
	}
	d.owed, d.payment = d.payback, rows[0].amount
	d.planEnding(rows)
	d.planCollection(rows)
	d.planExtras(rows)
	d.planFiling()
	d.planDraws(rows)
	d.planBankCharge()
	d.welcome(rows[0])
	return nil
}

// wire sends what the merchant gets of the funding, and has it arrive on the next banking day.
func (d *life) wire(ctx context.Context) error {
	sent, err := d.Disbursements.OfDeals(d.as(ctx, requestPrefix), auth.Read("deals"), []int{d.id})
	if err != nil || len(sent[d.id]) == 0 {
		return err
	}
	id := sent[d.id][0].ID
	d.on(schedule.NextBankingDay(d.today()), settling-90, func(ctx context.Context) error {
		return d.transfer(ctx, id, disbursement.StatusSETTLED)
	})
	return d.transfer(ctx, id, disbursement.StatusSENT)
}

// transfer tells what became of a disbursement.
func (d *life) transfer(ctx context.Context, id int, as disbursement.Status) error {
	_, err := d.step(ctx, fmt.Sprintf("advance to %s, %s", d.merchant, as), func(ctx context.Context) (int, error) {
		_, err := d.Disbursements.Move(ctx, id, service.TransferInput{Status: some(as)})
		return id, err
	})
	return err
}

// scheduled are the payments of a schedule in order of their days.
func (d *life) scheduled(ctx context.Context, kind payment.Type) ([]due, error) {
	all, err := d.payments(ctx, d.id)
	var rows []due
	for _, p := range all {
		if p.Type == kind && p.Source != nil && *p.Source == payment.FromSchedule {
			rows = append(rows, due{id: p.ID, index: len(rows), round: d.round, day: *p.ScheduledDate, amount: p.Amount})
		}
	}
	if len(rows) > 0 {
		rows[len(rows)-1].last = true
	}
	return rows, err
}

// planCollection has each payment collected on its day, and those of the anchor's day sent to the bank on its eve.
func (d *life) planCollection(rows []due) {
	next := schedule.RollForward(d.anchor)
	for _, row := range rows {
		switch {
		case row.day.Before(d.anchor):
			d.on(row.day, settling, func(ctx context.Context) error { return d.collect(ctx, row) })
		case row.day.Equal(next):
			d.on(d.anchor.AddDays(-1), evening, func(ctx context.Context) error { return d.submit(ctx, row) })
		}
	}
}

// idle reports that a payment is not collected any more, or not at the moment.
func (d *life) idle(row due) bool { return d.over || d.paused || row.round != d.round }

func (d *life) submit(ctx context.Context, row due) error {
	if d.idle(row) || len(d.holds) > 0 {
		return nil
	}
	return d.changePayment(ctx, "debit of "+d.merchant, row.id, statusOf(payment.Submitted))
}

func statusOf(s payment.Status) service.PaymentUpdate {
	var in service.PaymentUpdate
	in.Status = some(s)
	return in
}

// collect settles a debit, or has it come back.
func (d *life) collect(ctx context.Context, row due) error {
	if d.idle(row) {
		return nil
	}
	if d.trouble >= 0 && row.index >= d.trouble {
		d.fail(row)
		return nil
	}
	if d.comesBack(row) {
		code := pick(d.dice, ordinaryReturns)
		if d.dice.IntN(2) == 0 { // the bank has paid it, and takes it back
			if err := d.take(ctx, row); err != nil {
				return err
			}
			d.on(schedule.AddBankingDays(row.day, 2), morning, func(ctx context.Context) error {
				if d.over || row.round != d.round {
					return nil
				}
				d.take0(row.amount.Neg())
				return d.bounce(ctx, row, code)
			})
			return nil
		}
		d.on(schedule.NextBankingDay(row.day), morning, func(ctx context.Context) error { return d.bounce(ctx, row, code) })
		return nil
	}
	return d.take(ctx, row)
}

// comesBack throws the dice for a single return. The last payments of a deal that is to end well do not come back, so
// that it ends by them; nor do those of the last weeks where a deal is to be renewed, or those before it is.
func (d *life) comesBack(row due) bool {
	ending := d.ending == paidUp && d.owed.Less(part(d.payment, 400))
	steady := d.ending == collecting && d.ago > 100 && row.day.After(d.anchor.AddDays(-35))
	renewing := d.ending == renewed && row.day.After(d.renewal.AddDays(-steadyBefore))
	if ending || steady || renewing || row.last {
		return false
	}
	chance := 3
	if d.ending.broken() {
		chance = 6
	}
	if !d.pays.isDaily() {
		chance *= 2
	}
	return d.dice.IntN(100) < chance
}

// take marks a debit PAID.
func (d *life) take(ctx context.Context, row due) error {
	d.take0(row.amount)
	if err := d.changePayment(ctx, "debit of "+d.merchant, row.id, statusOf(payment.Paid)); err != nil {
		return err
	}
	return d.closeWhenPaid(ctx)
}

func (d *life) take0(amount money.Amount) {
	d.collected, d.owed = d.collected.Add(amount), d.owed.Sub(amount)
}

// closeWhenPaid notes that the service has closed the deal.
func (d *life) closeWhenPaid(ctx context.Context) error {
	if d.owed.Sign() > 0 || d.over {
		return nil
	}
	d.over = true
	d.release()
	return d.label(ctx, d.merchant, "Paid in full")
}

// Return codes by how often they come: for want of funds mostly, and, where a merchant is going under, for worse.
var (
	ordinaryReturns = []string{"R01", "R01", "R01", "R01", "R01", "R01", "R09", "R09", "R08"}
	badReturns      = []string{"R01", "R01", "R01", "R02", "R08", "R10", "R16", "R29"}
)

func pick(r *rand.Rand, from []string) string { return from[r.IntN(len(from))] }

// bounce marks a debit BOUNCED, for which the product charges and may put the deal on hold, and makes sure that
// the money comes in after all.
func (d *life) bounce(ctx context.Context, row due, code string) error {
	if d.over || row.round != d.round {
		return nil
	}
	in := statusOf(payment.Bounced)
	in.BounceCodeID = some(d.lists.returnCodes[code])
	d.returns = append(d.returns, d.today())
	if err := d.changePayment(ctx, "return of "+d.merchant, row.id, in); err != nil {
		return err
	}
	if err := d.noteHolds(ctx, row); err != nil {
		return err
	}
	d.logReturnCall(row.amount, row.day)
	if code == "R01" || code == "R09" {
		if err := d.collectFee(ctx, row); err != nil {
			return err
		}
	}
	if d.trouble >= 0 && row.index >= d.trouble {
		return nil
	}
	if len(d.holds) > 0 {
		d.on(d.today(), noon, d.resume("Spoken to the owner, who agrees to further debits."))
	}
	again := schedule.AddBankingDays(d.today(), 3)
	if d.dice.IntN(3) > 0 && code != "R08" {
		if code == "R09" { // the bank has the money after all, and the return is taken back
			d.on(again, settling+30, func(ctx context.Context) error { return d.takeBack(ctx, row) })
			return nil
		}
		d.on(d.today(), noon+20, func(ctx context.Context) error { return d.retry(ctx, row, again) })
		return nil
	}
	d.on(schedule.AddBankingDays(again, 2), noon, func(ctx context.Context) error { return d.makeUp(ctx, row) })
	return nil
}

// noteHolds remembers the holds that the return of a debit opened.
func (d *life) noteHolds(ctx context.Context, row due) error {
	holds, err := d.CollectionHolds.OfDeals(d.as(ctx, requestPrefix), auth.Read("deals"), []int{d.id})
	for _, h := range holds[d.id] {
		if h.PaymentID != nil && *h.PaymentID == row.id {
			d.holds = append(d.holds, h.ID)
		}
	}
	return err
}

// resume ends the deal's holds.
func (d *life) resume(note string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, id := range d.holds {
			if _, err := d.step(ctx, "hold of "+d.merchant, func(ctx context.Context) (int, error) {
				_, err := d.CollectionHolds.Release(ctx, id, note)
				return id, err
			}); err != nil {
				return err
			}
		}
		d.holds = nil
		return nil
	}
}

// takeBack has a debit paid that had come back; its fee is called off with that.
func (d *life) takeBack(ctx context.Context, row due) error {
	if d.idle(row) {
		return nil
	}
	d.takenBack = append(d.takenBack, row.id)
	return d.take(ctx, row)
}

// retry has a returned debit presented again on a day, which brings the money.
func (d *life) retry(ctx context.Context, row due, day civil.Date) error {
	if d.idle(row) || len(d.holds) > 0 {
		return nil
	}
	if _, err := d.step(ctx, "retry of "+d.merchant, func(ctx context.Context) (int, error) {
		_, err := d.Payments.Retry(ctx, row.id, service.RetryInput{ScheduledDate: some(day)})
		return row.id, err
	}); err != nil {
		return err
	}
	bounced, err := d.Payments.Get(d.as(ctx, requestPrefix), row.id)
	if err != nil {
		return err
	}
	again := row
	again.id, again.day = *bounced.MadeUpByID, day
	d.on(day, settling+30, func(ctx context.Context) error {
		if d.idle(again) {
			return nil
		}
		return d.take(ctx, again)
	})
	return nil
}

// collectFee has the fee for a return paid in a week, or waived.
func (d *life) collectFee(ctx context.Context, row due) error {
	all, err := d.payments(ctx, d.id)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(all, func(p *ent.Payment) bool { return p.FeeForID != nil && *p.FeeForID == row.id })
	if i < 0 {
		return fmt.Errorf("the return of payment %d of %s is not charged for", row.id, d.merchant)
	}
	fee := all[i].ID
	next, waived := statusOf(payment.Paid), d.dice.IntN(6) == 0
	if waived {
		next = statusOf(payment.Cancelled)
		next.Note = some("Waived: first return in a year.")
	}
	d.on(schedule.AddBankingDays(d.today(), 5), settling+10, func(ctx context.Context) error {
		if d.over || d.paused || slices.Contains(d.takenBack, row.id) {
			return nil // called off with the rest, or still owed
		}
		return d.changePayment(ctx, "bounce fee of "+d.merchant, fee, next)
	})
	return nil
}

// makeUp takes what a returned debit was for in another way.
func (d *life) makeUp(ctx context.Context, row due) error {
	if d.idle(row) {
		return nil
	}
	d.take0(row.amount)
	method := []payment.Method{payment.Wire, payment.Check, payment.ACH, payment.Cash}[d.dice.IntN(4)]
	note := "Makes up for the debit of " + row.day.String() + "."
	id, err := d.receive(ctx, payment.AdvancePayback, row.amount, method, note)
	if err != nil {
		return err
	}
	update := service.PaymentUpdate{MadeUpByID: some(id)}
	if err := d.changePayment(ctx, "make-up of "+d.merchant, row.id, update); err != nil {
		return err
	}
	return d.closeWhenPaid(ctx)
}

// receive records a payment that has come in.
func (d *life) receive(
	ctx context.Context, kind payment.Type, amount money.Amount, method payment.Method, note string,
) (int, error) {
	in := service.NewPayment{DealID: some(d.id), Type: some(kind), Amount: some(amount)}
	in.Status, in.Method, in.Note = some(payment.Paid), some(method), text(note)
	return d.newPayment(ctx, string(kind)+" of "+d.merchant, in)
}

// returnedLately counts the returns of so many days.
func (d *life) returnedLately(days int) int {
	since := d.today().AddDays(-days)
	return len(slices.DeleteFunc(slices.Clone(d.returns), func(day civil.Date) bool { return day.Before(since) }))
}
