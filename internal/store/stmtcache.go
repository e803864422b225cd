package store

import (
	"context"
	"database/sql/driver"
	"errors"
	"sync/atomic"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/lib/pq"
)

const (
	cachedStatements = 256 // per connection
	// maxCachedArgs keeps bulk inserts and long IN lists, whose text differs with every length, from flushing the cache.
	maxCachedArgs = 80
)

// connector opens connections that keep their prepared statements: lib/pq otherwise takes two round trips for every
// parameterised query, and SQLite compiles the text each time. The cache sits on the connection itself, below
// database/sql, so that it serves transactions too and a statement can never be evicted while in use: one
// connection runs one statement at a time.
type connector struct {
	driver.Connector
	// finalise has a connection's statements closed before it. SQLite needs that: a connection with open statements stays
	// half open, and never folds its write-ahead log into the database. PostgreSQL frees them by itself.
	finalise bool
	// relaxes has transactions of WriteRedoable not wait for the disk. SQLite is told before each that is otherwise than the
	// one before; on PostgreSQL they have connections of their own.
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

// baseConn is what both drivers' connections offer.
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
	relaxed    bool // whether commits do not wait for the disk at present
}

type redoableKey struct{}

// BeginTx begins a transaction.
func (c *cachingConn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if redoable := ctx.Value(redoableKey{}) != nil; c.relaxes && redoable != c.relaxed {
		// What a relaxed commit has left unwritten is written with the next that waits, whose log comes after it.
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

// Close closes the connection, its statements first where they have to be.
func (c *cachingConn) Close() error {
	if c.finalise {
		c.statements.Purge()
	}
	return c.baseConn.Close()
}

// CheckNamedValue passes the driver's own conversions on; database/sql asks the connection for them.
func (c *cachingConn) CheckNamedValue(nv *driver.NamedValue) error {
	if checker, ok := c.baseConn.(driver.NamedValueChecker); ok {
		return checker.CheckNamedValue(nv)
	}
	v, err := driver.DefaultParameterConverter.ConvertValue(nv.Value)
	nv.Value = v
	return err
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
	if len(args) == 0 || len(args) > maxCachedArgs {
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
		// Inside a transaction this fails as well, and Store.Write begins anew.
		if again, failed := c.baseConn.QueryContext(ctx, query, args); failed == nil {
			return again, nil
		}
	}
	return rows, err
}

func (c *cachingConn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	count(ctx, query, args)
	if len(args) == 0 || len(args) > maxCachedArgs {
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

// forget drops a statement that failed. Where that is for a change of the schema, others are likely to fail next.
func (c *cachingConn) forget(query string, err error) {
	if stalePlan(err) {
		c.statements.Purge()
		return
	}
	c.statements.Remove(query)
}

// stalePlan reports a prepared statement that PostgreSQL cannot run any more: a migration, of a newer program that runs
// beside this one, has changed the type of a column that it returns.
func stalePlan(err error) bool {
	pg, ok := errors.AsType[*pq.Error](err)
	return ok && pg.Code == featureNotSupported && pg.Routine == "RevalidateCachedQuery"
}

// Statements counts the SQL statements run under a context, for tests and for the request log.
type Statements struct {
	n atomic.Int64
	// Trace, where set, sees the text of each; it is called from one goroutine at a time only if the caller sees to it.
	Trace func(query string)
	// Args, where set, sees the values of each as well, as the driver does; what Trace relies on holds for it too.
	Args func(query string, args []any)
}

// Count is how many there were.
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
