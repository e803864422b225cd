package ledger_test

import (
	"testing"

	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// The worked example: 50,000 for 65,000, bank fee 1,500, wire fee 50, commission 10 %, one syndicator at 40
// %, management fee 3 % of collections.
func TestWorkedExample(t *testing.T) {
	f := example(threePercentOfCollections)

	t.Run("funds the deal", func(t *testing.T) {
		d := newDealBooks(t, f)
		is(t, d.store(ledger.Fund(f, amount("1,550"), money.Zero)),
			"1100 65,000", "1000 48,450; 4100 1,550; 2000 15,000")
	})
	t.Run("sells the participation", func(t *testing.T) {
		d := newDealBooks(t, f)
		is(t, d.store(ledger.Participate(f)),
			"2120 20,000; 2000 6,000; 1000 20,000", "2100 26,000; 1010 20,000")
	})
	t.Run("owes the commission", func(t *testing.T) {
		is(t, newDealBooks(t, f).store(ledger.OweCommission(broker, amount("5,000"))), "5000 5,000", "2200 5,000")
	})
	t.Run("collects, takes the fee, and reverses both exactly on a bounce", func(t *testing.T) {
		d := funded(t, f)
		paid := d.pay(payment.OriginalAdvancePayback, "515.88")
		if len(paid) != 2 || paid[0].Kind != ledger.Payment || paid[1].Kind != ledger.ManagementFee {
			t.Fatalf("entries are %v", paid)
		}
		is(t, paid[:1], "1000 515.88; 2000 71.43; 2100 206.35", "1100 515.88; 4000 71.43; 2110 206.35")
		is(t, paid[1:], "2110 6.19", "4200 6.19")
		equal(t, "outstanding", ledger.Outstanding(d.b), "64,484.12")

		before := len(d.journal)
		if more := d.bounce(paid); len(more) > 0 {
			t.Errorf("settled %v after an ordinary bounce", more)
		}
		is(t, d.journal[before:before+1], "1100 515.88; 4000 71.43; 2110 206.35", "1000 515.88; 2000 71.43; 2100 206.35")
		is(t, d.journal[before+1:], "4200 6.19", "2110 6.19")
		equal(t, "outstanding", ledger.Outstanding(d.b), "65,000")
	})
	t.Run("tells what a share has come to", func(t *testing.T) {
		d := funded(t, f)
		before := d.b.ShareOf(syndicator)
		equal(t, "outstanding before", before.Outstanding, "26,000")
		paid := d.pay(payment.OriginalAdvancePayback, "515.88")
		d.store(ledger.PaySyndicator(syndicator, amount("200.16")))
		share := d.b.ShareOf(syndicator)
		equal(t, "collected", share.Collected, "206.35")
		equal(t, "charged", share.Charged, "6.19")
		equal(t, "paid out", share.PaidOut, "200.16")
		equal(t, "outstanding", share.Outstanding, "25,793.65")
		other := d.b.ShareOf(syndicator + 1)
		equal(t, "what somebody else has", money.Sum(other.Collected, other.Charged, other.PaidOut, other.Outstanding), "0")
		d.bounce(paid)
		back := d.b.ShareOf(syndicator)
		equal(t, "collected after a bounce", back.Collected, "0")
		equal(t, "charged after a bounce", back.Charged, "0")
		equal(t, "outstanding after a bounce", back.Outstanding, "26,000")
	})
	t.Run("counts what was charged at funding", func(t *testing.T) {
		d := funded(t, example(func(p *ledger.Participant) { p.SharesCommission = true }))
		equal(t, "charged", d.b.ShareOf(syndicator).Charged, "2,000")
	})
	t.Run("takes a fee of each type", func(t *testing.T) {
		for _, fee := range []payment.Type{
			payment.BounceFee, payment.WireFee, payment.UCCFee, payment.ApplicationFee, payment.OtherFee,
		} {
			is(t, funded(t, f).pay(fee, "35"), "1000 35", "4100 35")
		}
	})
	t.Run("settles early at 1.20 with 25,000 collected", func(t *testing.T) {
		for name, discountFirst := range map[string]bool{"payoff first": false, "discount first": true} {
			t.Run(name, func(t *testing.T) {
				d := funded(t, example())
				d.pay(payment.AdvancePayback, "25,000")
				var posted []ledger.Entry
				if discountFirst {
					posted = append(posted, d.pay(payment.EPODiscount, "5,000")...)
				}
				posted = append(posted, d.pay(payment.AdvancePayback, "35,000")...)
				if !discountFirst {
					posted = append(posted, d.pay(payment.EPODiscount, "5,000")...)
				}
				is(t, posted,
					"1000 35,000; 5100 3,000; 2100 16,000; 2000 5,538.46", "1100 40,000; 2110 14,000; 4000 5,538.46")
				equal(t, "outstanding", ledger.Outstanding(d.b), "0")
				equal(t, "collected", ledger.Collected(d.b), "60,000")
			})
		}
	})
	t.Run("renews", func(t *testing.T) {
		next := ledger.Facts{Funded: amount("80,000"), Payback: amount("100,000")}
		renewal := newDealBooks(t, next)
		posted := renewal.store(ledger.Fund(next, amount("2,400"), amount("30,000")))
		is(t, posted, "1100 100,000", "1000 47,600; 4100 2,400; 1900 30,000; 2000 20,000")

		old := funded(t, ledger.Facts{Funded: amount("50,000"), Payback: amount("65,000")})
		old.pay(payment.AdvancePayback, "35,000")
		payoff := old.store(ledger.Pay(old.facts, old.b, payment.RenewalPayoff, amount("30,000"), payment.Offset, 0))
		is(t, payoff, "1900 30,000; 2000 6,923.08", "1100 30,000; 4000 6,923.08")
		for _, row := range ledger.TrialBalance(append(posted, payoff...)...) {
			if row.Account == ledger.RenewalClearing && (!row.Debit.IsZero() || !row.Credit.IsZero()) {
				t.Error("renewal clearing is left with a balance")
			}
		}
		byWire := funded(t, ledger.Facts{Funded: amount("50,000"), Payback: amount("50,000")})
		is(t, byWire.pay(payment.RenewalPayoff, "100"), "1000 100", "1100 100")
	})
	t.Run("pays out and claws back", func(t *testing.T) {
		d := newDealBooks(t, f)
		is(t, d.store(ledger.PayISO(broker, amount("5,000"))), "2200 5,000", "1000 5,000")
		is(t, d.store(ledger.PaySyndicator(syndicator, amount("206.35"))), "2110 206.35", "1000 206.35")
		is(t, d.store(ledger.ClawBack(broker, amount("5,000"))), "1210 5,000", "5000 5,000")
		is(t, d.store(ledger.PayISO(broker, amount("-5,000"))), "1000 5,000", "1210 5,000")
		is(t, d.store(ledger.MoveWallet(syndicator, amount("100"))), "1010 100", "2120 100")
	})
	t.Run("writes off 30,000 and recovers 5,000", func(t *testing.T) {
		d := funded(t, example())
		d.pay(payment.AdvancePayback, "35,000")
		is(t, d.store(ledger.WriteOffBalance(d.facts, d.b)),
			"2000 4,153.85; 2100 12,000; 5200 13,846.15", "1100 30,000")
		equal(t, "written off", ledger.WrittenOff(d.b), "30,000")
		recovered := d.pay(payment.AdvancePayback, "5,000")
		is(t, recovered, "1000 5,000", "4300 3,000; 2110 2,000")
		if recovered[0].Kind != ledger.Recovery {
			t.Errorf("a recovery is a %s entry", recovered[0].Kind)
		}
	})
	t.Run("writes off with loss protection; the house recovers first", func(t *testing.T) {
		d := funded(t, example(func(p *ledger.Participant) { p.LossProtected = true }))
		d.pay(payment.AdvancePayback, "35,000")
		is(t, d.store(ledger.WriteOffBalance(d.facts, d.b)),
			"2000 4,153.85; 2100 12,000; 5200 23,076.92", "1100 30,000; 2110 9,230.77")
		is(t, d.pay(payment.AdvancePayback, "20,000"), "1000 20,000", "4300 20,000")
		is(t, d.pay(payment.AdvancePayback, "10,001"), "1000 10,001", "4300 7,230.77; 2110 2,769.23; 2400 1")
	})
	t.Run("protects under COST_FIRST the cost that is not back", func(t *testing.T) {
		d := funded(t, example(func(p *ledger.Participant) {
			p.LossProtected, p.ProfitAccrual = true, ledger.CostFirst
		}))
		d.pay(payment.AdvancePayback, "35,000") // 14,000 of the 20,000 are back
		is(t, d.store(ledger.WriteOffBalance(d.facts, d.b)),
			"2000 4,153.85; 2100 12,000; 5200 19,846.15", "1100 30,000; 2110 6,000")
	})
	t.Run("shares no recovery of what was handed back beyond the receivable", func(t *testing.T) {
		d := funded(t, example())
		d.pay(payment.AdvancePaybackAdjustment, "-100")
		is(t, d.store(ledger.WriteOffBalance(d.facts, d.b)),
			"2000 9,000; 2100 26,000; 5200 30,100", "1100 65,000; 2400 100")
		is(t, d.pay(payment.AdvancePayback, "65,100"), "1000 65,100", "4300 39,100; 2110 26,000")
	})
}

// 40 % of a bank fee of 1,500 belongs to the syndicator.
func TestBankFeeShare(t *testing.T) {
	f := example(func(p *ledger.Participant) { p.SharesBankFee = true })
	f.BankFee = amount("1,500")
	d := newDealBooks(t, f)
	is(t, d.store(ledger.Participate(f)),
		"4100 600; 2120 19,400; 2000 6,000; 1000 19,400", "2100 26,000; 1010 19,400")
	equal(t, "wallet debit", f.Stakes()[0].WalletDebit(), "19,400")
	equal(t, "cost", f.Stakes()[0].Cost, "20,000")
}

// A commission that is clawed back is returned to the syndicators who bore it.
func TestClawbackOfAFrontedCommission(t *testing.T) {
	booked := func(t *testing.T, when ledger.CAFRecognition) *dealBooks {
		t.Helper()
		d := funded(t, example(func(p *ledger.Participant) { p.CAFRecognition, p.SharesCommission = when, true }))
		d.store(ledger.OweCommission(broker, amount("5,000")))
		return d
	}
	t.Run("UPFRONT goes back to the wallet, once", func(t *testing.T) {
		d := booked(t, ledger.Upfront)
		d.store(ledger.ClawBack(broker, amount("5,000")))
		is(t, d.store(ledger.ReturnCommissionShares(d.facts, d.b)), "5000 2,000; 1010 2,000", "2120 2,000; 1000 2,000")
		if again := d.store(ledger.ReturnCommissionShares(d.facts, d.b)); len(again) > 0 {
			t.Errorf("returned twice: %v", again)
		}
		equal(t, "charged", d.b.ShareOf(syndicator).Charged, "0")
		equal(t, "commission expense", d.b.Of(ledger.CommissionExpense), "0")
	})
	t.Run("AS_COLLECTED returns what was withheld and withholds no more", func(t *testing.T) {
		d := booked(t, ledger.AsCollected)
		d.pay(payment.AdvancePayback, "32,500") // half: 1,000 of the 2,000 are withheld
		equal(t, "charged", d.b.ShareOf(syndicator).Charged, "1,000")
		d.store(ledger.ClawBack(broker, amount("5,000")))
		is(t, d.store(ledger.ReturnCommissionShares(d.facts, d.b)), "5000 1,000", "2110 1,000")
		d.pay(payment.AdvancePayback, "32,500")
		equal(t, "charged", d.b.ShareOf(syndicator).Charged, "0")
		equal(t, "payable", d.b.For(syndicator, ledger.SyndicatorPayable).Neg(), "26,000")
	})
	t.Run("a commission that was never paid is returned all the same", func(t *testing.T) {
		d := booked(t, ledger.Upfront)
		owed := d.journal[len(d.journal)-1]
		d.store([]ledger.Entry{ledger.Reverse(owed)}, nil)
		is(t, d.store(ledger.ReturnCommissionShares(d.facts, d.b)), "5000 2,000; 1010 2,000", "2120 2,000; 1000 2,000")
	})
}

func TestDisbursementThatFails(t *testing.T) {
	d := newDealBooks(t, example())
	is(t, d.store(ledger.FailDisbursement(amount("48,450"))), "1000 48,450", "1020 48,450")
	is(t, d.store(ledger.ResendDisbursement(amount("48,450"))), "1020 48,450", "1000 48,450")
}

func TestCAFRecognition(t *testing.T) {
	terms := func(when ledger.CAFRecognition) ledger.Facts {
		return example(func(p *ledger.Participant) {
			p.CAFRecognition, p.SharesCommission = when, true
			p.ManagementFeePercent, p.ManagementFeeBasis = money.MustRate("3"), ledger.PercentOfParticipation
		})
	}
	t.Run("UPFRONT comes out of the wallet, distributions are full", func(t *testing.T) {
		d := newDealBooks(t, terms(ledger.Upfront))
		d.store(ledger.Fund(d.facts, money.Zero, money.Zero))
		is(t, d.store(ledger.Participate(d.facts)),
			"2120 22,600; 2000 6,000; 1000 22,600", "2100 26,000; 1010 22,600; 5000 2,000; 4200 600")
		equal(t, "wallet debit", d.facts.Stakes()[0].WalletDebit(), "22,600")
		d.pay(payment.AdvancePayback, "515.88")
		if d.payable() != "206.35" {
			t.Errorf("the syndicator is owed %s", d.payable())
		}
	})
	t.Run("AS_COLLECTED is withheld from each distribution", func(t *testing.T) {
		d := newDealBooks(t, terms(ledger.AsCollected))
		d.store(ledger.Fund(d.facts, money.Zero, money.Zero))
		is(t, d.store(ledger.Participate(d.facts)),
			"2120 20,000; 2000 6,000; 1000 20,000", "2100 26,000; 1010 20,000")
		paid := d.pay(payment.AdvancePayback, "515.88")
		if len(paid) != 2 || paid[1].Kind != ledger.CAFWithholding {
			t.Fatalf("entries are %v", paid)
		}
		is(t, paid[1:], "2110 20.64", "5000 15.87; 4200 4.77")
		d.pay(payment.AdvancePayback, "64,484.12")
		equal(t, "commission share", d.b.For(syndicator, ledger.CommissionExpense).Neg(), "2,000")
		equal(t, "management fee", d.b.For(syndicator, ledger.ManagementFees).Neg(), "600")
		if d.payable() != "23400.00" {
			t.Errorf("the syndicator is owed %s", d.payable())
		}
	})
}

func TestProfitAccrual(t *testing.T) {
	for accrual, owed := range map[ledger.ProfitAccrual][]string{
		ledger.ProRata:   {"9920.00", "22320.00", "24800.00"},
		ledger.CostFirst: {"10400.00", "22720.00", "24800.00"},
	} {
		t.Run(string(accrual), func(t *testing.T) {
			d := funded(t, example(func(p *ledger.Participant) {
				p.ProfitAccrual, p.ProfitSplitPercent = accrual, rate("80")
			}))
			for i, paid := range []string{"26,000", "32,500", "6,500"} { // 26,000, then 58,500, then all
				d.pay(payment.AdvancePayback, paid)
				if d.payable() != owed[i] {
					t.Errorf("after payment %d the syndicator is owed %s, want %s", i+1, d.payable(), owed[i])
				}
			}
		})
	}
	t.Run("a discount lowers the profit that was split", func(t *testing.T) {
		d := funded(t, example(func(p *ledger.Participant) { p.ProfitSplitPercent = rate("80") }))
		d.pay(payment.AdvancePayback, "60,000")
		d.pay(payment.EPODiscount, "5,000")
		if d.payable() != "23200.00" { // 24,000 distributed, 4,000 of it profit
			t.Errorf("the syndicator is owed %s", d.payable())
		}
	})
}

// Like a discount, a write-off uses up the remaining face, so that the profit that was split is trued up.
func TestProfitSplitAtAWriteOff(t *testing.T) {
	split := func(change ...func(*ledger.Participant)) ledger.Facts {
		return example(func(p *ledger.Participant) {
			p.ProfitSplitPercent = rate("80")
			for _, c := range change {
				c(p)
			}
		})
	}
	t.Run("what was split comes back where the cost is not back", func(t *testing.T) {
		d := funded(t, split())
		d.pay(payment.AdvancePayback, "26,000") // 10,400 distributed, 2,400 of it profit, 480 the house's
		is(t, d.store(ledger.WriteOffBalance(d.facts, d.b)),
			"2000 5,400; 2100 15,600; 5200 18,000; 4000 480", "1100 39,000; 2110 480")
		if d.payable() != "10400.00" {
			t.Errorf("the syndicator is owed %s", d.payable())
		}
	})
	t.Run("profit beyond the cost stays split", func(t *testing.T) {
		d := funded(t, split())
		d.pay(payment.AdvancePayback, "60,000") // 24,000 distributed against a cost of 20,000
		d.store(ledger.WriteOffBalance(d.facts, d.b))
		if d.payable() != "23200.00" { // 4,000 profit, 800 the house's
			t.Errorf("the syndicator is owed %s", d.payable())
		}
	})
	t.Run("a protected syndicator has lost nothing", func(t *testing.T) {
		d := funded(t, split(func(p *ledger.Participant) { p.LossProtected = true }))
		d.pay(payment.AdvancePayback, "26,000")
		is(t, d.store(ledger.WriteOffBalance(d.facts, d.b)),
			"2000 5,400; 2100 15,600; 5200 30,000", "1100 39,000; 2110 12,000")
		equal(t, "made good", d.b.ShareOf(syndicator).Protected, "12,000")
	})
}

func TestRecoveryBearsTheManagementFee(t *testing.T) {
	d := funded(t, example(threePercentOfCollections))
	d.pay(payment.AdvancePayback, "35,000")
	d.store(ledger.WriteOffBalance(d.facts, d.b))
	recovered := d.pay(payment.AdvancePayback, "5,000")
	is(t, recovered, "1000 5,000; 2110 60", "4300 3,000; 2110 2,000; 4200 60")
	if more := d.bounce(recovered); len(more) > 0 {
		t.Errorf("settled %v after the recovery came back", more)
	}
	equal(t, "payable", d.b.For(syndicator, ledger.SyndicatorPayable).Neg(), "13,580") // 14,000 less 3 %
}
