package public_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/service"
)

// visitor is a visitor whose browser runs no scripts.
type visitor struct{ *apptest.Client }

func visit(a *apptest.App, host string) visitor { return visitor{a.As(host, "")} }

// wantPage opens a page, which must answer with the status, and returns its text.
func (v visitor) wantPage(t *testing.T, path string, status int) string {
	t.Helper()
	return page(t, v.Do(t, http.MethodGet, path, nil), status)
}

// page returns the text of a page, which must have the status and the policy of all pages.
func page(t *testing.T, answer *apptest.Answer, status int) string {
	t.Helper()
	if answer.Status != status || answer.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		t.Fatalf("%d %s, want %d\n%s", answer.Status, answer.Header.Get("Content-Type"), status, answer.Body)
	}
	policy := answer.Header.Get("Content-Security-Policy")
	for _, directive := range []string{
		"default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'",
	} {
		if !strings.Contains(policy, directive) {
			t.Errorf("the policy is %q, without %s", policy, directive)
		}
	}
	if strings.Contains(policy, "unsafe") || answer.Header.Get("Set-Cookie") != "" ||
		answer.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("%v", answer.Header)
	}
	return string(answer.Body)
}

// submit posts a form.
func (v visitor) submit(t *testing.T, path string, values url.Values) *apptest.Answer {
	t.Helper()
	return v.With("Content-Type", "application/x-www-form-urlencoded").Do(t, http.MethodPost, path, values.Encode())
}

// wantRedirect requires a redirect to a page, and opens it.
func (v visitor) wantRedirect(t *testing.T, answer *apptest.Answer, path string, status int) string {
	t.Helper()
	if answer.Status != http.StatusSeeOther || answer.Header.Get("Location") != path {
		t.Fatalf("%d %s\n%s", answer.Status, answer.Header.Get("Location"), answer.Body)
	}
	return v.wantPage(t, path, status)
}

func contains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in\n%s", part, text)
		}
	}
}

func notContains(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in\n%s", part, text)
		}
	}
}

var ticketIn = regexp.MustCompile(`name="_ticket" value="([^"]*)"`)

// ticketOf returns the ticket of a form's page.
func ticketOf(t *testing.T, page string) string {
	t.Helper()
	found := ticketIn.FindStringSubmatch(page)
	if found == nil {
		t.Fatalf("no ticket in\n%s", page)
	}
	return html.UnescapeString(found[1])
}

// ripe is longer than the minimum time for filling in a form.
const ripe = 3 * time.Second

// everyField asks one question of each type.
const everyField = `[
	{"name":"business","label":"Business <b>","type":"text","required":true,"help":"As on the \"papers\"",
		"mapsTo":["lead.businessName"]},
	{"name":"about","label":"About it","type":"notes","required":false},
	{"name":"email","label":"Email","type":"email","required":true},
	{"name":"phone","label":"Telephone","type":"tel","required":false},
	{"name":"site","label":"Web site","type":"url","required":false},
	{"name":"state","label":"State","type":"state","required":true},
	{"name":"zip","label":"ZIP code","type":"zip","required":false},
	{"name":"ein","label":"EIN","type":"ein","required":false},
	{"name":"amount","label":"How much?","type":"money","required":true},
	{"name":"people","label":"Employees","type":"number","required":false},
	{"name":"since","label":"Since","type":"date","required":false},
	{"name":"use","label":"What for?","type":"choice","required":true,"options":["Stock & more","Rent"]},
	{"name":"consent","label":"I agree to be called","type":"checkbox","required":true}]`

// publish creates a form, and returns its id.
func publish(t *testing.T, a *apptest.App, host, slug string) int {
	t.Helper()
	made, err := a.Forms.Create(a.Operator(t, host), service.FormInput{
		Name: service.Some("Apply here"), Slug: service.Some(slug), Fields: service.Some(json.RawMessage(everyField)),
	})
	if err != nil {
		t.Fatal(err)
	}
	return made.ID
}

// answers are valid answers to everyField.
func answers(ticket string) url.Values {
	return url.Values{
		"_ticket": {ticket}, "_extra": {""}, "business": {" Harbor Bakery "}, "about": {"Two ovens.\r\nMore soon."},
		"email": {"ada@harbor.example"}, "state": {"NY"}, "amount": {"$25,000.50"}, "people": {"1,200"},
		"since": {"2019-04-01"}, "use": {"Stock & more"}, "consent": {"yes"},
	}
}

// received returns the applications received, newest first.
func received(t *testing.T, c *apptest.Client) []apptest.Object {
	t.Helper()
	return c.Get(t, "/applications?sort=id:desc").List("applications")
}

// company is a company with a deal for offers.
type company struct {
	*apptest.Client
	deal, submission string
}

func newCompany(t *testing.T, a *apptest.App, host, state string) *company {
	t.Helper()
	d := &company{Client: a.Client(t, host)}
	legalName := `Harbor <script>alert(1)</script> Bakery`
	merchant := d.Post(t, "/merchants", apptest.Object{"legalName": legalName, "state": state}).In("merchant")
	row := d.Post(t, "/deals", apptest.Object{
		"merchantId": merchant.ID(), "fundedAmount": "40000.00", "factorRate": "1.30", "numberOfPayments": 120,
		"collectionFrequency": "DAILY", "wireFee": "50.00",
	}).In("deal")
	d.deal = fmt.Sprint(row.ID())
	d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "SUBMITTED"})
	found := d.Graph(t, "{ deal(id: "+d.deal+") { submissions { nodes { id } } } }", nil).In("deal")
	d.submission = found.In("submissions").List("nodes")[0].Text("id")
	return d
}

// offer sends an offer, and returns its id and token.
func (d *company) offer(t *testing.T, terms string) (id, token string) {
	t.Helper()
	draft := d.Graph(t, "mutation { it: createApproval(input: {submissionId: "+d.submission+", "+terms+"}) { id } }", nil).
		In("it").
		Text("id")
	return draft, d.Graph(t, "mutation { it: sendOffer(id: "+draft+") { shareToken } }", nil).In("it").Text("shareToken")
}
