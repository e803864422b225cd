package rulebook

import (
	"cmp"
	"slices"
)

// Company is the state of a company for the rules.
type Company struct {
	Books       Books
	Deals       []*Deal
	Syndicators []*Syndicator
	ISOs        []*ISO
	Batches     []*Batch

	// ExactReturns makes a return post exactly the reversal of its payment, and nothing else: the next payment
	// corrects the rounding. Otherwise the rounding differences of the other payments are posted at once.
	//
	// Reading: the default is false, because then the position always equals what its sums determine.
	ExactReturns bool

	paid int // number of posted payments
}

// slots returns the keys of both maps in an order that is the same for all runs.
func slots(a, b map[slot]Cents) []slot {
	seen := map[slot]bool{}
	var all []slot
	for _, m := range []map[slot]Cents{a, b} {
		for at := range m {
			if !seen[at] {
				seen[at] = true
				all = append(all, at)
			}
		}
	}
	slices.SortFunc(all, func(x, y slot) int {
		return cmp.Or(cmp.Compare(x.account, y.account), cmp.Compare(x.owner(), y.owner()))
	})
	return all
}

func (s slot) owner() int {
	if s.part == nil {
		return 0
	}
	return s.part.ID
}

// direct posts an event's own amounts. The amounts of one call must add up to zero.
func (c *Company) direct(of Line, amounts map[string]Cents) {
	accounts := make([]string, 0, len(amounts))
	for account := range amounts {
		accounts = append(accounts, account)
	}
	slices.Sort(accounts)
	for _, account := range accounts {
		l := of
		l.Account, l.Amount, l.direct = account, amounts[account], true
		c.Books.add(l)
	}
}

// Deposit posts a deposit to a syndicator's wallet; a negative amount is a withdrawal.
func (c *Company) Deposit(s *Syndicator, amount Cents, day Day) {
	c.direct(Line{Effective: day, Syndicator: s}, map[string]Cents{RestrictedCash: amount, Wallet: -amount})
}

// WalletOf returns the amount that a syndicator can put into deals.
func (c *Company) WalletOf(s *Syndicator) Cents {
	return -c.Books.Sum(Where{Account: Wallet, Syndicator: s})
}

// PayableTo returns the amount owed to a syndicator; negative if payments were returned after they were paid
// out.
func (c *Company) PayableTo(s *Syndicator) Cents {
	return -c.Books.Sum(Where{Account: Payable, Syndicator: s})
}

// Price is the purchase price of a part, before charges and bank fee. It is known once the deal has funded.
func (p *Part) Price() Cents { return p.price }

// compute computes the cost and the amounts of a deal's parts.
func (d *Deal) compute() {
	slices.SortFunc(d.Parts, func(a, b *Part) int { return cmp.Compare(a.ID, b.ID) })
	prices, purchased := d.split(d.Terms.Funded), d.split(d.Terms.Payback())
	commissions, bankFees := d.split(d.Terms.Commission()), d.split(d.Terms.BankFee())
	for i, p := range d.Parts {
		p.price, p.purchased = prices[i], purchased[i]
		if p.Fronts {
			p.commission = commissions[i]
		}
		if !p.FeeOfCollections {
			p.fee = p.price.percent(p.FeePercent)
		}
		if p.SharesBankFee {
			p.bankFee = bankFees[i]
		}
	}
}

// Fund posts a deal's funding as of fundedAt. A renewed deal is paid off.
func (c *Company) Fund(d *Deal, on Day) {
	var quote Quote
	if d.RenewedFrom != nil {
		quote = d.RenewedFrom.Quote(on)
	}
	t := d.Terms
	if d.ISO == nil {
		d.Terms.CommissionBasis = ""
	}
	payback := t.Payback()
	d.State, d.FundedOn, d.house = Funded, on, payback-t.Funded
	c.Deals = append(c.Deals, d)
	of := Line{Effective: on, Deal: d}
	c.direct(of, map[string]Cents{
		Receivable: payback, Cash: -(t.Funded - t.Fees() - quote.Amount()), Fees: -t.Fees(),
		DeferredIncome: -(payback - t.Funded), RenewalClearing: -quote.Amount(),
	})
	d.compute()
	for _, p := range d.Parts {
		c.participate(d, p)
	}
	if commission := d.Terms.Commission(); commission > 0 {
		of.ISO = d.ISO
		c.direct(of, map[string]Cents{CommissionCost: commission, CommissionOwed: -commission})
		d.commission = commissionOwed
	}
	d.posted = d.position()
	if d.RenewedFrom != nil {
		c.renew(d.RenewedFrom, quote, on)
	}
}

