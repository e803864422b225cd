package apptest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydown/internal/auth"
	"paydown/internal/files"
	"paydown/internal/ratelimit"
	"paydown/internal/secret"
	listeners "paydown/internal/server"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// App is the whole application on a temporary database.
type App struct {
	*service.Service
	Store  *store.Store
	DB     string // its URL, as for --db
	Secret string
	Clock  *Clock
	Names  *Names
	HTTP   *httptest.Server
	Admin  *httptest.Server // the operators' listener
	Log    *Log
}

// Databases runs a test on both databases.
func Databases(t *testing.T, test func(t *testing.T, a *App), options ...Option) {
	t.Helper()
	for name, start := range map[string]func(testing.TB, ...Option) *App{"SQLite": OnSQLite, "PostgreSQL": OnPostgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, start(t, options...))
		})
	}
}

// Option changes the configuration of an App.
type Option func(*service.Config, *listeners.Config)

// Trusting trusts X-Forwarded-For of the given proxies.
func Trusting(proxies ...netip.Prefix) Option {
	return func(_ *service.Config, cfg *listeners.Config) { cfg.Trusted = proxies }
}

// AllowingLoopback allows webhooks to this machine and over plain HTTP.
func AllowingLoopback() Option {
	return func(cfg *service.Config, _ *listeners.Config) {
		cfg.Webhooks.AllowRanges = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128")}
		cfg.Webhooks.AllowHTTP = true
	}
}

// Introspecting lets every GraphQL caller read the schema.
func Introspecting() Option {
	return func(_ *service.Config, cfg *listeners.Config) { cfg.Introspection = true }
}

// KeepingFiles stores the files of documents at a place for files.Open, up to a size in bytes.
func KeepingFiles(tb testing.TB, place string, limit int64) Option {
	tb.Helper()
	kept, err := files.Open(place, limit)
	if err != nil {
		tb.Fatal(err)
	}
	return func(cfg *service.Config, _ *listeners.Config) { cfg.Files = kept }
}

// Delivering delivers webhooks, also to this machine and over plain HTTP.
func Delivering() Option {
	return func(cfg *service.Config, l *listeners.Config) {
		AllowingLoopback()(cfg, l)
		cfg.Sender = webhook.NewSender(webhook.SenderConfig{Guard: cfg.Webhooks})
	}
}

// OnSQLite starts an App on a new SQLite database.
func OnSQLite(tb testing.TB, options ...Option) *App {
	tb.Helper()
	return start(tb, SQLiteURL(tb), secret.NewKey(), options)
}

// OnPostgres starts an App on a new PostgreSQL database.
func OnPostgres(tb testing.TB, options ...Option) *App {
	tb.Helper()
	return start(tb, MigratedPostgres(tb), secret.NewKey(), options)
}

// Replica starts a second App on the same database, as another process would.
func (a *App) Replica(tb testing.TB, options ...Option) *App {
	tb.Helper()
	return start(tb, a.DB, a.Secret, options)
}

// MigratedPostgres returns the URL of a new database with the schema.
func MigratedPostgres(tb testing.TB) string {
	tb.Helper()
	return SharedPostgres(tb).Clone(tb, "paydown_"+fingerprint(tb), migrate)
}

// SQLiteURL returns the URL of a new database with the schema.
func SQLiteURL(tb testing.TB) string {
	tb.Helper()
	template, err := sqliteTemplate()
	if err != nil {
		tb.Fatal(err)
	}
	path := filepath.Join(tb.TempDir(), "test.db")
	if err := os.WriteFile(path, template, 0o600); err != nil {
		tb.Fatal(err)
	}
	return "sqlite:" + path
}

// sqliteTemplate migrates one database per process; tests copy its file.
var sqliteTemplate = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "paydown-template-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	path := filepath.Join(dir, "template.db")
	if err := migrate(context.Background(), "sqlite:"+path); err != nil {
		return nil, err
	}
	return os.ReadFile(path) //nolint:gosec // created just above
})

