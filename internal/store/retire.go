package store

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
)

// Retirement is a kind of data with limited retention.
type Retirement string

// The kinds of data with limited retention, each counted from the time in its column.
const (
	// IdempotencyAnswers are the stored answers to writes with an Idempotency-Key.
	IdempotencyAnswers Retirement = "idempotency_records"
	// DeliveryLog are deliveries that have ended, with their attempts. Pending deliveries are not part of it.
	DeliveryLog Retirement = "webhook_deliveries"
	// InboundNames are the senders' ids of events, which detect repeats. The events themselves are kept.
	InboundNames Retirement = "inbound_names"
	// RateWindows are the counts of the rate limit.
	RateWindows Retirement = "rate_windows"
	// Sessions are expired sessions of members of staff.
	Sessions Retirement = "sessions"
	// PasswordResets are those with an expired token.
	PasswordResets Retirement = "password_resets"
	// LoginThrottles are counts of failed attempts to sign in.
	LoginThrottles Retirement = "login_throttles"
	// ReadNotifications are those that members of staff have marked as read, counted from then.
	ReadNotifications Retirement = "read_notifications"
	// UnreadNotifications are those not marked as read.
	UnreadNotifications Retirement = "unread_notifications"
)

// Retirements lists them.
var Retirements = []Retirement{
	IdempotencyAnswers, DeliveryLog, InboundNames, RateWindows, Sessions, PasswordResets, LoginThrottles,
	ReadNotifications, UnreadNotifications,
}

// retirements define where to look, oldest first along an index, and how to remove what is found.
var retirements = map[Retirement]struct{ table, where, column, end string }{
	IdempotencyAnswers: {"idempotency_records", "TRUE", "created_at", "DELETE FROM idempotency_records"},
	DeliveryLog:        {"webhook_deliveries", "status <> 'PENDING'", "created_at", "DELETE FROM webhook_deliveries"},
	InboundNames: {
		"inbound_events", "dedupe_key IS NOT NULL", "received_at", "UPDATE inbound_events SET dedupe_key = NULL",
	},
	RateWindows:         {"rate_windows", "TRUE", "began_at", "DELETE FROM rate_windows"},
	Sessions:            {"sessions", "TRUE", "expires_at", "DELETE FROM sessions"},
	PasswordResets:      {"password_resets", "TRUE", "expires_at", "DELETE FROM password_resets"},
	LoginThrottles:      {"login_throttles", "TRUE", "last_at", "DELETE FROM login_throttles"},
	ReadNotifications:   {"notifications", "read_at IS NOT NULL", "read_at", "DELETE FROM notifications"},
	UnreadNotifications: {"notifications", "read_at IS NULL", "created_at", "DELETE FROM notifications"},
}

// RetireAtOnce is the number of rows that a retirement ends per transaction, so that it delays nobody.
const RetireAtOnce = 200

// Retire removes the oldest data before an instant, across tenants, at most RetireAtOnce rows, and skips rows
// that are in use. It extends the lease; held is false, and nothing was done, if the lease is lost.
func (s *Store) Retire(
	ctx context.Context, what Retirement, before time.Time, l *Lease, length time.Duration,
) (n int, held bool, err error) {
	r := retirements[what]
	locking := ""
	if s.dialect == dialect.Postgres {
		locking = "FOR UPDATE SKIP LOCKED"
	}
	query := fmt.Sprintf(`WITH gone AS MATERIALIZED (SELECT id FROM %s WHERE %s AND %[3]s < $1 ORDER BY %[3]s LIMIT %d %s)
		%s WHERE id IN (SELECT id FROM gone) RETURNING 1`, r.table, r.where, r.column, RetireAtOnce, locking, r.end)
	err = s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		n = 0
		var err error
		if held, err = tx.KeepLease(ctx, l, length); err != nil || !held {
			return err
		}
		rows, err := tx.query(ctx, query, before)
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			n++
		}
		return rows.Err()
	})
	if err != nil {
		return 0, held, fmt.Errorf("retire %s: %w", what, err)
	}
	return n, held, nil
}
