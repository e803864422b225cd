package portal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/web"
)

// staff is the administrator that browsers sign in as.
const staff = "ada@portal.test"

// browsed tells a story of web/e2e with Chromium, on each database against a company of its own, which prepare fills.
// What prepare returns is what the script is told, besides where to go and who it is: an administrator.
func browsed(
	t *testing.T, script string, prepare func(t *testing.T, a *apptest.App) apptest.Object, options ...apptest.Option,
) {
	t.Helper()
	if _, err := fs.Stat(web.Files(), "index.html"); err != nil {
		t.Fatal("the portal was not built: make portal")
	}
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("there is no chromium: make deps")
	}
	t.Setenv("TZ", "UTC")
	for name, start := range map[string]func(testing.TB, ...apptest.Option) *apptest.App{
		"SQLite": apptest.OnSQLite, "PostgreSQL": apptest.OnPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			a := start(t, append(options, apptest.AllowingLoopback())...)
			address, err := url.Parse(a.HTTP.URL)
			if err != nil {
				t.Fatal(err)
			}
			a.Member(t, a.Tenant(t, "localhost"), staff, "admin")
			told := prepare(t, a)
			maps.Copy(told, apptest.Object{
				"base": "http://localhost:" + address.Port(), "email": staff, "password": apptest.Password, "chromium": chromium,
				"examine": !a.Store.IsPostgres(), // what the pages look like does not depend on the database
			})
			in, err := json.Marshal(told)
			if err != nil {
				t.Fatal(err)
			}
			node := exec.CommandContext(t.Context(), "node", "../../web/e2e/"+script)
			node.Env = append(os.Environ(), "PORTAL="+string(in))
			if said, err := node.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, said)
			}
		})
	}
}

