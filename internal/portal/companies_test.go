package portal_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/ent/user"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service"
	"paydown/internal/store"
)

// staff is the administrator account of the browsers.
const staff = "ada@portal.test"

// companies creates companies for browser tests. A test sets up through the API what it can; each kind of
// company here is a setup that requires the database, an operator or the clock.
type companies struct {
	app      *apptest.App
	receiver string
	made     int
	paidDown []apptest.Object
}

// paidDownCompanies is the number of tests that use this kind of company: their clock moves for all companies
// at once.
const paidDownCompanies = 6

// month is longer than any month.
const month = 32 * 24 * time.Hour

func newCompanies(t *testing.T, a *apptest.App) *companies {
	t.Helper()
	c := &companies{app: a, receiver: apptest.NewReceiver(t, nil).URL + "/hooks"}
	// Payments are held for days, and a commission is safe after a month; tests cannot move the browser's clock.
	a.AdvanceAll(-month)
	for range paidDownCompanies {
		c.paidDown = append(c.paidDown, c.company(t, []string{"accounting"}, paidDown))
	}
	a.AdvanceAll(month)
	return c
}

// make creates a company of a kind, with an administrator and a member of each role. It returns what its test
// needs to know.
func (c *companies) make(t *testing.T, kind string, roles []string) apptest.Object {
	t.Helper()
	if kind == "paid-down" {
		if len(c.paidDown) == 0 {
			t.Fatal("too few companies that are paid down: raise paidDownCompanies")
		}
		first := c.paidDown[0]
		c.paidDown = c.paidDown[1:]
		return first
	}
	kinds := map[string]func(*testing.T, *companies, string, *apptest.Client) apptest.Object{
		"empty": empty, "strict": strict, "notified": notified, "everything": everything,
	}
	fill := kinds[kind]
	if fill == nil {
		t.Fatalf("there is no kind of company %q", kind)
	}
	return c.company(t, roles, fill)
}

func (c *companies) company(
	t *testing.T, roles []string, fill func(*testing.T, *companies, string, *apptest.Client) apptest.Object,
) apptest.Object {
	t.Helper()
	c.made++
	host := fmt.Sprintf("c%d.localhost", c.made)
	c.app.Tenant(t, host)
	members := apptest.Object{"admin": apptest.Object{"id": c.app.Member(t, host, staff, "admin"), "email": staff}}
	for _, role := range roles {
		email := role + "@portal.test"
		members[role] = apptest.Object{"id": c.app.Member(t, host, email, role), "email": email}
	}
	key := c.app.Key(t, host).Token
	told := apptest.Object{
		"host": host, "members": members, "password": apptest.Password, "key": key, "receiver": c.receiver,
	}
	maps.Copy(told, apptest.Object{"data": fill(t, c, host, c.app.As(host, key))})
	return told
}

// empty has only its members and a key.
func empty(*testing.T, *companies, string, *apptest.Client) apptest.Object { return apptest.Object{} }

// strict has every funding block on.
func strict(t *testing.T, c *companies, host string, _ *apptest.Client) apptest.Object {
	t.Helper()
	if err := c.app.Tenants.Set(context.Background(), host, service.SettingPolicy, "full"); err != nil {
		t.Fatal(err)
	}
	return apptest.Object{}
}

// notified has an endpoint, and a notification about it for the administrator.
func notified(t *testing.T, c *companies, host string, api *apptest.Client) apptest.Object {
	t.Helper()
	endpoint := api.Post(t, "/webhook-endpoints", apptest.Object{"url": c.receiver, "events": []string{"*"}}).
		In("webhookEndpoint").
		ID()
	c.write(t, host, func(ctx context.Context, tx *store.Tx) error {
		admin, err := tx.User.Query().Where(user.Email(staff)).Only(ctx)
		if err != nil {
			return err
		}
		return tx.Notification.Create().SetUserID(admin.ID).SetKind("webhook.paused").SetTitle("An endpoint is paused").
			SetBody("Find out why its receiver does not answer.").SetEntity("webhookEndpoint").SetEntityID(endpoint).Exec(ctx)
	})
	return apptest.Object{"endpoint": endpoint}
}

