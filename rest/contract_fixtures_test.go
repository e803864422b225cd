package rest_test

import (
	"strings"
	"testing"

	"paydown/ent"
	"paydown/internal/apptest"
)

// fixture is what the operations on a path need to succeed. A path without one fails
// TestEveryOperationKeepsTheContract.
type fixture struct {
	// make creates another record for the path's id and returns it; a DELETE uses it up.
	make func(t *testing.T, o *owner) int
	// kind is the kind of record, if no operation creates it.
	kind string
	// body is that of a POST to the path, change that of a PATCH.
	body   func(t *testing.T, o *owner) apptest.Object
	change apptest.Object
	// instead are fields that replace another one of the body.
	instead map[string]string
	// most is the maximum size of a body in bytes; 0 is the default of one mebibyte.
	most int
}

// fixtures are those of every path, without the /{id} at its end.
var fixtures = map[string]fixture{
	"/whoami": {},
	"/leads": made("/leads", "lead", apptest.Object{
		"businessName": "Harbor Street Bakery", "email": "dana@harbor.example", "phone": "(212) 555-0142",
		"requestedAmount": "50000.00", "status": "CONTACTED", "source": "web", "notes": "Calls\nback",
	}, apptest.Object{"status": "QUALIFIED", "requestedAmount": nil}),
	"/merchants": made("/merchants", "merchant", apptest.Object{
		"legalName": "Harbor Street Bakery LLC", "federalId": "98-7654321", "state": "NY", "startedOn": "2016-05-01",
		"annualRevenue": "640000.00", "homeBased": false,
	}, apptest.Object{"dbaName": "Harbor Street", "website": "https://harbor.example"}),
	"/funders": made("/funders", "funder", apptest.Object{
		"name":    "Northline Capital",
		"website": "https://northline.example",
	},
		apptest.Object{"isActive": false}),
	"/isos": made("/isos", "iso", apptest.Object{
		"name": "Gulf Coast Brokers", "domains": []string{"gulf.example"}, "emailAddresses": []string{"desk@gulf.example"},
		"commissionRule": apptest.Object{"percent": "10"}, "type": "SUPER_BROKER", "requires1099": true,
	}, apptest.Object{"type": "REFERRAL"}),
	"/syndicators": made("/syndicators", "syndicator", apptest.Object{
		"name": "Bayview Income Partners LP", "maxPerDeal": "25000", "managementFeePercent": "3",
		"managementFeeBasis": "PERCENT_OF_COLLECTIONS", "profitSplitPercent": "80", "participatesInBankFee": true,
	}, apptest.Object{"maxPerDeal": nil, "lossProtected": true}),
	"/deals": {
		make: func(t *testing.T, o *owner) int {
			t.Helper()
			return seedDeal(t, o.Client, o.record(t, "/merchants"), apptest.Object{"fundedAmount": "50000"})
		},
		body: func(t *testing.T, o *owner) apptest.Object {
			t.Helper()
			return apptest.Object{
				"merchantId": o.record(t, "/merchants"), "isoId": o.record(t, "/isos"), "fundedAmount": "50000.00",
				"factorRate": "1.30", "numberOfPayments": 126, "collectionFrequency": "DAILY", "bankFeeBasis": "FLAT",
				"bankFeeValue": "1500.00", "commissionBasis": "PERCENT_OF_FUNDED",
				"commissionValue": "10.00", "fundedLenderId": o.record(t, "/funders"), "referenceId": "CRM-1042",
			}
		},
		change: apptest.Object{"state": "SUBMITTED", "referenceId": "CRM-1043"},
	},
	"/payments": {
		make: func(t *testing.T, o *owner) int {
			t.Helper()
			return seedPayment(t, o.Client, o.record(t, "/deals"), nil)
		},
		body: func(t *testing.T, o *owner) apptest.Object {
			t.Helper()
			return apptest.Object{
				"dealId": o.record(t, "/deals"), "type": "PARTICIPATION_PAYOUT", "amount": "5.00", "method": "WIRE",
				"syndicatorId": o.record(t, "/syndicators"), "note": "By wire",
			}
		},
		change: apptest.Object{"status": "PAID", "note": "Wired by the merchant"},
	},
	"/deals/{id}/statement-analysis": {
		make: func(t *testing.T, o *owner) int {
			t.Helper()
			deal := o.record(t, "/deals")
			o.Post(t, path("/deals", deal)+"/statement-analysis", apptest.Object{"source": "statement-reader"})
			return deal
		},
		body: func(*testing.T, *owner) apptest.Object { return analysisBody() }, most: 8 << 20,
	},
	"/statement-analysis": {
		body: func(t *testing.T, o *owner) apptest.Object {
			t.Helper()
			return merged(apptest.Object{"dealId": o.record(t, "/deals")}, analysisBody())
		},
		instead: map[string]string{"merchantId": "dealId", "ein": "dealId"}, most: 8 << 20,
	},
	"/webhook-endpoints": made("/webhook-endpoints", "webhookEndpoint", apptest.Object{
		"url": "https://hooks.example.com/paydown", "events": []string{"deal.created", "payment.paid"}, "isActive": true,
	}, apptest.Object{"events": []string{"*"}, "isActive": false}),
	"/submissions":       {kind: ent.TypeSubmission},
	"/decisions":         {kind: ent.TypeDecisionResult},
	"/renewals":          {kind: ent.TypeRenewalOpportunity},
	"/credit-facilities": {kind: ent.TypeCreditFacility},
	"/disclosures":       {kind: ent.TypeDisclosure},
	"/ucc-filings":       {kind: ent.TypeUCCFiling},
	"/payouts":           {kind: ent.TypePayoutBatch},
	"/applications":      {kind: ent.TypeApplicationSubmission},
	"/communications":    {kind: ent.TypeCommunication},
}

