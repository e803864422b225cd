package demo_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"paydown/ent"
	"paydown/ent/apikey"
	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/demo"
	"paydown/internal/fault"
	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
)

// anchor is the day that the portfolios of most tests lead up to: a Monday, so that its eve is no banking day.
var anchor = civil.Must("2026-03-16")

// making is what paydown demo would run on the application's database.
func making(t *testing.T, a *apptest.App) demo.Config {
	t.Helper()
	box, err := secret.Open(a.Secret)
	if err != nil {
		t.Fatal(err)
	}
	clock := demo.NewClock(a.Clock.Now)
	db, err := store.Open(a.DB, clock.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	made := service.New(service.Config{Store: db, Secrets: box, Now: clock.Now, History: true})
	return demo.Config{Service: made, Clock: clock, Anchor: anchor, Small: true}
}

func run(t *testing.T, cfg demo.Config) *demo.Result {
	t.Helper()
	result, err := demo.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A small portfolio comes out the same on either database, whether it is made in one go or interrupted again and again;
// once it is there it is left alone.
func TestSmallDemo(t *testing.T) {
	inOneGo := apptest.OnSQLite(t)
	inOneGo.Tenant(t, "funder.test")
	first := command(t, inOneGo, "--small", "--anchor", anchor.String())
	if len(first.Tenants) != 2 || first.Tenants[0].Host != "localhost" ||
		first.Tenants[1].Host != "beacon.localhost" {
		t.Fatalf("the first run made %+v", first)
	}
	want := portfolio(t, inOneGo.Store)

	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		neighbour := a.Client(t, "funder.test")
		interrupt(t, a, 1, 7, 130, 290, 800)
		cfg := making(t, a)
		cfg.Anchor, cfg.Small = anchor.AddDays(30), false // what was begun decides
		made := run(t, cfg)
		if !made.Made || made.Anchor != anchor {
			t.Errorf("going on makes %+v", made)
		}
		// The order of the writes, and so every id but those of ledger entries, is that of a run in one go.
		same(t, "the interrupted demo", want, portfolio(t, a.Store))
		checkSmall(t, a)
		checkIntegrity(t, a)
		for _, tenant := range made.Tenants {
			checkKeys(t, a, tenant)
		}
		if n := len(neighbour.Get(t, "/merchants").List("merchants")); n != 0 {
			t.Errorf("a tenant beside the demo has %d merchants", n)
		}
		checkSecondRun(t, a, made, want)
	})
}

// interrupt begins the demo and stops before each of the given writes.
func interrupt(t *testing.T, a *apptest.App, writes ...int) {
	t.Helper()
	for _, at := range writes {
		ctx, stop := context.WithCancel(t.Context())
		cfg := making(t, a)
		cfg.Progress = func(_ string, writes int) {
			if writes == at {
				stop()
			}
		}
		if _, err := demo.Run(ctx, cfg); err == nil {
			t.Fatalf("a run that is stopped before write %d ends well", at)
		}
		stop()
	}
}

// checkSecondRun holds that a run over what is complete makes fresh keys and nothing else.
func checkSecondRun(t *testing.T, a *apptest.App, first *demo.Result, want []string) {
	t.Helper()
	own := a.NewKey(t, "localhost", service.NewKey{Name: "demo", Kind: auth.Live, Scopes: []string{"*:read"}})
	cfg := making(t, a)
	cfg.Anchor, cfg.Small = civil.Date{}, false
	second := run(t, cfg)
	if second.Made || second.Anchor != anchor {
		t.Errorf("a second run makes %+v", second)
	}
	same(t, "a second run", want, portfolio(t, a.Store))
	fresh := a.Replica(t) // it has no key in memory
	for i, tenant := range second.Tenants {
		checkKeys(t, a, tenant)
		for _, k := range first.Tenants[i].Keys {
			fresh.As(tenant.Host, k.Token).Do(t, http.MethodGet, "/whoami", nil).
				Problem(t, http.StatusUnauthorized, "unauthorized")
		}
	}
	fresh.As("localhost", own.Token).Get(t, "/whoami") // somebody's own key stays, whatever it is called
}

// checkKeys holds that the first key may do everything, the second read everything, and that there are no others.
func checkKeys(t *testing.T, a *apptest.App, tenant demo.Tenant) {
	t.Helper()
	full, reading := a.As(tenant.Host, tenant.Keys[0].Token), a.As(tenant.Host, tenant.Keys[1].Token)
	who := full.Get(t, "/whoami")
	scopes, _ := who["scopes"].([]any)
	if len(scopes) != len(auth.Resources) || who.In("rateLimit").Int("limit") < 1000 || who["kind"] != "LIVE" {
		t.Errorf("the key of %s is %v", tenant.Host, who)
	}
	made := full.Post(t, "/leads", apptest.Object{"businessName": "Try & See LLC"}).In("lead")
	reading.Get(t, fmt.Sprintf("/leads/%d", made.ID()))
	reading.Do(t, http.MethodPost, "/leads", apptest.Object{"businessName": "No LLC"}).
		Problem(t, http.StatusForbidden, "forbidden")
	full.Delete(t, fmt.Sprintf("/leads/%d", made.ID()))
	ctx := a.Operator(t, tenant.Host)
	if n := a.Store.Reader().APIKey.Query().Where(apikey.RevokedAtIsNil(), apikey.PurposeNotNil()).CountX(ctx); n != 2 {
		t.Errorf("%s has %d demo keys that are valid, want 2", tenant.Host, n)
	}
}

