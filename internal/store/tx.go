package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"

	"paydown/ent"
	"paydown/internal/fault"
)

// Tx is an open transaction. Its embedded client is the only way to write.
type Tx struct {
	*ent.Client
	sql       dialect.ExecQuerier
	dialect   string
	at        time.Time
	ahead     time.Duration
	seen      map[record]struct{}
	after     []func()
	deferring *deferringTx // nil on SQLite and outside of a transaction
	// journals are ids of ledger entries that the transaction has reserved and not yet used.
	journals []int
}

// record identifies a record that was found to be the tenant's.
type record struct {
	tenant int
	kind   string
	id     int
}

type txKey struct{}

func fromContext(ctx context.Context) *Tx {
	tx, _ := ctx.Value(txKey{}).(*Tx)
	return tx
}

// At returns the instant of the transaction: every record that it creates or changes gets it.
func (tx *Tx) At() time.Time { return tx.at }

// AfterCommit runs f after the transaction has committed, and never if it does not.
func (tx *Tx) AfterCommit(f func()) { tx.after = append(tx.after, f) }

func (tx *Tx) see(tenant int, kind string, id int) {
	if id != 0 { // 0 for a record that DeferredCreate queued
		tx.seen[record{tenant, kind, id}] = struct{}{}
	}
}

func (tx *Tx) saw(tenant int, kind string, id int) bool {
	_, ok := tx.seen[record{tenant, kind, id}]
	return ok
}

// View reads like a transaction, at the current time, without being one: each query sees what is committed by
// then, and nothing can be written. It is for showing what the rules of a write would decide.
func (s *Store) View() *Tx {
	return &Tx{
		Client: s.client, sql: newSplitDriver(s.dialect, s.pools.writer, s.pools.reader), dialect: s.dialect, at: s.Now(),
		seen: map[record]struct{}{}, ahead: time.Duration(s.ahead.Load()),
	}
}

// attempts limits how often a transaction is tried if the database asks for a retry.
const attempts = 6

// Write runs work in a transaction and commits it. On a serialization failure, a deadlock, or if a record
// vanishes that another one is about to refer to, all of work runs again, a limited number of times. So work
// must have no effect outside of the transaction except through AfterCommit. Everything inside must use the
// context passed to work. Transactions do not nest.
func (s *Store) Write(ctx context.Context, work func(context.Context, *Tx) error) error {
	return s.write(ctx, s.client, work)
}

// WriteRedoable is Write for work that is repeated if it was lost: a commit does not wait for the disk. A crash
// of the PostgreSQL server, or of the machine with SQLite's file, but not of this process, may undo the latest
// of them, but none before a commit of Write. On PostgreSQL it has its own connections, so that callers'
// transactions and these cannot block each other.
func (s *Store) WriteRedoable(ctx context.Context, work func(context.Context, *Tx) error) error {
	return s.write(context.WithValue(ctx, redoableKey{}, true), s.queue, work)
}

func (s *Store) write(ctx context.Context, client *ent.Client, work func(context.Context, *Tx) error) error {
	if fromContext(ctx) != nil {
		return errors.New("store: a transaction inside a transaction")
	}
	var err error
	for attempt := range attempts {
		if attempt > 0 {
			if waitErr := pause(ctx, attempt); waitErr != nil {
				return waitErr
			}
		}
		if err = s.try(ctx, client, work); !retryable(err) {
			return err
		}
	}
	return fmt.Errorf("after %d attempts: %w", attempts, err)
}

func (s *Store) try(ctx context.Context, client *ent.Client, work func(context.Context, *Tx) error) (err error) {
	var deferring *deferringTx
	if s.IsPostgres() {
		deferring = &deferringTx{}
		ctx = context.WithValue(ctx, deferDriver{}, deferring)
	}
	inner, err := client.Tx(ctx)
	if err != nil {
		return fmt.Errorf("begin: %w", err)
	}
	tx := &Tx{
		Client: inner.Client(), sql: inner.SQL(), dialect: s.dialect, at: s.Now(), seen: map[record]struct{}{},
		ahead: time.Duration(s.ahead.Load()), deferring: deferring,
	}
	committed := false
	defer func() {
		if !committed {
			_ = inner.Rollback() // also after a panic, which then continues
		}
	}()
	ctx = context.WithValue(ctx, txKey{}, tx)
	if err := work(ctx, tx); err != nil {
		return err
	}
	if err := tx.RunDeferred(ctx); err != nil {
		return err
	}
	if err := inner.Commit(); err != nil {
		return fmt.Errorf("commit: %w", err)
	}
	committed = true
	for _, f := range tx.after {
		f()
	}
	return nil
}

