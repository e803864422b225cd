package demo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// life is a deal while its script is played.
type life struct {
	*builder
	script
	dice   *rand.Rand
	side   *rand.Rand // for what is beside the money, so that the money stays as it is
	number int        // in the tables
	id     int
	prior  *life // the deal that this one renews

	payback   money.Amount
	payment   money.Amount
	owed      money.Amount
	collected money.Amount
	investors []*stake
	firstDay  civil.Date // of funding
	trouble   int        // index of the scheduled payment from which on they come back; -1 for never
	failures  int        // of those
	round     int        // of schedules
	paused    bool       // nothing is collected at the moment
	over      bool       // nothing is collected any more
	returns   []civil.Date
	holds     []int      // that keep debits back
	takenBack []int      // payments whose return was taken back
	offered   bool       // for renewal
	renewal   civil.Date // when the deal that renews this one comes in; zero for never
	line      int        // of credit: its id, 0 for none
	filed     civil.Date // when the financing statement is accepted; zero for never
}

// Banking days from the day a deal comes in.
const (
	toSubmit   = 1
	toAnalyse  = 2
	toPrice    = 3
	toPrefund  = 5
	toFund     = 6
	toWithdraw = 8
)

// arrival is the day on which a deal comes in.
func (b *builder) arrival(s script) civil.Date {
	came := schedule.PreviousBankingDay(b.anchor.AddDays(1 - s.ago)) // that day, or the last before it
	if s.ending.funded() {
		for range toFund {
			came = schedule.PreviousBankingDay(came)
		}
	}
	return came
}

// planDeal plans the life of a deal up to its funding.
func (b *builder) planDeal(i int) {
	s := b.company.scripts[i]
	about := uint64(b.company.firstNumber)<<32 + uint64(i) //nolint:gosec // not negative
	d := &life{builder: b, script: s, dice: dice(about), side: dice(about + 1<<48), number: i, trouble: -1}
	came := b.arrival(s)
	if s.ending == renewed {
		d.renewal = b.arrival(b.renewalOf(i))
	}
	stage := func(days int, do func(context.Context) error) {
		b.on(schedule.AddBankingDays(came, days), morning+d.dice.IntN(440), do)
	}
	stage(0, d.comeIn)
	d.introduce(schedule.NextBankingDay(came))
	d.sendOut(came)
	if s.ending == stillOpen {
		return
	}
	stage(toSubmit, d.move(deal.Submitted))
	stage(toAnalyse, d.analyse)
	if s.factor != "" {
		stage(toPrice, d.price)
	}
	if s.ending == inReview {
		return
	}
	if s.ending == withdrawn {
		stage(toPrefund, d.move(deal.Withdrawn))
		return
	}
	stage(toPrefund, d.move(deal.Prefunded))
	if s.ending == approved {
		return
	}
	if s.ending == lost {
		stage(toWithdraw, d.move(deal.Withdrawn))
		return
	}
	stage(toFund, d.fund)
}

// move asks for another state.
func (d *life) move(to deal.State) func(context.Context) error {
	return func(ctx context.Context) error {
		what := fmt.Sprintf("move to %s of %s", to, d.merchant)
		if err := d.changeDeal(ctx, what, d.id, service.DealUpdate{State: some(to)}); err != nil {
			return err
		}
		return d.syncHouseSubmission(ctx, to)
	}
}

// comeIn makes the deal as it was asked for.
func (d *life) comeIn(ctx context.Context) error {
	merchant, err := d.merchantOf(ctx, d.merchant)
	if err != nil {
		return err
	}
	in := service.DealFields{ProductType: some(d.product), FundedAmount: some(dollars(d.amount))}
	in.ReferenceID = some(fmt.Sprintf("app-%05d", 20_000+113*(d.company.firstNumber+d.number)))
	in.Position = some(1 + d.dice.IntN(8)/6)
	if d.dice.IntN(4) > 0 {
		in.ISOID = some(d.brokers[d.dice.IntN(len(d.brokers))])
	}
	if len(d.funders) > 0 && d.dice.IntN(3) == 0 {
		in.InceptionLenderID = some(d.funders[d.dice.IntN(len(d.funders))])
	}
	if before := d.deals[d.merchant]; before != nil && before.ending == renewed {
		d.prior = before
		d.id, err = d.renew(ctx, in)
	} else {
		d.id, err = d.step(ctx, "deal of "+d.merchant, func(ctx context.Context) (int, error) {
			row, err := d.Deals.Create(ctx, service.NewDeal{MerchantID: some(merchant), DealFields: in})
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		})
	}
	d.deals[d.merchant] = d
	return err
}

// monthlyRevenue is about what the tables say of the merchant.
func (d *life) monthlyRevenue() money.Amount {
	for _, m := range d.company.merchants {
		if m.slug == d.merchant {
			return money.Cents(int64(m.monthly) * int64(9_200+d.dice.IntN(1600)) / 100)
		}
	}
	return money.Zero
}

