package servicing_test

import (
	"strings"
	"testing"

	"paydown/ent/journal"
	"paydown/ent/posting"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
	"paydown/internal/money"
)

// A payoff at an early price and what follows: 1,000.00 in ten payments, of which the early price forgives
// 120.00.
func TestEarlyPayoffs(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		f.Run(t, []booktest.Behavior{
			{Name: "a payoff that comes back takes the discount before it along", Test: func(t *testing.T, f *booktest.Fleet) {
				t.Helper()
				payoffReturns(t, f, []string{"EPO_DISCOUNT 120.00", "ADVANCE_PAYBACK 880.00"}, 1, "1000.00")
			}},
			{
				Name: "a payment that meets the quote pays the deal off, and takes all of it along when it comes back",
				Test: singlePayoff,
			},
			{Name: "a discount that is granted again goes again when its payoff does", Test: grantedAgain},
			{Name: "a payoff that is refunded takes the discount along", Test: refundedPayoff},
			{Name: "a small payment that pays the deal off again is no installment", Test: smallPayoff},
			{Name: "a part of a payoff that comes back takes the discount along", Test: func(t *testing.T, f *booktest.Fleet) {
				t.Helper()
				parts := []string{"EPO_DISCOUNT 120.00", "ADVANCE_PAYBACK 500.00", "ADVANCE_PAYBACK 380.00"}
				payoffReturns(t, f, parts, 1, "620.00")
			}},
			{Name: "an installment that comes back leaves the discount", Test: installmentReturns},
			{Name: "an earlier discount makes no early payoff, and stays", Test: earlierDiscount},
			{Name: "a deal that closes leaves its fees to be collected", Test: feesOutliveTheDeal},
			{Name: "a commission that is not paid is reversed by a default", Test: commissionReversed},
		})
		booktest.Verify(t, f.App)
	})
}

// take records payments that are PAID, each written as its type and amount.
func take(t *testing.T, f *booktest.Fleet, deal object, payments ...string) []object {
	t.Helper()
	var taken []object
	for _, p := range payments {
		kind, amount, _ := strings.Cut(p, " ")
		taken = append(taken, f.Post(t, "/payments", object{
			"dealId": deal.ID(), "type": kind, "amount": amount, "status": "PAID", "method": "WIRE",
		}).In("payment"))
	}
	return taken
}

// is checks the state of a deal, and what triggered its newest move.
func is(t *testing.T, f *booktest.Fleet, deal object, state, trigger string) {
	t.Helper()
	booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": state})
	moves := f.EventsAbout(t, "deal.state_changed", "deal", deal.ID())
	if newest := moves[len(moves)-1]; !strings.Contains(newest, `"trigger":"`+trigger+`"`) {
		t.Errorf("the newest move is %s, want %s", newest, trigger)
	}
}

// payoffReturns pays a deal off early and has one of the payments bounce, which reverses the whole discount.
// The deal is paid off early again, bounces again, and is paid in full.
func payoffReturns(t *testing.T, f *booktest.Fleet, payments []string, returned int, owed string) {
	t.Helper()
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	taken := take(t, f, deal, payments...)
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
	var discount string
	for i, p := range taken {
		if strings.HasPrefix(payments[i], "EPO_DISCOUNT") {
			discount = booktest.At("payments", p)
		}
	}
	for range 2 {
		f.Patch(t, booktest.At("payments", taken[returned]), object{"status": "BOUNCED"})
		is(t, f, deal, "FUNDED", "AUTOMATION")
		f.Owes(t, deal, owed)
		booktest.Shows(t, f.Get(t, discount).In("payment"), object{"status": "CANCELLED", "clearedDate": nil})
		f.Patch(t, discount, object{"status": "PAID"})
		f.Patch(t, booktest.At("payments", taken[returned]), object{"status": "PAID"})
		is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
		f.Owes(t, deal, "0.00")
	}
	f.Patch(t, booktest.At("payments", taken[returned]), object{"status": "BOUNCED"})
	take(t, f, deal, "ADVANCE_PAYBACK "+owed)
	is(t, f, deal, "CLOSED", "AUTOMATION")
	f.Owes(t, deal, "0.00")
}

