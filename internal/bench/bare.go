package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/lib/pq"
	_ "modernc.org/sqlite" // the driver

	"paydown/internal/store"
)

// bareConfig configures the bare server: it knows its tenant, its caller and the one cursor that it answers with
// beforehand, and checks nothing of what it is sent.
type bareConfig struct {
	DB       string
	Tenant   int
	KeyID    int
	KeyName  string
	TimeZone string
	Cursor   string
	Screen   []screenStatement
}

// bare is the yardstick: net/http, database/sql with prepared statements, encoding/json, and nothing else.
type bare struct {
	bareConfig
	zone           *time.Location
	postgres       bool
	reader, writer *sql.DB
	statements     map[string]*sql.Stmt
	ran            atomic.Int64 // statements
}

// newBare opens the database as the product does: as many connections, and the same settings.
func newBare(cfg bareConfig) (*bare, error) {
	b := &bare{bareConfig: cfg, statements: map[string]*sql.Stmt{}}
	var err error
	if b.zone, err = time.LoadLocation(cfg.TimeZone); err != nil {
		return nil, err
	}
	if path, ok := store.SQLitePath(cfg.DB); ok {
		const common = "?_pragma=busy_timeout(10000)&_pragma=journal_mode(wal)&_pragma=foreign_keys(1)" +
			"&_pragma=synchronous(full)&_time_format=sqlite&_timezone=UTC"
		if b.writer, err = openPool("sqlite", "file:"+path+common+"&_txlock=immediate", 1); err != nil {
			return nil, err
		}
		if b.reader, err = openPool("sqlite", "file:"+path+common+"&_pragma=query_only(1)", 4); err != nil {
			return nil, err
		}
	} else {
		b.postgres = true
		if b.writer, err = openPool("postgres", cfg.DB+"&timezone=UTC", 32); err != nil {
			return nil, err
		}
		b.reader = b.writer
	}
	if err = b.prepare(); err == nil {
		err = b.prepareScreen()
	}
	return b, err
}

func openPool(driver, dsn string, conns int) (*sql.DB, error) {
	db, err := sql.Open(driver, dsn)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(conns)
	db.SetMaxIdleConns(conns)
	return db, nil
}

func (b *bare) prepare() error {
	reads, writes := sqliteReads, sqliteWrites
	if b.postgres {
		reads, writes = postgresReads, postgresWrites
	}
	for db, queries := range map[*sql.DB][]map[string]string{b.reader: {reads}, b.writer: {writes}} {
		if b.reader == b.writer {
			queries = []map[string]string{reads, writes}
		}
		for _, some := range queries {
			for name, query := range some {
				s, err := db.PrepareContext(context.Background(), query) //nolint:sqlclosecheck // for as long as the process lives
				if err != nil {
					return fmt.Errorf("prepare %s: %w", name, err)
				}
				b.statements[name] = s
			}
		}
	}
	return nil
}

// serveBare serves until the process ends, and prints its address.
func serveBare(cfg bareConfig) error {
	b, err := newBare(cfg)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/v1/deals/{id}", b.answering(http.StatusOK, b.deal))
	mux.HandleFunc("GET /api/v1/deals", b.answering(http.StatusOK, b.deals))
	mux.HandleFunc("POST /graphql", b.answering(http.StatusOK, b.screen))
	mux.HandleFunc("POST /api/v1/payments", b.answering(http.StatusCreated, b.createPayment))
	mux.HandleFunc("PATCH /api/v1/payments/{id}", b.answering(http.StatusOK, b.payPayment))
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintf(w, "%s %d\n%s %d\n", mallocsMetric, mallocs(), statementsMetric, b.ran.Load())
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // on loopback, at once
	if err != nil {
		return err
	}
	fmt.Println(listener.Addr())
	return http.Serve(listener, mux) //nolint:gosec // a yardstick on loopback, without the bounds that a server needs
}

// mallocs counts the allocations of the process as client_golang does.
func mallocs() uint64 {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:objects"}, {Name: "/gc/heap/tiny/allocs:objects"}}
	metrics.Read(samples)
	return samples[0].Value.Uint64() + samples[1].Value.Uint64()
}

