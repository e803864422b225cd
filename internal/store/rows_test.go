package store_test

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	entsql "entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/store"
)

// Rows are read for one tenant, whatever the query narrows them to, and never without one.
func TestRowsKeepToTheirTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		everything := func(*entsql.Selector) {}
		for _, k := range ownedKinds(t) {
			ids := store.NewProjection(k.Table, []string{"tenant_id", "id"})
			seen := 0
			own := func(row store.Row) error {
				seen++
				if row[0] != int64(w.a.id) {
					t.Errorf("%s: a row of tenant %v", k.Name, row[0])
				}
				return nil
			}
			if err := s.Visit(w.a.ctx, ids, everything, own); err != nil || seen == 0 {
				t.Errorf("%s: %d rows, %v", k.Name, seen, err)
			}
			seen = 0
			if found, err := s.VisitByID(w.a.ctx, ids, w.a.rows[k.Name], own); err != nil || !found || seen != 1 {
				t.Errorf("%s: %t, %d rows, %v", k.Name, found, seen, err)
			}
			if found, err := s.VisitByID(w.a.ctx, ids, w.b.rows[k.Name], own); err != nil || found || seen != 1 {
				t.Errorf("%s of another tenant: %t, %v", k.Name, found, err)
			}
			nobody := auth.With(t.Context(), &auth.Actor{Kind: auth.BySystem})
			for _, ctx := range []context.Context{t.Context(), nobody, auth.AllTenants(t.Context(), "of the test")} {
				wantError(t, k.Name+": rows", s.Visit(ctx, ids, everything, own))
				_, err := s.VisitByID(ctx, ids, w.a.rows[k.Name], own)
				wantError(t, k.Name+": a row", err)
			}
		}
	})
}

// A query's conditions, order and limit apply; a visitor's error ends the visit, and the connection stays usable.
func TestRowsAreNarrowedAndVisitedInOrder(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		names := []string{"bb", "aa", "dd", "cc"}
		err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
			for _, name := range names {
				if err := tx.Lead.Create().SetBusinessName("rows " + name).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		leads := store.NewProjection(ent.Records[ent.TypeLead].Table, []string{"business_name", "created_at", "owner_id"})
		narrow := func(sel *entsql.Selector) {
			sel.Where(entsql.And(
				entsql.HasPrefix(sel.C("business_name"), "rows "), entsql.LTE(sel.C("created_at"), time.Now().Add(time.Hour)),
			)).OrderBy(entsql.Desc(sel.C("business_name"))).Limit(3)
		}
		var got []string
		err = s.Visit(w.a.ctx, leads, narrow, func(row store.Row) error {
			got = append(got, strings.TrimPrefix(row[0].(string), "rows "))
			if _, isTime := row[1].(time.Time); !isTime || row[2] != nil {
				t.Errorf("a row is %v", row)
			}
			return nil
		})
		if want := []string{"dd", "cc", "bb"}; err != nil || !slices.Equal(got, want) {
			t.Errorf("visited %v, %v; want %v", got, err, want)
		}
		stop := errors.New("stop")
		for range 40 { // more than there are connections
			if err := s.Visit(w.a.ctx, leads, narrow, func(store.Row) error { return stop }); !errors.Is(err, stop) {
				t.Fatal(err)
			}
		}
		canceled, cancel := context.WithCancel(w.a.ctx)
		cancel()
		err = s.Visit(canceled, leads, narrow, func(store.Row) error { return nil })
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a canceled visit returns %v", err)
		}
	})
}
