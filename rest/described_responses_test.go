package rest_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

func marshal(tb testing.TB, v any) []byte {
	tb.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// witness validates every response by the description.
type witness struct {
	*description
	seen map[string]bool // METHOD route status
}

func (w *witness) do(t *testing.T, c *apptest.Client, method, path string, body any, want int) apptest.Object {
	t.Helper()
	answer := c.Do(t, method, path, body)
	if answer.Status != want {
		t.Errorf("%s %s: %d, want %d: %s", method, path, answer.Status, want, answer.Body)
	}
	route, op := w.operation(method, "/api/v1"+path)
	if op == nil {
		t.Errorf("%s %s is not described", method, path)
		return nil
	}
	w.asRead(path).judge(t, method, route, answer)
	return answer.JSON(t)
}

// judge validates a response of an operation by the description.
func (w *witness) judge(t *testing.T, method, route string, answer *apptest.Answer) {
	t.Helper()
	status := strconv.Itoa(answer.Status)
	response, place := w.response(route, method, status)
	if len(response) == 0 {
		t.Errorf("%s %s: %d is not described", method, route, answer.Status)
		return
	}
	err := check(w.strict, pointer(append(place, "content", "application/json", "schema")...), answer.Body)
	if err != nil {
		t.Errorf("%s %s: %s\n%v", method, route, answer.Body, err)
	}
	for header := range response.In("headers") {
		if answer.Header.Get(header) == "" && header != "Retry-After" && header != replayed {
			t.Errorf("%s %s: no %s", method, route, header)
		}
	}
	w.seen[method+" "+route+" "+status] = true
}

// Every operation is called correctly, and in states that forbid it: the responses are as described.
// TestEveryOperationKeepsTheContract covers all other errors.
func TestEveryReplyIsAsDescribed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "replies.test")
		w := &witness{describedBy(t, c), map[string]bool{}}
		made := w.lifecycle(t, c)
		w.do(t, c, "DELETE", path("/merchants", made["merchant"]), nil, 409)
		w.do(t, c, "DELETE", path("/deals", made["deal"]), nil, 409)
		w.do(t, c, "DELETE", path("/isos", made["iso"]), nil, 409)
		w.do(t, c, "DELETE", path("/syndicators", made["syndicator"]), nil, 409)
		w.do(t, c, "DELETE", path("/funders", listed(t, c, "/funders")[0]), nil, 409)
		w.do(t, c, "POST", "/funders", apptest.Object{"name": "x", "isHouse": true}, 409)
		w.do(t, c, "PATCH", path("/deals", made["deal"]), apptest.Object{"state": "RENEWED"}, 409)
		w.do(t, c, "PATCH", path("/payments", made["payment"]), apptest.Object{"status": "PENDING"}, 409)
		w.do(t, c, "POST", "/deals", apptest.Object{"merchantId": 987654321}, 422)
		w.do(t, c, "PATCH", path("/deals", made["deal"]), apptest.Object{"isoId": 987654321}, 422)
		w.do(t, c, "POST", "/payments", apptest.Object{"dealId": 987654321, "type": "OTHER_FEE", "amount": "5"}, 422)
		w.do(t, c, "PATCH", path("/payments", made["payment"]), apptest.Object{"syndicatorId": 987654321}, 422)
		keyed := c.With("Idempotency-Key", "k")
		for _, list := range []string{"/leads", "/merchants", "/isos", "/funders", "/syndicators"} {
			name := map[string]string{"/leads": "businessName", "/merchants": "legalName"}[list]
			if name == "" {
				name = "name"
			}
			w.do(t, keyed, "POST", list, apptest.Object{name: "x"}, 201)
			w.do(t, keyed, "POST", list, apptest.Object{name: "x"}, 201) // replayed
			w.do(t, keyed, "POST", list, apptest.Object{name: "y"}, 422)
		}
		for operation, scope := range operations(t, c) {
			success := " 200"
			if strings.HasPrefix(operation, "POST") {
				success = " 201"
			}
			if strings.HasPrefix(scope, "webhooks:") {
				continue // called where deliveries are tested
			}
			if !w.seen[operation+success] {
				t.Errorf("%s was never answered with%s", operation, success)
			}
		}
	})
}