func checkIntegrity(t *testing.T, a *apptest.App) {
	t.Helper()
	report, err := a.Integrity.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range report.Checks {
		if !c.OK {
			t.Errorf("%s: %s", c.Name, c.Detail)
		}
	}
}

// portfolio writes out the records that make a portfolio, with their books and their trail.
func portfolio(t *testing.T, db *store.Store) []string {
	t.Helper()
	ctx, read := auth.AllTenants(t.Context(), "test"), db.Reader()
	var lines []string
	lines = append(lines, written(t, read.Merchant.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.MerchantContact.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Lead.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.ISO.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Syndicator.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Deal.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Participation.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.StatementAnalysis.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Payment.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.PayoutItem.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.RenewalOpportunity.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Submission.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.DecisionResult.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Disclosure.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.CreditFacility.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.LocDraw.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.UCCFiling.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.PayoutBatch.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.ApplicationSubmission.Query().AllX(ctx))...)
	lines = append(lines, written(t, read.Communication.Query().AllX(ctx))...)
	journals, postings := read.Journal.Query().Order(ent.Asc("id")).AllX(ctx), read.Posting.Query().AllX(ctx)
	numberJournals(journals, postings)
	lines = append(append(lines, written(t, journals)...), written(t, postings)...)
	events := read.OutboxEvent.Query().Where(outboxevent.EntityNEQ("lead")).AllX(ctx) // the test's own leads come and go
	return append(lines, written(t, events)...)
}

// numberJournals replaces the ids of ledger entries by their order: PostgreSQL reserves ids, and a write that is undone
// leaves a gap.
func numberJournals(journals []*ent.Journal, postings []*ent.Posting) {
	place := map[int]int{}
	for i, j := range journals {
		place[j.ID] = i + 1
	}
	for _, j := range journals {
		j.ID = place[j.ID]
		if j.ReversesID != nil {
			j.ReversesID = new(place[*j.ReversesID])
		}
	}
	for _, p := range postings {
		p.JournalID = place[p.JournalID]
	}
}

func written[E any](t *testing.T, rows []*E) []string {
	t.Helper()
	lines := make([]string, len(rows))
	for i, row := range rows {
		raw, err := json.Marshal(row)
		if err != nil {
			t.Fatal(err)
		}
		var fields any // PostgreSQL keeps the names of an object in an order of its own
		if err := json.Unmarshal(raw, &fields); err != nil {
			t.Fatal(err)
		}
		lines[i] = fmt.Sprintf("%T %v", row, fields)
	}
	slices.Sort(lines)
	return lines
}

func same(t *testing.T, what string, want, got []string) {
	t.Helper()
	differing := 0
	for i := range max(len(want), len(got)) {
		w, g := "nothing", "nothing"
		if i < len(want) {
			w = want[i]
		}
		if i < len(got) {
			g = got[i]
		}
		if w == g {
			continue
		}
		if differing++; differing > 3 {
			t.Fatalf("%s differs in more", what)
		}
		t.Errorf("%s has\n%s\nin the place of\n%s", what, g, w)
	}
}

func TestDemoKeepsOtherTenants(t *testing.T) {
	refused := func(t *testing.T, a *apptest.App) {
		t.Helper()
		before := a.Store.Reader().Tenant.Query().CountX(t.Context())
		_, err := demo.Run(t.Context(), making(t, a))
		if f := fault.As(err); f == nil || f.Code != fault.Conflict {
			t.Fatalf("the demo ends with %v, want a conflict", err)
		}
		if n := a.Store.Reader().Tenant.Query().CountX(t.Context()); n != before {
			t.Errorf("there are %d tenants, want %d", n, before)
		}
	}
	t.Run("a real tenant of the first host", func(t *testing.T) {
		a := apptest.OnSQLite(t)
		a.Tenant(t, "localhost")
		refused(t, a)
	})
	t.Run("a real tenant of the second host", func(t *testing.T) {
		a := apptest.OnSQLite(t)
		a.Tenant(t, "beacon.localhost")
		refused(t, a)
	})
	t.Run("a demo that another version began", func(t *testing.T) {
		a := apptest.OnSQLite(t)
		_, err := a.Tenants.Create(t.Context(), service.NewTenant{
			Name: "Cobblestone Advance", Host: "localhost", Settings: map[string]string{
				"demo": "building", "demoAnchor": anchor.String(), "demoSize": "small", "demoTables": "of old",
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		refused(t, a)
	})
	t.Run("the future", func(t *testing.T) {
		cfg := making(t, apptest.OnSQLite(t))
		cfg.Anchor = civil.Must("2999-01-01")
		if _, err := demo.Run(t.Context(), cfg); fault.As(err) == nil {
			t.Errorf("a history that ends in the future ends with %v", err)
		}
	})
}
