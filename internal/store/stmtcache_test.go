package store_test

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/lib/pq"
	"modernc.org/sqlite"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/store"
)

// watched is a connector that records what its connections prepare.
type watched struct {
	connect  func() (driver.Conn, error)
	mu       sync.Mutex
	prepared map[string]int
	closed   int
}

func (w *watched) Connect(context.Context) (driver.Conn, error) {
	c, err := w.connect()
	if err != nil {
		return nil, err
	}
	return &watchedConn{c.(driverConn), w}, nil
}

func (w *watched) Driver() driver.Driver { return nil }

func (w *watched) times(query string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.prepared[query]
}

// driverConn is what the cache needs of a driver's connection.
type driverConn interface {
	driver.Conn
	driver.ConnPrepareContext
	driver.ConnBeginTx
	driver.Pinger
	driver.SessionResetter
	driver.Validator
	driver.QueryerContext
	driver.ExecerContext
}

type watchedConn struct {
	driverConn
	*watched
}

func (c *watchedConn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	s, err := c.driverConn.PrepareContext(ctx, query)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.prepared[query]++
	return &watchedStmt{s, c.watched}, nil
}

type watchedStmt struct {
	driver.Stmt
	*watched
}

func (s *watchedStmt) Close() error {
	s.mu.Lock()
	s.closed++
	s.mu.Unlock()
	return s.Stmt.Close()
}

func (s *watchedStmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.Stmt.(driver.StmtQueryContext).QueryContext(ctx, args)
}

func (s *watchedStmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.Stmt.(driver.StmtExecContext).ExecContext(ctx, args)
}

// onCache runs a test on a pool of n connections with the cache, over a table with three rows.
func onCache(t *testing.T, connections int, test func(t *testing.T, db *sql.DB, w *watched)) {
	t.Helper()
	for kind, connect := range map[string]func(t *testing.T) func() (driver.Conn, error){
		"SQLite": func(t *testing.T) func() (driver.Conn, error) {
			dsn := filepath.Join(t.TempDir(), "test.db") + "?_pragma=busy_timeout(10000)"
			return func() (driver.Conn, error) { return (&sqlite.Driver{}).Open(dsn) }
		},
		"PostgreSQL": func(t *testing.T) func() (driver.Conn, error) {
			dbURL := apptest.PostgresURL(t)
			return func() (driver.Conn, error) { return pq.Open(dbURL) }
		},
	} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			w := &watched{connect: connect(t), prepared: map[string]int{}}
			db := sql.OpenDB(store.Caching(w, kind == "SQLite"))
			t.Cleanup(func() { _ = db.Close() })
			db.SetMaxOpenConns(connections)
			db.SetMaxIdleConns(connections)
			mustExec(t, db, `CREATE TABLE things (id integer PRIMARY KEY, name varchar(100) NOT NULL)`)
			mustExec(t, db, `INSERT INTO things VALUES (1, 'one'), (2, 'two'), (3, 'three')`)
			test(t, db, w)
		})
	}
}

type querier interface {
	QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

const byID = `SELECT name FROM things WHERE id = $1`

func name(t *testing.T, on querier, query string, id int) string {
	t.Helper()
	var got string
	if err := on.QueryRowContext(t.Context(), query, id).Scan(&got); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return got
}

func TestStatementsArePreparedOnce(t *testing.T) {
	t.Parallel()
	onCache(t, 1, func(t *testing.T, db *sql.DB, w *watched) {
		const rename, all = `UPDATE things SET name = $1 WHERE id = $2`, `SELECT count(*) FROM things`
		for range 3 {
			if name(t, db, byID, 1) != "one" || name(t, db, byID, 3) != "three" {
				t.Error("another row is read")
			}
			tx, err := db.BeginTx(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			if name(t, tx, byID, 1) != "one" {
				t.Error("another row is read inside a transaction")
			}
			if _, err := tx.ExecContext(t.Context(), rename, "deux", 2); err != nil {
				t.Error(err)
			}
			if err := tx.Rollback(); err != nil {
				t.Error(err)
			}
			if _, err := db.ExecContext(t.Context(), rename, "zwei", 2); err != nil {
				t.Error(err)
			}
			var n int
			if err := db.QueryRowContext(t.Context(), all).Scan(&n); err != nil || n != 3 {
				t.Errorf("%d things: %v", n, err)
			}
		}
		if w.times(byID) != 1 || w.times(rename) != 1 || w.times(all) != 1 {
			t.Errorf("prepared %v", w.prepared)
		}
		if name(t, db, byID, 2) != "zwei" {
			t.Error("a write is lost")
		}
	})
}

func TestStatementsArePreparedPerConnection(t *testing.T) {
	t.Parallel()
	const connections = 3
	onCache(t, connections, func(t *testing.T, db *sql.DB, w *watched) {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				for i := range 100 {
					id := i%3 + 1
					var got string
					err := db.QueryRowContext(t.Context(), byID, id).Scan(&got)
					if err != nil || got != []string{"one", "two", "three"}[i%3] {
						t.Errorf("thing %d is %s: %v", id, got, err)
						return
					}
				}
			})
		}
		wg.Wait()
		if n := w.times(byID); n < 1 || n > connections {
			t.Errorf("prepared %d times on %d connections", n, connections)
		}
	})
}

