package servicing_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// A deal funded without a credit line can get one.
func TestALineIsOpenedLate(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenDesk(t, a, "late.test")
		merchant := b.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		open := func(deal object, limit string) apptest.Asked {
			t.Helper()
			return b.Ask(
				t, fmt.Sprintf(`mutation { createCreditFacility(input: {dealId: %d, creditLimit: %q}) { id } }`, deal.ID(), limit),
				nil,
			)
		}
		open(
			b.Create(t, "/deals", object{"merchantId": merchant.ID(), "fundedAmount": "5000", "factorRate": "1.2"}), "9000",
		).Refused(t, "conflict")
		deal := b.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "productType": "LOC", "fundedAmount": "20000.00", "factorRate": "1.20",
			"numberOfPayments": 24, "collectionFrequency": "DAILY",
		})
		another := b.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "productType": "LOC", "fundedAmount": "20000.00", "factorRate": "1.20",
		})
		if open(another, "25000"); b.Do(t, "PATCH", booktest.At("deals", another), object{"productType": "MCA"}).
			Problem(t, 409, "conflict")["productType"] == "" {
			t.Error("a deal with a line becomes another product")
		}
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			b.Change(t, booktest.At("deals", deal), object{"state": state})
		}
		open(deal, "19999.99").Refused(t, "validation_error")
		made := open(deal, "25000").Data.In("createCreditFacility").Text("id")
		if got := booktest.Facility(t, b.Client, made); got != "ACTIVE 5000.00 FUNDED" {
			t.Errorf("the line is %s", got)
		}
		open(deal, "25000").Refused(t, "conflict")
		b.Change(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
		if got := booktest.Facility(t, b.Client, made); got != "SUSPENDED 5000.00 FUNDED" {
			t.Errorf("the line is %s", got)
		}
		b.Change(t, booktest.At("deals", deal), object{"state": "FUNDED"})
		if got := booktest.Facility(t, b.Client, made); got != "SUSPENDED 5000.00 FUNDED" {
			t.Errorf("the line is %s", got)
		}
	})
}

func TestALineIsNeverOverdrawn(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b, deal, line := booktest.OpenLine(t, a)
		if got := booktest.Facility(t, b.Client, line); got != "ACTIVE 30000.00 FUNDED" {
			t.Fatalf("the line is %s", got)
		}
		ask := `mutation {
			requestDraw(facilityId: ` + line + `, input: {amount: "12000", feeAmount: "120"}) { id status paybackAmount } }`
		asked, refused := booktest.AskAtOnce(t, b.Client, ask, 5)
		if len(asked) != 2 || len(refused) != 3 {
			t.Fatalf("%d draws were had and %d refused", len(asked), len(refused))
		}
		first, second := asked[0].Data.In("requestDraw").Text("id"), asked[1].Data.In("requestDraw").Text("id")
		if first > second {
			first, second = second, first
		}
		funder := b.Staff(t, "funder@line.test", "funder")
		funder.Ask(t, "mutation { fundDraw(id: "+first+") { status } }", nil).Refused(t, "conflict")
		b.Ask(t, "mutation { approveDraw(id: "+first+") { status } }", nil).Refused(t, "forbidden") // a key
		funder.Graph(t, "mutation { approveDraw(id: "+first+") { status } }", nil)
		funder.Graph(t, `mutation { declineDraw(id: `+second+`, reason: "Revenue is down") { status } }`, nil)
		if got := booktest.Facility(t, b.Client, line); got != "ACTIVE 18000.00 FUNDED APPROVED DECLINED" {
			t.Errorf("the line is %s", got)
		}
		funded, _ := booktest.AskAtOnce(t, funder, "mutation { fundDraw(id: "+first+") { status } }", 3)
		if len(funded) != 3 {
			t.Errorf("%d of 3 calls to fund were answered", len(funded))
		}
		collection := "{ deal(id: " + fmt.Sprint(
			deal.ID(),
		) + ") { collection { outstanding collected paidDownPct nextPayment { amount } } disbursements { amount status } } }"
		got := b.Graph(t, collection, nil).In("deal")
		if got.In("collection").Text("outstanding") != "38400.00" || len(got.List("disbursements")) != 2 ||
			got.List("disbursements")[1].Text("amount") != "11880.00" {
			t.Errorf("after the draw: %v", got)
		}
		booktest.Verify(t, a)

		// A payment of the deal's own schedule repays the first draw; one that names the second draw repays that.
		b.Pay(t, b.PaymentsOf(t, deal, "")[0]) // 1,000 of 24,000 repay 833.33 of 20,000
		if got := booktest.Facility(t, b.Client, line); got != "ACTIVE 18833.33 FUNDED FUNDED DECLINED" {
			t.Errorf("the line is %s", got)
		}
		paid := b.Graph(t, `mutation { repayDraw(id: `+first+`, input: {}) { status } }`, nil).In("repayDraw")
		if got := booktest.Facility(t, b.Client, line); paid.Text("status") != "REPAID" ||
			got != "ACTIVE 30833.33 FUNDED REPAID DECLINED" {
			t.Errorf("the draw is %v, the line %s", paid, got)
		}
		if p := b.PaymentsOf(t, deal, "&status=CANCELLED"); len(p) == 0 {
			t.Error("the draw's own payments are still to be collected")
		}
		b.Graph(t, "mutation { suspendCreditFacility(id: "+line+") { status } }", nil)
		b.Ask(t, ask, nil).Refused(t, "conflict")
		b.Pay(t, b.PaymentsOf(t, deal, "")[1])
		if got := booktest.Facility(t, b.Client, line); got != "SUSPENDED 31666.67 FUNDED REPAID DECLINED" {
			t.Errorf("the line is %s", got)
		}
		b.Ask(t, `mutation { updateCreditFacility(id: `+line+`, input: {creditLimit: "18000"}) { id } }`, nil).
			Refused(t, "conflict")
		b.Graph(t, "mutation { closeCreditFacility(id: "+line+") { status } }", nil)
		b.Ask(t, "mutation { resumeCreditFacility(id: "+line+") { status } }", nil).Refused(t, "conflict")
		b.Pay(t, b.PaymentsOf(t, deal, "")[2])
		if got := booktest.Facility(t, b.Client, line); got != "CLOSED 32500.00 FUNDED REPAID DECLINED" {
			t.Errorf("the line is %s", got)
		}
		booktest.Verify(t, a)
	})
}