// migrate leaves nothing in the write-ahead log: closing the last connection moves it into the file.
func migrate(ctx context.Context, dbURL string) error {
	s, err := store.Open(dbURL, nil)
	if err != nil {
		return err
	}
	if _, err := s.Migrate(ctx); err != nil {
		return err
	}
	return s.Close()
}

// fingerprint identifies the schema, so that a template of an earlier one is not used.
func fingerprint(tb testing.TB) string {
	tb.Helper()
	h, migrations := sha256.New(), store.Migrations()
	err := fs.WalkDir(migrations, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		body, err := fs.ReadFile(migrations, path)
		h.Write(body)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

func start(tb testing.TB, dbURL, key string, options []Option) *App {
	tb.Helper()
	a := &App{DB: dbURL, Secret: key, Clock: &Clock{}, Names: &Names{}, Log: &Log{}}
	box, err := secret.Open(key)
	if err != nil {
		tb.Fatal(err)
	}
	if a.Store, err = store.Open(dbURL, a.Clock.Now); err != nil {
		tb.Fatal(err)
	}
	log := slog.New(slog.NewJSONHandler(a.Log, nil))
	serviceCfg := service.Config{
		Store: a.Store, Secrets: box, Log: log, Now: a.Clock.Now, Webhooks: webhook.Guard{Resolve: a.Names.Resolve},
		Passwords: auth.PasswordCost{Memory: 64, Passes: 1, Threads: 1}, // a realistic cost would slow down every test
	}
	limiter := ratelimit.New(nil, a.Clock.Now)
	if a.Store.IsPostgres() {
		limiter = ratelimit.New(a.Store.RateLeases(secret.NewKey()), a.Clock.Now)
	}
	cfg := listeners.Config{Log: log, Limiter: limiter}
	for _, o := range options {
		o(&serviceCfg, &cfg)
	}
	a.Service = service.New(serviceCfg)
	if err := a.SecretKeys.Admit(context.Background()); err != nil {
		tb.Fatal(err)
	}
	cfg.Service = a.Service
	served := listeners.New(cfg)
	a.HTTP = httptest.NewServer(served.Handler())
	a.Admin = httptest.NewUnstartedServer(served.AdminHandler())
	a.Admin.Config.Protocols = listeners.AdminProtocols()
	a.Admin.Start()
	ctx, cancel := context.WithCancel(context.Background())
	var upkeep sync.WaitGroup
	upkeep.Go(func() { a.Run(ctx) })
	tb.Cleanup(func() {
		a.HTTP.Close()
		a.Admin.Close()
		cancel()
		upkeep.Wait()
		if serviceCfg.Sender != nil {
			serviceCfg.Sender.Close()
		}
		_ = a.Store.Close()
		if tb.Failed() {
			tb.Logf("log of the application:\n%s", a.Log)
		}
	})
	return a
}

// Clock is the application's clock: the real one with an offset, or a stopped one.
type Clock struct {
	offset atomic.Int64
	still  atomic.Pointer[time.Time] // nil while it runs
}

// Now returns the application's time.
func (c *Clock) Now() time.Time {
	from := time.Now()
	if at := c.still.Load(); at != nil {
		from = *at
	}
	return from.Add(time.Duration(c.offset.Load()))
}

// Advance advances the clock.
func (c *Clock) Advance(d time.Duration) { c.offset.Add(int64(d)) }

// AdvanceAll advances the application's clock and that of its database, which schedules what several processes
// share.
func (a *App) AdvanceAll(d time.Duration) {
	a.Clock.Advance(d)
	a.Store.MoveClock(d)
}

// Set sets the clock to a time, from which it continues.
func (c *Clock) Set(t time.Time) {
	c.still.Store(nil)
	c.offset.Store(int64(time.Until(t)))
}

// Stop stops the clock at a time; only Advance moves it then.
func (c *Clock) Stop(t time.Time) {
	c.offset.Store(0)
	c.still.Store(&t)
}

// Names is the application's resolver: it knows only the names that a test has set.
type Names struct {
	known sync.Map
	down  atomic.Bool
	asked atomic.Int64
}

// Asked returns the number of lookups.
func (n *Names) Asked() int { return int(n.asked.Load()) }

// Down makes all lookups fail as if no name server answered.
func (n *Names) Down(down bool) { n.down.Store(down) }

// Set sets the addresses of a name.
func (n *Names) Set(name string, addresses ...string) {
	parsed := make([]netip.Addr, len(addresses))
	for i, a := range addresses {
		parsed[i] = netip.MustParseAddr(a)
	}
	n.known.Store(name, parsed)
}

// Resolve is for webhook.Guard.
func (n *Names) Resolve(_ context.Context, name string) ([]netip.Addr, error) {
	n.asked.Add(1)
	if n.down.Load() {
		return nil, webhook.ErrNoDNS
	}
	addresses, ok := n.known.Load(name)
	if !ok {
		return nil, &net.DNSError{Err: "no such host", Name: name, IsNotFound: true}
	}
	return addresses.([]netip.Addr), nil
}

// Log stores what the application logs.
type Log struct {
	mu   sync.Mutex
	text []byte
}

func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = append(l.text, p...)
	return len(p), nil
}

// String returns everything that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.text)
}