func TestStatementsOfManyArgumentsAreNotKept(t *testing.T) {
	t.Parallel()
	onCache(t, 1, func(t *testing.T, db *sql.DB, w *watched) {
		for _, n := range []int{store.MaxCachedArgs, store.MaxCachedArgs + 1, 2000} {
			places, args := make([]string, n), make([]any, n)
			for i := range n {
				places[i], args[i] = fmt.Sprintf("$%d", i+1), i
			}
			query := `SELECT count(*) FROM things WHERE id IN (` + strings.Join(places, ", ") + `)`
			for range 2 {
				var found int
				if err := db.QueryRowContext(t.Context(), query, args...).Scan(&found); err != nil || found != 3 {
					t.Errorf("%d arguments find %d things: %v", n, found, err)
				}
			}
			want := 1
			if n > store.MaxCachedArgs {
				want = 0
			}
			if got := w.times(query); got != want {
				t.Errorf("a query of %d arguments is prepared %d times, want %d", n, got, want)
			}
		}
	})
}

func TestStatementCacheEviction(t *testing.T) {
	t.Parallel()
	onCache(t, 1, func(t *testing.T, db *sql.DB, w *watched) {
		const more = store.CachedStatements + 50
		other := func(i int) string { return fmt.Sprintf(`SELECT name FROM things WHERE id = $1 AND %d = %d`, i, i) }
		for range 2 { // by the second time none of them is left
			for i := range more {
				if name(t, db, other(i), 2) != "two" || name(t, db, byID, 1) != "one" {
					t.Fatal("another row is read")
				}
			}
		}
		if w.times(byID) != 1 {
			t.Errorf("what is used most is prepared %d times", w.times(byID))
		}
		if first := w.times(other(0)); first != 2 {
			t.Errorf("what was used longest ago is prepared %d times, want 2", first)
		}
		if open := len(w.prepared) + more - w.closed; open != store.CachedStatements {
			t.Errorf("%d statements are kept, want %d", open, store.CachedStatements)
		}
	})
}

