package ledger_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

const (
	syndicator = 7
	broker     = 9
)

func amount(s string) money.Amount { return money.Must(strings.ReplaceAll(s, ",", "")) }

func rate(s string) *money.Rate { r := money.MustRate(s); return &r }

// example is the deal of the golden tests: 50,000 buys 65,000, and a syndicator has 40 % of it.
func example(change ...func(*ledger.Participant)) ledger.Facts {
	p := ledger.Participant{SyndicatorID: syndicator, Percent: money.MustRate("40")}
	for _, c := range change {
		c(&p)
	}
	return ledger.Facts{
		Funded: amount("50,000"), Payback: amount("65,000"), Commission: amount("5,000"),
		Participants: []ledger.Participant{p},
	}
}

func threePercentOfCollections(p *ledger.Participant) {
	p.ManagementFeePercent = money.MustRate("3")
	p.ManagementFeeBasis = ledger.PercentOfCollections
}

// dealBooks keeps the books of a deal as the service does.
type dealBooks struct {
	t       *testing.T
	facts   ledger.Facts
	b       ledger.Balances
	journal []ledger.Entry
}

func newDealBooks(t *testing.T, f ledger.Facts) *dealBooks {
	t.Helper()
	return &dealBooks{t: t, facts: f, b: ledger.Balances{}}
}

// funded returns a desk whose deal is funded and its participations sold.
func funded(t *testing.T, f ledger.Facts) *dealBooks {
	t.Helper()
	d := newDealBooks(t, f)
	d.store(ledger.Fund(f, money.Zero, money.Zero))
	d.store(ledger.Participate(f))
	return d
}

func (d *dealBooks) store(entries []ledger.Entry, err error) []ledger.Entry {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
	for _, e := range entries {
		if err := e.Check(); err != nil {
			d.t.Fatal(err)
		}
		if len(e.Lines) < 2 {
			d.t.Fatalf("%s entry with %d lines", e.Kind, len(e.Lines))
		}
	}
	d.b.Post(entries...)
	d.journal = append(d.journal, entries...)
	return entries
}

func (d *dealBooks) pay(t payment.Type, a string) []ledger.Entry {
	d.t.Helper()
	return d.store(ledger.Pay(d.facts, d.b, t, amount(a), payment.ACH, 0))
}

// bounce reverses the entries of a payment and settles; it returns the entries that settling added.
func (d *dealBooks) bounce(entries []ledger.Entry) []ledger.Entry {
	d.t.Helper()
	for _, e := range entries {
		d.store([]ledger.Entry{ledger.Reverse(e)}, nil)
	}
	return d.store(ledger.Settle(d.facts, d.b))
}

// payable is the amount owed to the syndicator.
func (d *dealBooks) payable() string {
	return d.b.For(syndicator, ledger.SyndicatorPayable).Neg().String()
}

// is compares the debits and credits of entries with a row of the example, "1000 515.88; 2000 71.43".
func is(t *testing.T, entries []ledger.Entry, debits, credits string) {
	t.Helper()
	want, got := map[ledger.Account]money.Amount{}, map[ledger.Account]money.Amount{}
	row := func(side string, sign int64) {
		for part := range strings.SplitSeq(side, "; ") {
			code, sum, _ := strings.Cut(part, " ")
			a := amount(sum)
			if sign < 0 {
				a = a.Neg()
			}
			want[ledger.Account(code)] = want[ledger.Account(code)].Add(a)
		}
	}
	row(debits, 1)
	row(credits, -1)
	for _, e := range entries {
		for _, l := range e.Lines {
			got[l.Account] = got[l.Account].Add(l.Amount)
		}
	}
	if g, w := show(got), show(want); g != w {
		t.Errorf("posted\n  %s\nwant\n  %s", g, w)
	}
}

func show(sums map[ledger.Account]money.Amount) string {
	var b strings.Builder
	for _, a := range slices.Sorted(maps.Keys(sums)) {
		if !sums[a].IsZero() {
			fmt.Fprintf(&b, "%s %s; ", a, sums[a])
		}
	}
	return b.String()
}

func equal(t *testing.T, what string, got fmt.Stringer, want string) {
	t.Helper()
	if got.String() != amount(want).String() {
		t.Errorf("%s is %s, want %s", what, got, want)
	}
}
