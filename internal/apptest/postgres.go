// Package apptest provides tests with a whole application on a temporary database, of either kind.
package apptest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lib/pq"
)

// PostgresEnv names a server to test on instead of a private one, as a postgres:// URL whose user may create
// databases. Test databases on it are temporary; templates stay, see Clone.
const PostgresEnv = "PAYDOWN_TEST_POSTGRES_URL"

// Postgres is a server on which tests create databases.
type Postgres struct {
	url    *url.URL
	admin  *sql.DB
	server *server // nil for an external server; a private one ends when nothing refers to it
	own    bool    // owned by one test: databases need not be dropped

	mu    sync.Mutex // guards ready and is held while a template is filled
	ready map[string]bool
}

// OwnPostgres is a server of one test, which may stop it.
type OwnPostgres struct{ *Postgres }

var shared = sync.OnceValues(func() (*Postgres, error) {
	if u := os.Getenv(PostgresEnv); u != "" {
		return openPostgres(u)
	}
	s, err := newServer()
	if err != nil {
		return nil, err
	}
	return connect(s) // it ends with this process
})

// SharedPostgres returns the server that all tests of this process share; the first call starts it. Without
// PostgreSQL it fails the test: half of what the product promises holds on that database only.
func SharedPostgres(tb testing.TB) *Postgres {
	tb.Helper()
	p, err := shared()
	if err != nil {
		tb.Fatal(err)
	}
	return p
}

// PostgresURL returns the address of a new, empty database on the shared server; it is dropped when the test ends.
func PostgresURL(tb testing.TB) string {
	tb.Helper()
	return SharedPostgres(tb).NewDatabase(tb)
}

// StartPostgres starts a server for this test alone, which ends with the test. Settings, such as "fsync=on",
// override the settings for tests.
func StartPostgres(tb testing.TB, settings ...string) *OwnPostgres {
	tb.Helper()
	s, err := newServer(settings...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.remove)
	p, err := connect(s)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = p.admin.Close() })
	p.own = true
	return &OwnPostgres{p}
}

// Stop shuts the server down in order, ending every session.
func (p *OwnPostgres) Stop(tb testing.TB) {
	tb.Helper()
	if err := p.server.halt("INT"); err != nil {
		tb.Fatalf("stop PostgreSQL: %v", err)
	}
}

// Crash ends the server immediately, like a kill: it recovers from its log at the next Start.
func (p *OwnPostgres) Crash(tb testing.TB) {
	tb.Helper()
	if err := p.server.halt("QUIT"); err != nil {
		tb.Fatalf("crash PostgreSQL: %v", err)
	}
}

// Start starts the stopped server again, at the same address, with the same data.
func (p *OwnPostgres) Start(tb testing.TB) {
	tb.Helper()
	if err := p.server.start(); err != nil {
		tb.Fatal(err)
	}
}

func connect(s *server) (*Postgres, error) {
	p, err := openPostgres(s.url())
	if err == nil {
		p.server = s
	}
	return p, err
}

func openPostgres(dbURL string) (*Postgres, error) {
	u, err := url.Parse(dbURL)
	if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
		return nil, fmt.Errorf("%s must be a postgres:// URL", PostgresEnv)
	}
	admin, err := sql.Open("postgres", dbURL)
	if err != nil {
		return nil, fmt.Errorf("open the test server: %w", err)
	}
	admin.SetMaxOpenConns(4)
	return &Postgres{url: u, admin: admin, ready: map[string]bool{}}, nil
}

// NewDatabase returns the address of a new, empty database; it is dropped when the test ends.
func (p *Postgres) NewDatabase(tb testing.TB) string {
	tb.Helper()
	return p.copyOf(tb, "template0")
}

// Clone returns the URL of a new copy of a template database; the copy is dropped when the test ends. The first
// call's fill creates the template and must have closed its connections when it returns. On a server of
// PostgresEnv the template outlives the run, so its name should identify its content, for example by a hash of
// the migrations.
func (p *Postgres) Clone(tb testing.TB, template string, fill func(ctx context.Context, dbURL string) error) string {
	tb.Helper()
	if err := p.prepare(tb.Context(), template, fill); err != nil {
		tb.Fatalf("prepare the template database %s: %v", template, err)
	}
	return p.copyOf(tb, template)
}

func (p *Postgres) copyOf(tb testing.TB, template string) string {
	tb.Helper()
	name := "paydown_test_" + strings.ToLower(rand.Text()[:16])
	if err := p.create(tb.Context(), p.admin, name, template); err != nil {
		tb.Fatalf("create a test database: %v", err)
	}
	if !p.own {
		tb.Cleanup(func() {
			ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
			defer cancel()
			if err := p.drop(ctx, p.admin, name); err != nil {
				tb.Errorf("drop the test database: %v", err)
			}
		})
	}
	return p.database(name)
}

// prepare ensures that the template exists. Only a filled one is marked as a template, so that one that a dying
// process left half filled is created again; the lock makes processes that share a server wait for the one that
// fills.
func (p *Postgres) prepare(ctx context.Context, name string, fill func(context.Context, string) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ready[name] {
		return nil
	}
	conn, err := p.admin.Conn(ctx)
	if err != nil {
		return err
	}
	defer func() {
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), `SELECT pg_advisory_unlock_all()`)
		_ = conn.Close()
	}()
	if _, err := conn.ExecContext(ctx, `SELECT pg_advisory_lock(hashtext($1))`, name); err != nil {
		return err
	}
	var filled bool
	err = conn.QueryRowContext(ctx, `SELECT datistemplate FROM pg_database WHERE datname = $1`, name).Scan(&filled)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	if !filled {
		if err := p.drop(ctx, conn, name); err != nil {
			return err
		}
		if err := p.create(ctx, conn, name, "template0"); err != nil {
			return err
		}
		if err := fill(ctx, p.database(name)); err != nil {
			return err
		}
		_, err := conn.ExecContext(
			ctx, `ALTER DATABASE `+pq.QuoteIdentifier(name)+` WITH IS_TEMPLATE true ALLOW_CONNECTIONS false`,
		)
		if err != nil {
			return err
		}
	}
	p.ready[name] = true
	return nil
}

type execer interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}

func (p *Postgres) create(ctx context.Context, on execer, name, template string) error {
	_, err := on.ExecContext(ctx, `CREATE DATABASE `+pq.QuoteIdentifier(name)+` TEMPLATE `+pq.QuoteIdentifier(template))
	return err
}

func (p *Postgres) drop(ctx context.Context, on execer, name string) error {
	_, err := on.ExecContext(ctx, `DROP DATABASE IF EXISTS `+pq.QuoteIdentifier(name)+` WITH (FORCE)`)
	return err
}

// database returns the URL of a database on this server.
func (p *Postgres) database(name string) string {
	u := *p.url
	u.Path, u.RawPath = "/"+name, ""
	return u.String()
}
