package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"github.com/lib/pq"
)

// DefaultURL is the default database.
const DefaultURL = "sqlite:./data/paydown.db"

// ErrURL is returned for a database URL in neither of the two forms.
var ErrURL = errors.New("the database must be sqlite:PATH or postgres://USER:PASSWORD@HOST/NAME")

// SQLitePath returns the file of a sqlite:PATH URL.
func SQLitePath(dbURL string) (string, bool) {
	path, ok := strings.CutPrefix(dbURL, "sqlite:")
	return strings.TrimPrefix(path, "//"), ok && path != ""
}

// pools are the connections to a database: for transactions; for everything outside of them, the same pool on
// PostgreSQL; and for transactions of the queue (see WriteRedoable), the writer's on SQLite.
type pools struct {
	writer, reader, queue *sql.DB
	// listening opens a connection that listens for notifications; "" on SQLite.
	listening string
}

// Connections to PostgreSQL per process.
const (
	maxConns      = 32
	maxQueueConns = 6
)

func open(dbURL string) (name string, p pools, err error) {
	if path, ok := SQLitePath(dbURL); ok {
		p.writer, p.reader, err = openSQLite(path)
		p.queue = p.writer
		return dialect.SQLite, p, err
	}
	if !strings.HasPrefix(dbURL, "postgres://") && !strings.HasPrefix(dbURL, "postgresql://") {
		return "", p, ErrURL
	}
	if p.writer, err = openPostgres(dbURL, maxConns, nil); err != nil {
		return "", p, err
	}
	p.reader = p.writer
	if p.listening, err = postgresDSN(dbURL, nil); err != nil {
		return "", p, err
	}
	p.queue, err = openPostgres(dbURL, maxQueueConns, map[string]string{"synchronous_commit": "off"})
	return dialect.Postgres, p, err
}

// openSQLite opens one connection that writes and a few that only read. SQLite allows one writer at a time.
// With a single writing connection, the writers of this process queue in Go, where none of them sees
// SQLITE_BUSY; busy_timeout covers commands that run beside a server. busy_timeout comes first, so that it
// applies while the file is switched to WAL.
func openSQLite(path string) (writer, reader *sql.DB, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return nil, nil, fmt.Errorf("create the directory of the database: %w", err)
	}
	// The file holds confidential data; SQLite would make it readable by everybody.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600) //nolint:gosec // the path is the operator's own
	if err != nil {
		return nil, nil, fmt.Errorf("open the database: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, nil, err
	}
	const common = "_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=foreign_keys(1)" +
		"&_pragma=synchronous(full)&_time_format=sqlite&_timezone=UTC"
	location := (&url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath()}).String()
	writer = sql.OpenDB(sqliteConnector(location + "?" + common + "&_txlock=immediate"))
	reader = sql.OpenDB(sqliteConnector(location + "?" + common + "&_pragma=query_only(1)"))
	writer.SetMaxOpenConns(1)
	writer.SetMaxIdleConns(1)
	readers := max(4, runtime.GOMAXPROCS(0))
	reader.SetMaxOpenConns(readers)
	reader.SetMaxIdleConns(readers)
	return writer, reader, nil
}

func sqliteConnector(dsn string) driver.Connector {
	return connector{Connector: dsnConnector{dsn: dsn, driver: sqliteDriver}, finalise: true, relaxes: true}
}

// dsnConnector is a connector for a driver without one.
type dsnConnector struct {
	dsn    string
	driver driver.Driver
}

func (c dsnConnector) Connect(context.Context) (driver.Conn, error) { return c.driver.Open(c.dsn) }
func (c dsnConnector) Driver() driver.Driver                        { return c.driver }

// openPostgres opens the pool. Session settings limit how long a stuck statement or a forgotten transaction can
// hold locks; settings in the URL take precedence.
func openPostgres(dbURL string, conns int, settings map[string]string) (*sql.DB, error) {
	dsn, err := postgresDSN(dbURL, settings)
	if err != nil {
		return nil, err
	}
	c, err := pq.NewConnector(dsn)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrURL, err)
	}
	db := sql.OpenDB(connector{Connector: c})
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

func postgresDSN(dbURL string, settings map[string]string) (string, error) {
	u, err := url.Parse(dbURL)
	if err != nil {
		return "", ErrURL // the parser's own message would repeat the password
	}
	q := u.Query()
	for name, value := range map[string]string{
		"application_name": "paydown", "timezone": "UTC", "connect_timeout": "10",
		"statement_timeout": "60000", "lock_timeout": "15000", "idle_in_transaction_session_timeout": "60000",
	} {
		if !q.Has(name) {
			q.Set(name, value)
		}
	}
	for name, value := range settings {
		q.Set(name, value)
	}
	u.RawQuery = q.Encode()
	return u.String(), nil
}

// splitDriver is the Ent driver over both pools: outside of a transaction it only reads. A write there would
// commit by itself on PostgreSQL, and on SQLite wait for the writing connection that its own transaction holds.
type splitDriver struct {
	*entsql.Driver // the readers
	writer         *entsql.Driver
}

var errOutside = errors.New("store: a write outside of the transaction's client")

func newSplitDriver(name string, writer, reader *sql.DB) *splitDriver {
	return &splitDriver{Driver: entsql.OpenDB(name, reader), writer: entsql.OpenDB(name, writer)}
}

// Exec refuses: Ent runs no query that way.
func (d *splitDriver) Exec(context.Context, string, any, any) error { return errOutside }

// Query refuses statements that write and return rows.
func (d *splitDriver) Query(ctx context.Context, query string, args, v any) error {
	if !strings.HasPrefix(query, "SELECT ") {
		return errOutside
	}
	return d.Driver.Query(ctx, query, args, v)
}

// Tx begins a transaction, as Ent also does by itself for some writes.
func (d *splitDriver) Tx(ctx context.Context) (dialect.Tx, error) {
	if fromContext(ctx) != nil {
		return nil, errOutside
	}
	tx, err := d.writer.Tx(ctx)
	if deferring, ok := ctx.Value(deferDriver{}).(*deferringTx); ok && err == nil {
		deferring.Tx = tx
		return deferring, nil
	}
	return tx, err
}

// BeginTx is Tx with options.
func (d *splitDriver) BeginTx(ctx context.Context, opts *sql.TxOptions) (dialect.Tx, error) {
	if fromContext(ctx) != nil {
		return nil, errOutside
	}
	return d.writer.BeginTx(ctx, opts)
}
