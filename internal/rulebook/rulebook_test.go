package rulebook_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"paydown/internal/rulebook"
)

const percent = rulebook.Percent

// example is 50,000 for 65,000 with a bank fee of 1,500, a wire fee of 50 and a commission of 10 %.
func example(parts ...*rulebook.Part) (*rulebook.Company, *rulebook.Deal) {
	return &rulebook.Company{}, &rulebook.Deal{
		ISO: &rulebook.ISO{ID: 1}, Parts: parts,
		Terms: rulebook.Terms{
			Funded: 50_000_00, Factor: 1_300_000, Payments: 126, BankFeeBasis: rulebook.Flat,
			BankFeeValue: 1500 * rulebook.Whole,
			Wire:         50_00, CommissionBasis: rulebook.OfFunded, CommissionValue: 10 * percent,
			EPOFactor: 1_200_000, EPODays: 60,
		},
	}
}

func part(share int, terms rulebook.PartTerms) *rulebook.Part {
	return &rulebook.Part{Syndicator: &rulebook.Syndicator{ID: 1}, PartTerms: terms, Share: rulebook.Rate(share) * percent}
}

// look reports what was posted since the last look, by account.
type look struct {
	c    *rulebook.Company
	seen int
}

func (l *look) posted() string {
	sums := map[string]rulebook.Cents{}
	for _, line := range l.c.Books.Lines[l.seen:] {
		sums[line.Account] += line.Amount
	}
	l.seen = len(l.c.Books.Lines)
	var words []string
	for account, sum := range sums {
		if sum != 0 {
			words = append(words, fmt.Sprint(account, " ", sum))
		}
	}
	slices.Sort(words)
	return strings.Join(words, "; ")
}

func (l *look) want(t *testing.T, what, want string) {
	t.Helper()
	if got := l.posted(); got != want {
		t.Errorf("%s posts\n%s, want\n%s", what, got, want)
	}
}

func paid(c *rulebook.Company, d *rulebook.Deal, amount rulebook.Cents, day rulebook.Day) *rulebook.Payment {
	p := d.Add(&rulebook.Payment{Type: rulebook.Advance, Amount: amount})
	c.Pay(p, day)
	return p
}

func TestTheWorkedExample(t *testing.T) {
	onCollections := rulebook.PartTerms{FeeOfCollections: true, FeePercent: 3 * percent}
	c, d := example(part(40, onCollections))
	l := &look{c: c}
	c.Fund(d, 1)
	l.want(t, "funding", "1000 -28450.00; 1010 -20000.00; 1100 65000.00; 2000 -9000.00; 2100 -26000.00; 2120 20000.00; "+
		"2200 -5000.00; 4100 -1550.00; 5000 5000.00")
	p := paid(c, d, 515_88, 2)
	l.want(t, "a payment", "1000 515.88; 1100 -515.88; 2000 71.43; 2100 206.35; 2110 -200.16; 4000 -71.43; 4200 -6.19")
	c.Return(p, 3, "R02")
	l.want(t, "a return", "1000 -515.88; 1100 515.88; 2000 -71.43; 2100 -206.35; 2110 200.16; 4000 71.43; 4200 6.19")

	t.Run("early payoff", func(t *testing.T) {
		c, d := example(part(40, rulebook.PartTerms{}))
		l := &look{c: c}
		c.Fund(d, 1)
		paid(c, d, 25_000_00, 2)
		l.posted()
		payoff := c.PayOff(d, 3)
		l.want(t, "the payoff",
			"1000 35000.00; 1100 -40000.00; 2000 5538.46; 2100 16000.00; 2110 -14000.00; 4000 -5538.46; 5100 3000.00")
		if d.State != rulebook.Closed || payoff.Amount != 35_000_00 {
			t.Errorf("the deal is %s by a payment of %s", d.State, payoff.Amount)
		}
		c.Return(payoff, 4, "R02")
		l.want(t, "its return",
			"1000 -35000.00; 1100 40000.00; 2000 -5538.46; 2100 -16000.00; 2110 14000.00; 4000 5538.46; 5100 -3000.00")
		if d.State != rulebook.Funded || payoff.Forgives.Status != rulebook.Cancelled {
			t.Errorf("the deal is %s, the discount %s", d.State, payoff.Forgives.Status)
		}
	})
	for name, want := range map[string]string{
		"plain":     "1100 -30000.00; 2000 4153.85; 2100 12000.00; 5200 13846.15",
		"protected": "1100 -30000.00; 2000 4153.85; 2100 12000.00; 2110 -9230.77; 5200 23076.92",
	} {
		t.Run("write-off "+name, func(t *testing.T) {
			c, d := example(part(40, rulebook.PartTerms{Protected: name == "protected"}))
			l := &look{c: c}
			c.Fund(d, 1)
			early := paid(c, d, 35_000_00, 2)
			c.Default(d, 40)
			l.posted()
			c.WriteOff(d, 41)
			l.want(t, "the write-off", want)
			paid(c, d, 5_000_00, 42)
			if name == "plain" {
				l.want(t, "a recovery", "1000 5000.00; 2110 -2000.00; 4300 -3000.00")
			} else {
				l.want(t, "a recovery that repays the house", "1000 5000.00; 4300 -5000.00")
			}
			c.Return(early, 43, "R02")
			if d.State != rulebook.Defaulted || d.Outstanding() != 0 || d.WrittenOff() != 65_000_00 ||
				d.Recovered() != 5_000_00 {
				t.Errorf("after a late return %s owes %s, %s written off, %s recovered", d.State, d.Outstanding(), d.WrittenOff(),
					d.Recovered())
			}
		})
	}
	t.Run("renewal", func(t *testing.T) {
		c, prior := example()
		prior.Terms.EPOFactor = 0
		c.Fund(prior, 1)
		paid(c, prior, 35_000_00, 2)
		l := &look{c: c}
		l.posted()
		next := &rulebook.Deal{RenewedFrom: prior, Terms: rulebook.Terms{
			Funded: 80_000_00, Factor: 1_250_000, Payments: 100, BankFeeBasis: rulebook.OfFunded, BankFeeValue: 3 * percent,
		}}
		c.Fund(next, 3)
		l.want(t, "the renewal", "1000 -47600.00; 1100 70000.00; 2000 -13076.92; 4000 -6923.08; 4100 -2400.00")
		if prior.State != rulebook.Renewed {
			t.Errorf("the prior deal is %s", prior.State)
		}
	})
}