// made is the fixture of a resource whose records need no others.
func made(list, key string, body, change apptest.Object) fixture {
	return fixture{
		make: func(t *testing.T, o *owner) int {
			t.Helper()
			return seed(t, o.Client, list, key, body)
		},
		body: func(*testing.T, *owner) apptest.Object { return merged(apptest.Object{}, body) }, change: change,
	}
}

func analysisBody() apptest.Object {
	return apptest.Object{
		"source": "statement-reader", "periodStart": "2026-01-01", "periodEnd": "2026-03-31", "monthsCovered": 3,
		"grossDeposits": "180000.00", "positions": []apptest.Object{{"funder": "Other", "payment": "120.00"}},
		"depositTypes": apptest.Object{"card": apptest.Object{"amount": "5.00", "count": 1}},
	}
}

// kindOf are the kinds of record that ids in bodies and filters refer to.
var kindOf = map[string]string{
	"merchantId": ent.TypeMerchant, "dealId": ent.TypeDeal, "isoId": ent.TypeISO, "funderId": ent.TypeFunder,
	"fundedLenderId": ent.TypeFunder, "inceptionLenderId": ent.TypeFunder, "underwriterId": ent.TypeUser,
	"accountId": ent.TypeAccount, "syndicatorId": ent.TypeSyndicator, "bounceCodeId": ent.TypeBounceCode,
	"portfolioId": ent.TypePortfolio, "madeUpById": ent.TypePayment, "formId": ent.TypeForm,
}

// owner is a tenant with a record of each kind that a test needs.
type owner struct {
	*apptest.Client
	rows    *apptest.Rows
	records map[string]int // by path
	// fixtures are all of them, which may need each other's records.
	fixtures map[string]fixture
}

func newOwner(t *testing.T, a *apptest.App, host string) *owner {
	t.Helper()
	return &owner{Client: a.Client(t, host), rows: apptest.NewRows(a, host), records: map[string]int{}, fixtures: fixtures}
}

// record is the record of a path that no test uses up.
func (o *owner) record(t *testing.T, base string) int {
	t.Helper()
	if o.records[base] == 0 {
		o.records[base] = o.another(t, base)
	}
	return o.records[base]
}

// another is a new record of a path.
func (o *owner) another(t *testing.T, base string) int {
	t.Helper()
	if f := o.fixtures[base]; f.kind != "" {
		return o.rows.One(t, f.kind)
	}
	return o.fixtures[base].make(t, o)
}

// referred is a record of the kind that a field of this name refers to.
func (o *owner) referred(t *testing.T, field string) int {
	t.Helper()
	kind, known := kindOf[field]
	if !known {
		t.Fatalf("%s: which kind of record does it stand for? Add it to kindOf", field)
	}
	return o.rows.One(t, kind)
}

// baseOf is the path of an operation's fixture.
func baseOf(route string) string {
	return strings.TrimSuffix(strings.TrimPrefix(route, "/api/v1"), "/{id}")
}
