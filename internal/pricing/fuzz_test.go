package pricing_test

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
)

// termFields are the JSON names of Terms.
func termFields(t *testing.T) (fields []pricing.Field) {
	t.Helper()
	for f := range reflect.TypeFor[pricing.Terms]().Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields = append(fields, pricing.Field(name))
	}
	return fields
}

// arbitrary returns terms from fuzz data: a field has a value if its bit in has is set.
func arbitrary(has uint32, cents, rates [4]int64, counts [4]int) (t pricing.Terms) {
	bit := uint32(1)
	next := func() bool { bit <<= 1; return has&(bit>>1) != 0 }
	money12 := func(c int64) *money.Amount { return new(money.Cents(c % 1e14)) }
	rate6 := func(r int64) *money.Rate {
		whole := money.Cents(r % 1e9).Decimal().Shift(-4) // up to ±1,000 at six decimals
		return new(money.RoundRate(whole))
	}
	pick := func(values []string, i int) string { return values[(i%len(values)+len(values))%len(values)] }
	date := func(i int) *civil.Date { return new(civil.Must("2026-01-05").AddDays(i % 500_000)) }
	set(&t.FundedAmount, next(), money12(cents[0]))
	set(&t.PaybackAmount, next(), money12(cents[1]))
	set(&t.FactorRate, next(), rate6(rates[0]))
	set(&t.BuyRate, next(), rate6(rates[1]))
	set(&t.NumberOfPayments, next(), &counts[0])
	set(&t.PaymentAmount, next(), money12(cents[2]))
	set(&t.TermDays, next(), &counts[1])
	set(&t.Frequency, next(), new(schedule.Frequency(pick(schedule.Daily.Values(), counts[3]))))
	set(&t.Schedule, next(), new(schedule.Rule(pick(schedule.BankingDays.Values(), counts[3]/4))))
	set(&t.CollectionDay, next(), new(counts[2]%130))
	set(&t.FirstPaymentDate, next(), date(counts[3]))
	set(&t.FundedOn, next(), date(counts[2]))
	set(&t.CommissionBasis, next(), new(pricing.Basis(pick(pricing.Flat.Values(), counts[0]))))
	set(&t.CommissionValue, next(), rate6(rates[2]))
	set(&t.BankFeeBasis, next(), new(pricing.Basis(pick(pricing.Flat.Values(), counts[1]))))
	set(&t.BankFeeValue, next(), rate6(rates[3]))
	set(&t.WireFee, next(), money12(cents[3]))
	set(&t.EPOFactorRate, next(), rate6(rates[3]))
	set(&t.EPOWindowDays, next(), &counts[2])
	set(&t.SpecifiedPercentage, next(), rate6(rates[2]))
	return t
}

func set[T any](slot **T, has bool, value *T) {
	if has {
		*slot = value
	}
}

func FuzzDerive(f *testing.F) {
	const typical = 1<<0 | 1<<2 | 1<<4 | 1<<7 | 1<<8 // funded, factor, count, frequency, rule
	f.Add(uint32(typical), int64(5000000), int64(0), int64(0), int64(0), int64(1300000), int64(0), int64(0), int64(0),
		126, 0, 0, 0, int64(0))
	f.Add(uint32(1<<0|1<<1|1<<6|1<<7|1<<9), int64(5000000), int64(6500000), int64(0), int64(0), int64(0), int64(0),
		int64(0), int64(0), 0, 185, 5, 1, int64(9000000))
	f.Add(uint32(1<<1|1<<2|1<<5|1<<7|1<<11), int64(0), int64(14900000), int64(119900), int64(0), int64(1490000), int64(0),
		int64(0), int64(0), 0, 0, 30, 0, int64(1))
	f.Add(^uint32(0), int64(5000000), int64(6500000), int64(51588), int64(5000), int64(1300000), int64(1200000),
		int64(100000), int64(1100000), 126, 182, 30, 31, int64(9))
	f.Fuzz(func(t *testing.T, has uint32, c0, c1, c2, c3, r0, r1, r2, r3 int64, n0, n1, n2, n3 int, revenue int64) {
		given := arbitrary(has, [4]int64{c0, c1, c2, c3}, [4]int64{r0, r1, r2, r3}, [4]int{n0, n1, n2, n3})
		in := monday
		if revenue != 0 {
			in.MonthlyRevenue = new(money.Cents(revenue % 1e14))
		}
		full, derived, problems := pricing.Derive(given, in)
		if len(problems) > 0 {
			for _, p := range problems {
				if !slices.Contains(termFields(t), pricing.Field(p.Path)) || p.Message == "" {
					t.Fatalf("a problem under an unknown field: %+v", p)
				}
			}
			return
		}
		if got := encoded(t, full.Without(derived...)); got != encoded(t, given) {
			t.Fatalf("given %s became %s", encoded(t, given), got)
		}
		again, derivedAgain, _ := pricing.Derive(full.Without(derived...), in)
		if encoded(t, again) != encoded(t, full) || !slices.Equal(derived, derivedAgain) {
			t.Fatalf("%s, then %s", encoded(t, full), encoded(t, again))
		}
		holdsTogether(t, full, in)
	})
}

// holdsTogether checks that complete terms can be funded, and that derived values are accepted as given.
func holdsTogether(t *testing.T, full pricing.Terms, in pricing.Context) {
	t.Helper()
	again, derived, problems := pricing.Derive(full, in)
	if len(problems) > 0 || derived != nil || encoded(t, again) != encoded(t, full) {
		t.Fatalf("%s, sent back as given, becomes %s: derived %v, problems %v", encoded(t, full), encoded(t, again), derived,
			problems)
	}
	if full.FundedAmount != nil {
		if net, err := full.NetDisbursement(money.Zero); err != nil || net.Sign() < 0 {
			t.Fatalf("disburses %s, %v", net, err)
		}
	}
	if full.Missing() == nil {
		hasSchedule(t, full, in.Today)
	}
}

