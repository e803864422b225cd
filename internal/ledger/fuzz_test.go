package ledger_test

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// tape turns fuzz data into choices; an exhausted tape chooses zero.
type tape struct{ data []byte }

func (t *tape) next() int {
	if len(t.data) == 0 {
		return 0
	}
	b := t.data[0]
	t.data = t.data[1:]
	return int(b)
}

func (t *tape) below(n int) int { return t.next() % n }

// cents returns an amount from 1 cent to most; small amounts are as likely as large ones.
func (t *tape) cents(most int64) money.Amount {
	n := int64(t.next())<<16 | int64(t.next())<<8 | int64(t.next())
	if t.next()%2 == 0 {
		n %= 1000
	}
	return money.Cents(n%max(most, 1) + 1)
}

func (t *tape) facts() ledger.Facts {
	f := ledger.Facts{Funded: t.cents(10_000_000), Commission: t.cents(100_000)}
	f.Payback = f.Funded.Add(t.cents(5_000_000)).Sub(money.Cents(1)) // includes a factor of 1
	left := 100
	for id := t.below(5); id > 0 && left > 0; id-- { // unordered by id
		percent := min(1+t.below(60), left)
		left -= percent
		p := ledger.Participant{
			SyndicatorID:         id,
			Percent:              money.RoundRate(money.Cents(int64(percent) * 100).Decimal()),
			ManagementFeePercent: money.RoundRate(money.Cents(int64(t.below(700))).Decimal()),
			ManagementFeeBasis:   []ledger.FeeBasis{ledger.PercentOfCollections, ledger.PercentOfParticipation}[t.below(2)],
			CAFRecognition:       []ledger.CAFRecognition{ledger.Upfront, ledger.AsCollected}[t.below(2)],
			ProfitAccrual:        []ledger.ProfitAccrual{ledger.ProRata, ledger.CostFirst}[t.below(2)],
			LossProtected:        t.below(2) == 0,
			SharesCommission:     t.below(2) == 0,
		}
		if percent > 1 && t.below(2) == 0 {
			p.Percent = money.RoundRate(p.Percent.Decimal().Sub(money.MustRate("0.666667").Decimal()))
		}
		if t.below(2) == 0 {
			p.ProfitSplitPercent = rate("66.67")
		}
		f.Participants = append(f.Participants, p)
	}
	return f
}

// event is a stored event that may be reversed, with its effect on the merchant's debt.
type event struct {
	entries                    []ledger.Entry
	paid, discount, writtenOff money.Amount
}