// singlePayoff pays a deal off with the one payment that meets the quote, and an open fee besides: the
// discount, the fee and the closing come with it, and are reversed if it bounces.
func singlePayoff(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "35.00"})
	payoff := take(t, f, deal, "ADVANCE_PAYBACK 915.00")[0]
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
	f.Owes(t, deal, "-35.00") // what the payment brought beyond the balance has paid the fee
	paid := f.PaymentsOf(t, deal, "&status=PAID")
	if len(paid) != 3 {
		t.Fatalf("paid are %v", paid)
	}
	f.Patch(t, booktest.At("payments", payoff), object{"status": "BOUNCED"})
	is(t, f, deal, "FUNDED", "AUTOMATION")
	f.Owes(t, deal, "1000.00")
	if paid := f.PaymentsOf(t, deal, "&status=PAID"); len(paid) != 0 {
		t.Errorf("still paid are %v", paid)
	}
	if fees := f.PaymentsOf(t, deal, "&status=PENDING&type=OTHER_FEE"); len(fees) != 1 {
		t.Errorf("the fees that are owed are %v", fees)
	}
}

// grantedAgain has a bounced payoff paid after all, and bounce again: with the discount that the product had
// granted for it set PAID again, and without.
func grantedAgain(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	payoff := take(t, f, deal, "ADVANCE_PAYBACK 880.00")[0]
	discount := f.PaymentsOf(t, deal, "&type=EPO_DISCOUNT")[0]
	booktest.Shows(t, discount, object{"source": "SYSTEM", "amount": "120.00", "status": "PAID"})
	for range 3 {
		is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
		comesBack(t, f, payoff, "R24")
		is(t, f, deal, "FUNDED", "AUTOMATION")
		f.Owes(t, deal, "1000.00")
		booktest.Shows(
			t, f.Get(t, booktest.At("payments", discount)).In("payment"), object{"status": "CANCELLED", "clearedDate": nil},
		)
		f.Patch(t, booktest.At("payments", discount), object{"status": "PAID"})
		f.Owes(t, deal, "880.00")
		f.Patch(t, booktest.At("payments", payoff), object{"status": "PAID"})
	}
	comesBack(t, f, payoff, "R24")
	f.Patch(
		t, booktest.At("payments", payoff), object{"status": "PAID"},
	) // it meets the quote by itself: another discount is granted
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
	comesBack(t, f, payoff, "R24")
	f.Owes(t, deal, "1000.00")
	if standing := f.PaymentsOf(t, deal, "&type=EPO_DISCOUNT&status=PAID"); len(standing) != 0 {
		t.Errorf("discounts that stand are %v", standing)
	}
}