// pause waits 5 to 10 ms before the second attempt and up to 160 ms before the last.
func pause(ctx context.Context, attempt int) error {
	base := 5 * time.Millisecond << (attempt - 1)
	timer := time.NewTimer(base + rand.N(base)) //nolint:gosec // jitter, not a secret
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// PostgreSQL's codes for errors after which the same transaction may succeed.
const (
	serializationFailure = "40001"
	deadlockDetected     = "40P01"
	featureNotSupported  = "0A000"
)

func retryable(err error) bool {
	pg, ok := errors.AsType[*pq.Error](err)
	if !ok {
		return false
	}
	switch pg.Code {
	case serializationFailure, deadlockDetected:
		return true
	case featureNotSupported:
		return stalePlan(err)
	case foreignKeyViolation:
		// The record existed when work looked it up, and was deleted before work referred to it. On the next attempt
		// work notices, and can say which record it was.
		return fault.As(err) == nil
	default:
		return false
	}
}

// IsBrokenReference reports whether a foreign key refused the write.
func IsBrokenReference(err error) bool { return isForeignKey(err) }

// IsDuplicate reports whether a unique index refused the write.
func IsDuplicate(err error) bool { return ent.IsConstraintError(err) && !isForeignKey(err) }

const foreignKeyViolation = "23503"

func isForeignKey(err error) bool {
	if pg, ok := errors.AsType[*pq.Error](err); ok {
		return pg.Code == foreignKeyViolation
	}
	return sqliteForeignKey(err)
}

// exec and queryRow run raw SQL inside the transaction. Arguments are numbered $1, $2 … on both databases.
func (tx *Tx) exec(ctx context.Context, query string, args ...any) error {
	return tx.sql.Exec(ctx, bind(tx.dialect, query), args, nil)
}

func (tx *Tx) query(ctx context.Context, query string, args ...any) (*entsql.Rows, error) {
	rows := &entsql.Rows{}
	return rows, tx.sql.Query(ctx, bind(tx.dialect, query), args, rows)
}

// queryRow scans the first row; it returns sql.ErrNoRows if there is none.
func (tx *Tx) queryRow(ctx context.Context, query string, args []any, into ...any) error {
	rows, err := tx.query(ctx, query, args...)
	if err != nil {
		return err
	}
	return scanOne(rows, into...)
}

func scanOne(rows *entsql.Rows, into ...any) error {
	defer func() { _ = rows.Close() }()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return sql.ErrNoRows
	}
	if err := rows.Scan(into...); err != nil {
		return err
	}
	return rows.Close()
}

// exists looks a record up and, on PostgreSQL, keeps it from being deleted before the transaction ends, as the
// foreign key that will refer to it does.
func (tx *Tx) exists(ctx context.Context, table string, tenant, id int) (bool, error) {
	// The table's name comes from the schema, never from a caller.
	query := `SELECT 1 FROM ` + table + ` WHERE tenant_id = $1 AND id = $2`
	if tx.dialect == dialect.Postgres {
		query += ` FOR KEY SHARE`
	}
	var one int
	err := tx.queryRow(ctx, query, []any{tenant, id}, &one)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Has reports whether the actor's tenant has that record; name is the name of its Go type in package ent.
func (tx *Tx) Has(ctx context.Context, name string, id int) (bool, error) {
	tenant, err := tenantOf(ctx)
	if err != nil {
		return false, err
	}
	if tx.saw(tenant, name, id) {
		return true, nil
	}
	found, err := tx.exists(ctx, ent.Records[name].Table, tenant, id)
	if found {
		tx.see(tenant, name, id)
	}
	return found, err
}

// NextDealNumber increments the tenant's deal number. It locks the row until the transaction ends, so deals of
// one tenant are created one after the other.
func (tx *Tx) NextDealNumber(ctx context.Context, tenant int) (int, error) {
	var n int
	err := tx.queryRow(ctx, `UPDATE tenants SET last_deal_number = last_deal_number + 1 WHERE id = $1
		RETURNING last_deal_number`, []any{tenant}, &n)
	return n, err
}