func TestCharges(t *testing.T) {
	charged := rulebook.PartTerms{Fronts: true, FeePercent: 3 * percent}
	c, d := example(part(40, charged))
	c.Fund(d, 1)
	s := d.Parts[0].Syndicator
	if got := c.WalletOf(s); got != -22_600_00 {
		t.Errorf("UPFRONT takes %s", -got)
	}
	c.Default(d, 5)
	if got := c.WalletOf(s); got != -20_600_00 {
		t.Errorf("after the clawback the wallet has %s", got)
	}
	charged.AsCollected, charged.SharesBankFee = true, true
	c, d = example(part(40, charged))
	c.Fund(d, 1)
	s = d.Parts[0].Syndicator
	if got := c.WalletOf(s); got != -19_400_00 {
		t.Errorf("AS_COLLECTED with a part of the bank fee takes %s", -got)
	}
	paid(c, d, 515_88, 2)
	if got := c.PayableTo(s); got != 206_35-20_64 {
		t.Errorf("of 206.35 there is %s left", got)
	}
}

func TestProfitSplits(t *testing.T) {
	for _, costFirst := range []bool{false, true} {
		for collected, want := range map[rulebook.Cents][2]rulebook.Cents{
			26_000_00: {9_920_00, 10_400_00}, 58_500_00: {22_320_00, 22_720_00}, 65_000_00: {24_800_00, 24_800_00},
		} {
			c, d := example(part(40, rulebook.PartTerms{CostFirst: costFirst, SplitPercent: 80 * percent}))
			c.Fund(d, 1)
			paid(c, d, collected, 2)
			which := 0
			if costFirst {
				which = 1
			}
			if got := c.PayableTo(d.Parts[0].Syndicator); got != want[which] {
				t.Errorf("cost first %t: of %s there is %s, want %s", costFirst, collected, got, want[which])
			}
		}
	}
}

// A payee's shares of two deals, one of which is returned after it was paid.
func TestPayoutsNetAndCarry(t *testing.T) {
	c, d := example(part(40, rulebook.PartTerms{}))
	c.Fund(d, 1)
	s := d.Parts[0].Syndicator
	monday := rulebook.Day(4) // 1970-01-05
	first, second := paid(c, d, 1000_00, monday), paid(c, d, 500_00, monday)
	if c.Make(monday.PlusBanking(4)) != nil {
		t.Error("paid within the hold")
	}
	due := monday.PlusBanking(rulebook.HoldDays)
	b := c.Make(due)
	c.Return(second, due, "R01")
	if got := c.PayBatch(b, due); len(got) != 1 || got[0].Amount != 400_00 || !b.IsPaid() ||
		b.Items[1].Status != rulebook.Cancelled {
		t.Errorf("paid %v", got)
	}
	c.Return(first, due, "R01")
	b = c.Make(due)
	if got := c.PayBatch(b, due); len(got) != 0 || b.Items[0].Status != rulebook.Carried || c.PayableTo(s) != -400_00 {
		t.Errorf("paid %v", got)
	}
	paid(c, d, 3000_00, due)
	due = due.PlusBanking(rulebook.HoldDays)
	if got := c.PayBatch(c.Make(due), due); len(got) != 1 || got[0].Amount != 800_00 || c.PayableTo(s) != 0 {
		t.Errorf("paid %v", got)
	}
	if days := c.Books.Unbalanced(); len(days) > 0 {
		t.Errorf("unbalanced on %v", days)
	}
}

func TestBankingDays(t *testing.T) {
	first, err := rulebook.ParseDay("2026-01-06")
	if err != nil {
		t.Fatal(err)
	}
	if last := first.PlusBanking(125); last.String() != "2026-07-06" {
		t.Errorf("126 daily payments end on %s", last)
	}
}

func TestPeriodicPayments(t *testing.T) {
	each, last := rulebook.Terms{Funded: 100_000_00, Factor: 1_300_000, Payments: 252}.Payment()
	if each != 515_88 || last != 514_12 {
		t.Errorf("130,000 in 252 payments is %s, last %s", each, last)
	}
}
