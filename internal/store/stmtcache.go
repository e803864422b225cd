package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"strings"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/lib/pq"
)

const (
	cachedStatements = 256 // per connection
	// maxCachedArgs keeps bulk inserts and long IN lists, whose text differs with every length, from flushing the
	// cache. A payment that is posted takes about 80, and 9 more for each further line of its entries.
	maxCachedArgs = 160
)

// connector opens connections that cache their prepared statements: otherwise lib/pq takes two round trips for
// every parameterized query, and SQLite compiles the text each time. The cache belongs to the connection, below
// database/sql, so that it also serves transactions. A statement cannot be evicted while in use, because one
// connection runs one statement at a time.
type connector struct {
	driver.Connector
	// finalise closes a connection's statements before the connection. SQLite needs that: a connection with open
	// statements stays half open, and never merges its write-ahead log into the database. PostgreSQL frees them by
	// itself.
	finalise bool
	// relaxes makes transactions of WriteRedoable not wait for the disk. SQLite is told before each transaction
	// that differs from the one before; on PostgreSQL such transactions have their own connections.
	relaxes bool
}

func (c connector) Connect(ctx context.Context) (driver.Conn, error) {
	inner, err := c.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	conn := &cachingConn{baseConn: inner.(baseConn), finalise: c.finalise, relaxes: c.relaxes}
	conn.statements, err = simplelru.NewLRU(cachedStatements, func(_ string, s driver.Stmt) { _ = s.Close() })
	return conn, err
}

// baseConn is what the connections of both drivers implement.
type baseConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.QueryerContext
	driver.ExecerContext
}

type cachingConn struct {
	baseConn
	statements *simplelru.LRU[string, driver.Stmt]
	finalise   bool
	relaxes    bool
	relaxed    bool // whether commits currently do not wait for the disk
}

type redoableKey struct{}

// BeginTx begins a transaction.
func (c *cachingConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if redoable := ctx.Value(redoableKey{}) != nil; c.relaxes && redoable != c.relaxed {
		// A later commit that waits also writes what a relaxed commit has left unwritten, because its log follows it.
		level := "FULL"
		if redoable {
			level = "NORMAL"
		}
		if _, err := c.baseConn.ExecContext(ctx, "PRAGMA synchronous = "+level, nil); err != nil {
			return nil, err
		}
		c.relaxed = redoable
	}
	return c.baseConn.BeginTx(ctx, opts)
}

// Close closes the connection, and its statements first if required.
func (c *cachingConn) Close() error {
	if c.finalise {
		c.statements.Purge()
	}
	return c.baseConn.Close()
}

// CheckNamedValue forwards the driver's own conversions; database/sql asks the connection for them.
func (c *cachingConn) CheckNamedValue(nv *driver.NamedValue) error {
	if checker, ok := c.baseConn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(nv)
	}
	v, err := driver.DefaultParameterConverter.ConvertValue(nv.Value)
	nv.Value = v
	return err
}

// worthKeeping reports whether a statement is prepared and kept. One without arguments is if it reads or writes
// rows and is a single statement: migrations are many in one text, and PRAGMA, SET, BEGIN, LISTEN and the like are
// not prepared.
func worthKeeping(query string, args int) bool {
	if args > 0 {
		return args <= maxCachedArgs
	}
	query = strings.TrimLeft(query, " \t\r\n")
	verb := query[:max(0, strings.IndexAny(query, " \t\r\n"))]
	switch strings.ToUpper(verb) {
	case "SELECT", "WITH", "INSERT", "UPDATE", "DELETE":
		return !strings.Contains(query, ";")
	}
	return false
}

func (c *cachingConn) prepared(ctx context.Context, query string) (driver.Stmt, error) {
	if s, ok := c.statements.Get(query); ok {
		return s, nil
	}
	s, err := c.PrepareContext(ctx, query)
	if err == nil {
		c.statements.Add(query, s)
	}
	return s, err
}

func (c *cachingConn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	count(ctx, query, args)
	if !worthKeeping(query, len(args)) {
		return c.baseConn.QueryContext(ctx, query, args)
	}
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	rows, err := s.(driver.StmtQueryContext).QueryContext(ctx, args)
	if err != nil {
		c.forget(query, err)
	}
	if stalePlan(err) {
		// Inside a transaction this fails too, and Store.Write starts over.
		if again, failed := c.baseConn.QueryContext(ctx, query, args); failed == nil {
			return again, nil
		}
	}
	return rows, err
}

func (c *cachingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	count(ctx, query, args)
	if !worthKeeping(query, len(args)) {
		return c.baseConn.ExecContext(ctx, query, args)
	}
	s, err := c.prepared(ctx, query)
	if err != nil {
		return nil, err
	}
	result, err := s.(driver.StmtExecContext).ExecContext(ctx, args)
	if err != nil {
		c.forget(query, err)
	}
	return result, err
}

// forget drops a statement that failed. After a schema change it drops all, because others are likely to fail
// next.
func (c *cachingConn) forget(query string, err error) {
	if stalePlan(err) {
		c.statements.Purge()
		return
	}
	c.statements.Remove(query)
}

// stalePlan reports a prepared statement that PostgreSQL can no longer run, because a migration of a newer
// program beside this one has changed the type of a returned column.
func stalePlan(err error) bool {
	pg, ok := errors.AsType[*pq.Error](err)
	return ok && pg.Code == featureNotSupported && pg.Routine == "RevalidateCachedQuery"
}

// Statements counts the SQL statements run under a context, for tests and for the request log.
type Statements struct {
	n atomic.Int64
	// Trace, if set, gets the text of each statement; the caller must ensure that statements do not run
	// concurrently.
	Trace func(query string)
	// Args, if set, also gets the arguments of each statement, as the driver gets them; the same condition
	// applies.
	Args func(query string, args []any)
}

// Count returns the number of statements.
func (s *Statements) Count() int { return int(s.n.Load()) }

type statementsKey struct{}

// Counting counts the statements that run under the returned context.
func Counting(ctx context.Context, s *Statements) context.Context {
	return context.WithValue(ctx, statementsKey{}, s)
}

func count(ctx context.Context, query string, args []driver.NamedValue) {
	if s, ok := ctx.Value(statementsKey{}).(*Statements); ok {
		s.n.Add(1)
		if s.Args != nil {
			values := make([]any, len(args))
			for i, arg := range args {
				values[i] = arg.Value
			}
			s.Args(query, values)
		}
		if s.Trace != nil {
			s.Trace(query)
		}
	}
}
