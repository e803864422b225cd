package servicing_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"testing"
	"time"

	"paydown/internal/apptest"
)

// writable are the terms of a deal that a caller may set, by their API names.
var writable = []string{
	"productType", "fundedAmount", "paybackAmount", "factorRate", "buyRate", "termDays", "numberOfPayments",
	"paymentAmount",
	"collectionFrequency", "collectionSchedule", "collectionDay", "firstPaymentDate", "position", "specifiedPercentage",
	"commissionBasis", "commissionValue", "bankFeeBasis", "bankFeeValue", "applicationFee", "wireFee", "defaultSurcharge",
	"epoFactorRate", "epoWindowDays", "epoCommissionBasis", "epoCommissionValue", "fundedAt", "payoffDate", "referenceId",
}

// termsShown returns the terms of a deal from a response, including those without a value.
func termsShown(deal apptest.Object) apptest.Object {
	shown := apptest.Object{}
	for _, name := range writable {
		shown[name] = deal[name]
	}
	return shown
}

func TestTermsThatWereReadMayBeSentBack(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Stop(time.Date(2026, time.January, 5, 15, 0, 0, 0, time.UTC))
		c := a.Client(t, "sentback.test")
		merchant := c.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC"}).In("merchant").ID()
		sendBack := func(t *testing.T, given apptest.Object) string {
			t.Helper()
			given["merchantId"] = merchant
			first := c.Post(t, "/deals", given).In("deal")
			terms := termsShown(first)
			path := fmt.Sprintf("/deals/%d", first.ID())
			if again := termsShown(c.Patch(t, path, terms).In("deal")); fmt.Sprint(again) != fmt.Sprint(terms) {
				t.Errorf("%v became %v", terms, again)
			}
			twin := apptest.Object{"merchantId": merchant}
			maps.Copy(twin, terms)
			if second := termsShown(c.Post(t, "/deals", twin).In("deal")); fmt.Sprint(second) != fmt.Sprint(terms) {
				t.Errorf("a deal of %v has %v", terms, second)
			}
			return path
		}

		t.Run("where rounding shows", func(t *testing.T) {
			sendBack(t, apptest.Object{"paybackAmount": "10.00", "factorRate": "2.4"})
			sendBack(t, apptest.Object{"paybackAmount": "0.02", "factorRate": "2.5"})
			sendBack(t, apptest.Object{"fundedAmount": "100.01", "factorRate": "2.5"})
			sendBack(
				t,
				apptest.Object{
					"fundedAmount":        "3.00",
					"paybackAmount":       "4.00",
					"numberOfPayments":    3,
					"collectionFrequency": "DAILY",
				},
			)
		})

		t.Run("whatever was given", func(t *testing.T) {
			random := rand.New(rand.NewPCG(2026, 1))
			for range 25 {
				sendBack(t, someTerms(random))
			}
		})

		t.Run("weeks later, and once the deal is funded", func(t *testing.T) {
			path := sendBack(t, apptest.Object{
				"fundedAmount": "60000.00", "factorRate": "1.3", "termDays": 185, "collectionFrequency": "MONTHLY",
				"collectionDay": 1,
			})
			a.Clock.Stop(time.Date(2026, time.January, 30, 15, 0, 0, 0, time.UTC))
			terms := termsShown(c.Get(t, path).In("deal"))
			terms["wireFee"] = "50.00"
			c.Patch(t, path, terms)
			for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
				moved := c.Patch(t, path, apptest.Object{"state": state}).In("deal")
				if back := c.Patch(t, path, termsShown(moved)).In("deal"); fmt.Sprint(back) != fmt.Sprint(moved) {
					t.Errorf("in %s %v became %v", state, moved, back)
				}
			}
		})
	})
}

// someTerms returns consistent terms in one of the accepted combinations.
func someTerms(random *rand.Rand) apptest.Object {
	funded := 1 + random.Int64N(int64(1)<<(8+random.IntN(24))) // cents
	factor := fmt.Sprintf("1.%04d", 1+random.IntN(9999))
	given := apptest.Object{"factorRate": factor}
	amount := fmt.Sprintf("%d.%02d", funded/100, funded%100)
	if random.IntN(2) == 0 {
		given["fundedAmount"] = amount
	} else {
		given["paybackAmount"] = amount
	}
	plans := []apptest.Object{
		{"collectionFrequency": "DAILY"},
		{"collectionFrequency": "DAILY", "collectionSchedule": "CUSTOM_DAYS", "collectionDay": 21},
		{"collectionFrequency": "WEEKLY", "collectionDay": 1 + random.IntN(5)},
		{"collectionFrequency": "MONTHLY", "collectionDay": 1 + random.IntN(31)},
	}
	maps.Copy(given, plans[random.IntN(len(plans))])
	switch random.IntN(2) {
	case 0:
		given["numberOfPayments"] = 1 + random.Int64N(min(funded, 60)/2+1)
	case 1:
		given["termDays"] = 40 + random.IntN(300)
		given["fundedAmount"], given["paybackAmount"] = "20000.00", nil
	}
	if random.IntN(2) == 0 {
		given["fundedAt"] = "2025-12-15"
	}
	if random.IntN(2) == 0 {
		given["buyRate"], given["bankFeeBasis"], given["bankFeeValue"] = "1", "POINTS", "0.005"
	}
	if random.IntN(2) == 0 {
		given["epoFactorRate"], given["epoWindowDays"] = "1", 30
	}
	return given
}

