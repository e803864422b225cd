package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// QueueDepth is how far the engine of deliveries is behind, across tenants.
type QueueDepth struct {
	// Waiting are the deliveries that are not over, those that are being tried among them; Due those whose time has come and
	// that nobody is trying. Events are those that are to be fanned out, Mail the notifications that are to be mailed. None
	// is counted beyond QueueCounted.
	Waiting, Due, Events, Mail int
	// OldestDue is how long the delivery that has been due longest has been so, OldestEvent how long ago the oldest event
	// happened that is to be fanned out; zero where there is none.
	OldestDue, OldestEvent time.Duration
	// Healthy, Failing and Paused count endpoints by their circuit: of those that are on, the last delivery arrived, or it
	// failed; or too many have failed. One that was turned off is none of them.
	Healthy, Failing, Paused int
	// Troubled are endpoints that are failing, the longest streak first, and after them those that are paused, the latest
	// first; at most QueueTroubled.
	Troubled []TroubledEndpoint
}

// TroubledEndpoint is an endpoint that is failing or paused.
type TroubledEndpoint struct {
	ID     int
	Streak int // failed deliveries in a row
	Paused bool
}

// What bounds QueueDepth: neither a backlog nor a wave of failures makes it slow, or its answer long.
const (
	QueueCounted  = 20_000
	QueueTroubled = 100
)

// QueueDepth reads the depth. Every count ends at its bound, and the oldest are found at the head of an index.
func (s *Store) QueueDepth(ctx context.Context) (*QueueDepth, error) {
	waiting, now, err := s.WaitingEndpoints(ctx)
	if err != nil {
		return nil, fmt.Errorf("queue depth: %w", err)
	}
	d := &QueueDepth{}
	for _, w := range waiting {
		d.OldestDue = max(d.OldestDue, now.Sub(w.From))
	}
	for _, part := range []func(context.Context, time.Time, *QueueDepth) error{
		s.countWaiting, s.findOldestEvent, s.countEndpoints, s.listTroubled,
	} {
		if err := part(ctx, now, d); err != nil {
			return nil, fmt.Errorf("queue depth: %w", err)
		}
	}
	return d, nil
}

// counted is a sub-query of at most QueueCounted rows along a partial index, which the order names.
func counted(columns, table, where, order string) string {
	return fmt.Sprintf(`(SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %d) q`, columns, table, where, order, QueueCounted)
}

func (s *Store) countWaiting(ctx context.Context, now time.Time, d *QueueDepth) error {
	err := s.pools.reader.QueryRowContext(ctx, s.bind(`SELECT COUNT(*), COUNT(*) FILTER (WHERE q.next_attempt_at <= $1) FROM `+
		counted("next_attempt_at", "webhook_deliveries", "next_attempt_at IS NOT NULL", "endpoint_id, next_attempt_at, id")),
		now).Scan(&d.Waiting, &d.Due)
	if err != nil {
		return err
	}
	if err := s.pools.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+
		counted("id", "outbox_events", "fanned_out_at IS NULL", "id")).Scan(&d.Events); err != nil {
		return err
	}
	return s.pools.reader.QueryRowContext(ctx, `SELECT COUNT(*) FROM `+
		counted("id", "notifications", "mail_next_at IS NOT NULL", "mail_next_at, id")).Scan(&d.Mail)
}

func (s *Store) findOldestEvent(ctx context.Context, now time.Time, d *QueueDepth) error {
	var at instant
	err := s.pools.reader.QueryRowContext(ctx,
		`SELECT occurred_at FROM outbox_events WHERE fanned_out_at IS NULL ORDER BY id LIMIT 1`).Scan(&at)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	d.OldestEvent = max(0, now.Sub(at.Time))
	return err
}

// troubled are the conditions of endpoints by their circuit.
const (
	soundEndpoint   = "is_active AND failure_streak = 0"
	failingEndpoint = "is_active AND failure_streak > 0"
	pausedEndpoint  = "NOT is_active AND disabled_at IS NOT NULL"
)

func (s *Store) countEndpoints(ctx context.Context, _ time.Time, d *QueueDepth) error {
	return s.pools.reader.QueryRowContext(ctx, `SELECT COUNT(*) FILTER (WHERE `+soundEndpoint+`),
		COUNT(*) FILTER (WHERE `+failingEndpoint+`), COUNT(*) FILTER (WHERE `+pausedEndpoint+`) FROM webhook_endpoints`).
		Scan(&d.Healthy, &d.Failing, &d.Paused)
}

func (s *Store) listTroubled(ctx context.Context, _ time.Time, d *QueueDepth) error {
	rows, err := s.pools.reader.QueryContext(ctx, fmt.Sprintf(`SELECT id, failure_streak, %s FROM webhook_endpoints
		WHERE (%s) OR (%s) ORDER BY is_active DESC, CASE WHEN is_active THEN failure_streak ELSE 0 END DESC, disabled_at DESC, id
		LIMIT %d`, pausedEndpoint, failingEndpoint, pausedEndpoint, QueueTroubled))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e TroubledEndpoint
		if err := rows.Scan(&e.ID, &e.Streak, &e.Paused); err != nil {
			return err
		}
		d.Troubled = append(d.Troubled, e)
	}
	return rows.Err()
}