// AdvanceFails posts the return of the transfer to the merchant: the cash is back, and not in transit until
// AdvanceIsSentAgain.
func (c *Company) AdvanceFails(d *Deal, day Day) {
	sent := d.Terms.Funded - d.Terms.Fees()
	c.direct(Line{Effective: day, Deal: d}, map[string]Cents{Cash: sent, InTransit: -sent})
}

// AdvanceIsSentAgain takes the cash of an advance out again.
func (c *Company) AdvanceIsSentAgain(d *Deal, day Day) {
	sent := d.Terms.Funded - d.Terms.Fees()
	c.direct(Line{Effective: day, Deal: d}, map[string]Cents{Cash: -sent, InTransit: sent})
}

// participate sells a part. The wallet's money leaves the restricted account: the two always have the same
// balance.
func (c *Company) participate(d *Deal, p *Part) {
	cost := p.price - p.bankFee
	if !p.AsCollected {
		cost += p.commission + p.fee
	}
	entry := map[string]Cents{
		Wallet: cost, DeferredIncome: p.purchased - p.price, Participations: -p.purchased, RestrictedCash: -cost, Cash: cost,
	}
	if !p.AsCollected {
		// Reading: a commission share reduces the commission expense. (The rules name no account.)
		entry[CommissionCost] -= p.commission
		entry[ManagementFees] -= p.fee
	}
	entry[Fees] += p.bankFee
	c.direct(Line{Effective: d.FundedOn, Deal: d, Syndicator: p.Syndicator}, entry)
	d.house -= p.purchased - p.price
}

// Quote is the payoff of a deal in one payment on a day.
type Quote struct {
	Payoff   Cents // of the purchased amount
	Fees     Cents // unpaid
	Discount Cents
}

// Amount is the total to pay.
func (q Quote) Amount() Cents { return q.Payoff + q.Fees }

// Quote applies the early-payoff price within its window, unless the deal is in default.
//
// Reading: if more than that price has already been paid, the rest is forgiven. (Alternative: there is no
// early payoff.)
func (d *Deal) Quote(day Day) Quote {
	q := Quote{Payoff: d.Outstanding()}
	for _, p := range d.Payments {
		if p.IsFee() && p.Status == Pending {
			q.Fees += p.Amount
		}
	}
	if d.Terms.EPOFactor > 0 && day <= d.FundedOn+Day(d.Terms.EPODays) && d.State != Defaulted {
		if early := max(d.Terms.Funded.times(d.Terms.EPOFactor)-d.Collected(), 0); early < q.Payoff {
			q.Discount = q.Payoff - early
			q.Payoff = early
		}
	}
	return q
}

// renew pays off a deal by its renewal: fees first, then the discount, then the rest, without cash.
func (c *Company) renew(prior *Deal, quote Quote, on Day) {
	for _, p := range prior.Payments {
		if p.Status == Pending && p.IsFee() {
			p.Offset = true
			c.Pay(p, on)
		}
	}
	if quote.Discount > 0 {
		c.Pay(prior.Add(&Payment{Type: Discount, Amount: quote.Discount, Offset: true}), on)
	}
	if quote.Payoff > 0 {
		c.Pay(prior.Add(&Payment{Type: RenewalPayoff, Amount: quote.Payoff, Offset: true}), on)
	}
	prior.State = Renewed
	prior.cancelPending(true)
}

// Add records a scheduled payment.
func (d *Deal) Add(p *Payment) *Payment {
	p.Deal, p.Status = d, Pending
	d.Payments = append(d.Payments, p)
	return p
}

// cancelPending cancels scheduled payments; fees are kept if a deal merely ends.
func (d *Deal) cancelPending(fees bool) {
	for _, p := range d.Payments {
		if p.Status == Pending && (fees || !p.IsFee()) {
			p.Status = Cancelled
		}
	}
}