// paidDown has a deal whose broker has earned a commission and whose syndicator is owed three shares, and
// another deal that is also renewable. It must be created a month before use.
func paidDown(t *testing.T, c *companies, _ string, api *apptest.Client) apptest.Object {
	t.Helper()
	today := c.app.Clock.Now().UTC()
	broker := api.Post(t, "/isos", apptest.Object{"name": "Bridge Capital Brokers"}).In("iso").ID()
	syndicator := api.Post(t, "/syndicators", apptest.Object{"name": "Bayview Income Partners LP"}).In("syndicator").ID()
	api.Graph(
		t, `mutation($id: ID!) { depositToWallet(id: $id, input: {amount: "30000"}) { id } }`,
		map[string]any{"id": syndicator},
	)
	shared := pricedDeal(t, api, "Harbor Street Bakery LLC", apptest.Object{
		"isoId": broker, "commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10",
	})
	api.Graph(t, `mutation($input: NewParticipation!) { createParticipation(input: $input) { id } }`, map[string]any{
		"input": apptest.Object{"dealId": shared.ID(), "syndicatorId": syndicator, "percent": "40"},
	})
	other := pricedDeal(t, api, "Juniper Auto Glass LLC", nil)
	for _, deal := range []apptest.Object{shared, other} {
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			api.Patch(t, fmt.Sprintf("/deals/%d", deal.ID()), apptest.Object{"state": state})
		}
		for range 3 {
			api.Post(t, "/payments", apptest.Object{
				"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "12000.00", "status": "PAID",
			})
		}
	}
	return apptest.Object{
		"shared": shared.Text("dealNumber"), "other": other.Text("dealNumber"),
		"from": today.AddDate(0, 0, -3).Format(time.DateOnly), "to": today.AddDate(0, 0, 3).Format(time.DateOnly),
	}
}

// pricedDeal creates a deal of 50,000 for 65,000 of a merchant of that name.
func pricedDeal(t *testing.T, api *apptest.Client, merchant string, also apptest.Object) apptest.Object {
	t.Helper()
	made := api.Post(t, "/merchants", apptest.Object{"legalName": merchant, "state": "NY"}).In("merchant")
	terms := apptest.Object{
		"merchantId": made.ID(), "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 126,
		"collectionFrequency": "DAILY",
	}
	maps.Copy(terms, also)
	return api.Post(t, "/deals", terms).In("deal")
}

