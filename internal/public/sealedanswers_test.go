package public_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"

	"paydown/ent/applicationsubmission"
	"paydown/ent/auditentry"
	"paydown/internal/apptest"
	"paydown/internal/service"
)

// asksSecrets asks for sealed values, by types and by names alone.
const asksSecrets = `[
	{"name":"business","label":"Business","type":"text","required":true,
		"mapsTo":["lead.businessName","merchant.legalName"]},
	{"name":"ein","label":"EIN","type":"ein","required":false,"mapsTo":["merchant.federalId"]},
	{"name":"ssn","label":"Your SSN","type":"ssn","required":true},
	{"name":"account","label":"Account","type":"account","required":true},
	{"name":"partnerSsn","label":"Your partner's","type":"text","required":false},
	{"name":"notes","label":"Notes","type":"notes","required":false}]`

var secrets = []string{"900-11-2233", "84029173355", "900445566", "900-77-8899"}

func TestSensitiveAnswersAreSealed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		const host = "sealed.test"
		c := a.Client(t, host)
		ctx := a.Operator(t, host)
		form, err := a.Forms.Create(ctx, service.FormInput{
			Name: service.Some("Apply"), Slug: service.Some("apply"), Fields: service.Some(json.RawMessage(asksSecrets)),
		})
		if err != nil {
			t.Fatal(err)
		}
		v := visit(a, host)
		ticket := ticketOf(t, v.wantPage(t, "/apply/apply", http.StatusOK))
		a.Clock.Advance(ripe)
		sent := url.Values{
			"_ticket": {ticket}, "_extra": {""}, "business": {"Harbor & <Sons>"}, "ein": {"98-7654321"},
			"ssn": {secrets[0]}, "account": {secrets[1]}, "partnerSsn": {secrets[2]},
			"notes": {"His is " + secrets[3] + "."},
		}
		for range 2 { // the second is the same application
			v.wantRedirect(t, v.submit(t, "/apply/apply", sent), "/apply/apply/thanks", http.StatusOK)
		}
		sent.Set("account", "84029173356")
		contains(t, page(t, v.submit(t, "/apply/apply", sent), http.StatusConflict), "already submitted from this page")

		want := jsonText(
			jsonOf(
				`{"business":"Harbor & <Sons>","ein":"98-7654321","ssn":"900-11-2233","account":"84029173355",
			"partnerSsn":"900445566","notes":"His is 900-77-8899."}`,
			),
		)
		all := received(t, c)
		if len(all) != 1 || jsonText(all[0].In("payload")) != want {
			t.Fatalf("%v", all)
		}
		id := fmt.Sprint(all[0].ID())
		boss := a.Staff(t, host, "admin")
		for _, call := range []string{
			"query { it: application(id: " + id + ") { payload } }",
			"mutation { it: markApplication(id: " + id + ", status: REVIEWED) { payload } }",
			"mutation { it: markApplication(id: " + id + ", status: REVIEWED) { payload } }",
		} {
			if got := boss.Graph(t, call, nil).In("it").In("payload"); jsonText(got) != want {
				t.Errorf("%s: %v", call, got)
			}
		}
		create := boss.With("Idempotency-Key", "once")
		for range 2 {
			const ask = `mutation($in: NewApplication!) { it: createApplication(input: $in) { payload } }`
			typed := create.Graph(t, ask, map[string]any{
				"in": apptest.Object{"formId": fmt.Sprint(form.ID), "payload": jsonOf(want)},
			}).In("it")
			if jsonText(typed.In("payload")) != want {
				t.Errorf("%v", typed)
			}
		}
		became := boss.Graph(t, "mutation { it: convertApplication(id: "+id+`, input: {merchant: true}) {
			lead { id } merchant { federalId } } }`, nil).
			In("it")
		if became.In("merchant").Text("federalId") != "98-7654321" {
			t.Errorf("%v", became)
		}
		c.Delete(t, "/leads/"+became.In("lead").Text("id"))

		var kept strings.Builder
		kept.WriteString(a.Log.String())
		rows := a.Store.Reader().ApplicationSubmission.Query().Order(applicationsubmission.ByID()).AllX(ctx)
		for _, row := range rows {
			kept.Write(row.Payload)
		}
		if len(rows) != 2 {
			t.Errorf("%d applications", len(rows))
		}
		for _, e := range a.Store.Reader().AuditEntry.Query().Order(auditentry.ByID()).AllX(ctx) {
			kept.Write(e.Before)
			kept.Write(e.After)
		}
		if path, ok := strings.CutPrefix(a.DB, "sqlite:"); ok {
			for _, file := range []string{path, path + "-wal"} {
				raw, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				kept.Write(raw)
			}
		}
		for _, s := range secrets {
			if strings.Contains(kept.String(), s) {
				t.Errorf("%s is kept in the clear", s)
			}
		}
		if !strings.Contains(kept.String(), "98-7654321") {
			t.Error("the EIN is not found any more")
		}
	})
}

func TestASealedAnswerBecomesNoField(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "maps.test")
	_, err := a.Forms.Create(a.Operator(t, host), service.FormInput{
		Name: service.Some("Apply"), Slug: service.Some("apply"),
		Fields: service.Some(
			json.RawMessage(`[{"name":"ssn","label":"SSN","type":"ssn","required":true,"mapsTo":["lead.notes"]}]`),
		),
	})
	if err == nil || !strings.Contains(fmt.Sprint(err), "kept with the application") {
		t.Errorf("%v", err)
	}
}
