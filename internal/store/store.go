// Package store opens either database, runs transactions, confines every query and write to the actor's tenant,
// and contains all SQL that is not Ent's.
package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
	"sync/atomic"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"paydown/ent"
)

// Store is an open database.
type Store struct {
	client  *ent.Client
	queue   *ent.Client // with its own pool, see WriteRedoable
	pools   pools
	dialect string
	clock   func() time.Time
	ahead   atomic.Int64 // see MoveClock
}

// Precision is the precision of every stored time, that of the wire.
const Precision = time.Millisecond

// Open opens the database at dbURL (see ErrURL for its forms); clock may be nil. It neither creates nor
// migrates a schema; see Migrate.
func Open(dbURL string, clock func() time.Time) (*Store, error) {
	if clock == nil {
		clock = time.Now
	}
	name, p, err := open(dbURL)
	if err != nil {
		return nil, err
	}
	s := &Store{pools: p, dialect: name, clock: clock}
	s.client, s.queue = s.scoped(p.writer, p.reader), s.scoped(p.queue, p.reader)
	return s, nil
}

// scoped returns an Ent client that confines every query and write to the actor's tenant.
func (s *Store) scoped(writer, reader *sql.DB) *ent.Client {
	c := ent.NewClient(ent.Driver(newSplitDriver(s.dialect, writer, reader)))
	c.Intercept(ent.TraverseFunc(scopeQueries), ent.InterceptFunc(rememberLoaded))
	c.Use(s.scopeWrites)
	return c
}

// Now returns the current time, in UTC at the stored precision.
func (s *Store) Now() time.Time { return s.clock().UTC().Truncate(Precision) }

// Reader returns the client for queries outside of a transaction. It refuses to write.
func (s *Store) Reader() *ent.Client { return s.client }

// IsPostgres reports which of the two databases it is.
func (s *Store) IsPostgres() bool { return s.dialect == dialect.Postgres }

// Ping checks that both pools of the database respond.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.pools.reader.PingContext(ctx); err != nil {
		return err
	}
	if s.IsPostgres() || s.pools.writer.Stats().InUse > 0 {
		return nil // SQLite's single writing connection is busy, so it works
	}
	return s.pools.writer.PingContext(ctx)
}

// Migrations returns the migration files of both databases.
func Migrations() fs.FS { return migrationFiles }

// Close closes the pools.
func (s *Store) Close() error {
	return errors.Join(s.pools.reader.Close(), s.pools.writer.Close(), s.pools.queue.Close()) // a pool may be closed twice
}

// noKeyUpdate keeps others from changing a row, but not from referring to it: a foreign key's check does not
// wait for it.
const noKeyUpdate entsql.LockStrength = "NO KEY UPDATE"

// Locked is a predicate that takes a row lock on PostgreSQL; SQLite's write transactions are exclusive anyway.
// Use it as Where(deal.ID(id), store.Locked).
func Locked(s *entsql.Selector) {
	if s.Dialect() == dialect.Postgres {
		s.For(noKeyUpdate)
	}
}

// LockedToDelete is Locked for a row that is to be deleted: nobody can start to refer to it meanwhile, so that
// its dependents can be counted.
func LockedToDelete(s *entsql.Selector) {
	if s.Dialect() == dialect.Postgres {
		s.ForUpdate()
	}
}

// sqliteForeignKey also recognizes the refusal to delete a referenced record: SQLite reports ON DELETE RESTRICT
// as a trigger error with the text of a foreign key.
func sqliteForeignKey(err error) bool {
	lite, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	return lite.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY ||
		lite.Code() == sqlite3.SQLITE_CONSTRAINT_TRIGGER && strings.Contains(lite.Error(), "FOREIGN KEY")
}
