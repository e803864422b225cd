package graph_test

import (
	"encoding/json"
	"fmt"
	"sync"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/service"
)

const asks = `[
	{"name":"business","label":"Legal name","type":"text","required":true,
		"mapsTo":["lead.businessName","merchant.legalName"]},
	{"name":"owner","label":"Your name","type":"text","required":true,"mapsTo":["lead.contactName"]},
	{"name":"email","label":"Email","type":"email","required":false,"mapsTo":["lead.email","merchant.email"]},
	{"name":"amount","label":"How much?","type":"money","required":false,"mapsTo":["lead.requestedAmount"]},
	{"name":"ein","label":"EIN","type":"ein","required":false,"mapsTo":["merchant.federalId"]},
	{"name":"state","label":"State","type":"state","required":false,"mapsTo":["merchant.state"]}]`

// publish creates a form of a company and returns its id.
func publish(t *testing.T, a *apptest.App, host, slug string) string {
	t.Helper()
	row, err := a.Forms.Create(a.Operator(t, host), service.FormInput{
		Name: service.Some("Application"), Slug: service.Some(slug), Fields: service.Some(json.RawMessage(asks)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprint(row.ID)
}

// applied submits an application and returns its id.
func applied(t *testing.T, c *apptest.Client, form string, payload apptest.Object) string {
	t.Helper()
	return c.Graph(t, "mutation($in: NewApplication!) { createApplication(input: $in) { id status } }",
		map[string]any{"in": apptest.Object{"formId": form, "payload": payload}}).In("createApplication").Text("id")
}

const converted = ` { lead { id status businessName merchant { id } }
	merchant { id legalName federalId contacts { firstName lastName isPrimary } }
	deal { id state fundedAmount productType merchantId } }`

func TestApplicationIsValidatedByForm(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "forms.test")
		form := publish(t, a, c.Host, "apply")
		answer := c.Ask(t, "mutation($in: NewApplication!) { createApplication(input: $in) { id } }", map[string]any{
			"in": apptest.Object{
				"formId":  form,
				"payload": apptest.Object{"business": 5, "email": "nobody", "amount": "a lot", "more": true},
			},
		})
		messages := answer.Refused(t, "validation_error")
		for _, path := range []string{"payload.business", "payload.owner", "payload.email", "payload.amount", "payload"} {
			if messages[path] == "" {
				t.Errorf("nothing is told of %s: %v", path, messages)
			}
		}
		id := applied(t, c, form, apptest.Object{"business": "Harbor Street Bakery LLC", "owner": "Dana Whitfield"})
		mark := func(status string) apptest.Asked {
			return c.Ask(t, "mutation { markApplication(id: "+id+", status: "+status+") { status } }", nil)
		}
		for _, status := range []string{"SPAM", "SPAM", "REVIEWED"} {
			if got := mark(status).Data.In("markApplication").Text("status"); got != status {
				t.Errorf("marked %s it is %s", status, got)
			}
		}
		mark("CONVERTED").Refused(t, "conflict")
		mark("RECEIVED").Refused(t, "conflict")

		_, err := a.Forms.Update(a.Operator(t, c.Host), number(t, form), service.FormInput{IsActive: service.Some(false)})
		if err != nil {
			t.Fatal(err)
		}
		c.Ask(t, "mutation($in: NewApplication!) { createApplication(input: $in) { id } }", map[string]any{
			"in": apptest.Object{"formId": form, "payload": apptest.Object{"business": "X", "owner": "Y Z"}},
		}).Refused(t, "conflict")
	})
}

func TestFormErrorsAreReported(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "form.test")
	publish(t, a, c.Host, "apply")
	ctx := a.Operator(t, c.Host)
	bad := `[{"name":"amount","label":"Amount","type":"money","required":false,
		"mapsTo":["merchant.legalName","lead.status","lead.requestedAmount"]}]`
	_, err := a.Forms.Create(
		ctx, service.FormInput{Slug: service.Some("Not a slug"), Fields: service.Some(json.RawMessage(bad))},
	)
	for _, path := range []string{"name", "slug", "fields.0.mapsTo.0", "fields.0.mapsTo.1"} {
		if detailsOf(err)[path] == "" {
			t.Errorf("nothing is told of %s: %v", path, err)
		}
	}
	if detailsOf(err)["fields.0.mapsTo.2"] != "" {
		t.Errorf("money does not become money: %v", err)
	}
	_, err = a.Forms.Create(ctx, service.FormInput{
		Name: service.Some("Another"), Slug: service.Some("apply"), Fields: service.Some(json.RawMessage(asks)),
	})
	if detailsOf(err)["slug"] == "" {
		t.Errorf("two forms have one address: %v", err)
	}
}