// analyse delivers what was read out of the last three months' bank statements.
func (d *life) analyse(ctx context.Context) error {
	// Statements that look tampered with keep a deal from being approved until there are clean ones.
	if d.merchant == "keystone-valley" {
		next := schedule.NextBankingDay(d.today())
		d.on(next, settling, func(ctx context.Context) error { return d.deliver(ctx, false) })
		d.on(schedule.NextBankingDay(next), morning, d.decide)
	}
	return d.deliver(ctx, d.altered())
}

// altered reports that the first statements of the merchant look tampered with.
func (d *life) altered() bool {
	return d.merchant == "gateway-pallet" || d.merchant == "keystone-valley"
}

func (d *life) deliver(ctx context.Context, altered bool) error {
	today := d.today()
	start := civil.Of(today.Year(), today.Month()-3, 1)
	end := civil.Of(today.Year(), today.Month(), 1).AddDays(-1)
	month := d.monthlyRevenue()
	revenue := part(month, 300)
	transfers, advances := part(revenue, 2+d.dice.IntN(5)), money.Zero
	in := service.AnalysisInput{
		Source: some("statement-reader"), PeriodStart: some(start), PeriodEnd: some(end), MonthsCovered: some(3),
		TrueRevenue3M: some(revenue), AvgMonthlyTrueRevenue: some(month), InternalTransfers: some(transfers),
		Altered: some(altered),
	}
	balance, nsf, negative := 8+d.dice.IntN(18), d.dice.IntN(4), d.dice.IntN(3)
	if d.ending.broken() || d.ending == withdrawn || d.merchant == "stonebridge" {
		balance, nsf, negative = 3+balance/4, nsf+3+d.side.IntN(7), negative+2+d.side.IntN(8)
	}
	in.AvgDailyBalance, in.NSFCount, in.NegativeDays = some(part(month, balance)), some(nsf), some(negative)
	in.Summary = d.summary(start, month, revenue)
	positions := []map[string]any{}
	if d.dice.IntN(3) == 0 {
		advances = part(month, 40)
		installment := part(part(month, 40), 1)
		positions = append(positions, map[string]any{
			"funder": "Ridgeway Advance", "payment": installment, "frequency": "DAILY", "firstSeen": start, "lastSeen": end,
			"estimatedBalance": part(month, 20+d.dice.IntN(20)),
		})
		in.EstimatedMCAMonthly = some(part(installment, 2100))
	}
	if d.ending == withdrawn { // it owes others as well
		for _, name := range []string{"Elderberry Street Advance", "Nine Pines Merchant Credit", "Cinder Lane Funding"} {
			positions = append(positions, map[string]any{
				"funder": name, "payment": part(month, 4), "frequency": "WEEKLY", "firstSeen": start, "lastSeen": end,
				"estimatedBalance": part(month, 15+d.side.IntN(20)),
			})
		}
		in.EstimatedMCAMonthly = some(money.Sum(in.EstimatedMCAMonthly.Or(money.Zero), part(month, 52)))
	}
	in.MCADeposits, in.PositionCount, in.Positions = some(advances), some(len(positions)), encoded(positions)
	gross := money.Sum(revenue, transfers, advances)
	cards, cash := part(revenue, 48+d.dice.IntN(20)), part(revenue, 5+d.dice.IntN(20))
	in.GrossDeposits = some(gross)
	in.DepositTypes = encoded([]map[string]any{
		{"type": "card settlement", "amount": cards, "count": 60 + d.dice.IntN(20)},
		{"type": "cash", "amount": cash, "count": 10 + d.dice.IntN(30)},
		{"type": "check and ACH", "amount": revenue.Sub(cards).Sub(cash), "count": 15 + d.dice.IntN(40)},
		{"type": "internal transfer", "amount": transfers, "count": 2 + d.dice.IntN(6)},
	})
	if altered {
		in.AlteredFlags = encoded([]map[string]any{
			{"code": "FONT_MISMATCH", "page": 3, "note": "Two digits of the closing balance are of another typeface."},
		})
	}
	_, err := d.step(ctx, "analysis of "+d.merchant, func(ctx context.Context) (int, error) {
		row, err := d.Analyses.Deliver(ctx, d.id, in)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	return err
}

// summary returns the figures of the months, which add up to the revenue.
func (d *life) summary(start civil.Date, month, revenue money.Amount) service.Opt[json.RawMessage] {
	first := part(month, 92+d.side.IntN(15))
	var months []map[string]any
	for i, amount := range []money.Amount{first, month, revenue.Sub(first).Sub(month)} {
		day := civil.Of(start.Year(), start.Month()+time.Month(i), 1)
		months = append(months, map[string]any{"month": day.String()[:7], "trueRevenue": amount})
	}
	return encoded(map[string]any{"months": months})
}

// part is so many per cent of an amount.
func part(of money.Amount, percent int) money.Amount {
	return of.Percent(money.RoundRate(decimal.NewFromInt(int64(percent))))
}

func encoded(v any) service.Opt[json.RawMessage] {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of strings, numbers and amounts
	}
	return some(json.RawMessage(raw))
}

// price agrees on the terms, and finds syndicators for the larger deals.
func (d *life) price(ctx context.Context) error {
	var in service.DealUpdate
	factor := money.MustRate(d.factor)
	in.FactorRate, in.NumberOfPayments = some(factor), some(d.pays.n)
	in.CollectionFrequency, in.CollectionSchedule = some(d.pays.frequency), some(d.pays.rule)
	if d.pays.day > 0 {
		in.CollectionDay = some(d.pays.day)
	}
	d.agreeOnFees(&in.DealFields, factor)
	in.FundedLenderID = some(d.house)
	if err := d.changeDeal(ctx, "terms of "+d.merchant, d.id, in); err != nil {
		return err
	}
	for _, next := range []func(context.Context) error{d.syndicate, d.decide, d.openLine, d.offer} {
		if err := next(ctx); err != nil {
			return err
		}
	}
	return nil
}

// agreeOnFees sets what a product of that kind usually has of fees, commission and early payoff.
func (d *life) agreeOnFees(f *service.DealFields, factor money.Rate) {
	rate := func(from, to int) service.Opt[money.Rate] {
		return some(money.RoundRate(decimal.New(int64(from*10+d.dice.IntN((to-from)*10+1)), -1)))
	}
	margin := factor.Decimal().Sub(decimal.NewFromInt(1))
	share := func(percent int64) money.Rate {
		return money.RoundRate(margin.Mul(decimal.New(percent, -2)).Add(decimal.NewFromInt(1)).Round(2))
	}
	f.WireFee = some(dollars(35 + 15*d.dice.IntN(2)))
	switch d.product {
	case deal.MCA:
		f.BankFeeBasis, f.BankFeeValue = some(pricing.PercentOfFunded), rate(2, 4)
		f.DefaultSurcharge = some(dollars(1000 + 500*d.dice.IntN(4)))
		f.EPOFactorRate, f.EPOWindowDays = some(share(60)), some(60)
		f.EPOCommissionBasis, f.EPOCommissionValue = some("PERCENT_OF_FUNDED"), some(money.MustRate("2"))
		f.BuyRate = some(share(65))
	case deal.Factoring:
		f.BankFeeBasis, f.BankFeeValue = some(pricing.Flat), some(money.MustRate("250"))
	case deal.LOC:
		f.BankFeeBasis, f.BankFeeValue = some(pricing.Points), rate(1, 2)
		f.BuyRate = some(share(65))
	case deal.TermLoan:
		f.BankFeeBasis, f.BankFeeValue = some(pricing.PercentOfPayback), rate(1, 3)
		f.DefaultSurcharge = some(dollars(1500))
	case deal.SBA:
		f.ApplicationFee = some(dollars(150))
		f.EPOFactorRate, f.EPOWindowDays = some(share(50)), some(365)
	case deal.Equipment:
		f.ApplicationFee = some(dollars(295))
		f.EPOFactorRate, f.EPOWindowDays = some(share(55)), some(180)
	}
	switch {
	case d.product == deal.MCA && d.dice.IntN(3) == 0:
		f.CommissionBasis, f.CommissionValue = some(pricing.Points), rate(3, 5)
	case d.product == deal.MCA:
		f.CommissionBasis, f.CommissionValue = some(pricing.PercentOfFunded), rate(6, 11)
	case d.product == deal.Factoring:
		f.CommissionBasis, f.CommissionValue = some(pricing.Flat), some(money.MustRate("500"))
	default:
		f.CommissionBasis, f.CommissionValue = some(pricing.PercentOfPayback), rate(2, 4)
	}
}

// syndicate sells parts of a larger deal, as far as its syndicators have the money. A line of credit stays whole,
// because it is drawn on.
func (d *life) syndicate(ctx context.Context) error {
	if d.amount < 50_000 || d.product == deal.LOC || d.ending == inReview && d.number%2 == 0 {
		return nil
	}
	var shares []service.NewParticipation
	for i := range d.builder.investors {
		s := d.builder.investors[(d.number+i)%len(d.builder.investors)]
		percent := 10 + 5*d.dice.IntN(4)
		cost := part(dollars(d.amount), percent)
		reserve := part(cost, 120) // the charges come on top
		if len(shares) == 2 || s.free.Less(reserve) || dollars(s.maxPerDeal).Less(cost) {
			continue
		}
		s.free = s.free.Sub(reserve)
		d.investors = append(d.investors, s)
		shares = append(shares, service.NewParticipation{
			DealID: some(d.id), SyndicatorID: some(s.id),
			Percent: some(money.RoundRate(decimal.NewFromInt(int64(percent)))),
		})
	}
	for _, share := range shares {
		if _, err := d.step(ctx, "syndication of "+d.merchant, func(ctx context.Context) (int, error) {
			row, err := d.Participations.Create(ctx, share)
			if err != nil {
				return 0, err
			}
			return row.ID, nil
		}); err != nil {
			return err
		}
	}
	return nil
}
