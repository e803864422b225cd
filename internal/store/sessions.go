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

// TouchSessions moves on when sessions that are in use end of idleness, whichever their tenants, by the ids of the
// sessions. It never moves one back, and wakes none that has ended.
func (s *Store) TouchSessions(ctx context.Context, until map[int]time.Time) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		// One order for everybody, so that two processes cannot wait for each other.
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

// OpenThrottles makes the counts of failed attempts that are not there yet, so that they can be locked.
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
