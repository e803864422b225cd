package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"paydown/internal/apptest"
)

// Known ways to bypass the rules, all closed.
func TestWaysAround(t *testing.T) {
	t.Parallel()
	fleets(t, func(t *testing.T, f *fleet) {
		f.run(t, []behaviour{
			{"a payment that came back keeps its successor while that debits", successorStays},
			{"a payment whose successor was called off gets another, or is paid after all", cancelledSuccessor},
			{"a fee that came back with the payoff that paid it is not paid by OFFSET", returnedFee},
			{"what an early payoff booked keeps the day of its quote", payoffStaysOnItsDay},
			{"the account that was debited does not cure a hold when it is added anew", sameAccountCuresNothing},
			{"a day that was given before the payment was paid is the day it cleared", givenDayStays},
		})
		verify(t, f.a)
	})
}

func successorStays(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, nil)
	rows := f.paymentsOf(t, deal, "")
	f.comesBack(t, rows[0], "R01")
	path := at("payments", rows[0])
	retry := fmt.Sprintf(`mutation { retryPayment(id: %d, input: {}) { madeUpById } }`, rows[0].ID())
	made := f.Graph(t, retry, nil).In("retryPayment").Text("madeUpById")
	for _, id := range []any{nil, rows[5].ID()} {
		f.Do(t, http.MethodPatch, path, object{"madeUpById": id}).Problem(t, http.StatusConflict, "conflict")
	}
	f.Patch(t, "/payments/"+made, object{"status": "CANCELLED"})
	f.Patch(t, path, object{"madeUpById": nil})
}

func cancelledSuccessor(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, nil)
	rows := f.paymentsOf(t, deal, "")
	for i, ask := range []string{"retryPayment", "makeUpPayment"} {
		waiting := f.Graph(t, "{ dashboard { bounces { count } } }", nil).In("dashboard").In("bounces").Int("count")
		f.comesBack(t, rows[i], "R01")
		path := at("payments", rows[i])
		next := func() string {
			t.Helper()
			return f.Graph(t, fmt.Sprintf(`mutation { %s(id: %d, input: {}) { madeUpById } }`, ask, rows[i].ID()), nil).
				In(ask).
				Text("madeUpById")
		}
		first := next()
		if again := next(); again != first {
			t.Errorf("%s made %s beside %s", ask, again, first)
		}
		f.refused(t, http.MethodPatch, path, object{"status": "PAID"}, "status")
		bounces := func(more int) {
			t.Helper()
			want := waiting + more
			shown := f.Graph(t, "{ bounceQueue { payment { id } } dashboard { bounces { count } } workQueue { task } }", nil)
			queue, counted, desk := len(shown.List("bounceQueue")), shown.In("dashboard").In("bounces").Int("count"), 0
			for _, item := range shown.List("workQueue") {
				if item.Text("task") == "BOUNCE" {
					desk++
				}
			}
			if queue != want || counted != want || desk != want {
				t.Errorf("to be made up for: %d in the queue, %d counted, %d on the desk, want %d", queue, counted, desk, want)
			}
		}
		bounces(0)
		f.Patch(t, "/payments/"+first, object{"status": "CANCELLED"})
		bounces(1)
		second := next()
		bounces(0)
		if second == first {
			t.Fatalf("%s keeps the successor that was called off", ask)
		}
		shows(
			t, f.Get(t, "/payments/"+second).In("payment"), object{"status": "PENDING", "amount": "100.00", "method": "ACH"},
		)
		if named := fmt.Sprint(f.Get(t, path).In("payment")["madeUpById"]); named != second {
			t.Errorf("made up by %s, want %s", named, second)
		}
		f.refused(t, http.MethodPatch, path, object{"status": "PAID"}, "status")
		f.Patch(t, "/payments/"+second, object{"status": "CANCELLED"})
		f.Patch(t, path, object{"status": "PAID"})
		shows(t, f.Get(t, path).In("payment"), object{"status": "PAID", "madeUpById": nil})
	}
	f.owes(t, deal, "800.00")
}

