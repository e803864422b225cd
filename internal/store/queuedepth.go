package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// QueueDepth is how far deliveries are behind, across tenants.
type QueueDepth struct {
	// Waiting are the deliveries that have not ended, including those being sent. Due are those that are due and
	// that no process is sending. Events are those to be fanned out, Mail the notifications to be mailed. Each
	// count stops at QueueCounted.
	Waiting, Due, Events, Mail int
	// OldestDue is how long the oldest due delivery has been due, OldestEvent the age of the oldest event to be
	// fanned out; zero if there is none.
	OldestDue, OldestEvent time.Duration
	// Healthy, Failing and Paused count endpoints: active ones whose last delivery arrived, active ones whose last
	// delivery failed, and those paused after too many failures. Endpoints that were turned off are not counted.
	Healthy, Failing, Paused int
	// FailingOrPaused are failing endpoints, those with the longest streak first, followed by paused ones, the latest
	// first; at most MaxUnhealthy.
	FailingOrPaused []UnhealthyEndpoint
}

// UnhealthyEndpoint is a failing or paused endpoint.
type UnhealthyEndpoint struct {
	ID     int
	Streak int // consecutive failed deliveries
	Paused bool
}

// Limits of QueueDepth, so that neither a backlog nor many failures make it slow, or its result long.
const (
	QueueCounted = 20_000
	MaxUnhealthy = 100
)

// QueueDepth reads the depth. Counts stop at their limit, and the oldest are read from the start of an index.
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
		s.countWaiting, s.findOldestEvent, s.countEndpoints, s.listUnhealthy,
	} {
		if err := part(ctx, now, d); err != nil {
			return nil, fmt.Errorf("queue depth: %w", err)
		}
	}
	return d, nil
}

// counted is a subquery of at most QueueCounted rows along a partial index, which the order selects.
func counted(columns, table, where, order string) string {
	return fmt.Sprintf(`(SELECT %s FROM %s WHERE %s ORDER BY %s LIMIT %d) q`, columns, table, where, order, QueueCounted)
}

func (s *Store) countWaiting(ctx context.Context, now time.Time, d *QueueDepth) error {
	err := s.pools.reader.QueryRowContext(ctx, s.bind(`
		SELECT COUNT(*), COUNT(*) FILTER (WHERE q.next_attempt_at <= $1) FROM `+
		counted("next_attempt_at", "webhook_deliveries", "next_attempt_at IS NOT NULL", "endpoint_id, next_attempt_at, id")),
		now).
		Scan(&d.Waiting, &d.Due)
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

// Conditions of endpoints by state.
const (
	healthyEndpoint = "is_active AND failure_streak = 0"
	failingEndpoint = "is_active AND failure_streak > 0"
	pausedEndpoint  = "NOT is_active AND disabled_at IS NOT NULL"
)

func (s *Store) countEndpoints(ctx context.Context, _ time.Time, d *QueueDepth) error {
	return s.pools.reader.QueryRowContext(ctx, `SELECT COUNT(*) FILTER (WHERE `+healthyEndpoint+`),
		COUNT(*) FILTER (WHERE `+failingEndpoint+`), COUNT(*) FILTER (WHERE `+pausedEndpoint+`) FROM webhook_endpoints`).
		Scan(&d.Healthy, &d.Failing, &d.Paused)
}

func (s *Store) listUnhealthy(ctx context.Context, _ time.Time, d *QueueDepth) error {
	rows, err := s.pools.reader.QueryContext(ctx, fmt.Sprintf(`SELECT id, failure_streak, %s FROM webhook_endpoints
		WHERE (%s) OR (%s)
		ORDER BY is_active DESC, CASE WHEN is_active THEN failure_streak ELSE 0 END DESC, disabled_at DESC, id
		LIMIT %d`, pausedEndpoint, failingEndpoint, pausedEndpoint, MaxUnhealthy))
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e UnhealthyEndpoint
		if err := rows.Scan(&e.ID, &e.Streak, &e.Paused); err != nil {
			return err
		}
		d.FailingOrPaused = append(d.FailingOrPaused, e)
	}
	return rows.Err()
}
