package store

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"entgo.io/ent/dialect"
)

// Lease is the right to do a job that one process at a time may do. It ends by itself, so that a process that dies with
// it keeps the job from nobody for long. The fence moves with every holder: what one does under an earlier fence is
// refused, however late it notices that its lease has ended.
type Lease struct {
	name  string
	fence int64
}

// TakeLease takes the lease on a job for a while; it is nil where another process holds it.
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

// KeepLease makes the lease last for a while from now, and holds it until the transaction ends. It reports false where
// another process has taken it.
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

// ReleaseLease lets others have the job at once; it does nothing where one has it already.
func (s *Store) ReleaseLease(ctx context.Context, l *Lease) error {
	return s.Write(ctx, func(ctx context.Context, tx *Tx) error {
		now, err := tx.Clock(ctx)
		if err != nil {
			return err
		}
		return tx.exec(ctx, `UPDATE job_leases SET until = $1 WHERE name = $2 AND fence = $3`, now, l.name, l.fence)
	})
}

// Clock is the time that all processes agree on: the database's. On SQLite, which one process serves, it is that of the
// transaction. Whatever several processes schedule by is read here and nowhere else.
func (tx *Tx) Clock(ctx context.Context) (time.Time, error) {
	if tx.dialect == dialect.SQLite {
		return tx.at, nil
	}
	var now time.Time
	err := tx.queryRow(ctx, `SELECT clock_timestamp()`, nil, &now)
	return now.UTC().Add(tx.ahead), err
}

// MoveClock has Clock run ahead by so much, for tests that cannot wait. On SQLite the clock given to Open is moved instead.
func (s *Store) MoveClock(by time.Duration) { s.ahead.Add(int64(by)) }