func TestApplicationConvertsOnce(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "convert.test")
		form := publish(t, a, c.Host, "apply")
		id := applied(t, c, form, apptest.Object{
			"business": "Harbor Street Bakery LLC", "owner": "Dana Whitfield", "amount": "45000.00", "ein": "98-7654321",
			"state": "NY",
		})
		var at sync.WaitGroup
		answers := make([]apptest.Asked, 4)
		for i := range answers {
			at.Go(func() {
				answers[i] = c.Ask(
					t, "mutation { convertApplication(id: "+id+", input: {deal: true, productType: TERM_LOAN})"+converted+" }", nil,
				)
			})
		}
		at.Wait()
		var won []apptest.Object
		for _, answer := range answers {
			if len(answer.Errors) == 0 {
				won = append(won, answer.Data.In("convertApplication"))
			} else {
				answer.Refused(t, "conflict")
			}
		}
		if len(won) != 1 {
			t.Fatalf("%d of 4 conversions at once are made", len(won))
		}
		merchant, deal := won[0].In("merchant"), won[0].In("deal")
		people := merchant.List("contacts")
		if won[0].In("lead").Text("status") != "CONVERTED" || won[0].In("lead").In("merchant")["id"] != merchant["id"] ||
			merchant.Text(
				"federalId",
			) != "98-7654321" || deal.Text("fundedAmount") != "45000.00" || deal["merchantId"] != merchant["id"] ||
			deal.Text(
				"productType",
			) != "TERM_LOAN" || len(people) != 1 || people[0].Text("lastName") != "Whitfield" || people[0]["isPrimary"] != true {
			t.Errorf("converted into %v", won[0])
		}
		counts := c.Graph(
			t,
			`{ leads { totalCount } merchants { totalCount } deals { totalCount }
				application(id: `+id+") { status lead { id } } }",
			nil,
		)
		if counts.In("leads").Int("totalCount") != 1 || counts.In("merchants").Int("totalCount") != 1 ||
			counts.In("deals").Int("totalCount") != 1 ||
			counts.In("application").Text("status") != "CONVERTED" ||
			counts.In("application").In("lead")["id"] != won[0].In("lead")["id"] {
			t.Errorf("there are %v", counts)
		}

		// An applicant with the same EIN is the same merchant.
		again := applied(t, c, form, apptest.Object{"business": "Harbor Street LLC", "owner": "Dana", "ein": "987654321"})
		reported := c.Ask(t, "mutation { convertApplication(id: "+again+", input: {merchant: true})"+converted+" }", nil).
			Refused(t, "conflict")
		if reported["merchantId"] != "must be "+merchant.Text("id")+", the merchant with this EIN" {
			t.Errorf("told %v", reported)
		}
		into := c.Graph(
			t, "mutation { convertApplication(id: "+again+", input: {merchantId: "+merchant.Text("id")+"})"+converted+" }", nil,
		)
		if got := into.In("convertApplication"); got.In("merchant")["id"] != merchant["id"] || got["deal"] != nil {
			t.Errorf("converted into %v", got)
		}
	})
}

func TestLeadConvertsOnce(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "lead.test")
		lead := made(
			t, c, "/leads", "lead",
			apptest.Object{"businessName": "Harbor Street Bakery", "contactName": "Dana", "requestedAmount": "0"},
		)
		document := fmt.Sprintf("mutation { convertLead(id: %d, input: {legalName: %q, federalId: %q, deal: true})%s }",
			lead.ID(), "Harbor Street Bakery LLC", "98-7654321", converted)
		got := c.Graph(t, document, nil).In("convertLead")
		if got.In("merchant").Text("legalName") != "Harbor Street Bakery LLC" ||
			len(got.In("merchant").List("contacts")) != 0 ||
			got.In("lead").Text("status") != "CONVERTED" ||
			got.In("deal")["fundedAmount"] != nil {
			t.Errorf("converted into %v", got)
		}
		c.Ask(t, document, nil).Refused(t, "conflict")

		// A key that may only write leads creates no merchant.
		other := made(t, c, "/leads", "lead", apptest.Object{"businessName": "Gulf Coast Fencing"})
		narrow := a.As(c.Host, a.Key(t, c.Host, "leads:write").Token)
		narrow.Ask(t, fmt.Sprintf("mutation { convertLead(id: %d, input: {}) { lead { id } } }", other.ID()), nil).
			Refused(t, "forbidden")

		// The merchant is deleted, and the lead stays.
		fresh := c.Graph(t, fmt.Sprintf("mutation { convertLead(id: %d, input: {})%s }", other.ID(), converted), nil).
			In("convertLead")
		c.Graph(t, "mutation { deleteMerchant(id: "+fresh.In("merchant").Text("id")+") }", nil)
		left := c.Graph(t, fmt.Sprintf("{ lead(id: %d) { status merchant { id } } }", other.ID()), nil).In("lead")
		if left.Text("status") != "CONVERTED" || left["merchant"] != nil {
			t.Errorf("the lead is %v", left)
		}
	})
}