// TestCellsOfCSVExportsAreNoFormulas runs the portal's own code, without a browser.
func TestCellsOfCSVExportsAreNoFormulas(t *testing.T) {
	if said, err := exec.CommandContext(t.Context(), "node", "../../web/e2e/csv.mjs").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

// TestThePortalInABrowser walks through a company that has a record of each kind which the portal shows.
func TestThePortalInABrowser(t *testing.T) { browsed(t, "walk.mjs", walk) }

func walk(t *testing.T, a *apptest.App) apptest.Object {
	t.Helper()
	c := a.As("localhost", a.Key(t, "localhost").Token)
	business := `Harbor <script>window.planted = true</script> Bakery`
	lead := c.Post(t, "/leads", apptest.Object{
		"businessName": business, "notes": "\u202eright to left " + strings.Repeat("wide", 2000), "requestedAmount": "50000",
	}).In("lead").ID()
	c.Post(t, "/leads", apptest.Object{"businessName": `=HYPERLINK("https://evil.test")`})
	merchant := c.Post(t, "/merchants", apptest.Object{"legalName": business + strings.Repeat(" and more", 15), "state": "CA"}).In("merchant").ID()
	deal := c.Post(t, "/deals", apptest.Object{
		"merchantId": merchant, "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 100, "collectionFrequency": "DAILY",
	}).In("deal")
	planted := `<img src="x" onerror="window.planted = true">` + "\u202e\u05e9\u05dc\u05d5\u05dd "
	for mutation, input := range map[string]apptest.Object{
		`mutation($input: NewNote!) { createNote(input: $input) { id } }`: {"dealId": deal.ID(), "body": planted + strings.Repeat("wide", 2400)},
		`mutation($input: NewCommunication!) { logCommunication(input: $input) { id } }`: {
			"dealId": deal.ID(), "channel": "SMS", "direction": "INBOUND", "body": planted + strings.Repeat("long text ", 100),
		},
		`mutation($input: NewStipulation!) { requestStipulation(input: $input) { id } }`: {"dealId": deal.ID(), "title": planted + "a letter"},
	} {
		c.Graph(t, mutation, map[string]any{"input": input})
	}
	c.Post(t, "/payments", apptest.Object{"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "650.00"})
	payout := paysOut(t, a, deal.ID())
	endpoint := c.Post(t, "/webhook-endpoints", apptest.Object{"url": "http://127.0.0.1:9/hooks", "events": []string{"*"}}).In("webhookEndpoint").ID()
	c.Post(t, "/merchants", apptest.Object{"legalName": "Told to the endpoint"})

	form, err := a.Forms.Create(a.Operator(t, "localhost"), service.FormInput{
		Name: service.Some("Application " + planted), Slug: service.Some("apply"), Fields: service.Some(json.RawMessage(`[
			{"name": "businessName", "label": "Business name", "type": "text", "required": true, "mapsTo": ["lead.businessName"]},
			{"name": "kind", "label": "Kind of business", "type": "choice", "required": false, "options": ["LLC", "Sole trader"]}]`)),
	})
	if err != nil {
		t.Fatal(err)
	}

	line := c.Post(t, "/deals", apptest.Object{"merchantId": merchant, "productType": "LOC"}).In("deal")
	syndicator := c.Post(t, "/syndicators", apptest.Object{
		"name": "North Pier " + planted, "notes": planted + strings.Repeat("long text ", 300), "maxPerDeal": "25000.00",
	}).In("syndicator").ID()

	type place struct {
		Path  string `json:"path"`
		Title string `json:"title"`
	}
	dealPath, number := fmt.Sprintf("/deals/%d", deal.ID()), deal.Text("dealNumber")
	routes := map[string]place{
		"dashboard": {"/", "Dashboard"}, "applications": {"/applications", "Applications"}, "leads": {"/leads", "Leads"}, "lead": {fmt.Sprintf("/leads/%d", lead), "Harbor"},
		"merchants": {"/merchants", "Merchants"}, "merchant": {fmt.Sprintf("/merchants/%d", merchant), "Harbor"},
		"deals": {"/deals", "Deals"}, "board": {"/deals?view=board", "Deals"}, "deal": {dealPath, number},
		"payments": {"/payments", "Payments"}, "bounced": {"/payments?tab=bounced", "Payments"},
		"all-payments": {"/payments?tab=all", "Payments"}, "webhooks": {"/settings/webhooks", "Webhooks"},
		"payouts": {"/payouts", "Payouts"}, "payout": {fmt.Sprintf("/payouts/%d", payout), "Payout"}, "renewals": {"/renewals", "Renewals"},
		"deliveries": {"/settings/webhooks?tab=deliveries", "Webhooks"},
		"catalogue":  {"/settings/webhooks?tab=catalogue", "Webhooks"},
		"endpoint":   {fmt.Sprintf("/settings/webhooks/%d", endpoint), "http://127.0.0.1:9/hooks"},
		"keys":       {"/settings/keys", "API keys"}, "nowhere": {"/nowhere", "There is no such page"},
		"notifications": {"/notifications", "Notifications"}, "account": {"/account", "Your account"},
		"company": {"/settings/company", "Company"}, "funding-policy": {"/settings/company?tab=funding", "Company"},
		"underwriting-policy": {"/settings/company?tab=underwriting", "Company"},
		"users":               {"/settings/users", "Users"}, "roles": {"/settings/users?tab=roles", "Users"},
		"user":  {"/settings/users/1", "Ada"},
		"forms": {"/settings/forms", "Application forms"}, "form": {fmt.Sprintf("/settings/forms/%d", form.ID), "Application"},
		"lists": {"/settings/lists", "Lists"}, "declines": {"/settings/lists?tab=declines", "Lists"},
		"stipulation-templates": {"/settings/lists?tab=stipulations", "Lists"},
		"call-ends":             {"/settings/lists?tab=calls", "Lists"}, "return-codes": {"/settings/lists?tab=returns", "Lists"},
		"audit":       {"/settings/audit", "Audit trail"},
		"syndicators": {"/syndicators", "Syndicators"}, "syndicator": {fmt.Sprintf("/syndicators/%d", syndicator), "North Pier"},
		"deal-line": {fmt.Sprintf("/deals/%d?tab=line", line.ID()), line.Text("dealNumber")},
	}
	for _, tab := range []string{
		"payments", "ledger", "submissions", "stipulations", "documents", "underwriting", "disclosures", "signatures", "communications", "history",
		"participations", "filings",
	} {
		routes["deal-"+tab] = place{dealPath + "?tab=" + tab, number}
	}
	if a.Store.IsPostgres() {
		routes = map[string]place{"dashboard": routes["dashboard"], "board": routes["board"], "deal": routes["deal"], "keys": routes["keys"]}
	}
	return apptest.Object{"routes": routes, "business": business}
}

// paysOut puts a payout and an opportunity to renew a deal into the walk's company, with text that nobody should write.
func paysOut(t *testing.T, a *apptest.App, deal int) (payout int) {
	t.Helper()
	err := a.Store.Write(a.Operator(t, "localhost"), func(ctx context.Context, tx *store.Tx) error {
		of := tx.Deal.GetX(ctx, deal)
		batch := tx.PayoutBatch.Create().SetKind(payoutbatch.KindCOMMISSION).SetPeriodFrom(civil.Of(2026, 1, 1)).
			SetPeriodTo(civil.Of(2026, 1, 31)).SetStatus(payoutbatch.StatusAPPROVED).SaveX(ctx)
		broker := tx.ISO.Create().SetName(`Broker <script>window.planted = true</script> ` + strings.Repeat("wide", 30)).SaveX(ctx)
		for _, status := range payoutitem.Status("").Values() {
			tx.PayoutItem.Create().SetBatch(batch).SetDeal(of).SetIso(broker).SetAmount(money.Must("1250.00")).
				SetStatus(payoutitem.Status(status)).SetHeldReason("<b>Their</b> " + strings.Repeat("wide", 30)).SaveX(ctx)
		}
		payout = batch.ID
		return tx.RenewalOpportunity.Create().SetPriorDeal(of).SetMerchantID(of.MerchantID).SetPaidDownPct(money.MustRate("62.5")).
			SetOutstanding(money.Must("24375.00")).Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return payout
}
