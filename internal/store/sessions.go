package store

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"paydown/internal/auth"
)

// TouchSessions extends the idle expiry of sessions in use, across tenants, by session id. It never shortens
// one, and does not revive one that has ended.
func (s *Store) TouchSessions(ctx context.Context, until map[int]time.Time) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		// A fixed order, so that two processes cannot deadlock.
		for _, id := range slices.Sorted(maps.Keys(until)) {
			err := tx.exec(ctx, `UPDATE sessions SET idle_expires_at = $1
				WHERE id = $2 AND revoked_at IS NULL AND idle_expires_at < $1`, until[id], id)
			if err != nil {
				return fmt.Errorf("session %d: %w", id, err)
			}
		}
		return nil
	})
}

// OpenThrottles creates missing counts of failed attempts, so that they can be locked.
func (tx *Tx) OpenThrottles(ctx context.Context, who ...string) error {
	rows := make([]string, len(who))
	args := []any{auth.NoAttempts.Until}
	for i, w := range who {
		args = append(args, w)
		rows[i] = fmt.Sprintf("($%d, 0, $1, $1)", i+2)
	}
	return tx.exec(ctx, `INSERT INTO login_throttles (who, failures, last_at, until) VALUES `+strings.Join(rows, ", ")+
		` ON CONFLICT (who) DO NOTHING`, args...)
}