func TestMerchantContacts(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "contacts.test")
		merchant := made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
		add := func(fields string) apptest.Asked {
			return c.Ask(
				t,
				fmt.Sprintf(
					"mutation { createMerchantContact(input: {merchantId: %d, %s}) { id ssnLast4 isPrimary ownershipPct } }",
					merchant.ID(), fields,
				),
				nil,
			)
		}
		first := add(
			`firstName: "Dana", lastName: "Whitfield", ssn: "900-12-3456", ownershipPct: "60", isPrimary: true`,
		).Data.In(
			"createMerchantContact",
		)
		if first.Text("ssnLast4") != "3456" || first["isPrimary"] != true {
			t.Errorf("made %v", first)
		}
		tooMuch := add(`firstName: "Ira", lastName: "Voss", ownershipPct: "40.01"`)
		if reported := tooMuch.Refused(t, "validation_error"); reported["ownershipPct"] == "" {
			t.Errorf("told %v", reported)
		}
		reported := add(`firstName: "Ira", lastName: "Voss", ssn: "123"`).Refused(t, "validation_error")
		if reported["ssn"] == "" {
			t.Errorf("told %v", reported)
		}
		second := add(
			`firstName: "Ira", lastName: "Voss", ownershipPct: "40", isPrimary: true`,
		).Data.In(
			"createMerchantContact",
		)
		people := c.Graph(t, fmt.Sprintf("{ merchant(id: %d) { contacts { id isPrimary ssnLast4 } } }", merchant.ID()), nil).
			In("merchant").
			List("contacts")
		if len(people) != 2 || people[0]["isPrimary"] != false || people[1]["isPrimary"] != true {
			t.Errorf("the contacts are %v", people)
		}
		change := "mutation { updateMerchantContact(id: " + first.Text("id") + ", input: "
		change += `{ssn: null, title: "Owner"}) { ssnLast4 title } }`
		got := c.Graph(t, change, nil).In("updateMerchantContact")
		if got["ssnLast4"] != nil || got.Text("title") != "Owner" {
			t.Errorf("changed to %v", got)
		}
		remove := "mutation { deleteMerchantContact(id: " + second.Text("id") + ") }"
		if got := c.Graph(t, remove, nil).Text("deleteMerchantContact"); got != second.Text("id") {
			t.Errorf("deleted %s", got)
		}
		holdsNothingOf(t, a, "900123456", "900-12-3456", "123456")
	})
}

func TestCallsAndDispositionsAreLogged(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "calls.test")
		d := newPricedDeal(t, a, c)
		reason := c.Graph(t, "{ dispositionReasons { id code } }", nil).List("dispositionReasons")[0].Text("id")
		log := func(fields string) apptest.Asked {
			return c.Ask(
				t,
				"mutation { logCommunication(input: {direction: OUTBOUND, "+fields+`}) {
					id merchantId dispositionReason { code } } }`,
				nil,
			)
		}
		call := log("channel: CALL, dealId: " + d + ", durationSec: 95").Data.In("logCommunication")
		if call.Text("merchantId") == "" {
			t.Errorf("the call is %v", call)
		}
		ended := c.Graph(
			t,
			"mutation { updateCommunication(id: "+call.Text(
				"id",
			)+", input: {dispositionReasonId: "+reason+"}) { dispositionReason { id } } }",
			nil,
		)
		if ended.In("updateCommunication").In("dispositionReason").Text("id") != reason {
			t.Errorf("the call ended as %v", ended)
		}
		for fields, path := range map[string]string{
			"channel: SMS, dealId: " + d:                                      "body",
			`channel: SMS, body: "Hello", durationSec: 5, dealId: ` + d:       "durationSec",
			`channel: CALL, body: "Hello"`:                                    "merchantId",
			`channel: CALL, occurredAt: "2999-01-01T00:00:00Z", dealId: ` + d: "occurredAt",
		} {
			if reported := log(fields).Refused(t, "validation_error"); reported[path] == "" {
				t.Errorf("%s: told %v", fields, reported)
			}
		}
		ctx := a.Operator(t, c.Host)
		in := service.NewDispositionReason{Code: service.Some("LEFT_CARD")}
		in.Name = service.Some("Left a card")
		if _, err := a.Communications.AddDispositionReason(ctx, in); err != nil {
			t.Fatal(err)
		}
		if _, err := a.Communications.AddDispositionReason(ctx, in); detailsOf(err)["code"] == "" {
			t.Errorf("two reasons have one code: %v", err)
		}
	})
}