// FuzzLedger simulates a deal: payments, overpayments, adjustments, discounts, fees, payouts, refunds and
// write-offs, each of which may be reversed at any later time. After every event it compares the books with
// three running totals. At the end it reverses everything, which must leave empty books, and then collects
// the receivable in full.
func FuzzLedger(f *testing.F) {
	f.Add([]byte{})
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		data := make([]byte, 50+random.IntN(250))
		for i := range data {
			data[i] = byte(random.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(playAll)
}

func playAll(t *testing.T, data []byte) {
	t.Helper()
	in := &tape{data[:min(len(data), 300)]} // about fifty events; more take longer and find nothing new
	d := funded(t, in.facts())
	start := byOwner(d.b)

	var standing []event
	for len(in.data) > 0 {
		if choice := in.below(12); choice < 10 {
			if e := play(d, in, choice); len(e.entries) > 0 {
				standing = append(standing, e)
			}
		} else if len(standing) > 0 {
			standing = undo(d, standing, in.below(len(standing)))
		}
		checkBooks(t, d, standing)
	}
	for len(standing) > 0 {
		standing = undo(d, standing, 0)
		checkBooks(t, d, standing)
	}
	if end := byOwner(d.b); !maps.EqualFunc(start, end, money.Amount.Equal) {
		t.Fatalf("after reversing everything the books are\n%v\nwant\n%v", end, start)
	}
	d.pay(payment.AdvancePayback, d.facts.Payback.String())
	checkCollected(t, d)
}

func play(d *dealBooks, in *tape, choice int) event {
	x := in.cents(d.facts.Payback.Cents())
	switch choice {
	case 3:
		return event{entries: d.pay(payment.AdvancePaybackAdjustment, x.Neg().String()), paid: x.Neg()}
	case 4:
		x = x.Add(ledger.Outstanding(d.b))
		return event{entries: d.pay(payment.OriginalAdvancePayback, x.String()), paid: x}
	case 5:
		if x = money.Min(x, d.b.Of(ledger.Receivable)); x.Sign() > 0 {
			return event{entries: d.pay(payment.EPODiscount, x.String()), discount: x}
		}
		return event{}
	case 6:
		return event{entries: d.pay(payment.BounceFee, x.String())}
	case 7:
		return event{entries: d.store(ledger.PaySyndicator(1+in.below(4), x))}
	case 8:
		if x = money.Min(x, ledger.Surplus(d.b)); x.Sign() > 0 {
			return event{entries: d.store(ledger.PayFeeFromSurplus(d.b, x)), paid: x.Neg()}
		}
		return event{}
	case 9:
		lost := ledger.Outstanding(d.b)
		return event{entries: d.store(ledger.WriteOffBalance(d.facts, d.b)), writtenOff: lost}
	default:
		return event{entries: d.pay(payment.AdvancePayback, x.String()), paid: x}
	}
}

func undo(d *dealBooks, standing []event, i int) []event {
	d.bounce(standing[i].entries)
	return slices.Delete(standing, i, i+1)
}

// byOwner merges the kinds of balances and drops zero balances.
func byOwner(b ledger.Balances) map[ledger.Key]money.Amount {
	sums := map[ledger.Key]money.Amount{}
	for k, a := range b {
		k.Kind = ""
		sums[k] = sums[k].Add(a)
	}
	maps.DeleteFunc(sums, func(_ ledger.Key, a money.Amount) bool { return a.IsZero() })
	return sums
}

func checkBooks(t *testing.T, d *dealBooks, standing []event) {
	t.Helper()
	var paid, discount, writtenOff money.Amount
	for _, e := range standing {
		paid, discount, writtenOff = paid.Add(e.paid), discount.Add(e.discount), writtenOff.Add(e.writtenOff)
		kinds := map[ledger.Kind]bool{}
		for _, entry := range e.entries {
			if kinds[entry.Kind] {
				t.Fatalf("one event posts two entries of kind %s", entry.Kind)
			}
			kinds[entry.Kind] = true
		}
	}
	owed := money.Max(money.Zero, d.facts.Payback.Sub(discount).Sub(writtenOff).Sub(paid))
	same(t, "outstanding", ledger.Outstanding(d.b), owed)
	same(t, "surplus", money.Max(money.Zero, ledger.Surplus(d.b)),
		money.Max(money.Zero, paid.Add(discount).Sub(d.facts.Payback)))

	receivable := d.b.Of(ledger.Receivable)
	if receivable.Sign() < 0 || d.facts.Payback.Less(receivable) {
		t.Fatalf("the receivable is %s of %s", receivable, d.facts.Payback)
	}
	if ledger.Surplus(d.b).Sign() > 0 && receivable.Sign() > 0 {
		t.Fatalf("%s is unapplied and %s receivable", ledger.Surplus(d.b), receivable)
	}
	progress := d.facts.Payback.Sub(receivable)
	deferred, face := d.facts.Payback.Sub(d.facts.Funded), money.Zero
	for _, s := range d.facts.Stakes() {
		deferred = deferred.Sub(s.Face.Sub(s.Cost))
		face = face.Add(s.Face)
	}
	left := func(all money.Amount) money.Amount {
		return money.Cumulative(all, progress, d.facts.Payback).Sub(all)
	}
	same(t, "deferred income", d.b.Of(ledger.DeferredIncome), left(deferred))
	same(t, "participations", d.b.Of(ledger.Participations), left(face))
	for _, s := range d.facts.Stakes() {
		held := d.b.For(s.SyndicatorID, ledger.Participations)
		if receivable.IsZero() {
			same(t, "participation", held, money.Zero)
		}
		if s.ManagementFeeBasis == ledger.PercentOfCollections {
			distributed := s.Face.Add(held).
				Sub(d.b.For(s.SyndicatorID, ledger.Participations, ledger.Discount, ledger.WriteOff)).
				Sub(d.b.For(s.SyndicatorID, ledger.SyndicatorPayable, ledger.Recovery))
			same(t, "management fee", d.b.For(s.SyndicatorID, ledger.ManagementFees, ledger.ManagementFee).Neg(),
				distributed.Percent(s.ManagementFeePercent))
		}
	}
	var debits, credits money.Amount
	for _, row := range d.b.Trial() {
		debits, credits = debits.Add(row.Debit), credits.Add(row.Credit)
	}
	same(t, "trial balance", debits, credits)
}

// checkCollected checks books whose only unreversed event is one full payment.
func checkCollected(t *testing.T, d *dealBooks) {
	t.Helper()
	for _, s := range d.facts.Stakes() {
		fee, cut := money.Zero, money.Zero
		if s.ManagementFeeBasis == ledger.PercentOfCollections {
			fee = s.Face.Percent(s.ManagementFeePercent)
		}
		if s.CAFRecognition == ledger.AsCollected {
			fee = fee.Add(s.Charges())
		}
		if s.ProfitSplitPercent != nil {
			profit := money.Max(money.Zero, s.Face.Sub(s.Cost))
			cut = profit.Sub(profit.Percent(*s.ProfitSplitPercent))
		}
		payouts := d.b.For(s.SyndicatorID, ledger.SyndicatorPayable, ledger.Payout)
		same(t, "payable", d.b.For(s.SyndicatorID, ledger.SyndicatorPayable).Sub(payouts).Neg(), s.Face.Sub(fee).Sub(cut))
	}
}

func same(t *testing.T, what string, got, want money.Amount) {
	t.Helper()
	if !got.Equal(want) {
		t.Fatalf("%s is %s, want %s", what, got, want)
	}
}
