package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"testing"

	"paydown/ent"
	"paydown/internal/store"
)

func TestAnswersAreReplacedInTheirTenantAlone(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		id := w.b.rows[ent.TypeApplicationSubmission]
		for _, c := range []struct {
			tenant int
			want   bool
		}{{w.a.id, false}, {w.b.id, true}} {
			err := s.Write(w.b.ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.ReplaceAnswers(ctx, c.tenant, id, json.RawMessage(`{"a":"sealed"}`))
			})
			if err != nil {
				t.Fatal(err)
			}
			row, err := s.Reader().ApplicationSubmission.Get(w.b.ctx, id)
			if err != nil || (string(row.Payload) == `{"a":"sealed"}`) != c.want {
				t.Errorf("tenant %d: %s %v", c.tenant, row.Payload, err)
			}
		}
	})
}
