package store

import (
	"context"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
)

// Retirement names what is kept for a time only.
type Retirement string

// What is kept for a time only, each counted from the time in its column.
const (
	// IdempotencyAnswers are the stored answers to writes with an Idempotency-Key.
	IdempotencyAnswers Retirement = "idempotency_records"
	// DeliveryLog are deliveries that are over, with their attempts. One that is still to be made is nobody's past.
	DeliveryLog Retirement = "webhook_deliveries"
	// InboundNames are what senders called their events, by which repeats are told. The events themselves are kept.
	InboundNames Retirement = "inbound_names"
	// RateWindows are the counts of the rate limit.
	RateWindows Retirement = "rate_windows"
	// Sessions are those of members of staff, once they cannot be used any more.
	Sessions Retirement = "sessions"
	// PasswordResets are those whose token is not good any more.
	PasswordResets Retirement = "password_resets"
	// LoginThrottles are counts of failed attempts to sign in.
	LoginThrottles Retirement = "login_throttles"
	// ReadNotifications are those that members of staff have marked as read, counted from then.
	ReadNotifications Retirement = "read_notifications"
	// UnreadNotifications are those that nobody has marked.
	UnreadNotifications Retirement = "unread_notifications"
)

// Retirements lists them.
var Retirements = []Retirement{
	IdempotencyAnswers, DeliveryLog, InboundNames, RateWindows, Sessions, PasswordResets, LoginThrottles,
	ReadNotifications, UnreadNotifications,
}

// retirements say where to look, oldest first along an index, and what to do with what is found there.
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

// RetireAtOnce keeps a retirement from holding anybody up: it ends so many rows in a transaction and lets others in.
const RetireAtOnce = 200

// Retire ends the oldest of what is older than an instant, across tenants, at most RetireAtOnce of it, and passes over
// rows that somebody is using. It keeps the lease for a while longer; held is false, and nothing was done, where the
// lease is lost.
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
