package servicing_test

import (
	"fmt"
	"net/http"
	"testing"

	"paydown/internal/booktest"
)

// Known ways to bypass the rules, all closed.
func TestWaysAround(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		f.Run(t, []booktest.Behavior{
			{Name: "a payment that came back keeps its successor while that debits", Test: successorStays},
			{Name: "a payment whose successor was called off gets another, or is paid after all", Test: cancelledSuccessor},
			{Name: "a fee that came back with the payoff that paid it is not paid by OFFSET", Test: returnedFee},
			{Name: "what an early payoff booked keeps the day of its quote", Test: payoffStaysOnItsDay},
			{Name: "the account that was debited does not cure a hold when it is added again", Test: sameAccountCuresNothing},
			{Name: "a day that was given before the payment was paid is the day it cleared", Test: givenDayStays},
		})
		booktest.Verify(t, f.App)
	})
}

func successorStays(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	comesBack(t, f, rows[0], "R01")
	path := booktest.At("payments", rows[0])
	retry := fmt.Sprintf(`mutation { retryPayment(id: %d, input: {}) { madeUpById } }`, rows[0].ID())
	made := f.Graph(t, retry, nil).In("retryPayment").Text("madeUpById")
	for _, id := range []any{nil, rows[5].ID()} {
		f.Do(t, http.MethodPatch, path, object{"madeUpById": id}).Problem(t, http.StatusConflict, "conflict")
	}
	f.Patch(t, "/payments/"+made, object{"status": "CANCELLED"})
	f.Patch(t, path, object{"madeUpById": nil})
}

func cancelledSuccessor(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	for i, ask := range []string{"retryPayment", "makeUpPayment"} {
		waiting := f.Graph(t, "{ dashboard { bounces { count } } }", nil).In("dashboard").In("bounces").Int("count")
		comesBack(t, f, rows[i], "R01")
		path := booktest.At("payments", rows[i])
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
		f.Refused(t, http.MethodPatch, path, object{"status": "PAID"}, "status")
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
		booktest.Shows(
			t, f.Get(t, "/payments/"+second).In("payment"), object{"status": "PENDING", "amount": "100.00", "method": "ACH"},
		)
		if named := fmt.Sprint(f.Get(t, path).In("payment")["madeUpById"]); named != second {
			t.Errorf("made up by %s, want %s", named, second)
		}
		f.Refused(t, http.MethodPatch, path, object{"status": "PAID"}, "status")
		f.Patch(t, "/payments/"+second, object{"status": "CANCELLED"})
		f.Patch(t, path, object{"status": "PAID"})
		booktest.Shows(t, f.Get(t, path).In("payment"), object{"status": "PAID", "madeUpById": nil})
	}
	f.Owes(t, deal, "800.00")
}

func returnedFee(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	fee := f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "35.00"}).In("payment")
	payoff := take(t, f, deal, "ADVANCE_PAYBACK 915.00")[0]
	comesBack(t, f, payoff, "R24")
	again := f.PaymentsOf(t, deal, "&type=OTHER_FEE&status=PENDING")[0]
	f.Patch(t, booktest.At("payments", again), object{"status": "CANCELLED"})
	f.Refused(t, http.MethodPatch, booktest.At("payments", fee), object{"status": "PAID"}, "method")
	f.Patch(t, booktest.At("payments", fee), object{"status": "PAID", "method": "WIRE"})
	f.Patch(t, booktest.At("payments", payoff), object{"status": "PAID"})
	comesBack(t, f, payoff, "R24") // the fee was paid by itself
	booktest.Shows(t, f.Get(t, booktest.At("payments", fee)).In("payment"), object{"status": "PAID", "method": "WIRE"})
}

func payoffStaysOnItsDay(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "35.00"})
	f.App.AdvanceAll(2 * 24 * 3600e9)
	take(t, f, deal, "ADVANCE_PAYBACK 915.00")
	is(t, f, deal, "CLOSED", "EARLY_PAYOFF")
	var payoff object
	for _, p := range f.PaymentsOf(t, deal, "&status=PAID") {
		f.Do(t, http.MethodPatch, booktest.At("payments", p), object{"clearedDate": deal.Text("fundedAt")[:10]}).
			Problem(t, http.StatusConflict, "conflict")
		f.Patch(t, booktest.At("payments", p), object{"clearedDate": p.Text("clearedDate")})
		if p.Text("type") == "ADVANCE_PAYBACK" {
			payoff = p
		}
	}
	f.Patch(t, booktest.At("payments", payoff), object{"status": "BOUNCED"})
	f.Owes(t, deal, "1000.00")
}

func sameAccountCuresNothing(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
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
	comesBack(t, f, f.PaymentsOf(t, deal, "")[0], "R02")
	f.Graph(t, `mutation($id: ID!) { revokeBankAccount(id: $id) { status } }`, map[string]any{"id": debited})
	verified("3333333")
	holds(t, f, deal, "ACCOUNT R02")
	verified("4443333")
	holds(t, f, deal)
}

func givenDayStays(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	day := deal.Text("fundedAt")[:10]
	row := f.PaymentsOf(t, deal, "")[0]
	f.App.AdvanceAll(3 * 24 * 3600e9)
	f.Patch(t, booktest.At("payments", row), object{"clearedDate": day})
	f.Patch(t, booktest.At("payments", row), object{"status": "PAID"})
	booktest.Shows(t, f.Get(t, booktest.At("payments", row)).In("payment"), object{"clearedDate": day, "status": "PAID"})
}