// everything has a record of each kind that the portal shows, with text that looks like markup and words wider
// than a screen. It returns the address and the title of each page.
func everything(t *testing.T, c *companies, host string, api *apptest.Client) apptest.Object {
	t.Helper()
	business := `Harbor <script>window.planted = true</script> Bakery`
	lead := api.Post(t, "/leads", apptest.Object{
		"businessName": business, "notes": "\u202eright to left " + strings.Repeat("wide", 2000), "requestedAmount": "50000",
	}).In("lead").ID()
	api.Post(t, "/leads", apptest.Object{"businessName": `=HYPERLINK("https://evil.test")`})
	named := apptest.Object{"legalName": business + strings.Repeat(" and more", 15), "state": "CA"}
	merchant := api.Post(t, "/merchants", named).In("merchant").ID()
	deal := api.Post(t, "/deals", apptest.Object{
		"merchantId": merchant, "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 100,
		"collectionFrequency": "DAILY",
	}).In("deal")
	planted := `<img src="x" onerror="window.planted = true">` + "\u202e\u05e9\u05dc\u05d5\u05dd "
	for mutation, input := range map[string]apptest.Object{
		`mutation($input: NewNote!) { createNote(input: $input) { id } }`: {
			"dealId": deal.ID(), "body": planted + strings.Repeat("wide", 2400),
		},
		`mutation($input: NewCommunication!) { logCommunication(input: $input) { id } }`: {
			"dealId": deal.ID(), "channel": "SMS", "direction": "INBOUND", "body": planted + strings.Repeat("long text ", 100),
		},
		`mutation($input: NewStipulation!) { requestStipulation(input: $input) { id } }`: {
			"dealId": deal.ID(), "title": planted + "a letter",
		},
	} {
		api.Graph(t, mutation, map[string]any{"input": input})
	}
	api.Post(t, "/payments", apptest.Object{"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "650.00"})
	payout := c.paysOut(t, host, deal.ID())
	endpoint := api.Post(t, "/webhook-endpoints", apptest.Object{"url": "http://127.0.0.1:9/hooks", "events": []string{"*"}}).
		In("webhookEndpoint").
		ID()
	api.Post(t, "/merchants", apptest.Object{"legalName": "Told to the endpoint"})
	form, err := c.app.Forms.Create(c.app.Operator(t, host), service.FormInput{
		Name: service.Some("Application " + planted), Slug: service.Some("apply"), Fields: service.Some(json.RawMessage(`[
			{"name": "businessName", "label": "Business name", "type": "text", "required": true,
				"mapsTo": ["lead.businessName"]},
			{"name": "kind", "label": "Kind of business", "type": "choice", "required": false,
				"options": ["LLC", "Sole trader"]}]`)),
	})
	if err != nil {
		t.Fatal(err)
	}
	line := api.Post(t, "/deals", apptest.Object{"merchantId": merchant, "productType": "LOC"}).In("deal")
	syndicator := api.Post(t, "/syndicators", apptest.Object{
		"name": "North Pier " + planted, "notes": planted + strings.Repeat("long text ", 300), "maxPerDeal": "25000.00",
	}).In("syndicator").ID()
	return apptest.Object{
		"lead": lead, "merchant": merchant, "deal": deal.ID(), "number": deal.Text("dealNumber"), "payout": payout,
		"endpoint": endpoint,
		"form":     form.ID, "line": line.ID(), "lineNumber": line.Text("dealNumber"), "syndicator": syndicator,
	}
}

// paysOut creates a payout with an item of each status, and an opportunity to renew a deal.
func (c *companies) paysOut(t *testing.T, host string, deal int) (payout int) {
	t.Helper()
	c.write(t, host, func(ctx context.Context, tx *store.Tx) error {
		of := tx.Deal.GetX(ctx, deal)
		batch := tx.PayoutBatch.Create().SetKind(payoutbatch.KindCOMMISSION).SetPeriodFrom(civil.Of(2026, 1, 1)).
			SetPeriodTo(civil.Of(2026, 1, 31)).SetStatus(payoutbatch.StatusAPPROVED).SaveX(ctx)
		broker := tx.ISO.Create().
			SetName(`Broker <script>window.planted = true</script> ` + strings.Repeat("wide", 30)).
			SaveX(ctx)
		for _, status := range payoutitem.Status("").Values() {
			tx.PayoutItem.Create().SetBatch(batch).SetDeal(of).SetIso(broker).SetAmount(money.Must("1250.00")).
				SetStatus(payoutitem.Status(status)).SetHeldReason("<b>Their</b> " + strings.Repeat("wide", 30)).SaveX(ctx)
		}
		payout = batch.ID
		return tx.RenewalOpportunity.Create().
			SetPriorDeal(of).
			SetMerchantID(of.MerchantID).
			SetPaidDownPct(money.MustRate("62.5")).
			SetOutstanding(money.Must("24375.00")).
			Exec(ctx)
	})
	return payout
}

// write writes to a company's records directly.
func (c *companies) write(t *testing.T, host string, work func(ctx context.Context, tx *store.Tx) error) {
	t.Helper()
	if err := c.app.Store.Write(c.app.Operator(t, host), work); err != nil {
		t.Fatal(err)
	}
}
