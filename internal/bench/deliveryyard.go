package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/netip"
	"time"

	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// yard is a database with what deliveries are measured on, and the receiver.
type yard struct {
	scale

	name, db, secret string
	receiver         *receiver
	tenants          [][]int // by scenario
	database         *database
	old              struct{ tenant, endpoint int } // of the deliveries that are purged
}

// loopback lets deliveries go to the receiver.
var loopback = webhook.Guard{AllowRanges: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AllowHTTP: true}

// newYard creates the schema and, for each scenario, its tenants and endpoints.
func newYard(s *stage, o scale, name, dbURL string, all []scenario) *yard {
	y := &yard{scale: o, name: name, db: dbURL, secret: secret.NewKey(), receiver: newReceiver(s)}
	box, err := secret.Open(y.secret)
	s.must(err)
	db, err := store.Open(dbURL, nil)
	s.must(err)
	defer func() { _ = db.Close() }()
	_, err = db.Migrate(s.Context())
	s.must(err)
	made := service.New(service.Config{Store: db, Secrets: box, Log: slog.New(slog.DiscardHandler), Webhooks: loopback})
	for n, c := range all {
		var tenants []int
		for i := range min(c.endpoints, o.endpoints) {
			url := y.receiver.plain
			if c.https {
				url = y.receiver.secure
			}
			tenant, endpoint := endpointOf(s, made, fmt.Sprintf("scenario%d-%d.test", n, i), url)
			tenants = append(tenants, tenant)
			y.old.tenant, y.old.endpoint = tenant, endpoint
		}
		y.tenants = append(y.tenants, tenants)
	}
	y.database, err = openDatabase(dbURL)
	s.must(err)
	s.Cleanup(func() { _ = y.database.Close() })
	return y
}

// endpointOf creates a tenant with an endpoint that subscribes to all events.
func endpointOf(s *stage, made *service.Service, host, url string) (tenant, endpoint int) {
	issued, err := made.Tenants.Create(s.Context(), service.NewTenant{Name: host, Host: host})
	s.must(err)
	ctx, err := made.Tenants.AsOperator(s.Context(), host)
	s.must(err)
	e, err := made.WebhookEndpoints.Create(ctx, service.WebhookEndpointInput{
		URL: service.Some(url), Events: service.Some([]string{webhook.AllEvents}),
	})
	s.must(err)
	return issued.ID, e.ID
}

// addOld adds deliveries, with an attempt each, that have been over for longer than they are kept.
func (y *yard) addOld(s *stage, n int) int {
	const copies = `WITH RECURSIVE copies (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copies WHERE k < %d)`
	began := time.Now().Add(-service.DeliveryLogWindow - 48*time.Hour).UTC().Format("2006-01-02 15:04:05")
	at := `strftime('%Y-%m-%d %H:%M:%f', '` + began + `', (k / 20.0) || ' seconds') || '+00:00'`
	if y.database.postgres {
		at = `timestamptz '` + began + `+00' + k * interval '50 milliseconds'`
	}
	s.must(y.database.inTransaction(s.Context(), fmt.Sprintf(`INSERT INTO webhook_deliveries (created_at, updated_at,
			tenant_id, endpoint_id, message_id, event, payload, status, attempts, fence, outbox_event_id,
			response_status, duration_ms, delivered_at)
		`+copies+` SELECT at, at, %d, %d, 'msg_old_' || k, 'lead.created', '{"id":"msg_old_' || k || '"}',
			'DELIVERED', 1, 1, -k, 200, 3, at
		FROM (SELECT k, %s AS at FROM copies) old`, n, y.old.tenant, y.old.endpoint, at),
		`INSERT INTO delivery_attempts (created_at, tenant_id, delivery_id, number, response_status, duration_ms)
		SELECT created_at, tenant_id, id, 1, 200, 3 FROM webhook_deliveries WHERE outbox_event_id < 0`))
	if y.database.postgres {
		for _, statement := range []string{
			`VACUUM ANALYZE webhook_deliveries`, `VACUUM ANALYZE delivery_attempts`, `CHECKPOINT`,
		} {
			_, err := y.database.ExecContext(s.Context(), statement)
			s.must(err)
		}
	} else {
		_, err := y.database.ExecContext(s.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`)
		s.must(err)
	}
	return n
}

func (d *database) inTransaction(ctx context.Context, statements ...string) error {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	for _, statement := range statements {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return tx.Commit()
}

// stored counts the deliveries of tenants by their status.
func (d *database) stored(ctx context.Context, first, last int) (delivered, others int, err error) {
	err = d.QueryRowContext(ctx, fmt.Sprintf(`SELECT COUNT(CASE WHEN status = 'DELIVERED' THEN 1 END),
			COUNT(CASE WHEN status <> 'DELIVERED' THEN 1 END)
		FROM webhook_deliveries WHERE tenant_id BETWEEN %d AND %d AND outbox_event_id > 0`, first, last)).
		Scan(&delivered, &others)
	return delivered, others, err
}