// lifecycle calls every operation successfully; the records stay, except those created to be deleted.
func (w *witness) lifecycle(t *testing.T, c *apptest.Client) map[string]int {
	t.Helper()
	create := func(path, key string, body apptest.Object) int {
		return w.do(t, c, "POST", path, body, 201).In(key).ID()
	}
	made := map[string]int{
		"iso": create("/isos", "iso", apptest.Object{
			"name": "Gulf Coast", "domains": []string{"gulf.example"}, "emailAddresses": []string{"a@gulf.example"},
			"requires1099":   true,
			"commissionRule": apptest.Object{"percent": "10", "tiers": []int{1, 2}}, "type": "SUPER_BROKER", "isActive": true,
		}),
		"syndicator": create("/syndicators", "syndicator", apptest.Object{
			"name": "Bayview", "maxPerDeal": "25000", "managementFeePercent": "3",
			"managementFeeBasis": "PERCENT_OF_COLLECTIONS",
			"profitSplitPercent": "80", "participatesInBankFee": true, "requires1099": true,
		}),
		"funder": create("/funders", "funder", apptest.Object{"name": "Northline", "website": "https://northline.example"}),
		"merchant": create(
			"/merchants", "merchant",
			apptest.Object{"legalName": "Harbor Street", "federalId": "98-7654321", "startedOn": "2016-05-01", "state": "NY"},
		),
		"lead": create(
			"/leads", "lead", apptest.Object{"businessName": "Harbor Street", "requestedAmount": 5, "email": "a@b.example"},
		),
	}
	made["deal"] = create("/deals", "deal", apptest.Object{
		"merchantId": made["merchant"], "isoId": made["iso"], "fundedAmount": "50000", "factorRate": "1.3",
		"numberOfPayments": 5, "collectionFrequency": "DAILY",
		"bankFeeBasis": "FLAT", "bankFeeValue": "1500", "fundedLenderId": made["funder"],
	})
	analysis := apptest.Object{
		"source": "reader", "periodStart": "2026-01-01", "periodEnd": "2026-03-31", "monthsCovered": 3,
		"grossDeposits": "180000",
		"positions":     []apptest.Object{{"funder": "Other", "payment": "120.00", "frequency": "DAILY"}},
		"depositTypes": apptest.Object{
			"card": apptest.Object{"amount": "5.00", "count": 1},
		}, "summary": apptest.Object{"a": []int{1}},
	}
	ofDeal := path("/deals", made["deal"]) + "/statement-analysis"
	w.do(t, c, "POST", ofDeal, analysis, 201)
	w.do(t, c, "GET", ofDeal, nil, 200)
	w.do(t, c, "POST", "/statement-analysis", merged(apptest.Object{"ein": "987654321"}, analysis), 201)
	w.do(t, c, "POST", "/statement-analysis", apptest.Object{"source": "x", "dealId": 987654321}, 422)
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		w.do(t, c, "PATCH", path("/deals", made["deal"]), apptest.Object{"state": state}, 200)
	}
	filters := query("dealId", strconv.Itoa(made["deal"]), "expand", "deal", "limit", "2")
	payments := w.do(t, c, "GET", "/payments"+filters, nil, 200).List("payments")
	made["payment"] = payments[0].ID()
	w.do(t, c, "PATCH", path("/payments", made["payment"]), apptest.Object{"status": "PAID"}, 200)
	payout := create("/payments", "payment", apptest.Object{
		"dealId": made["deal"], "type": "PARTICIPATION_PAYOUT", "amount": "5", "syndicatorId": made["syndicator"],
		"method": "WIRE", "note": "a\nb",
	})
	w.do(t, c, "GET", path("/payments", payout)+"?expand=deal", nil, 200)
	w.do(t, c, "GET", path("/deals", made["deal"])+"?expand=merchant,payments,iso,submissions", nil, 200)
	w.do(t, c, "GET", "/deals?expand=merchant,payments,iso,submissions&fields=state&limit=1", nil, 200)
	w.do(t, c, "GET", "/whoami", nil, 200)
	for collection, key := range map[string]string{
		"/leads": "lead", "/merchants": "merchant", "/isos": "iso", "/funders": "funder", "/syndicators": "syndicator",
	} {
		w.do(t, c, "GET", path(collection, made[key]), nil, 200)
		w.do(t, c, "GET", path(collection, made[key])+"?fields=createdAt", nil, 200)
		w.do(t, c, "PATCH", path(collection, made[key]), apptest.Object{"phone": "(212) 555-0142"}, 200)
		name := map[string]string{"/leads": "businessName", "/merchants": "legalName"}[collection]
		if name == "" {
			name = "name"
		}
		w.do(t, c, "DELETE", path(collection, create(collection, key, apptest.Object{name: "gone"})), nil, 200)
	}
	w.do(
		t, c, "DELETE", path("/deals", create("/deals", "deal", apptest.Object{"merchantId": made["merchant"]})), nil, 200,
	)
	for route, item := range w.doc.In("paths") {
		if list := strings.TrimPrefix(route, "/api/v1"); item.(map[string]any)["get"] != nil &&
			!strings.Contains(list, "{id}") {
			w.do(t, c, "GET", list, nil, 200)
		}
	}
	return made
}
