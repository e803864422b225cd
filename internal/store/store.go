// Package store opens either database behind one switch, runs transactions, keeps every query and write inside the
// actor's tenant, and holds what little SQL is not Ent's.
package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"strings"
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
	writer  *sql.DB
	reader  *sql.DB
	dialect string
	clock   func() time.Time
}

// Precision is that of every stored time: the wire shows milliseconds, and what it shows is what is stored.
const Precision = time.Millisecond

// Open opens the database at dbURL (see ErrURL for its forms); clock may be nil. It neither creates nor migrates a
// schema; see Migrate.
func Open(dbURL string, clock func() time.Time) (*Store, error) {
	if clock == nil {
		clock = time.Now
	}
	name, writer, reader, err := open(dbURL)
	if err != nil {
		return nil, err
	}
	s := &Store{writer: writer, reader: reader, dialect: name, clock: clock}
	s.client = ent.NewClient(ent.Driver(newSplitDriver(name, writer, reader)))
	s.client.Intercept(ent.TraverseFunc(scopeQueries), ent.InterceptFunc(rememberLoaded))
	s.client.Use(s.scopeWrites)
	return s, nil
}

// Now is the present instant, in UTC at the precision that is stored.
func (s *Store) Now() time.Time { return s.clock().UTC().Truncate(Precision) }

// Reader is the client for queries outside of a transaction. It refuses to write.
func (s *Store) Reader() *ent.Client { return s.client }

// IsPostgres reports which of the two databases it is.
func (s *Store) IsPostgres() bool { return s.dialect == dialect.Postgres }

// Ping reports whether the database answers, both pools.
func (s *Store) Ping(ctx context.Context) error {
	if err := s.reader.PingContext(ctx); err != nil {
		return err
	}
	if s.writer == s.reader || s.writer.Stats().InUse > 0 {
		return nil // the one writing connection is busy, and so alive
	}
	return s.writer.PingContext(ctx)
}

// Migrations are the migration files of both databases.
func Migrations() fs.FS { return migrationFiles }

// Close closes the pools.
func (s *Store) Close() error {
	err := s.reader.Close()
	if s.writer != s.reader {
		err = errors.Join(err, s.writer.Close())
	}
	return err
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
