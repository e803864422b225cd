package rulebook

// ClawbackDays is the number of days after funding in which a default claws back the commission.
const ClawbackDays = 30

// BounceFees are the merchant's fees for a return, by return code (the company's defaults).
var BounceFees = map[string]Cents{"R01": 35_00, "R09": 35_00}

type commissionStatus int

const (
	noCommission commissionStatus = iota
	commissionOwed
	commissionPaid
	commissionGone // reversed or clawed back
)

// Pay posts a payment that cleared on a day.
//
// Reading: if a returned payment is paid after all, it counts as not returned: the fee for the return is not
// owed.
func (c *Company) Pay(p *Payment, cleared Day) {
	d := p.Deal
	for _, fee := range d.Payments {
		if fee.ofBounce == p && fee.Status == Pending {
			fee.Status = Cancelled
		}
	}
	p.episode++
	c.paid++
	p.order = c.paid
	p.Status, p.Cleared = Paid, cleared
	switch {
	case p.IsFee():
		from := Cash
		if p.Offset {
			from = RenewalClearing
		}
		c.direct(Line{Effective: cleared, Deal: d, Payment: p, Episode: p.episode},
			map[string]Cents{from: p.Amount, Fees: -p.Amount})
		return
	case p.Type == SyndicatorPayout:
		c.direct(Line{Effective: cleared, Deal: d, Payment: p, Episode: p.episode, Syndicator: p.Syndicator},
			map[string]Cents{Payable: p.Amount, Cash: -p.Amount})
		return
	}
	p.recovery = p.Type != Discount && d.writtenOff > 0 && d.Outstanding() == 0
	d.count(p, p.Amount)
	c.settle(d, cleared, p)
	switch {
	case d.State == Funded && d.Outstanding() == 0:
		d.State = Closed
		d.cancelPending(false)
		if p.Forgives != nil {
			d.payoff = p
		}
	case d.State == Closed && d.Outstanding() > 0 && p.Amount < 0:
		c.refund(d, cleared)
	}
}

// refund opens a deal again if an adjustment refunded what had closed it. The discount of an early payoff is
// reversed too.
//
// Reading: fees that the payoff paid are not refunded and stay paid. (Alternative: they are owed again, and
// the receivable is lower.)
func (c *Company) refund(d *Deal, day Day) {
	d.State = Funded
	if p := d.payoff; p != nil && p.Forgives.Status == Paid {
		c.takeBack(p.Forgives, max(day, p.Forgives.Cleared))
	}
	d.payoff = nil
}

// takeBack reverses a discount. Syndicators' shares of it are treated like those of a returned payment.
func (c *Company) takeBack(off *Payment, day Day) {
	off.Status, off.Cleared = Cancelled, 0
	off.Deal.count(off, -off.Amount)
	c.settle(off.Deal, day, off)
	c.cancelItems(off)
}

// PaidOffEarly reports whether a deal was closed by an early payoff with a discount that still stands.
func (d *Deal) PaidOffEarly() bool { return d.State == Closed && d.payoff != nil }

// count adds a payment to the sums that determine the position.
func (d *Deal) count(p *Payment, amount Cents) {
	switch {
	case p.Type == Discount && amount > 0:
		p.shares, _ = d.give(&d.discount, amount)
		for i, part := range d.Parts {
			part.forgiven += p.shares[i]
		}
	case p.Type == Discount:
		d.discount += amount
		for i, part := range d.Parts {
			part.forgiven -= p.shares[i]
		}
	case p.recovery:
		d.recovered += amount
	default:
		d.received += amount
		if p.Offset {
			d.offset += amount
		}
	}
}

// Return reverses what a payment brought. A returned payoff reverses its discount. A return after a write-off
// is written off at once and puts the deal in default. A payment that brought nothing yet is only marked.
//
// Reading: a returned recovery is reversed and does not change the deal's state, because nothing is owed
// again.
func (c *Company) Return(p *Payment, day Day, code string) {
	was := p.Status
	p.Status, p.ReturnedOn, p.Code, p.Cleared = Bounced, day, code, 0
	d := p.Deal
	switch {
	case was != Paid:
	case p.IsFee() || p.Type == SyndicatorPayout:
		c.reverse(p, day)
	case c.ExactReturns && d.Surplus() == 0 && p.Forgives == nil:
		d.count(p, -p.Amount)
		for at, amount := range c.reverse(p, day) {
			d.posted[at] += amount
		}
		c.afterReturn(p, day)
	default:
		if off := p.Forgives; off != nil && off.Status == Paid {
			c.takeBack(off, day)
		}
		d.count(p, -p.Amount)
		c.settle(d, day, p)
		c.afterReturn(p, day)
	}
	c.cancelItems(p)
	if fee := BounceFees[code]; fee > 0 && !p.IsFee() {
		d.Add(&Payment{Type: BounceFee, Amount: fee, ofBounce: p})
	}
}

func (c *Company) afterReturn(p *Payment, day Day) {
	d := p.Deal
	owed := d.Outstanding()
	switch {
	case owed == 0:
	case d.writtenOff > 0:
		d.abandon(owed)
		c.settle(d, day, p)
		d.State = Defaulted
	case d.State == Closed || d.State == Renewed:
		// Reading: any returned payment opens the deal again, not only the last one.
		d.State, d.payoff = Funded, nil
	}
}

