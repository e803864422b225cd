package rulebook

// The states of a deal that money depends on.
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

	// What the position follows from. received counts what came in for the receivable and so can exceed it; recovered counts
	// what came in after the write-off; offset is the part of received that another deal settled.
	received, recovered, offset, discount, writtenOff Cents
	// refunds are what was given up beside the purchased amount: refunds that the merchant owed.
	refunds Cents
	payoff  *Payment // by which it was closed early; nil where it is open or was closed otherwise

	house      Cents // of the factor income: what no syndicator bought
	forgone    Cents // of it, what write-offs took along
	posted     map[slot]Cents
	commission commissionStanding
}

type slot struct {
	account string
	part    *Part
}

// Collected is what was collected of the receivable, never more than it.
func (d *Deal) Collected() Cents {
	return max(min(d.received, d.Terms.Payback()-d.discount-d.writtenOff), 0)
}

// Outstanding is what the merchant owes.
//
// Reading: where a payment comes back that was refunded by an adjustment, the merchant owes the refund beside the purchased
// amount: a debit of unapplied. (Else: the receivable is more than was purchased.)
func (d *Deal) Outstanding() Cents {
	return d.Terms.Payback() - d.Collected() - d.discount - d.writtenOff + max(-d.Surplus(), 0) - d.refunds
}

// Recovered is what came in after a write-off, at most what was written off.
func (d *Deal) Recovered() Cents { return max(min(d.recovered, d.WrittenOff()), 0) }

// WrittenOff is what was given up.
func (d *Deal) WrittenOff() Cents { return d.writtenOff + d.refunds }

// Surplus is what was paid beyond what was owed; less than nothing where more was refunded than collected.
func (d *Deal) Surplus() Cents {
	return d.received - d.Collected() + d.recovered - d.Recovered()
}

// position is what the accounts must hold for the deal by its sums, without what its funding posted for good.
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
	for i, s := range d.standings() {
		p := d.Parts[i]
		add(Participations, p, s.reduced-p.purchased)
		add(DiscountCost, nil, -s.forgiven)
		add(CreditLoss, nil, s.protection-s.lost)
		add(Recoveries, nil, s.recovered)
		add(ManagementFees, nil, -s.managementFee-s.withheldFee)
		add(CommissionCost, nil, -s.withheldCommission)
		// Reading: the house's part of a syndicator's profit is factor income that it keeps. (Else: management fees.)
		add(FactorIncome, nil, -s.cut)
		add(Payable, p, -(s.collected + s.recovered + s.protection - s.charges()))
	}
	return t
}

// standing is what a part has come to. Amounts are sums since the funding.
type standing struct {
	reduced, collected, forgiven, lost, recovered, protection Cents
	managementFee, withheldFee, withheldCommission, cut       Cents
}

func (s standing) charges() Cents {
	return s.managementFee + s.withheldFee + s.withheldCommission + s.cut
}

// split divides an amount among the parts of a deal by their percentages, in the order of their syndicators.
//
// Reading: shares are rounded along the running sum, so that together they never exceed the amount and the house's residue is
// never less than nothing. (Else: each is rounded by itself.)
func (d *Deal) split(amount Cents) []Cents {
	var sum Rate
	return d.along(func(p *Part) Cents {
		sum += p.Share
		return amount.percent(sum)
	})
}

// shares divide what comes in of a purchased amount, or is given up of it.
//
// Reading: a part has the share that its purchased cents are of all. (Else: its percentage. The two differ by a cent.)
func (d *Deal) shares(amount Cents) []Cents {
	var sum Cents
	return d.along(func(p *Part) Cents {
		sum += p.purchased
		return amount.part(sum, d.Terms.Payback())
	})
}

// along takes what is given up to each part apart.
func (d *Deal) along(upTo func(*Part) Cents) []Cents {
	shares := make([]Cents, len(d.Parts))
	var given Cents
	for i, p := range d.Parts {
		now := upTo(p)
		shares[i], given = now-given, now
	}
	return shares
}

// reduced is by how much the receivable is lower than what was purchased.
func (d *Deal) reduced() Cents { return d.Collected() + d.discount + d.writtenOff }

// relieved is the factor income of the house that is deferred no more: earned, or forgone in a write-off.
func (d *Deal) relieved() Cents { return d.house.part(d.reduced(), d.Terms.Payback()) }

// give books something other than money against the receivable: a discount or a write-off. The parts' shares of it are what the
// reduction so far, rounded, rises by; they stay as they are, whatever is collected or comes back afterwards.
//
// Reading: each event is split by what the rounded sum of all reductions rises by. (Else: money and what is given up are rounded
// as two sums. The two differ by a cent.)
func (d *Deal) give(amount *Cents, by Cents) (shares []Cents, income Cents) {
	before, relieved := d.shares(d.reduced()), d.relieved()
	*amount += by
	shares = d.shares(d.reduced())
	for i := range shares {
		shares[i] -= before[i]
	}
	return shares, d.relieved() - relieved
}

// standings are what the parts of a deal have come to.
func (d *Deal) standings() []standing {
	reduced, recovered := d.shares(d.reduced()), d.shares(min(d.Recovered(), d.writtenOff))
	all := make([]standing, len(d.Parts))
	for i, p := range d.Parts {
		all[i] = standing{
			collected: reduced[i] - p.forgiven - p.lost, reduced: reduced[i], recovered: recovered[i], forgiven: p.forgiven, lost: p.lost,
		}.of(p)
	}
	return all
}

// of works out what follows from a part's shares.
//
// Reading: what is recovered repays the house first for what it made good, and only then the syndicator, who would be made
// good twice. (Else: a protected syndicator has its share of each recovery.)
func (s standing) of(p *Part) standing {
	if p.Protected { // the house makes good what the lost part had cost
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

// withheld takes charges pro rata of what is collected, not of recoveries: a recovery bears the management fee on collections
// alone. The sum is rounded; of its two pieces the commission is rounded, and the fee is what remains.
func (p *Part) withheld(collected Cents) (commission, fee Cents) {
	if p.returned {
		return 0, p.fee.part(collected, p.purchased)
	}
	commission = p.commission.part(collected, p.purchased)
	return commission, (p.commission+p.fee).part(collected, p.purchased) - commission
}

// cutOf is the house's part of the profit that a part has made so far.
//
// COST_FIRST: the profit is what came in beyond the cost. PRO_RATA: each dollar that is collected, forgiven or lost brings back its
// part of the cost, and the profit is what came in beyond that, so that a discount or a write-off trues it up and both accruals
// agree when nothing is outstanding any more. What the house makes good came in.
//
// Reading: the cost is the purchase price without charges. The true-up is spread over what is given up, and never charges the house
// beyond what it took. (Else: it is made once, when nothing is outstanding.)
// Reading: recoveries make no profit: they bear the management fee alone. (Else: the house has its part in them.)
// Reading: cost brought back is rounded, then the syndicator's part of the profit, and the house takes the residue.
func (p *Part) cutOf(s standing) Cents {
	cost := p.price
	if !p.CostFirst {
		cost = p.price.part(s.reduced, p.purchased)
	}
	profit := max(s.collected+s.protection-cost, 0)
	return profit - profit.percent(p.SplitPercent)
}

// settle posts what the position has changed by, for the day, on account of a payment where there is one.
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
