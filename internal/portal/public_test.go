package portal_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/service"
)

// TestThePublicPagesInABrowser tells what applicants and merchants do on a company's public pages, and what staff do with
// the files of a deal.
func TestThePublicPagesInABrowser(t *testing.T) {
	browsed(t, "public.mjs", outside, apptest.KeepingFiles(t, t.TempDir(), 1<<20))
}

const applicationForm = `[
	{"name":"business","label":"Legal name of the business","type":"text","required":true,"help":"As it stands in the register.","mapsTo":["lead.businessName"]},
	{"name":"email","label":"E-mail","type":"email","required":true},
	{"name":"phone","label":"Telephone","type":"tel","required":false},
	{"name":"amount","label":"How much do you need?","type":"money","required":true},
	{"name":"state","label":"State","type":"state","required":true},
	{"name":"ein","label":"EIN","type":"ein","required":false},
	{"name":"since","label":"In business since","type":"date","required":false},
	{"name":"use","label":"What is it for?","type":"choice","required":false,"options":["Stock","Equipment"]},
	{"name":"about","label":"Anything else?","type":"notes","required":false},
	{"name":"consent","label":"I agree to be called or texted about this application","type":"checkbox","required":true}]`

func outside(t *testing.T, a *apptest.App) apptest.Object {
	t.Helper()
	if _, err := a.Forms.Create(a.Operator(t, "localhost"), service.FormInput{
		Name: service.Some("Application for funding"), Slug: service.Some("apply"), Fields: service.Some(json.RawMessage(applicationForm)),
	}); err != nil {
		t.Fatal(err)
	}
	c := a.As("localhost", a.Key(t, "localhost").Token)
	told := apptest.Object{"form": "/apply/apply"}
	for _, which := range []string{"accepted", "declined"} {
		merchant := c.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC", "state": "CA"}).In("merchant").ID()
		deal := c.Post(t, "/deals", apptest.Object{
			"merchantId": merchant, "fundedAmount": "40000.00", "factorRate": "1.30", "numberOfPayments": 120,
			"collectionFrequency": "DAILY", "bankFeeBasis": "FLAT", "bankFeeValue": "500.00", "wireFee": "50.00",
		}).In("deal").ID()
		c.Patch(t, fmt.Sprintf("/deals/%d", deal), apptest.Object{"state": "SUBMITTED"})
		on := c.Graph(t, fmt.Sprintf("{ deal(id: %d) { submissions { nodes { id } } } }", deal), nil).In("deal").In("submissions").List("nodes")[0].Text("id")
		draft := c.Graph(t, `mutation { it: createApproval(input: {submissionId: `+on+`, fundedAmount: "50000.00", factorRate: "1.30"}) { id } }`, nil).In("it").Text("id")
		told[which] = "/offers/" + c.Graph(t, "mutation { it: sendOffer(id: "+draft+") { shareToken } }", nil).In("it").Text("shareToken")
		told["deal"] = fmt.Sprint(deal)
	}
	return told
}
