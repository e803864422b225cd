package rulebook

// The deal states that the money rules depend on.
const (
	Funded    = "FUNDED"
	Defaulted = "DEFAULTED"
	Closed    = "CLOSED"
	Renewed   = "RENEWED"
)

// Deal is a deal from its funding on.
type Deal struct {
	ID          int
	Terms       Terms
	ISO         *ISO
	Parts       []*Part
	RenewedFrom *Deal
	State       string
	FundedOn    Day
	Payments    []*Payment

	// The sums that determine the position. received counts payments for the receivable, so it can exceed it;
	// recovered counts payments after the write-off; offset is the part of received that another deal paid.
	received, recovered, offset, discount, writtenOff Cents
	// refunds are amounts written off beyond the purchased amount: refunds that the merchant owed.
	refunds Cents
	payoff  *Payment // the early payoff that closed it; nil if it is open or was closed in another way

	house      Cents // part of the factor income that no syndicator bought
	forgone    Cents // part of house that was lost in write-offs
	posted     map[slot]Cents
	commission commissionStatus
}

type slot struct {
	account string
	part    *Part
}

// Collected is the amount collected of the receivable, never more than the receivable.
func (d *Deal) Collected() Cents {
	return max(min(d.received, d.Terms.Payback()-d.discount-d.writtenOff), 0)
}

// Outstanding is the amount that the merchant owes.
//
// Reading: if a payment is returned that an adjustment had refunded, the merchant owes the refund in addition
// to the purchased amount, as a debit of unapplied. (Alternative: the receivable exceeds the purchased
// amount.)
func (d *Deal) Outstanding() Cents {
	return d.Terms.Payback() - d.Collected() - d.discount - d.writtenOff + max(-d.Surplus(), 0) - d.refunds
}

// Recovered is the amount received after a write-off, at most the amount written off.
func (d *Deal) Recovered() Cents { return max(min(d.recovered, d.WrittenOff()), 0) }

// WrittenOff is the total amount written off.
func (d *Deal) WrittenOff() Cents { return d.writtenOff + d.refunds }

// Surplus is the amount paid beyond what was owed; negative if more was refunded than collected.
func (d *Deal) Surplus() Cents {
	return d.received - d.Collected() + d.recovered - d.Recovered()
}

// position returns the balances that the accounts must have for the deal according to its sums, except
// amounts that its funding posted permanently.
func (d *Deal) position() map[slot]Cents {
	payback, recovered := d.Terms.Payback(), d.Recovered()
	reduced := d.reduced()
	relieved := d.relieved()
	t := map[slot]Cents{}
	add := func(account string, part *Part, amount Cents) { t[slot{account, part}] += amount }
	add(Receivable, nil, payback-reduced)
	add(Cash, nil, d.received+d.recovered-d.offset)
	add(RenewalClearing, nil, d.offset)
	add(Unapplied, nil, -d.Surplus()-d.refunds)
	add(DeferredIncome, nil, relieved-d.house)
	add(FactorIncome, nil, d.forgone-relieved)
	add(DiscountCost, nil, d.discount)
	add(CreditLoss, nil, d.WrittenOff()-d.forgone)
	add(Recoveries, nil, -recovered)
	for i, s := range d.totals() {
		p := d.Parts[i]
		add(Participations, p, s.reduced-p.purchased)
		add(DiscountCost, nil, -s.forgiven)
		add(CreditLoss, nil, s.protection-s.lost)
		add(Recoveries, nil, s.recovered)
		add(ManagementFees, nil, -s.managementFee-s.withheldFee)
		add(CommissionCost, nil, -s.withheldCommission)
		// Reading: the house's part of a syndicator's profit is factor income that it keeps. (Alternative:
		// management fees.)
		add(FactorIncome, nil, -s.cut)
		add(Payable, p, -(s.collected + s.recovered + s.protection - s.charges()))
	}
	return t
}

// partTotals has a part's totals since the funding.
type partTotals struct {
	reduced, collected, forgiven, lost, recovered, protection Cents
	managementFee, withheldFee, withheldCommission, cut       Cents
}

func (s partTotals) charges() Cents {
	return s.managementFee + s.withheldFee + s.withheldCommission + s.cut
}

// split divides an amount among the parts of a deal by their percentages, in the order of their syndicators.
//
// Reading: shares are rounded along the running sum, so that together they never exceed the amount and the
// house's rest is never negative. (Alternative: each is rounded separately.)
func (d *Deal) split(amount Cents) []Cents {
	var sum Rate
	return d.along(func(p *Part) Cents {
		sum += p.Share
		return amount.percent(sum)
	})
}

// shares divides collections or reductions of the purchased amount among the parts.
//
// Reading: a part's share is its portion of the purchased cents. (Alternative: its percentage. The two differ
// by a cent.)
func (d *Deal) shares(amount Cents) []Cents {
	var sum Cents
	return d.along(func(p *Part) Cents {
		sum += p.purchased
		return amount.part(sum, d.Terms.Payback())
	})
}

