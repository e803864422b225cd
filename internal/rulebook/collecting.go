package rulebook

// ClawbackDays is how long after funding a default takes the commission back.
const ClawbackDays = 30

// BounceFees are what the merchant owes for a return, by its code; the company's defaults.
var BounceFees = map[string]Cents{"R01": 35_00, "R09": 35_00}

type commissionStanding int

const (
	noCommission commissionStanding = iota
	commissionOwed
	commissionPaid
	commissionGone // reversed or clawed back
)

// Pay books a payment that cleared on a day.
//
// Reading: a payment that had come back and is paid after all had not come back: the fee for that is not owed.
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
		c.direct(Line{Effective: cleared, Deal: d, Payment: p, Episode: p.episode}, map[string]Cents{from: p.Amount, Fees: -p.Amount})
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

// refund opens a deal again of which an adjustment refunded what had closed it. The discount of an early payoff goes with that.
//
// Reading: fees that the payoff paid are not refunded, and stay paid. (Else: they are owed again, and the receivable is less.)
func (c *Company) refund(d *Deal, day Day) {
	d.State = Funded
	if p := d.payoff; p != nil && p.Forgives.Status == Paid {
		c.takeBack(p.Forgives, max(day, p.Forgives.Cleared))
	}
	d.payoff = nil
}

// takeBack undoes a discount. A syndicator's share of it goes like that of a payment which comes back.
func (c *Company) takeBack(off *Payment, day Day) {
	off.Status, off.Cleared = Cancelled, 0
	off.Deal.count(off, -off.Amount)
	c.settle(off.Deal, day, off)
	c.cancelItems(off)
}

// PaidOffEarly reports whether an early payoff with a discount closed the deal, and stands.
func (d *Deal) PaidOffEarly() bool { return d.State == Closed && d.payoff != nil }

// count adds a payment to the sums that the position follows from.
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

// Return takes back what a payment brought. A payoff takes its discount along; what comes back after a write-off is written off
// at once, and leaves the deal in default. A payment that brought nothing yet is marked only.
//
// Reading: a recovery that comes back is reversed and leaves the state of the deal alone, since nothing is owed again.
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
		// Reading: any payment that comes back opens the deal again, not the last one alone.
		d.State, d.payoff = Funded, nil
	}
}

// reverse undoes what a payment posted in its present episode, and returns that by slot.
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

// MoveCleared has a paid payment have cleared on another day: it is reversed for the one and posted again for the other.
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

// Default puts a funded deal in default. A commission that is taken back goes to those who bore it.
//
// Reading: what was debited to a wallet goes back to the wallet, and what was withheld of collections is payable again.
// (Else: all of it goes to the wallet.)
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
	c.settle(d, day, nil) // what was withheld is withheld no more
}

// Cure takes a deal out of default. The surcharge is dropped where it was not paid.
func (c *Company) Cure(d *Deal) {
	d.State = Funded
	for _, p := range d.Payments {
		if p.surcharge && p.Status == Pending {
			p.Status = Cancelled
		}
	}
}

// WriteOff gives up what a deal in default owes, and closes it.
func (c *Company) WriteOff(d *Deal, day Day) {
	d.abandon(d.Outstanding())
	c.settle(d, day, nil)
	d.State = Closed
}

// abandon writes off a part of what is owed. The house alone bears what is owed beside the purchased amount.
func (d *Deal) abandon(amount Cents) {
	purchased := min(amount, d.Terms.Payback()-d.reduced())
	d.refunds += amount - purchased
	shares, income := d.give(&d.writtenOff, purchased)
	for i, part := range d.Parts {
		part.lost += shares[i]
	}
	d.forgone += income
}

// PayOff settles a deal early in one act: the fees, the discount, the payment, the closing.
//
// Reading: the one payment is of the quote's whole amount; what is of fees posts as fees do. A deal that came open again with
// its discount is paid off under that discount, which goes with the new payment too. (Else: who pays late what came back in
// time keeps the discount, even where that comes back as well.)
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

// grant is the newest discount that stands, unless the merchant went back to instalments after it; nil where there is none.
func (d *Deal) grant() *Payment {
	var newest *Payment
	for _, p := range d.Payments {
		if p.Type == Discount && p.Status == Paid && (newest == nil || p.order > newest.order) {
			newest = p
		}
	}
	each, _ := d.Terms.Payment()
	for _, p := range d.Payments {
		if newest != nil && p.Type == Advance && p.Status == Paid && p.Forgives != newest && p.order > newest.order && p.Amount <= each {
			return nil
		}
	}
	return newest
}