// refundedPayoff refunds an early payoff, in whole or in part, however it was paid. The deal is paid off early
// again, and that payment bounces.
func refundedPayoff(t *testing.T, f *booktest.Fleet) {
	adjust := func(deal object, amount string) object {
		t.Helper()
		return take(t, f, deal, "ADVANCE_PAYBACK_ADJUSTMENT "+amount)[0]
	}
	for name, c := range map[string]struct {
		payments     []string
		refund, owed string
		fees         string
	}{
		"in one":             {[]string{"ADVANCE_PAYBACK 880.00"}, "-880.00", "1000.00", ""},
		"in one, a part":     {[]string{"ADVANCE_PAYBACK 880.00"}, "-100.00", "220.00", ""},
		"in one, with a fee": {[]string{"ADVANCE_PAYBACK 915.00"}, "-880.00", "1000.00", "PAID"},
		"discount first":     {[]string{"EPO_DISCOUNT 120.00", "ADVANCE_PAYBACK 880.00"}, "-880.00", "1000.00", ""},
		"in parts that look small": {
			[]string{"ADVANCE_PAYBACK 800.00", "EPO_DISCOUNT 120.00", "ADVANCE_PAYBACK 80.00"}, "-1.00", "121.00", "",
		},
		"discount last": {
			[]string{"ADVANCE_PAYBACK 500.00", "ADVANCE_PAYBACK 400.00", "EPO_DISCOUNT 100.00"}, "-900.00", "1000.00", "",
		},
	} {
		deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
		if c.fees != "" {
			f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "35.00"})
		}
		taken := take(t, f, deal, c.payments...)
		is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
		discount := f.PaymentsOf(t, deal, "&type=EPO_DISCOUNT")[0]
		f.App.AdvanceAll(24 * 3600e9)
		refund := adjust(deal, c.refund)
		is(t, f, deal, "FUNDED", "AUTOMATION")
		ctx, read := f.Inside(t)
		balance := money.Zero
		owed := read.Posting.Query().Where(posting.DealID(deal.ID()), posting.Account(string(ledger.Receivable)))
		for _, p := range owed.AllX(ctx) {
			balance = balance.Add(p.Amount)
		}
		if balance.String() != c.owed {
			t.Errorf("%s: the deal owes %s, want %s", name, balance, c.owed)
		}
		booktest.Shows(
			t, f.Get(t, booktest.At("payments", discount)).In("payment"), object{"status": "CANCELLED", "clearedDate": nil},
		)
		var scheduled money.Amount
		for _, p := range f.PaymentsOf(t, deal, "&type=ADVANCE_PAYBACK&status=PENDING") {
			scheduled = scheduled.Add(money.Must(p.Text("amount")))
		}
		if scheduled.String() != c.owed {
			t.Errorf("%s: scheduled is %s, want %s", name, scheduled, c.owed)
		}
		if fees := f.PaymentsOf(t, deal, "&type=OTHER_FEE"); c.fees != "" &&
			(len(fees) != 1 || fees[0].Text("status") != c.fees) {
			t.Errorf("%s: the fees are %v", name, fees)
		}

		// The refund bounces: its amount is restored, the discount is not.
		f.Patch(t, booktest.At("payments", refund), object{"status": "BOUNCED"})
		is(t, f, deal, "FUNDED", "AUTOMATION")
		f.Patch(t, booktest.At("payments", discount), object{"status": "PAID"})
		is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
		adjust(deal, c.refund)
		is(t, f, deal, "FUNDED", "AUTOMATION")
		booktest.Shows(t, f.Get(t, booktest.At("payments", discount)).In("payment"), object{"status": "CANCELLED"})
		if c.fees != "" { // the payment itself takes the fee along
			f.Patch(t, booktest.At("payments", taken[0]), object{"status": "BOUNCED"})
			f.Owes(t, deal, "1880.00")
		}
	}

	// A deal closed by installments keeps the discount granted before.
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	rows := f.PaymentsOf(t, deal, "")
	discount := take(t, f, deal, "EPO_DISCOUNT 50.00")[0]
	f.App.AdvanceAll(60e9)
	for _, row := range rows[:9] {
		f.Patch(t, booktest.At("payments", row), object{"status": "PAID"})
	}
	take(t, f, deal, "ADVANCE_PAYBACK 50.00")
	adjust(deal, "-50.00")
	is(t, f, deal, "FUNDED", "AUTOMATION")
	booktest.Shows(t, f.Get(t, booktest.At("payments", discount)).In("payment"), object{"status": "PAID"})
	f.Owes(t, deal, "50.00")
}

// smallPayoff pays a deal off early, has an earlier installment bounce, and pays that once more. Its refund
// undoes the payoff like that of any other part, although the payment is no larger than an installment.
func smallPayoff(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	first := f.PaymentsOf(t, deal, "")[0]
	f.Patch(t, booktest.At("payments", first), object{"status": "PAID"})
	f.App.AdvanceAll(60e9)
	take(t, f, deal, "ADVANCE_PAYBACK 780.00")
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
	f.App.AdvanceAll(60e9)
	f.Patch(t, booktest.At("payments", first), object{"status": "BOUNCED"})
	f.Owes(t, deal, "100.00")
	f.App.AdvanceAll(60e9)
	take(t, f, deal, "ADVANCE_PAYBACK 100.00")
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
	take(t, f, deal, "ADVANCE_PAYBACK_ADJUSTMENT -50.00")
	is(t, f, deal, "FUNDED", "AUTOMATION")
	booktest.Shows(t, f.PaymentsOf(t, deal, "&type=EPO_DISCOUNT")[0], object{"status": "CANCELLED"})
	f.Owes(t, deal, "170.00")
}

