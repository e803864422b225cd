package e2e

import (
	"fmt"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// A deal funded without a credit line can get one.
func TestALineIsOpenedLate(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openDesk(t, a, "late.test")
		merchant := b.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		open := func(deal object, limit string) apptest.Asked {
			t.Helper()
			return b.Ask(
				t, fmt.Sprintf(`mutation { createCreditFacility(input: {dealId: %d, creditLimit: %q}) { id } }`, deal.ID(), limit),
				nil,
			)
		}
		open(
			b.create(t, "/deals", object{"merchantId": merchant.ID(), "fundedAmount": "5000", "factorRate": "1.2"}), "9000",
		).Refused(t, "conflict")
		deal := b.create(t, "/deals", object{
			"merchantId": merchant.ID(), "productType": "LOC", "fundedAmount": "20000.00", "factorRate": "1.20",
			"numberOfPayments": 24, "collectionFrequency": "DAILY",
		})
		another := b.create(t, "/deals", object{
			"merchantId": merchant.ID(), "productType": "LOC", "fundedAmount": "20000.00", "factorRate": "1.20",
		})
		if open(another, "25000"); b.Do(t, "PATCH", at("deals", another), object{"productType": "MCA"}).
			Problem(t, 409, "conflict")["productType"] == "" {
			t.Error("a deal with a line becomes another product")
		}
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			b.change(t, at("deals", deal), object{"state": state})
		}
		open(deal, "19999.99").Refused(t, "validation_error")
		made := open(deal, "25000").Data.In("createCreditFacility").Text("id")
		if got := facility(t, b.Client, made); got != "ACTIVE 5000.00 FUNDED" {
			t.Errorf("the line is %s", got)
		}
		open(deal, "25000").Refused(t, "conflict")
		b.change(t, at("deals", deal), object{"state": "DEFAULTED"})
		if got := facility(t, b.Client, made); got != "SUSPENDED 5000.00 FUNDED" {
			t.Errorf("the line is %s", got)
		}
		b.change(t, at("deals", deal), object{"state": "FUNDED"})
		if got := facility(t, b.Client, made); got != "SUSPENDED 5000.00 FUNDED" {
			t.Errorf("the line is %s", got)
		}
	})
}

// An advance is in transit from the funding until its transfer is confirmed or returned.
func TestATransferIsFollowed(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)
		b.change(t, at("deals", b.advance), object{"state": "FUNDED"})
		query := fmt.Sprintf("{ deal(id: %d) { disbursements { id amount status method } } }", b.advance.ID())
		sent := b.Graph(t, query, nil).
			In("deal").
			List("disbursements")
		if len(sent) != 1 || sent[0].Text("amount") != "48450.00" || sent[0].Text("status") != "PENDING" ||
			sent[0].Text("method") != "WIRE" {
			t.Fatalf("%v", sent)
		}
		move := func(input string) apptest.Asked {
			t.Helper()
			return b.Ask(
				t,
				"mutation { moveDisbursement(id: "+sent[0].Text(
					"id",
				)+", input: {"+input+"}) { status sentAt settledAt failureReason } }",
				nil,
			)
		}
		move("status: SETTLED").Refused(t, "conflict")
		if move("status: FAILED").Refused(t, "validation_error")["failureReason"] == "" {
			t.Error("a failure needs no reason")
		}
		move(`status: SENT, externalTransferId: "wr_1"`)
		move(`status: FAILED, failureReason: "Account closed"`)
		if got := move("status: SENT").Data.In("moveDisbursement"); got["failureReason"] != nil {
			t.Errorf("%v", got)
		}
		if got := move("status: SETTLED").Data.In("moveDisbursement"); got.Text("status") != "SETTLED" ||
			got.Text("settledAt") == "" {
			t.Errorf("%v", got)
		}
		move("status: SENT").Refused(t, "conflict")
	})
}

