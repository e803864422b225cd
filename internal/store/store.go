// Package store opens either database behind one switch, runs transactions, keeps every query and write inside the
// actor's tenant, and holds what little SQL is not Ent's.
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
	queue   *ent.Client // on a pool of its own, see WriteRedoable
	pools   pools
	dialect string
	clock   func() time.Time
	ahead   atomic.Int64 // see MoveClock
}

// Precision is that of every stored time: the wire shows milliseconds, and what it shows is what is stored.
const Precision = time.Millisecond

// Open opens the database at dbURL (see ErrURL for its forms); clock may be nil. It neither creates nor migrates a
// schema; see Migrate.
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

// scoped is an Ent client that keeps every query and write inside the actor's tenant.
func (s *Store) scoped(writer, reader *sql.DB) *ent.Client {
	c := ent.NewClient(ent.Driver(newSplitDriver(s.dialect, writer, reader)))
	c.Intercept(ent.TraverseFunc(scopeQueries), ent.InterceptFunc(rememberLoaded))
	c.Use(s.scopeWrites)
	return c
}

// Now is the present instant, in UTC at the precision that is stored.
func (s *Store) Now() time.Time { return s.clock().UTC().Truncate(Precision) }

// Reader is the client for queries outside of a transaction. It refuses to write.
func (s *Store) Reader() *ent.Client { return s.client }

// IsPostgres reports which of the two databases it is.
func (s *Store) IsPostgres() bool { return s.dialect == dialect.Postgres }

// Ping reports whether the database answers, both pools.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.pools.reader.PingContext(ctx); err != nil {
		return err
	}
	if s.IsPostgres() || s.pools.writer.Stats().InUse > 0 {
		return nil // the one writing connection of SQLite is busy, and so alive
	}
	return s.pools.writer.PingContext(ctx)
}

// Migrations are the migration files of both databases.
func Migrations() fs.FS { return migrationFiles }

// Close closes the pools.
func (s *Store) Close() error {
	return errors.Join(s.pools.reader.Close(), s.pools.writer.Close(), s.pools.queue.Close()) // the same one may close twice
}

// noKeyUpdate keeps others from changing a row, and lets them refer to it: a foreign key's check does not wait for it.
const noKeyUpdate entsql.LockStrength = "NO KEY UPDATE"

// Locked is a predicate that takes a row lock where the database has them; SQLite's transactions are alone anyway.
// Use it as Where(deal.ID(id), store.Locked).
func Locked(s *entsql.Selector) {
	if s.Dialect() == dialect.Postgres {
		s.For(noKeyUpdate)
	}
}

// LockedToDelete is Locked for a row that is to be deleted: nobody can come to refer to it meanwhile, so that what
// depends on it can be counted.
func LockedToDelete(s *entsql.Selector) {
	if s.Dialect() == dialect.Postgres {
		s.ForUpdate()
	}
}

// sqliteForeignKey also knows the refusal to delete what is referred to: SQLite reports that of ON DELETE RESTRICT as a
// trigger's, with the words of a foreign key.
func sqliteForeignKey(err error) bool {
	lite, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	return lite.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY ||
		lite.Code() == sqlite3.SQLITE_CONSTRAINT_TRIGGER && strings.Contains(lite.Error(), "FOREIGN KEY")
}