// hasSchedule checks that complete terms have a term and payments that are all after funding.
func hasSchedule(t *testing.T, full pricing.Terms, today civil.Date) {
	t.Helper()
	plan, _ := full.Plan()
	start, _ := full.Start(today)
	rows, err := schedule.Rows(plan, start, *full.NumberOfPayments, *full.PaymentAmount, *full.PaybackAmount)
	if err != nil || !rows[0].Date.Equal(start) || !start.After(full.FundingDay(today)) || full.TermDays == nil {
		t.Fatalf("%s has no schedule: %v", encoded(t, full), err)
	}
}

// Most fuzzed terms are refused. These resemble real deals: two of the amounts, and one of count, payment and
// term, are given.
func TestTermsOfOrdinaryDealsAreCompleted(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 7))
	for range 3000 {
		funded := money.Cents(2_000_00 + random.Int64N(500_000_00))
		factor := money.RoundRate(decimal.New(10500+random.Int64N(5000), -4))
		given := pricing.Terms{FundedAmount: &funded, FactorRate: &factor, Frequency: new(schedule.Daily)}
		switch payback := funded.Times(factor); random.IntN(3) {
		case 0:
			given.FundedAmount, given.PaybackAmount = nil, &payback
		case 1:
			given.FactorRate, given.PaybackAmount = nil, &payback
		}
		switch day := random.IntN(1 << 10); random.IntN(4) {
		case 0:
			given.Frequency, given.CollectionDay = new(schedule.Weekly), new(day%5+1)
		case 1:
			given.Frequency, given.CollectionDay = new(schedule.Monthly), new(day%31+1)
		case 2:
			given.Schedule, given.CollectionDay = new(schedule.CustomDays), new(day%127+1)
		}
		switch random.IntN(3) {
		case 0:
			given.NumberOfPayments = new(1 + random.IntN(120))
		case 1:
			given.PaymentAmount = new(money.Cents(funded.Cents()/200 + random.Int64N(funded.Cents()/2)))
		case 2:
			given.TermDays = new(70 + random.IntN(700))
		}
		in := pricing.Context{Today: monday.Today.AddDays(random.IntN(2000))}
		if random.IntN(3) == 0 {
			given.FirstPaymentDate = new(in.Today.AddDays(1 + random.IntN(30)))
		}
		full, derived := mustDerive(t, given, in)
		if missing := full.Missing(); missing != nil {
			t.Fatalf("%s lacks %v", encoded(t, full), missing)
		}
		holdsTogether(t, full, in)

		on := in.Today.AddDays(random.IntN(90))
		funding, _, problems := pricing.AtFunding(full, derived, on)
		if late := given.FirstPaymentDate != nil && !given.FirstPaymentDate.After(on); late != (problems != nil) {
			t.Fatalf("funding %s on %s: %v", encoded(t, full), on, problems)
		} else if !late {
			hasSchedule(t, funding, on)
		}
	}
}

// Amounts of a few cents, where rounding matters most, with every combination of given terms: what Derive
// adds is accepted when it is sent back, and nothing more is added.
func TestWhatWasDerivedIsAcceptedAsGiven(t *testing.T) {
	random := rand.New(rand.NewPCG(11, 4))
	accepted := 0
	for range 20_000 {
		cents := func() int64 { return 1 + random.Int64N(int64(1)<<(3+random.IntN(30))) }
		rates := func() int64 { return 1_000_000 + random.Int64N(1_500_001) }
		funded, factor := cents(), rates()
		payback := money.Cents(funded).Times(money.RoundRate(decimal.New(factor, -6))).Cents()
		has := random.Uint32() % (1 << 7) // the amounts, the rates, count, payment and term
		for _, together := range []uint32{1 << 7, 1 << 10, 1 << 11, 3 << 12, 3 << 14, 1 << 16, 3 << 17, 1 << 19} {
			has |= together * uint32(random.IntN(2))
		}
		given := arbitrary(has,
			[4]int64{funded, payback, 1 + cents()%payback, cents() % 100},
			[4]int64{factor, rates(), random.Int64N(30_000_000), random.Int64N(30_000_000)},
			[4]int{1 + random.IntN(200), 1 + random.IntN(900), 1 + random.IntN(127), random.IntN(400)})
		in := pricing.Context{Today: monday.Today.AddDays(random.IntN(2000))}
		if random.IntN(2) == 0 {
			in.MonthlyRevenue = new(money.Cents(cents()))
		}
		full, _, problems := pricing.Derive(given, in)
		if len(problems) > 0 {
			continue
		}
		accepted++
		holdsTogether(t, full, in)
	}
	if accepted < 500 {
		t.Errorf("only %d of the terms were accepted", accepted)
	}
}

func TestEveryCentIsDerivedAndAcceptedAsGiven(t *testing.T) {
	for _, factor := range []string{"1", "1.000001", "1.3", "1.499999", "2.4", "2.499999", "2.5"} {
		for cents := int64(1); cents <= 16_000; cents += 1 + cents/200 {
			for _, given := range []pricing.Terms{
				{FundedAmount: new(money.Cents(cents)), FactorRate: rate(factor)},
				{PaybackAmount: new(money.Cents(cents)), FactorRate: rate(factor)},
			} {
				if full, _, problems := pricing.Derive(given, monday); len(problems) == 0 {
					holdsTogether(t, full, monday)
				} else if given.FundedAmount != nil || cents > 1 {
					t.Fatalf("%s is refused: %v", encoded(t, given), problems)
				}
			}
		}
	}
}