func (b *bare) answering(status int, answer func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := answer(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		body, err := json.Marshal(v)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		w.WriteHeader(status)
		_, _ = w.Write(body)
	}
}

// statement is a prepared statement, inside of the transaction where there is one; it counts as run.
func (b *bare) statement(ctx context.Context, tx *sql.Tx, name string) *sql.Stmt {
	b.ran.Add(1)
	if tx == nil {
		return b.statements[name]
	}
	return tx.StmtContext(ctx, b.statements[name]) // the transaction closes it
}

func (b *bare) row(ctx context.Context, tx *sql.Tx, name string, args, into []any) error {
	s := b.statement(ctx, tx, name) //nolint:sqlclosecheck // it lives as long as the process
	return s.QueryRowContext(ctx, args...).Scan(into...)
}

func (b *bare) rows(ctx context.Context, tx *sql.Tx, name string, args ...any) (*sql.Rows, error) {
	s := b.statement(ctx, tx, name) //nolint:sqlclosecheck // it lives as long as the process
	return s.QueryContext(ctx, args...)
}

func (b *bare) run(ctx context.Context, tx *sql.Tx, name string, args ...any) error {
	s := b.statement(ctx, tx, name) //nolint:sqlclosecheck // it lives as long as the process
	_, err := s.ExecContext(ctx, args...)
	return err
}

func (b *bare) deal(r *http.Request) (any, error) {
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var d bareDeal
	if err := b.row(r.Context(), nil, "deal", []any{b.Tenant, id}, d.into()); err != nil {
		return nil, err
	}
	return map[string]*bareDeal{"deal": &d}, nil
}

type bareList struct {
	Deals      []*bareDeal `json:"deals"`
	Count      int         `json:"count"`
	HasMore    bool        `json:"hasMore"`
	NextCursor *string     `json:"nextCursor"`
}

func (b *bare) deals(r *http.Request) (any, error) {
	const limit = 50
	deals, err := collect(r.Context(), b, "deals", (*bareDeal).into, b.Tenant, limit+1)
	if err != nil {
		return nil, err
	}
	page := &bareList{Deals: deals, Count: len(deals)}
	if len(deals) > limit {
		page.Deals, page.Count, page.HasMore, page.NextCursor = deals[:limit], limit, true, &b.Cursor
	}
	if r.URL.Query().Get("expand") != "" {
		err = b.expand(r.Context(), page.Deals)
	}
	return page, err
}

// expand adds the merchants and payments of the deals with a statement each.
func (b *bare) expand(ctx context.Context, deals []*bareDeal) error {
	dealIDs, merchantIDs := make([]int, len(deals)), make([]int, len(deals))
	byID := make(map[int]*bareDeal, len(deals))
	for i, d := range deals {
		dealIDs[i], merchantIDs[i] = d.ID, d.MerchantID
		d.Payments = &[]*barePayment{}
		byID[d.ID] = d
	}
	merchants, err := collect(ctx, b, "merchants", (*bareMerchant).into, b.Tenant, b.array(merchantIDs))
	if err != nil {
		return err
	}
	merchantByID := make(map[int]*bareMerchant, len(merchants))
	for _, m := range merchants {
		merchantByID[m.ID] = m
	}
	payments, err := collect(ctx, b, "payments", (*barePayment).into, b.Tenant, b.array(dealIDs))
	if err != nil {
		return err
	}
	for _, p := range payments {
		d := byID[p.DealID]
		*d.Payments = append(*d.Payments, p)
	}
	for _, d := range deals {
		d.Merchant = merchantByID[d.MerchantID]
	}
	return nil
}

// array is a list of ids as one argument, so that one prepared statement serves every length.
func (b *bare) array(ids []int) any {
	if b.postgres {
		return pq.Array(ids)
	}
	var text strings.Builder
	for i, id := range ids {
		text.WriteString(map[bool]string{true: "[", false: ","}[i == 0])
		text.WriteString(strconv.Itoa(id))
	}
	return text.String() + "]"
}

func collect[T any](ctx context.Context, b *bare, name string, into func(*T) []any, args ...any) ([]*T, error) {
	rows, err := b.rows(ctx, nil, name, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []*T
	for rows.Next() {
		one := new(T)
		if err := rows.Scan(into(one)...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
