package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"entgo.io/ent/dialect"
)

// Lease is the right to run a job that only one process at a time may run. It ends by itself, so that a process
// that dies does not block the job for long. The fence changes with every holder: writes under an earlier fence
// are rejected, however late a holder notices that its lease has ended.
type Lease struct {
	name  string
	fence int64
}

// TakeLease takes the lease of a job for a while; it returns nil if another process holds it.
func (s *Store) TakeLease(ctx context.Context, job, holder string, length time.Duration) (*Lease, error) {
	var lease *Lease
	err := s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		lease = nil
		now, err := tx.Clock(ctx)
		if err != nil {
			return err
		}
		var fence int64
		err = tx.queryRow(ctx, `INSERT INTO job_leases (name, holder, until, fence) VALUES ($1, $2, $3, 1)
			ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until, fence = job_leases.fence + 1
			WHERE job_leases.until <= $4 RETURNING fence`, []any{job, holder, now.Add(length), now}, &fence)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		lease = &Lease{job, fence}
		return err
	})
	if err != nil {
		return nil, err
	}
	return lease, nil
}

// KeepLease extends the lease, and locks it until the transaction ends. It returns false if another process has
// taken it.
func (tx *Tx) KeepLease(ctx context.Context, l *Lease, length time.Duration) (bool, error) {
	now, err := tx.Clock(ctx)
	if err != nil {
		return false, err
	}
	var fence int64
	err = tx.queryRow(ctx, `UPDATE job_leases SET until = $1 WHERE name = $2 AND fence = $3 RETURNING fence`,
		[]any{now.Add(length), l.name, l.fence}, &fence)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ReleaseLease ends the lease, so that others can take it; it does nothing if another process has it already.
func (s *Store) ReleaseLease(ctx context.Context, l *Lease) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		now, err := tx.Clock(ctx)
		if err != nil {
			return err
		}
		return tx.exec(ctx, `UPDATE job_leases SET until = $1 WHERE name = $2 AND fence = $3`, now, l.name, l.fence)
	})
}

// Clock returns the time that all processes agree on: the database's. On SQLite, which serves a single process,
// it is that of the transaction. Whatever several processes schedule must use this clock.
func (tx *Tx) Clock(ctx context.Context) (time.Time, error) {
	if tx.dialect == dialect.SQLite {
		return tx.at, nil
	}
	var now time.Time
	err := tx.queryRow(ctx, `SELECT clock_timestamp()`, nil, &now)
	return now.UTC().Add(tx.ahead), err
}

// MoveClock advances Clock, for tests that cannot wait. On SQLite, advance the clock given to Open instead.
func (s *Store) MoveClock(by time.Duration) { s.ahead.Add(int64(by)) }
