package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"

	"paydown/ent"
	"paydown/internal/store"
)

// Every table that may refer to a record is counted, without the rows of other tenants.
func TestDependentsOfARecord(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		for _, c := range []struct {
			asks    *owner
			record  string
			id      int
			without []string
			want    string
		}{
			{w.a, ent.TypeISO, w.a.rows[ent.TypeISO], nil, "[]"}, // of optional references the world has none
			{w.a, ent.TypeFunder, w.a.rows[ent.TypeFunder], nil, "[{submissions 1}]"},
			{w.b, ent.TypeFunder, w.a.rows[ent.TypeFunder], nil, "[]"},
			{w.a, ent.TypeFunder, w.a.rows[ent.TypeFunder], []string{"submissions"}, "[]"},
			{w.a, ent.TypeSubmission, w.a.rows[ent.TypeSubmission], nil, "[{approvals 1}]"},
		} {
			err := s.Write(c.asks.ctx, func(ctx context.Context, tx *store.Tx) error {
				found, err := tx.Dependents(ctx, c.record, c.id, c.without...)
				if got := fmt.Sprint(found); got != c.want {
					t.Errorf("tenant %d asks for what refers to %s %d: %s, want %s", c.asks.id, c.record, c.id, got, c.want)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
			found, err := tx.Dependents(ctx, ent.TypeDeal, w.a.rows[ent.TypeDeal])
			var tables []string
			for _, d := range found {
				tables = append(tables, d.Table)
			}
			for _, table := range []string{"credit_facilities", "disclosures", "participations", "payments", "ucc_filings"} {
				if !slices.Contains(tables, table) {
					t.Errorf("%s are not among what refers to a deal: %v", table, tables)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}