// reverse undoes what a payment posted in its current episode, and returns the amounts by slot.
func (c *Company) reverse(p *Payment, day Day) map[slot]Cents {
	undone := map[slot]Cents{}
	for _, l := range c.linesOf(p) {
		back := *l
		back.Amount, back.Effective, back.batched = -l.Amount, day, false
		c.Books.add(back)
		if !l.direct {
			undone[slot{l.Account, p.Deal.partOf(l.Syndicator)}] += back.Amount
		}
	}
	return undone
}

func (c *Company) linesOf(p *Payment) []*Line {
	var lines []*Line
	for _, l := range c.Books.Lines {
		if l.Payment == p && l.Episode == p.episode {
			lines = append(lines, l)
		}
	}
	return lines
}

func (d *Deal) partOf(s *Syndicator) *Part {
	for _, p := range d.Parts {
		if s != nil && p.Syndicator == s {
			return p
		}
	}
	return nil
}

// MoveCleared changes the cleared date of a paid payment: it is reversed for the old day and posted again for
// the new one.
func (c *Company) MoveCleared(p *Payment, to Day) {
	for _, l := range c.linesOf(p) {
		back, again := *l, *l
		back.Amount = -l.Amount
		again.Effective = to
		c.Books.add(back)
		c.Books.add(again)
	}
	p.Cleared = to
}

// Default puts a funded deal in default. A clawed-back commission is returned to the syndicators who bore it.
//
// Reading: amounts debited from a wallet go back to the wallet, and amounts withheld from collections are
// payable again. (Alternative: everything goes to the wallet.)
func (c *Company) Default(d *Deal, day Day) {
	d.State = Defaulted
	d.cancelPending(true)
	if d.Terms.DefaultSurcharge > 0 {
		d.Add(&Payment{Type: OtherFee, Amount: d.Terms.DefaultSurcharge, surcharge: true})
	}
	if day > d.FundedOn+ClawbackDays || (d.commission != commissionOwed && d.commission != commissionPaid) {
		return
	}
	owed := CommissionOwed
	if d.commission == commissionPaid {
		owed = DueFromISO
	}
	amount := d.Terms.Commission()
	d.commission = commissionGone
	c.direct(Line{Effective: day, Deal: d, ISO: d.ISO}, map[string]Cents{owed: amount, CommissionCost: -amount})
	for _, p := range d.Parts {
		p.returned = true
		if bore := p.commission; !p.AsCollected {
			c.direct(Line{Effective: day, Deal: d, Syndicator: p.Syndicator},
				map[string]Cents{CommissionCost: bore, Wallet: -bore, RestrictedCash: bore, Cash: -bore})
		}
	}
	c.settle(d, day, nil) // releases withheld amounts
}

// Cure takes a deal out of default. An unpaid surcharge is cancelled.
func (c *Company) Cure(d *Deal) {
	d.State = Funded
	for _, p := range d.Payments {
		if p.surcharge && p.Status == Pending {
			p.Status = Cancelled
		}
	}
}

// WriteOff writes off what a deal in default owes, and closes it.
func (c *Company) WriteOff(d *Deal, day Day) {
	d.abandon(d.Outstanding())
	c.settle(d, day, nil)
	d.State = Closed
}

// abandon writes off part of the outstanding amount. Only the house bears amounts owed in addition to the
// purchased amount.
func (d *Deal) abandon(amount Cents) {
	purchased := min(amount, d.Terms.Payback()-d.reduced())
	d.refunds += amount - purchased
	shares, income := d.give(&d.writtenOff, purchased)
	for i, part := range d.Parts {
		part.lost += shares[i]
	}
	d.forgone += income
}

// PayOff closes a deal early in one step: fees, discount, payment and closing.
//
// Reading: the payment is the quote's whole amount; the fee part is posted as fees. A deal that was reopened
// with its discount is paid off under that discount, which the new payment takes over. (Alternative: a
// merchant who pays late for an amount that was first paid in time keeps the discount, even if that payment
// is returned as well.)
func (c *Company) PayOff(d *Deal, day Day) *Payment {
	quote := d.Quote(day)
	for _, p := range d.Payments {
		if p.Status == Pending && p.IsFee() {
			c.Pay(p, day)
		}
	}
	p := &Payment{Type: Advance, Amount: quote.Payoff, Forgives: d.grant()}
	if quote.Discount > 0 {
		p.Forgives = d.Add(&Payment{Type: Discount, Amount: quote.Discount})
		c.Pay(p.Forgives, day)
	}
	c.Pay(d.Add(p), day)
	return p
}

// grant returns the newest discount that stands, unless the merchant went back to installments after it; nil
// if there is none.
func (d *Deal) grant() *Payment {
	var newest *Payment
	for _, p := range d.Payments {
		if p.Type == Discount && p.Status == Paid && (newest == nil || p.order > newest.order) {
			newest = p
		}
	}
	each, _ := d.Terms.Payment()
	for _, p := range d.Payments {
		if newest != nil && p.Type == Advance && p.Status == Paid && p.Forgives != newest && p.order > newest.order &&
			p.Amount <= each {
			return nil
		}
	}
	return newest
}