// along returns the reductions of each part separately.
func (d *Deal) along(upTo func(*Part) Cents) []Cents {
	shares := make([]Cents, len(d.Parts))
	var given Cents
	for i, p := range d.Parts {
		now := upTo(p)
		shares[i], given = now-given, now
	}
	return shares
}

// reduced is the amount by which the receivable is lower than the purchased amount.
func (d *Deal) reduced() Cents { return d.Collected() + d.discount + d.writtenOff }

// relieved is the house's factor income that is no longer deferred: earned, or lost in a write-off.
func (d *Deal) relieved() Cents { return d.house.part(d.reduced(), d.Terms.Payback()) }

// give posts a reduction of the receivable other than money: a discount or a write-off. The parts' shares are
// the increase of the rounded reductions so far; later collections and returns do not change them.
//
// Reading: each event is split by the increase of the rounded sum of all reductions. (Alternative: money and
// other reductions are rounded as two sums. The two differ by a cent.)
func (d *Deal) give(amount *Cents, by Cents) (shares []Cents, income Cents) {
	before, relieved := d.shares(d.reduced()), d.relieved()
	*amount += by
	shares = d.shares(d.reduced())
	for i := range shares {
		shares[i] -= before[i]
	}
	return shares, d.relieved() - relieved
}

// totals returns the totals of a deal's parts.
func (d *Deal) totals() []partTotals {
	reduced, recovered := d.shares(d.reduced()), d.shares(min(d.Recovered(), d.writtenOff))
	all := make([]partTotals, len(d.Parts))
	for i, p := range d.Parts {
		all[i] = partTotals{
			collected: reduced[i] - p.forgiven - p.lost, reduced: reduced[i], recovered: recovered[i], forgiven: p.forgiven,
			lost: p.lost,
		}.of(p)
	}
	return all
}

// of computes the totals that follow from a part's shares.
//
// Reading: a recovery first repays the house for the loss that it covered, and only then the syndicator, who
// would otherwise be compensated twice. (Alternative: a protected syndicator gets its share of each
// recovery.)
func (s partTotals) of(p *Part) partTotals {
	if p.Protected { // the house covers the cost of the lost part
		s.protection = p.price.part(s.lost, p.purchased)
		s.recovered -= min(s.recovered, s.protection)
	}
	if p.FeeOfCollections {
		s.managementFee = (s.collected + s.recovered).percent(p.FeePercent)
	}
	if p.AsCollected {
		s.withheldCommission, s.withheldFee = p.withheld(s.collected)
	}
	if p.SplitPercent > 0 {
		s.cut = p.cutOf(s)
	}
	return s
}

// withheld computes charges pro rata of collections, not of recoveries: a recovery bears only the management
// fee on collections. The sum is rounded; of its two pieces the commission is rounded, and the fee is the
// rest.
func (p *Part) withheld(collected Cents) (commission, fee Cents) {
	if p.returned {
		return 0, p.fee.part(collected, p.purchased)
	}
	commission = p.commission.part(collected, p.purchased)
	return commission, (p.commission+p.fee).part(collected, p.purchased) - commission
}

// cutOf is the house's part of the profit that a part has made so far.
//
// COST_FIRST: the profit is the income beyond the cost. PRO_RATA: each dollar that is collected, forgiven or
// lost recovers its part of the cost, and the profit is the income beyond that, so that a discount or a
// write-off trues it up and both accruals agree when nothing is outstanding any more. Losses that the house
// covers count as income.
//
// Reading: the cost is the purchase price without charges. The true-up is spread over the reductions, and
// never charges the house more than it took. (Alternative: it is made once, when nothing is outstanding.)
// Reading: recoveries make no profit: they bear only the management fee. (Alternative: the house has its part
// of them.) Reading: recovered cost is rounded, then the syndicator's part of the profit, and the house takes
// the rest.
func (p *Part) cutOf(s partTotals) Cents {
	cost := p.price
	if !p.CostFirst {
		cost = p.price.part(s.reduced, p.purchased)
	}
	profit := max(s.collected+s.protection-cost, 0)
	return profit - profit.percent(p.SplitPercent)
}

// settle posts the change of the position as of the day, for a payment if there is one.
func (c *Company) settle(d *Deal, day Day, p *Payment) {
	now := d.position()
	for _, at := range slots(now, d.posted) {
		c.post(d, at, now[at]-d.posted[at], day, p)
	}
	d.posted = now
}

func (c *Company) post(d *Deal, at slot, amount Cents, day Day, p *Payment) {
	l := Line{Account: at.account, Amount: amount, Effective: day, Deal: d, Payment: p}
	if at.part != nil {
		l.Syndicator = at.part.Syndicator
	}
	if p != nil {
		l.Episode = p.episode
	}
	c.Books.add(l)
}
