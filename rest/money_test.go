package rest_test

import (
	"fmt"
	"testing"

	"paydown/internal/apptest"
)

func TestMoneyIsExactOnTheWire(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "money.test")
		for given, want := range map[string]string{
			`"5000"`: "5000.00", `"5000.0"`: "5000.00", `"0.1"`: "0.10", `0.1`: "0.10", `5000`: "5000.00", `12.5`: "12.50",
			`"0"`: "0.00", `-0`: "0.00", `"-0.00"`: "0.00",
			`"999999999999.99"`: "999999999999.99", `999999999999.99`: "999999999999.99", `"123456789012.34"`: "123456789012.34",
			`"000000000012.34"`: "12.34",
			`0.29`:              "0.29", `1.15`: "1.15", `8.41`: "8.41", `1234567.89`: "1234567.89", `4503599627370.49`: "",
		} {
			answer := c.Do(t, "POST", "/leads", `{"businessName":"x","requestedAmount":`+given+`}`)
			if want == "" {
				answer.Problem(t, 400, "validation_error")
				continue
			}
			lead := answer.Want(t, 201).In("lead")
			again := c.Get(t, path("/leads", lead.ID())).In("lead")
			if lead.Text("requestedAmount") != want || again.Text("requestedAmount") != want {
				t.Errorf("%s is returned as %v, then %v", given, lead["requestedAmount"], again["requestedAmount"])
			}
		}
		merchant := seedMerchant(t, c, nil)
		for given, want := range map[string]string{
			`"12.5"`: "12.50", `"12"`: "12.00", `12.25`: "12.25", `"33.333333"`: "33.333333", `"0.100000"`: "0.10",
			`"7.120"`: "7.12", `"0.000001"`: "0.000001", `100`: "100.00",
		} {
			deal := c.Post(t, "/deals", fmt.Sprintf(`{"merchantId":%d,"specifiedPercentage":%s}`, merchant, given)).In("deal")
			again := c.Get(t, path("/deals", deal.ID())).In("deal")
			if deal.Text("specifiedPercentage") != want || again.Text("specifiedPercentage") != want {
				t.Errorf("%s is returned as %v, then %v", given, deal["specifiedPercentage"], again["specifiedPercentage"])
			}
		}
	})
}

func TestOnlyAdjustmentsMayBeNegativeAndNoPaymentIsZero(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "sign.test")
		deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
		syndicator := seed(t, c, "/syndicators", "syndicator", apptest.Object{"name": "Ridgeline Partners"})
		for _, kind := range []string{
			"ORIGINAL_ADVANCE_PAYBACK", "ADVANCE_PAYBACK", "ADVANCE_PAYBACK_ADJUSTMENT", "PARTICIPATION_PAYOUT",
			"PARTICIPATION_PAYOUT_ADJUSTMENT",
			"BOUNCE_FEE", "WIRE_FEE", "UCC_FEE", "APPLICATION_FEE", "OTHER_FEE", "EPO_DISCOUNT", "RENEWAL_PAYOFF",
		} {
			signed := kind == "ADVANCE_PAYBACK_ADJUSTMENT" || kind == "PARTICIPATION_PAYOUT_ADJUSTMENT"
			body := apptest.Object{"dealId": deal, "type": kind, "syndicatorId": syndicator}
			for _, amount := range []any{"0", "0.00", "-0.00", 0, "-0.01", -5} {
				body["amount"] = amount
				answer := c.Do(t, "POST", "/payments", body)
				if signed && (amount == "-0.01" || amount == -5) {
					answer.Want(t, 201)
				} else if messages := answer.Problem(t, 400, "validation_error"); len(messages) != 1 || messages["amount"] == "" {
					t.Errorf("%s of %v: %v", kind, amount, messages)
				}
			}
			body["amount"] = "0.01"
			payment := path("/payments", seed(t, c, "/payments", "payment", body))
			for _, amount := range []any{"0", "-0.01"} {
				answer := c.Do(t, "PATCH", payment, apptest.Object{"amount": amount})
				if signed && amount == "-0.01" {
					answer.Want(t, 200)
					messages := c.Do(t, "PATCH", payment, apptest.Object{"type": "OTHER_FEE"}).Problem(t, 400, "validation_error")
					if messages["amount"] == "" {
						t.Errorf("a negative fee: %v", messages)
					}
				} else {
					answer.Problem(t, 400, "validation_error")
				}
			}
		}
		for path, field := range map[string]string{"/leads": "requestedAmount", "/merchants": "annualRevenue"} {
			body := apptest.Object{field: "-0.01", "businessName": "x"}
			if path == "/merchants" {
				body = apptest.Object{field: "-0.01", "legalName": "x"}
			}
			if messages := c.Do(t, "POST", path, body).Problem(t, 400, "validation_error"); len(messages) != 1 ||
				messages[field] == "" {
				t.Errorf("%s: %v", path, messages)
			}
		}
		for _, field := range []string{
			"fundedAmount", "paybackAmount", "paymentAmount", "applicationFee", "wireFee", "defaultSurcharge",
		} {
			messages := c.Do(t, "POST", "/deals", apptest.Object{"merchantId": 1, field: "-1"}).
				Problem(t, 400, "validation_error")
			if len(messages) != 1 || messages[field] == "" {
				t.Errorf("%s: %v", field, messages)
			}
		}
	})
}

// Treating money as a float would lose a cent somewhere: a whole column of awkward amounts keeps every cent.
func TestNoCentIsLostInAList(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "cents.test")
		want := map[int]string{}
		for i := range 60 {
			amount := fmt.Sprintf("%d.%02d", (i+1)*16_666_666_666, (i*37)%100)
			want[seedLead(t, c, apptest.Object{"requestedAmount": amount})] = amount
		}
		for _, lead := range c.Get(t, "/leads?limit=200&sort=requestedAmount:desc").List("leads") {
			if got := lead.Text("requestedAmount"); got != want[lead.ID()] {
				t.Errorf("%s came back as %s", want[lead.ID()], got)
			}
		}
	})
}