func installmentReturns(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	rows := f.PaymentsOf(t, deal, "")
	f.Patch(t, booktest.At("payments", rows[0]), object{"status": "PAID"})
	f.Patch(t, booktest.At("payments", rows[1]), object{"status": "SUBMITTED"})
	discount := take(t, f, deal, "EPO_DISCOUNT 120.00")[0]
	f.Patch(t, booktest.At("payments", rows[1]), object{"status": "PAID"})
	take(t, f, deal, "ADVANCE_PAYBACK 680.00")
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
	for _, row := range rows[:2] {
		f.Patch(t, booktest.At("payments", row), object{"status": "BOUNCED"})
	}
	is(t, f, deal, "FUNDED", "AUTOMATION")
	booktest.Shows(t, f.Get(t, booktest.At("payments", discount)).In("payment"), object{"status": "PAID"})
	f.Owes(t, deal, "200.00")
}

func earlierDiscount(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	rows := f.PaymentsOf(t, deal, "")
	discount := take(t, f, deal, "EPO_DISCOUNT 50.00")[0]
	for _, row := range rows[:9] {
		f.Patch(t, booktest.At("payments", row), object{"status": "PAID"})
	}
	last := take(t, f, deal, "ADVANCE_PAYBACK 50.00")[0]
	is(t, f, deal, "CLOSED", "AUTOMATION")
	f.Patch(t, booktest.At("payments", last), object{"status": "BOUNCED"})
	booktest.Shows(t, f.Get(t, booktest.At("payments", discount)).In("payment"), object{"status": "PAID"})
	f.Owes(t, deal, "50.00")
}

func feesOutliveTheDeal(t *testing.T, f *booktest.Fleet) {
	for name, end := range map[string]func(deal object){
		"paid in full": func(deal object) { take(t, f, deal, "ADVANCE_PAYBACK 300.00") },
		"closed out of default": func(deal object) {
			f.Patch(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
			take(t, f, deal, "ADVANCE_PAYBACK 300.00")
			f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "BOUNCE_FEE", "amount": "35.00"})
			f.Patch(t, booktest.At("deals", deal), object{"state": "CLOSED"})
		},
	} {
		deal := f.Funded(t, 3, nil)
		f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "BOUNCE_FEE", "amount": "35.00"})
		end(deal)
		booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "CLOSED"})
		open := f.PaymentsOf(t, deal, "&status=PENDING")
		if len(open) != 1 || open[0].Text("type") != "BOUNCE_FEE" {
			t.Fatalf("%s: still to be collected are %v", name, open)
		}
		f.Patch(t, booktest.At("payments", open[0]), object{"status": "PAID"})
		booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "CLOSED"})
		f.Owes(t, deal, "0.00")
	}
}

func commissionReversed(t *testing.T, f *booktest.Fleet) {
	broker := f.Post(t, "/isos", object{"name": "Bridge Capital Brokers"}).In("iso")
	deal := f.Funded(t, 3, object{"isoId": broker.ID(), "commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10"})
	f.Patch(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
	ctx, read := f.Inside(t)
	entries := read.Journal.Query().Order(journal.ByID()).
		Where(journal.DealID(deal.ID()), journal.KindEQ(ledger.Commission)).AllX(ctx)
	if len(entries) != 2 || entries[1].ReversesID == nil || *entries[1].ReversesID != entries[0].ID {
		t.Errorf("the entries of the commission are %v", entries)
	}
}
