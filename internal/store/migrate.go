package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"embed"
	"errors"
	"fmt"
	"strings"

	"entgo.io/ent/dialect"
)

// migrationFiles are the migrations of each database, numbered from 0001 without gaps. `make migration` writes
// the next ones; released ones are never edited. To go back, restore a backup.
//
//go:embed migrations
var migrationFiles embed.FS

// ErrNotMigrated is returned for a database that lacks migrations of this program.
var ErrNotMigrated = errors.New("the database is not migrated: run `paydown migrate`")

// ErrUnknownMigration is returned for a database that a newer program, or one of another branch, has migrated.
var ErrUnknownMigration = errors.New("the database was migrated by a newer program than this one")

type migration struct {
	name string // NUMBER_NAME
	sql  string // any number of statements
}

// Migrate migrates the database to the schema of this program and returns the migrations applied. It is safe to
// run in several processes at once: each migration is applied by one of them, and all return when it is done.
//
// It serves both databases. golang-migrate cannot disable SQLite's foreign keys, without which a table that
// others refer to cannot be rebuilt. A migration and its record commit together, so nothing is ever half
// applied ("dirty"). The price is that a migration cannot contain a statement that PostgreSQL refuses in a
// transaction, such as CREATE INDEX CONCURRENTLY.
func (s *Store) Migrate(ctx context.Context) (applied []string, err error) {
	known, err := migrationsOf(s.dialect)
	if err != nil {
		return nil, err
	}
	return s.migrate(ctx, known)
}

// Pending returns the migrations that Migrate would apply.
func (s *Store) Pending(ctx context.Context) ([]string, error) {
	known, err := migrationsOf(s.dialect)
	if err != nil {
		return nil, err
	}
	present, err := s.present(ctx, s.pools.reader, known)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range known[present:] {
		names = append(names, m.name)
	}
	return names, nil
}

// CheckMigrated returns ErrNotMigrated if a migration is pending, and ErrUnknownMigration like Migrate.
func (s *Store) CheckMigrated(ctx context.Context) error {
	pending, err := s.Pending(ctx)
	if err == nil && len(pending) > 0 {
		return ErrNotMigrated
	}
	return err
}

func migrationsOf(name string) ([]migration, error) {
	dir := "migrations/postgres"
	if name == dialect.SQLite {
		dir = "migrations/sqlite"
	}
	files, err := migrationFiles.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	known := make([]migration, len(files))
	for i, f := range files {
		if !strings.HasPrefix(f.Name(), fmt.Sprintf("%04d_", i+1)) {
			return nil, fmt.Errorf("%s/%s is not migration %d: numbers must be consecutive and unique", dir, f.Name(), i+1)
		}
		text, err := migrationFiles.ReadFile(dir + "/" + f.Name())
		if err != nil {
			return nil, err
		}
		known[i] = migration{strings.TrimSuffix(f.Name(), ".sql"), string(text)}
	}
	return known, nil
}

func (s *Store) migrate(ctx context.Context, known []migration) (applied []string, err error) {
	present, err := s.present(ctx, s.pools.reader, known)
	if err != nil || present == len(known) {
		return nil, err
	}
	conn, err := s.pools.writer.Conn(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	// Discards the connection together with the settings of prepareSQLite.
	defer func() { _ = conn.Raw(func(any) error { return driver.ErrBadConn }) }()
	if s.dialect == dialect.SQLite {
		if _, err := conn.ExecContext(ctx, prepareSQLite); err != nil {
			return nil, fmt.Errorf("migrate: %w", err)
		}
	}
	for {
		name, err := s.applyNext(ctx, conn, known)
		if err != nil {
			return applied, fmt.Errorf("migrate: %w", err)
		}
		if name == "" {
			return applied, nil
		}
		applied = append(applied, name)
	}
}

// Most changes of a SQLite table create it under another name, drop the old one and rename the new one
// (https://www.sqlite.org/lang_altertable.html#otheralter), while rows, foreign keys and triggers of other
// tables still refer to it. Foreign keys cannot be disabled inside a transaction. busy_timeout, in
// milliseconds, waits for another process that migrates.
const prepareSQLite = `PRAGMA foreign_keys = off; PRAGMA legacy_alter_table = on; PRAGMA busy_timeout = 3600000`

// The pool's timeouts must not interrupt a migration. The lock, whose number is arbitrary, is held until the
// transaction ends. On SQLite the transaction itself is such a lock, because it begins as a writing one.
const lockPostgres = `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0;
	SELECT pg_advisory_xact_lock(7298139015)`

const makeHistory = `CREATE TABLE IF NOT EXISTS schema_migrations
	(version integer PRIMARY KEY, name varchar NOT NULL, applied_at timestamptz NOT NULL)`

// applyNext applies the next migration in one transaction and returns its name, or "" if there is none.
func (s *Store) applyNext(ctx context.Context, conn *sql.Conn, known []migration) (name string, err error) {
	tx, err := conn.BeginTx(ctx, nil)
	if err != nil {
		return "", err
	}
	defer func() { _ = tx.Rollback() }()
	if s.dialect == dialect.Postgres {
		if _, err := tx.ExecContext(ctx, lockPostgres); err != nil {
			return "", err
		}
	}
	present, err := s.present(ctx, tx, known)
	if err != nil || present == len(known) {
		return "", err
	}
	next := known[present]
	if _, err := tx.ExecContext(ctx, makeHistory); err != nil {
		return "", err
	}
	if _, err := tx.ExecContext(ctx, next.sql); err != nil {
		return "", fmt.Errorf("%s: %w", next.name, err)
	}
	if s.dialect == dialect.SQLite {
		if err := checkForeignKeys(ctx, tx); err != nil {
			return "", fmt.Errorf("%s: %w", next.name, err)
		}
		if err := stateStatistics(ctx, tx); err != nil {
			return "", fmt.Errorf("%s: %w", next.name, err)
		}
	}
	_, err = tx.ExecContext(ctx, s.bind(`INSERT INTO schema_migrations (version, name, applied_at) VALUES ($1, $2, $3)`),
		present+1, next.name, s.Now())
	if err != nil {
		return "", err
	}
	if err := tx.Commit(); err != nil {
		return "", fmt.Errorf("%s: %w", next.name, err)
	}
	return next.name, nil
}

type rowQuerier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
}

// present returns how many of the known migrations the database has.
func (s *Store) present(ctx context.Context, db rowQuerier, known []migration) (int, error) {
	hasHistory := `SELECT to_regclass('schema_migrations') IS NOT NULL`
	if s.dialect == dialect.SQLite {
		hasHistory = `SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations')`
	}
	var found bool
	if err := db.QueryRowContext(ctx, hasHistory).Scan(&found); err != nil || !found {
		return 0, err
	}
	var version int
	var name string
	err := db.QueryRowContext(ctx, `SELECT version, name FROM schema_migrations ORDER BY version DESC LIMIT 1`).
		Scan(&version, &name)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	if version > len(known) || known[version-1].name != name {
		return 0, fmt.Errorf("%w: %s", ErrUnknownMigration, name)
	}
	return version, nil
}

// checkForeignKeys verifies that a migration did not break references while they were not enforced.
func checkForeignKeys(ctx context.Context, tx *sql.Tx) error {
	var table, parent string
	err := tx.QueryRowContext(ctx, `SELECT "table", parent FROM pragma_foreign_key_check LIMIT 1`).Scan(&table, &parent)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	return fmt.Errorf("it leaves a row of %s without its row of %s", table, parent)
}