func returnedFee(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	fee := f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "35.00"}).In("payment")
	payoff := f.take(t, deal, "ADVANCE_PAYBACK 915.00")[0]
	f.comesBack(t, payoff, "R24")
	again := f.paymentsOf(t, deal, "&type=OTHER_FEE&status=PENDING")[0]
	f.Patch(t, at("payments", again), object{"status": "CANCELLED"})
	f.refused(t, http.MethodPatch, at("payments", fee), object{"status": "PAID"}, "method")
	f.Patch(t, at("payments", fee), object{"status": "PAID", "method": "WIRE"})
	f.Patch(t, at("payments", payoff), object{"status": "PAID"})
	f.comesBack(t, payoff, "R24") // the fee was paid by itself
	shows(t, f.Get(t, at("payments", fee)).In("payment"), object{"status": "PAID", "method": "WIRE"})
}

func payoffStaysOnItsDay(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "35.00"})
	f.a.AdvanceAll(2 * 24 * 3600e9)
	f.take(t, deal, "ADVANCE_PAYBACK 915.00")
	f.is(t, deal, "CLOSED", "EARLY_PAYOFF")
	var payoff object
	for _, p := range f.paymentsOf(t, deal, "&status=PAID") {
		f.Do(t, http.MethodPatch, at("payments", p), object{"clearedDate": deal.Text("fundedAt")[:10]}).
			Problem(t, http.StatusConflict, "conflict")
		f.Patch(t, at("payments", p), object{"clearedDate": p.Text("clearedDate")})
		if p.Text("type") == "ADVANCE_PAYBACK" {
			payoff = p
		}
	}
	f.Patch(t, at("payments", payoff), object{"status": "BOUNCED"})
	f.owes(t, deal, "1000.00")
}

func sameAccountCuresNothing(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, nil)
	verified := func(number string) string {
		t.Helper()
		input := object{
			"merchantId":    deal.Int("merchantId"),
			"holderName":    "Harbor Street Bakery LLC",
			"routingNumber": "021000021",
			"accountNumber": number,
		}
		id := f.Graph(t, `mutation($input: NewBankAccount!) {
			addBankAccount(input: $input) { id } }`, map[string]any{"input": input}).
			In("addBankAccount").
			Text("id")
		f.Graph(t, `mutation($id: ID!) { verifyBankAccount(id: $id) { status } }`, map[string]any{"id": id})
		return id
	}
	debited := verified("3333333")
	f.comesBack(t, f.paymentsOf(t, deal, "")[0], "R02")
	f.Graph(t, `mutation($id: ID!) { revokeBankAccount(id: $id) { status } }`, map[string]any{"id": debited})
	verified("3333333")
	f.holds(t, deal, "ACCOUNT R02")
	verified("4443333")
	f.holds(t, deal)
}

func givenDayStays(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, nil)
	day := deal.Text("fundedAt")[:10]
	row := f.paymentsOf(t, deal, "")[0]
	f.a.AdvanceAll(3 * 24 * 3600e9)
	f.Patch(t, at("payments", row), object{"clearedDate": day})
	f.Patch(t, at("payments", row), object{"status": "PAID"})
	shows(t, f.Get(t, at("payments", row)).In("payment"), object{"clearedDate": day, "status": "PAID"})
}

// A share whose payment's clearing date moves to later waits for the new holding period, even if a batch has it
// already; a draft with nothing left to pay is closed; and no batch without items is paid.
func TestABatchMindsWhatCameAfterIt(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		deal := p.deal(t)
		rows := p.paymentsOf(t, deal, "&sort=scheduledDate")
		p.change(t, at("payments", rows[0]), object{"status": "PAID"})
		p.days(5)
		id, _ := p.draft(t)
		p.change(t, at("payments", rows[0]), object{"clearedDate": "2026-01-09"})
		p.maker(t).
			Ask(t, "mutation { payPayoutBatch(id: "+id+", itemIds: []) { status } }", nil).
			Refused(t, "validation_error")
		wantWords(t, "the batch", p.settle(t, id), "APPROVED", "HELD")
		p.days(5)
		if again := p.payBatch(t, id); again[0] != "PAID" {
			t.Errorf("after the hold the batch is %v", again)
		}
		p.change(t, at("payments", rows[1]), object{"status": "PAID"})
		p.days(5)
		emptied, _ := p.draft(t)
		p.change(t, at("payments", rows[1]), object{"status": "BOUNCED"})
		batch := p.maker(t).Graph(t, "{ payout(id: "+emptied+") { status items { status } } }", nil).In("payout")
		if batch.Text("status") != "PAID" || batch.List("items")[0].Text("status") != "CANCELLED" {
			t.Errorf("the emptied draft is %v", batch)
		}
		verify(t, p.a)
	})
}
