package e2e

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"

	"paydown/ent/auditentry"
	entdeal "paydown/ent/deal"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/service"
	"paydown/internal/store"
)

// An analysis that waits for a merchant's deal while a newer one is created is attached to the newer one.
func TestAnalysisGoesToTheNewestDeal(t *testing.T) {
	t.Parallel()
	a := apptest.OnPostgres(t) // on SQLite nobody writes meanwhile
	d := booktest.OpenDesk(t, a, "newest.test")
	merchant := d.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "federalId": "98-7654321"}).
		In("merchant")
	for i, target := range []object{{"merchantId": merchant.ID()}, {"ein": "987654321"}} {
		older := d.Post(t, "/deals", object{"merchantId": merchant.ID()}).In("deal")
		release := holdDeal(t, d, older.ID())
		target["source"] = "statement-reader"
		var answer *apptest.Answer
		var err error
		var waits sync.WaitGroup
		waits.Go(func() { answer, err = d.Try(http.MethodPost, "/statement-analysis", target) })
		awaitWaiter(t, a)
		newer := d.Post(t, "/deals", object{"merchantId": merchant.ID()}).In("deal")
		release()
		waits.Wait()
		if err != nil {
			t.Fatal(err)
		}
		got := answer.Want(t, http.StatusCreated).In("statementAnalysis")
		if got.Int("dealId") != newer.ID() || got.Int("version") != 1 {
			t.Errorf("target %d: version %d of deal %d, want version 1 of deal %d",
				i, got.Int("version"), got.Int("dealId"), newer.ID())
		}
	}
}

// holdDeal locks a deal until it is released.
func holdDeal(t *testing.T, d *booktest.Desk, id int) (release func()) {
	t.Helper()
	held, done := make(chan struct{}), make(chan struct{})
	var holder sync.WaitGroup
	holder.Go(func() {
		d.Write(t, func(ctx context.Context, tx *store.Tx) error {
			if _, err := tx.Deal.Query().Where(entdeal.ID(id), store.Locked).Only(ctx); err != nil {
				return err
			}
			close(held)
			<-done
			return nil
		})
	})
	<-held
	return func() { close(done); holder.Wait() }
}

// awaitWaiter returns once a transaction waits for a lock in the database.
func awaitWaiter(t *testing.T, a *apptest.App) {
	t.Helper()
	awaitWaiters(t, a, 1)
}

// awaitWaiters returns once at least n transactions wait for locks in the database.
func awaitWaiters(t *testing.T, a *apptest.App, n int) {
	t.Helper()
	db, err := sql.Open("postgres", a.DB)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	until(t, fmt.Sprintf("%d wait for locks", n), func() (enough bool) {
		err := db.QueryRowContext(t.Context(), `SELECT COUNT(*) >= $1 FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock'`, n).Scan(&enough)
		if err != nil {
			t.Fatal(err)
		}
		return enough
	})
}

func TestAnalysesAtTheSameMoment(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		merchant := f.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
		deal := f.Post(t, "/deals", object{"merchantId": merchant.ID()}).In("deal")
		body := object{"source": "statement-reader"}
		var calls []booktest.Call
		for range 4 {
			calls = append(
				calls,
				booktest.Call{Method: http.MethodPost, Path: booktest.At("deals", deal) + "/statement-analysis", Body: body},
				booktest.Call{
					Method: http.MethodPost,
					Path:   "/statement-analysis",
					Body:   object{"source": "x", "dealId": deal.ID()},
				},
				booktest.Call{
					Method: http.MethodPost,
					Path:   "/statement-analysis",
					Body:   object{"source": "x", "merchantId": merchant.ID()},
				},
			)
		}
		var versions []int
		for _, a := range f.AtOnce(t, calls...) {
			versions = append(versions, a.Want(t, http.StatusCreated).In("statementAnalysis").Int("version"))
		}
		slices.Sort(versions)
		for i, v := range versions {
			if v != i+1 {
				t.Fatalf("the versions are %v", versions)
			}
		}
	})
}

// For settings changed at the same moment, the audit trail shows each change as based on the previous one.
func TestSettingsAtTheSameMoment(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "settings.test")
		zones := []string{"America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles", "America/Anchorage"}
		var all sync.WaitGroup
		errs := make([]error, 2*len(zones))
		for i, zone := range zones {
			all.Go(func() { errs[2*i] = a.Tenants.Set(t.Context(), host, service.SettingTimeZone, zone) })
			all.Go(func() { errs[2*i+1] = a.Tenants.Set(t.Context(), host, service.SettingPolicy, "full") })
		}
		all.Wait()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
		ctx, read := a.Operator(t, host), a.Store.Reader()
		before := "America/New_York"
		entries := read.AuditEntry.Query().Where(auditentry.Action("tenant.update")).Order(auditentry.ByID()).AllX(ctx)
		for _, e := range entries {
			if got := columnIn(t, e.Before, "time_zone"); got != before {
				t.Errorf("entry %d begins with %v, the one before ended with %s", e.ID, got, before)
			}
			before = fmt.Sprint(columnIn(t, e.After, "time_zone"))
		}
		if len(entries) != len(zones) {
			t.Errorf("%d entries, want %d", len(entries), len(zones))
		}
		if err := a.Tenants.Set(t.Context(), host, service.SettingTimeZone, before); err != nil {
			t.Fatal(err)
		}
		if n := read.AuditEntry.Query().Where(auditentry.Action("tenant.update")).CountX(ctx); n != len(zones) {
			t.Error("setting what is set already leaves a trace")
		}
		if n := read.FundingPolicy.Query().CountX(ctx); n != 2 {
			t.Errorf("there are %d policies, although one was adopted again and again", n)
		}
	})
}