// A returned debit is retried once, by one payment, after all others: here on the last banking day within 180
// days.
func TestAReturnIsMadeUpOnce(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)
		b.change(t, at("deals", b.advance), object{"state": "FUNDED"})
		first := b.paymentsOf(t, b.advance, "")[0]
		makeUp := fmt.Sprintf(
			"mutation { makeUpPayment(id: %d, input: {}) { madeUpBy { id amount scheduledDate status } bounceCode { code } } }",
			first.ID(),
		)
		b.Ask(t, makeUp, nil).Refused(t, "conflict")
		b.pay(t, first)
		b.bounce(t, first, "R01")
		forgiven := strings.Replace(makeUp, "input: {}", "input: {method: OFFSET}", 1)
		if problems := b.Ask(t, forgiven, nil).Refused(t, "validation_error"); problems["method"] == "" {
			t.Errorf("a make-up that brings no money in: %v", problems)
		}
		made, _ := asksAtOnce(t, b.Client, makeUp, 3)
		if len(made) != 3 {
			t.Fatalf("%d of 3 were answered", len(made))
		}
		for _, m := range made {
			by := m.Data.In("makeUpPayment").In("madeUpBy")
			if text(t, by) != text(t, made[0].Data.In("makeUpPayment").In("madeUpBy")) ||
				by.Text("amount") != first.Text("amount") ||
				by.Text("scheduledDate") != "2026-07-03" ||
				m.Data.In("makeUpPayment").In("bounceCode").Text("code") != "R01" {
				t.Errorf("made up by %v", by)
			}
		}
		if queue := b.Graph(t, "{ bounceQueue { payment { id } } }", nil).List("bounceQueue"); len(queue) != 0 {
			t.Errorf("still to be made up: %v", queue)
		}
		calendar := b.Graph(t, `{ paymentCalendar(from: "2026-01-05", to: "2026-01-11") {
			date bankingDay expected { amount count } bounced { count } } }`, nil).
			List("paymentCalendar")
		if len(calendar) != 5 || calendar[1].In("expected").Text("amount") != "515.88" ||
			calendar[0].In("bounced").Int("count") != 1 {
			t.Errorf("%v", calendar)
		}
		b.checkBooks(t)
	})
}

// Only permitted members can edit the company's money settings.
func TestSettingsAboutMoney(t *testing.T) {
	t.Parallel()
	a := apptest.OnSQLite(t)
	b := openDesk(t, a, "settings.test")
	portfolio := `mutation { createPortfolio(input: {name: "North"}) { id } }`
	b.Graph(t, portfolio, nil)
	b.Ask(t, portfolio, nil).Refused(t, "conflict")
	b.Ask(t, `mutation { createCommissionOffer(input: {
		name: "Spring", commissionBasis: PERCENT_OF_FUNDED, commissionValue: "101"}) { id } }`, nil).
		Refused(t, "validation_error")
	b.Graph(
		t,
		`mutation { createCommissionOffer(input: {
			name: "Spring", commissionBasis: PERCENT_OF_FUNDED, commissionValue: "12"}) { id } }`,
		nil,
	)
	b.Graph(t, `mutation { createReferrer(input: {name: "Dana Whitfield", ein: "12-3456789"}) { id } }`, nil)
	lists := b.Graph(
		t, "{ bounceCodes { id code action } portfolios { name } commissionOffers { commissionValue } referrers { ein } }",
		nil,
	)
	code := lists.List("bounceCodes")[0]
	if code.Text("code") != "R01" || len(lists.List("portfolios")) != 1 ||
		lists.List("commissionOffers")[0].Text("commissionValue") != "12.00" {
		t.Errorf("%v", lists)
	}
	change := "mutation { updateBounceCode(id: " + code.Text(
		"id",
	) + `, input: {action: REVIEW, fee: "35"}) { action fee } }`
	b.Ask(t, change, nil).Refused(t, "forbidden")
	b.staff(t, "books@settings.test", "accounting").Ask(t, change, nil).Refused(t, "forbidden")
	got := b.staff(t, "admin@settings.test", "admin").Graph(t, change, nil).In("updateBounceCode")
	if got.Text("action") != "REVIEW" || got.Text("fee") != "35.00" {
		t.Errorf("%v", got)
	}
}
