package ledger_test

import (
	"errors"
	"slices"
	"testing"

	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

func TestPay(t *testing.T) {
	t.Run("keeps what is paid beyond the balance as unapplied", func(t *testing.T) {
		d := funded(t, example())
		d.pay(payment.AdvancePayback, "64,900")
		is(t, d.pay(payment.AdvancePayback, "150"),
			"1000 150; 2000 13.85; 2100 40", "1100 100; 2400 50; 4000 13.85; 2110 40")
		equal(t, "outstanding", ledger.Outstanding(d.b), "0")
		equal(t, "surplus", ledger.Surplus(d.b), "50")
		is(t, d.store(ledger.PayFeeFromSurplus(d.b, amount("50"))), "2400 50", "4100 50")
	})
	t.Run("applies the surplus when an earlier payment returns", func(t *testing.T) {
		d := funded(t, example())
		first := d.pay(payment.AdvancePayback, "25,000")
		d.pay(payment.AdvancePayback, "45,000")
		is(t, d.bounce(first), "2400 5,000; 2000 692.31; 2100 2,000", "1100 5,000; 4000 692.31; 2110 2,000")
		equal(t, "outstanding", ledger.Outstanding(d.b), "20,000")
	})
	t.Run("raises the receivable again by a negative adjustment", func(t *testing.T) {
		d := funded(t, example())
		d.pay(payment.AdvancePayback, "515.88")
		is(t, d.pay(payment.AdvancePaybackAdjustment, "-515.88"),
			"1100 515.88; 4000 71.43; 2110 206.35", "1000 515.88; 2000 71.43; 2100 206.35")
	})
	t.Run("owes on top what is handed back beyond all that was collected", func(t *testing.T) {
		d := funded(t, example())
		d.pay(payment.AdvancePayback, "100")
		d.pay(payment.AdvancePaybackAdjustment, "-150")
		equal(t, "receivable", d.b.Of(ledger.Receivable), "65,000")
		equal(t, "surplus", ledger.Surplus(d.b), "-50")
		equal(t, "outstanding", ledger.Outstanding(d.b), "65,050")
		d.pay(payment.AdvancePayback, "65,050")
		equal(t, "outstanding", ledger.Outstanding(d.b), "0")
		equal(t, "surplus", ledger.Surplus(d.b), "0")
	})
	t.Run("takes money for a deal that is not funded yet, and applies it then", func(t *testing.T) {
		d := newDealBooks(t, example())
		is(t, d.pay(payment.AdvancePayback, "65"), "1000 65", "2400 65")
		d.store(ledger.Fund(d.facts, money.Zero, money.Zero))
		d.store(ledger.Participate(d.facts))
		is(t, d.store(ledger.Settle(d.facts, d.b)), "2400 65; 2000 9; 2100 26", "1100 65; 4000 9; 2110 26")
	})
	t.Run("pays a syndicator, who must be named", func(t *testing.T) {
		f := example()
		paid, err := ledger.Pay(f, nil, payment.ParticipationPayout, amount("200"), payment.ACH, syndicator)
		if err != nil {
			t.Fatal(err)
		}
		is(t, paid, "2110 200", "1000 200")
		back, err := ledger.Pay(f, nil, payment.ParticipationPayoutAdjustment, amount("-20"), payment.ACH, syndicator)
		if err != nil {
			t.Fatal(err)
		}
		is(t, back, "1000 20", "2110 20")
		for _, l := range paid[0].Lines {
			if l.Account == ledger.SyndicatorPayable && l.SyndicatorID != syndicator {
				t.Error("the payable is nobody's")
			}
		}
	})
	t.Run("posts every type", func(t *testing.T) {
		for _, name := range payment.Type("").Values() {
			d := funded(t, example())
			d.store(ledger.Pay(d.facts, d.b, payment.Type(name), amount("10"), payment.Offset, syndicator))
		}
	})
	t.Run("does not change the balances it is given", func(t *testing.T) {
		d := funded(t, example())
		before := d.b.Of(ledger.Receivable)
		if _, err := ledger.Pay(d.facts, d.b, payment.AdvancePayback, amount("10"), payment.ACH, 0); err != nil {
			t.Fatal(err)
		}
		same(t, "receivable", d.b.Of(ledger.Receivable), before)
	})
}

func TestRefusals(t *testing.T) {
	d := funded(t, example())
	pay := func(ty payment.Type, a string) error {
		_, err := ledger.Pay(d.facts, d.b, ty, amount(a), payment.ACH, 0)
		return err
	}
	participate := func(parts ...ledger.Participant) error {
		_, err := ledger.Participate(ledger.Facts{Participants: parts})
		return err
	}
	share := func(id int, percent string) ledger.Participant {
		return ledger.Participant{SyndicatorID: id, Percent: money.MustRate(percent)}
	}
	_, shortSurplus := ledger.PayFeeFromSurplus(d.b, amount("1"))
	_, shortFunding := ledger.Fund(d.facts, amount("20,000"), amount("30,000.01"))
	_, negative := ledger.OweCommission(broker, amount("-1"))

	for name, c := range map[string]struct {
		err  error
		code fault.Code
	}{
		"a payment of nothing":                 {pay(payment.AdvancePayback, "0"), fault.Validation},
		"a negative payment":                   {pay(payment.AdvancePayback, "-1"), fault.Validation},
		"a payout to nobody":                   {pay(payment.ParticipationPayout, "1"), fault.Validation},
		"an unknown type":                      {pay("GIFT", "1"), fault.Validation},
		"a discount above the balance":         {pay(payment.EPODiscount, "65,000.01"), fault.Conflict},
		"a refund above the surplus":           {shortSurplus, fault.Conflict},
		"a funding that leaves less than 0":    {shortFunding, fault.Conflict},
		"a negative commission":                {negative, fault.Validation},
		"participations above 100 %":           {participate(share(1, "60"), share(2, "40.000001")), fault.Conflict},
		"a syndicator who takes part twice":    {participate(share(1, "10"), share(1, "10")), fault.Conflict},
		"a participation of 0 %":               {participate(share(1, "0")), fault.Conflict},
		"a participation without its investor": {participate(share(0, "10")), fault.Conflict},
	} {
		if !fault.Is(c.err, c.code) {
			t.Errorf("%s: got %v, want %s", name, c.err, c.code)
		}
	}
}

func TestStakes(t *testing.T) {
	third := money.MustRate("33.333333")
	f := ledger.Facts{
		Funded: amount("100"), Payback: amount("130"),
		Participants: []ledger.Participant{
			{SyndicatorID: 3, Percent: third}, {SyndicatorID: 1, Percent: third}, {SyndicatorID: 2, Percent: third},
		},
	}
	var costs, faces []string
	for i, s := range f.Stakes() {
		if s.SyndicatorID != i+1 {
			t.Errorf("stake %d is of syndicator %d", i, s.SyndicatorID)
		}
		costs, faces = append(costs, s.Cost.String()), append(faces, s.Face.String())
	}
	if want := []string{"33.33", "33.34", "33.33"}; !slices.Equal(costs, want) {
		t.Errorf("costs are %v, want %v", costs, want)
	}
	if want := []string{"43.33", "43.34", "43.33"}; !slices.Equal(faces, want) {
		t.Errorf("faces are %v, want %v", faces, want)
	}
	if f.Participants[0].SyndicatorID != 3 {
		t.Error("the facts were reordered")
	}
}

func TestEntry(t *testing.T) {
	line := func(a ledger.Account, sum string) ledger.Line { return ledger.Line{Account: a, Amount: amount(sum)} }
	t.Run("joins equal lines and drops those of zero", func(t *testing.T) {
		e, err := ledger.New(ledger.Payment, "", line(ledger.Cash, "3"), line(ledger.FeeIncome, "0"),
			line(ledger.Cash, "2"), line(ledger.Receivable, "-5"))
		if err != nil || len(e.Lines) != 2 || e.Lines[0].Amount.String() != "5.00" {
			t.Errorf("got %v, %v", e, err)
		}
	})
	t.Run("refuses what does not balance", func(t *testing.T) {
		if _, err := ledger.New(ledger.Payment, "", line(ledger.Cash, "0.01")); !errors.Is(err, ledger.ErrUnbalanced) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("refuses accounts outside the chart", func(t *testing.T) {
		if _, err := ledger.New(ledger.Payment, "", line("9999", "1"), line(ledger.Cash, "-1")); err == nil {
			t.Error("accepted account 9999")
		}
	})
	t.Run("reverses every line and keeps kind, syndicator and deal", func(t *testing.T) {
		e := ledger.Entry{Kind: ledger.Payout, Memo: "Paid", Lines: []ledger.Line{
			{Account: ledger.SyndicatorPayable, Amount: amount("5"), SyndicatorID: 7, DealID: 9},
			{Account: ledger.Cash, Amount: amount("-5")},
		}}
		r := ledger.Reverse(e)
		l := r.Lines[0]
		if r.Kind != e.Kind || l.Amount.String() != "-5.00" || l.SyndicatorID != 7 || l.DealID != 9 {
			t.Errorf("got %v", r)
		}
		if e.Lines[0].Amount.String() != "5.00" {
			t.Error("the reversed entry was changed")
		}
	})
	t.Run("leaves lines of another deal out of the balances", func(t *testing.T) {
		b := ledger.Balances{}
		b.Post(ledger.Entry{Lines: []ledger.Line{{Account: ledger.Cash, Amount: amount("5"), DealID: 9}}})
		equal(t, "cash", b.Of(ledger.Cash), "0")
	})
}

func TestChart(t *testing.T) {
	codes := ledger.Account("").Values()
	if len(codes) != 19 || !slices.IsSorted(codes) {
		t.Errorf("the chart is %v", codes)
	}
	if ledger.SyndicatorWallet.Title() != "Syndicator wallet" || ledger.SyndicatorWallet.Type() != ledger.Liability {
		t.Error("2120 is not the syndicator wallet")
	}
	if ledger.Account("9999").Title() != "" {
		t.Error("9999 has a title")
	}
	kinds := ledger.Kind("").Values()
	slices.Sort(kinds)
	if len(slices.Compact(kinds)) != 16 {
		t.Errorf("the kinds are %v", kinds)
	}
}

func TestTrialBalance(t *testing.T) {
	d := funded(t, example())
	var debits, credits money.Amount
	for _, row := range ledger.TrialBalance(d.journal...) {
		debits, credits = debits.Add(row.Debit), credits.Add(row.Credit)
		if row.Account == ledger.DeferredIncome {
			equal(t, "deferred income", row.Credit, "9,000")
		}
	}
	same(t, "debits", debits, credits)
	equal(t, "debits", debits, "85,000") // receivable 65,000 and the wallet's 20,000
}
