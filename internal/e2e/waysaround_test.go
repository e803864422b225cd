package e2e

import (
	"fmt"
	"net/http"
	"testing"

	"paydown/internal/apptest"
)

// Ways around the rules that were found by trying them, and are closed.
func TestWaysAround(t *testing.T) {
	fleets(t, func(t *testing.T, f *fleet) {
		f.run(t, []behaviour{
			{"a payment that came back keeps its successor while that debits", successorStays},
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

func payoffStaysOnItsDay(t *testing.T, f *fleet) {
	deal := f.funded(t, 10, object{"epoFactorRate": "1.1", "epoWindowDays": 30})
	f.Post(t, "/payments", object{"dealId": deal.ID(), "type": "OTHER_FEE", "amount": "35.00"})
	f.a.AdvanceAll(2 * 24 * 3600e9)
	f.take(t, deal, "ADVANCE_PAYBACK 915.00")
	f.is(t, deal, "CLOSED", "EARLY_PAYOFF")
	var payoff object
	for _, p := range f.paymentsOf(t, deal, "&status=PAID") {
		if p.Text("type") == "EPO_DISCOUNT" {
			continue // it may count for any day of its window
		}
		f.Do(t, http.MethodPatch, at("payments", p), object{"clearedDate": deal.Text("fundedAt")[:10]}).Problem(t, http.StatusConflict, "conflict")
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
		input := object{"merchantId": deal.Int("merchantId"), "holderName": "Harbor Street Bakery LLC", "routingNumber": "021000021", "accountNumber": number}
		id := f.Graph(t, `mutation($input: NewBankAccount!) { addBankAccount(input: $input) { id } }`, map[string]any{"input": input}).
			In("addBankAccount").Text("id")
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

// A share whose payment is said to have cleared later waits for the new hold, though a batch has it already; a draft of which
// nothing is left to pay is over; and nothing is paid of no items.
func TestABatchMindsWhatCameAfterIt(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		deal := p.deal(t)
		rows := p.paymentsOf(t, deal, "&sort=scheduledDate")
		p.change(t, at("payments", rows[0]), object{"status": "PAID"})
		p.days(5)
		id, _ := p.draft(t)
		p.change(t, at("payments", rows[0]), object{"clearedDate": "2026-01-09"})
		p.maker(t).Ask(t, "mutation { payPayoutBatch(id: "+id+", itemIds: []) { status } }", nil).Refused(t, "validation_error")
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
