package store

import (
	"context"
	"database/sql/driver"
	"fmt"
	"time"

	"entgo.io/ent/dialect"
)

// MigrateTo is Migrate with additional migrations at the end, given as pairs of a name and its SQL.
func (s *Store) MigrateTo(ctx context.Context, further ...[2]string) ([]string, error) {
	known, err := migrationsOf(s.dialect)
	if err != nil {
		return nil, err
	}
	for _, m := range further {
		known = append(known, migration{m[0], m[1]})
	}
	return s.migrate(ctx, known)
}

// MigrateThrough is Migrate up to this migration.
func (s *Store) MigrateThrough(ctx context.Context, number int) ([]string, error) {
	known, err := migrationsOf(s.dialect)
	if err != nil {
		return nil, err
	}
	return s.migrate(ctx, known[:number])
}

// Exec runs raw SQL inside the transaction.
func (tx *Tx) Exec(ctx context.Context, query string) error {
	return tx.exec(ctx, query)
}

// RunCheck runs one integrity check.
func (s *Store) RunCheck(ctx context.Context, c Check) (Finding, error) {
	findings, err := s.RunChecks(ctx, []Check{c}, nil)
	if err != nil {
		return Finding{}, err
	}
	return findings[0], nil
}

// SetClock replaces the store's clock.
func SetClock(s *Store, clock func() time.Time) { s.clock = clock }

// Caching wraps a driver's connector in the statement cache.
func Caching(c driver.Connector, finalise bool) driver.Connector {
	return connector{Connector: c, finalise: finalise}
}

// DiskAwaited reports whether the commit of a transaction waits for the disk.
func DiskAwaited(ctx context.Context, tx *Tx) (bool, error) {
	if tx.dialect == dialect.Postgres {
		var setting string
		err := tx.queryRow(ctx, `SELECT current_setting('synchronous_commit')`, nil, &setting)
		return setting != "off", err
	}
	var level int
	err := tx.queryRow(ctx, `PRAGMA synchronous`, nil, &level)
	return level >= 2, err
}

// Limits of the cache.
const (
	CachedStatements = cachedStatements
	MaxCachedArgs    = maxCachedArgs
)

// Fold is the form of a text that both databases compare in a search.
func Fold(text string) string { return fold(text) }

// EventQueueStatements are the SQLite statements that find the events to fan out.
func EventQueueStatements() []string {
	return []string{
		tenantsWaiting + ` SELECT tenant_id FROM waiting WHERE tenant_id IS NOT NULL LIMIT $1 + $2 + $3`,
		fmt.Sprintf(eventsOfTenant, "$1", "$2", "$3"),
	}
}

// Rows returns what a statement reads inside the transaction, as the driver returns it.
func (tx *Tx) Rows(ctx context.Context, query string) ([]map[string]any, error) {
	rows, err := tx.query(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all []map[string]any
	for rows.Next() {
		values, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		row := map[string]any{}
		for i, c := range columns {
			row[c] = values[i]
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