func TestStatementsSurviveTheirErrors(t *testing.T) {
	t.Parallel()
	onCache(t, 1, func(t *testing.T, db *sql.DB, _ *watched) {
		const insert = `INSERT INTO things (id, name) VALUES ($1, $2)`
		for range 3 {
			if _, err := db.ExecContext(t.Context(), insert, 1, "uno"); err == nil {
				t.Error("a duplicate is taken")
			}
		}
		if _, err := db.ExecContext(t.Context(), insert, 4, "four"); err != nil || name(t, db, byID, 4) != "four" {
			t.Error(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := db.QueryRowContext(ctx, byID, 1).Scan(new(string)); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if name(t, db, byID, 1) != "one" {
			t.Error("another row is read")
		}
	})
}

func TestStatementsSurviveAChangeOfTheSchema(t *testing.T) {
	t.Parallel()
	onCache(t, 2, func(t *testing.T, db *sql.DB, _ *watched) {
		const whole = `SELECT * FROM things WHERE id = $1`
		// A statement of this connection; the schema changes on another.
		conn, err := db.Conn(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = conn.Close() }()
		columns := func() int {
			t.Helper()
			rows, err := conn.QueryContext(t.Context(), whole, 1)
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = rows.Close() }()
			names, err := rows.Columns()
			if err != nil || !rows.Next() {
				t.Fatalf("%v, %v", err, rows.Err())
			}
			return len(names)
		}
		if n := columns(); n != 2 || name(t, conn, byID, 1) != "one" {
			t.Errorf("%d columns, want 2", n)
		}
		mustExec(t, db, `ALTER TABLE things ADD COLUMN size integer`)
		if n := columns(); n != 3 || name(t, conn, byID, 1) != "one" {
			t.Errorf("%d columns, want 3", n)
		}
		if _, err := db.ExecContext(t.Context(), `ALTER TABLE things ALTER COLUMN name TYPE text`); err != nil &&
			!strings.Contains(err.Error(), "syntax") {
			t.Fatal(err) // SQLite recreates the table instead
		}
		if name(t, conn, byID, 1) != "one" || columns() != 3 {
			t.Error("another row is read")
		}
		mustExec(t, db, `DROP TABLE things`)
		mustExec(t, db, `CREATE TABLE things (name bigint NOT NULL, id bigint PRIMARY KEY)`)
		mustExec(t, db, `INSERT INTO things VALUES (111, 1)`)
		if got := name(t, conn, byID, 1); got != "111" || columns() != 2 {
			t.Errorf("the row reads %s", got)
		}
	})
}

// In a transaction PostgreSQL aborts the transaction on a stale statement: it runs again.
func TestTransactionsSurviveAChangeOfTheSchema(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		begun := 0
		read := func() {
			t.Helper()
			begun = 0
			err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
				begun++
				for _, k := range []string{ent.TypeLead, ent.TypeMerchant} {
					if _, err := kindOf(k).get(ctx, tx.Client, w.a.rows[k]); err != nil {
						return err
					}
				}
				return tx.Lead.UpdateOneID(w.a.rows[ent.TypeLead]).SetNotes("x").Exec(ctx)
			})
			if err != nil {
				t.Error(err)
			}
		}
		read()
		want := 1
		mustExec(t, db, `ALTER TABLE leads ADD COLUMN later text`)
		if s.IsPostgres() {
			want = 2
			mustExec(t, db, `ALTER TABLE leads ALTER COLUMN notes TYPE text, ALTER COLUMN email TYPE varchar(1000)`)
			mustExec(t, db, `ALTER TABLE merchants ALTER COLUMN email TYPE varchar(1000)`)
		}
		if read(); begun != want {
			t.Errorf("the work began %d times, want %d", begun, want)
		}
	})
}

// A statement left open would keep SQLite's log file forever.
func TestSQLiteLeavesNoLogBehind(t *testing.T) {
	t.Parallel()
	dbURL := apptest.SQLiteURL(t)
	path, _ := store.SQLitePath(dbURL)
	s := open(t, dbURL)
	newWorldAt(t, s, s.Now())
	if _, err := os.Stat(path + "-wal"); err != nil {
		t.Fatalf("there is no log to begin with: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the log is left: %v", err)
	}
}

func TestCountingCounts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		var outer, inner store.Statements
		inner.Trace = func(query string) {
			if !strings.HasPrefix(query, "SELECT ") || !strings.Contains(query, "leads") {
				t.Errorf("traced %s", query)
			}
		}
		ctx := store.Counting(w.a.ctx, &outer)
		if n := s.Reader().Lead.Query().CountX(ctx); n != 1 || outer.Count() != 1 {
			t.Errorf("%d statements, want 1", outer.Count())
		}
		s.Reader().Deal.Query().WithMerchant().WithPayments().AllX(ctx)
		if outer.Count() != 4 {
			t.Errorf("%d statements, want 4", outer.Count())
		}
		s.Reader().Lead.Query().AllX(store.Counting(ctx, &inner))
		if outer.Count() != 4 || inner.Count() != 1 {
			t.Errorf("%d and %d statements, want 4 and 1", outer.Count(), inner.Count())
		}
		err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.Lead.Create().SetBusinessName("x").Exec(ctx)
		})
		if err != nil || outer.Count() != 5 {
			t.Errorf("%d statements, want 5: %v", outer.Count(), err)
		}
		s.Reader().Lead.Query().AllX(w.a.ctx)
		if outer.Count() != 5 {
			t.Error("statements of others are counted")
		}
	})
}