// Await waits until text is logged: the line about a request is written after its response was sent.
func (l *Log) Await(tb testing.TB, text string) {
	tb.Helper()
	deadline := time.NewTimer(patience)
	defer deadline.Stop()
	look := time.NewTicker(time.Millisecond)
	defer look.Stop()
	for !strings.Contains(l.String(), text) {
		select {
		case <-deadline.C:
			tb.Fatalf("%q is not logged", text)
		case <-look.C:
		}
	}
}

// Tenant creates a tenant and returns its host.
func (a *App) Tenant(tb testing.TB, host string) string {
	tb.Helper()
	_, err := a.Tenants.Create(context.Background(), service.NewTenant{Name: "Tenant " + host, Host: host})
	if err != nil {
		tb.Fatal(err)
	}
	return host
}

// Operator returns a context for calling the services as the operator in a tenant.
func (a *App) Operator(tb testing.TB, host string) context.Context {
	tb.Helper()
	ctx, err := a.Tenants.AsOperator(context.Background(), host)
	if err != nil {
		tb.Fatal(err)
	}
	return ctx
}

// Key creates a key of a tenant, without a rate limit; no scopes means all of them.
func (a *App) Key(tb testing.TB, host string, scopes ...string) *service.IssuedKey {
	tb.Helper()
	if len(scopes) == 0 {
		scopes = auth.AllScopes().Strings()
	}
	return a.NewKey(tb, host, service.NewKey{Name: "test", Kind: auth.Live, Scopes: scopes})
}

// NewKey creates a key of a tenant.
func (a *App) NewKey(tb testing.TB, host string, in service.NewKey) *service.IssuedKey {
	tb.Helper()
	issued, err := a.Keys.Create(a.Operator(tb, host), in)
	if err != nil {
		tb.Fatal(err)
	}
	return issued
}

// Client creates a tenant and a client of its API with every scope.
func (a *App) Client(tb testing.TB, host string) *Client {
	tb.Helper()
	a.Tenant(tb, host)
	return a.As(host, a.Key(tb, host).Token)
}

// As returns a client of a tenant's API with a token; "" sends none.
func (a *App) As(host, token string) *Client {
	return &Client{Base: a.HTTP.URL, Host: host, Token: token, HTTP: &http.Client{
		Transport:     &http.Transport{MaxIdleConnsPerHost: 64, DialContext: (&net.Dialer{}).DialContext},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}