// A wrong term is refused on creation and on change, under the path of the wrong field.
func TestTermsThatCannotStandAreRefused(t *testing.T) {
	t.Parallel()
	sound := func() apptest.Object {
		return apptest.Object{
			"fundedAmount": "50000.00", "factorRate": "1.3", "numberOfPayments": 126, "collectionFrequency": "DAILY",
		}
	}
	cases := []struct {
		name, at string
		terms    apptest.Object
	}{
		{"a factor rate below 1", "factorRate", apptest.Object{"factorRate": "0.99"}},
		{"a factor rate above 2.5", "factorRate", apptest.Object{"factorRate": "2.51"}},
		{"a buy rate above the factor rate", "buyRate", apptest.Object{"buyRate": "1.31"}},
		{"a payback that is not funded times factor", "paybackAmount", apptest.Object{"paybackAmount": "65002.51"}},
		{"an early factor below 1", "epoFactorRate", apptest.Object{"epoFactorRate": "0.99", "epoWindowDays": 30}},
		{
			"an early factor as high as the factor rate",
			"epoFactorRate",
			apptest.Object{"epoFactorRate": "1.3", "epoWindowDays": 30},
		},
		{"an early factor without a window", "epoWindowDays", apptest.Object{"epoFactorRate": "1.2"}},
		{"an early window without a factor", "epoFactorRate", apptest.Object{"epoWindowDays": 30}},
		{
			"an early commission without a value",
			"epoCommissionValue",
			apptest.Object{"epoFactorRate": "1.2", "epoWindowDays": 30, "epoCommissionBasis": "FLAT"},
		},
		{"a negative percentage", "specifiedPercentage", apptest.Object{"specifiedPercentage": "-1"}},
		{"a percentage above 100", "specifiedPercentage", apptest.Object{"specifiedPercentage": "100.01"}},
		{
			"a commission above 100 per cent",
			"commissionValue",
			apptest.Object{"commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "101"},
		},
		{
			"a bank fee above 100 per cent",
			"bankFeeValue",
			apptest.Object{"bankFeeBasis": "PERCENT_OF_PAYBACK", "bankFeeValue": "101"},
		},
		{
			"a commission above the margin",
			"commissionValue",
			apptest.Object{"commissionBasis": "POINTS", "commissionValue": "10.01", "buyRate": "1.2"},
		},
		{
			"a bank fee above the margin",
			"bankFeeValue",
			apptest.Object{"bankFeeBasis": "POINTS", "bankFeeValue": "10.01", "buyRate": "1.2"},
		},
		{"a bank fee in points without a buy rate", "buyRate", apptest.Object{"bankFeeBasis": "POINTS", "bankFeeValue": "1"}},
		{
			"a first payment on the day of funding",
			"firstPaymentDate",
			apptest.Object{"fundedAt": "2026-01-02", "firstPaymentDate": "2026-01-02"},
		},
		{
			"a first payment before the funding",
			"firstPaymentDate",
			apptest.Object{"fundedAt": "2026-01-02", "firstPaymentDate": "2025-12-31"},
		},
		{"weekly without a collection day", "collectionDay", apptest.Object{"collectionFrequency": "WEEKLY"}},
		{"weekly on a Saturday", "collectionDay", apptest.Object{"collectionFrequency": "WEEKLY", "collectionDay": 6}},
		{"monthly without a collection day", "collectionDay", apptest.Object{"collectionFrequency": "MONTHLY"}},
		{"monthly on the 32nd", "collectionDay", apptest.Object{"collectionFrequency": "MONTHLY", "collectionDay": 32}},
		{"custom days without one", "collectionDay", apptest.Object{"collectionSchedule": "CUSTOM_DAYS"}},
		{"a term eight days too long", "termDays", apptest.Object{"termDays": 190}},
		{"a payment that repays too little", "paymentAmount", apptest.Object{"paymentAmount": "515.87"}},
	}
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Stop(time.Date(2026, time.January, 5, 15, 0, 0, 0, time.UTC))
		c := a.Client(t, "refused.test")
		merchant := c.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC"}).In("merchant").ID()
		made := sound()
		made["merchantId"] = merchant
		before := c.Post(t, "/deals", made).In("deal")
		path := fmt.Sprintf("/deals/%d", before.ID())
		for _, k := range cases {
			t.Run(k.name, func(t *testing.T) {
				body := sound()
				maps.Copy(body, k.terms)
				body["merchantId"] = merchant
				for method, answer := range map[string]*apptest.Answer{
					"created": c.Do(t, http.MethodPost, "/deals", body), "changed": c.Do(t, http.MethodPatch, path, k.terms),
				} {
					details := answer.Problem(t, http.StatusBadRequest, "validation_error")
					if len(details) != 1 || details[k.at] == "" {
						t.Errorf("%s: %v, want a problem at %s", method, details, k.at)
					}
				}
			})
		}
		if after := c.Get(t, path).In("deal"); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%v became %v", before, after)
		}
		if ids := c.Get(t, "/deals")["count"]; fmt.Sprint(ids) != "1" {
			t.Errorf("%v deals, want the one that was accepted", ids)
		}
	})
}
