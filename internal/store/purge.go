package store

import (
	"context"
	"fmt"
	"time"
)

// purgeAtOnce keeps a purge from holding anybody up: it deletes so many rows and lets others in.
const purgeAtOnce = 500

// Purge deletes what has outlived its use: idempotency records made before the first instant, and windows of the rate
// limit that began before the second. It reports whether there is more.
func (s *Store) Purge(ctx context.Context, records, windows time.Time) (more bool, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		more = false
		for _, p := range []struct {
			table, column string
			before        time.Time
		}{{"idempotency_records", "created_at", records}, {"rate_windows", "began_at", windows}} {
			var n int
			query := fmt.Sprintf(`WITH gone AS (SELECT id FROM %[1]s WHERE %[2]s < $1 ORDER BY %[2]s LIMIT %[3]d)
				DELETE FROM %[1]s WHERE id IN (SELECT id FROM gone) RETURNING 1`, p.table, p.column, purgeAtOnce)
			rows, err := tx.query(ctx, query, p.before)
			if err != nil {
				return err
			}
			for rows.Next() {
				n++
			}
			if err := rows.Close(); err != nil {
				return err
			}
			more = more || n == purgeAtOnce
		}
		return nil
	})
	return more, err
}
