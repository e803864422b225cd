package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
)

// The delivery queue, across tenants: its callers are workers. A waiting delivery has a next_attempt_at, and
// may be claimed from then on. A claim moves that to its own end and increments the fence. So the claim of a
// holder that is gone ends by itself, and later writes of that holder are rejected.

func (tx *Tx) skipLocked() string {
	if tx.dialect == dialect.Postgres {
		return "FOR NO KEY UPDATE SKIP LOCKED"
	}
	return ""
}

// NewDelivery is a delivery to add to the queue.
type NewDelivery struct {
	Tenant, Endpoint int
	OutboxEvent      int
	MessageID, Event string
	Payload          []byte
	// Held claims it for its creator, until the instant given.
	Held bool
}

type newDeliveryRow struct {
	Tenant      int    `json:"tenant_id"`
	Endpoint    int    `json:"endpoint_id"`
	OutboxEvent int    `json:"outbox_event_id"`
	MessageID   string `json:"message_id"`
	Event       string `json:"event"`
	Payload     string `json:"payload"`
	Held        int    `json:"held"`
}

// AddDeliveries stores deliveries that are due immediately, and claims those with Held until an instant. It
// returns the ids by message id. It skips deliveries whose endpoint is gone, or that the event was already
// fanned out to.
func (tx *Tx) AddDeliveries(
	ctx context.Context, now, until time.Time, deliveries []NewDelivery,
) (map[string]int, error) {
	values := make([]newDeliveryRow, len(deliveries))
	for i, d := range deliveries {
		values[i] = newDeliveryRow{d.Tenant, d.Endpoint, d.OutboxEvent, d.MessageID, d.Event, string(d.Payload), 0}
		if d.Held {
			values[i].Held = 1
		}
	}
	source, arg, err := tx.recordset(3, values, "tenant_id bigint", "endpoint_id bigint", "outbox_event_id bigint",
		"message_id text", "event text", "payload text", "held bigint")
	if err != nil {
		return nil, err
	}
	// The times are cast because PostgreSQL cannot infer their type inside expressions.
	at, end := tx.timeParam(1), tx.timeParam(2)
	rows, err := tx.query(ctx, `INSERT INTO webhook_deliveries (created_at, updated_at, tenant_id, endpoint_id,
			outbox_event_id, message_id, event, payload, status, attempts, next_attempt_at, locked_until, fence)
		SELECT `+at+`, `+at+`, r.tenant_id, r.endpoint_id, r.outbox_event_id, r.message_id, r.event, r.payload, 'PENDING', 0,
			CASE WHEN r.held = 1 THEN `+end+` ELSE `+at+` END, CASE WHEN r.held = 1 THEN `+end+` END, r.held
		FROM `+source+` JOIN webhook_endpoints e ON e.tenant_id = r.tenant_id AND e.id = r.endpoint_id WHERE TRUE
		ON CONFLICT DO NOTHING RETURNING id, message_id`, now.Truncate(Precision), until, arg)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	ids := make(map[string]int, len(deliveries))
	for rows.Next() {
		var id int
		var message string
		if err := rows.Scan(&id, &message); err != nil {
			return nil, err
		}
		ids[message] = id
	}
	return ids, rows.Err()
}

// Waiting is an endpoint with waiting deliveries.
type Waiting struct {
	Tenant, Endpoint int
	From             time.Time // when the first of them may be claimed
	Streak           int       // consecutive failed deliveries
}

// WaitingEndpoints lists the endpoints with waiting deliveries, and returns the time on the clock of the queue.
// It reads one index entry per endpoint, however many deliveries wait.
func (s *Store) WaitingEndpoints(ctx context.Context) (waiting []Waiting, now time.Time, err error) {
	const first = `SELECT MIN(d.endpoint_id) FROM webhook_deliveries d WHERE d.next_attempt_at IS NOT NULL`
	pool, clock := s.pools.reader, `NULL`
	if s.IsPostgres() {
		pool, clock = s.pools.queue, `clock_timestamp()`
	}
	rows, err := pool.QueryContext(ctx, `WITH RECURSIVE waiting (endpoint_id) AS (`+first+` UNION ALL
			SELECT (`+first+` AND d.endpoint_id > w.endpoint_id) FROM waiting w WHERE w.endpoint_id IS NOT NULL)
		SELECT `+clock+`, e.tenant_id, e.id, e.failure_streak, (SELECT MIN(d.next_attempt_at) FROM webhook_deliveries d
			WHERE d.endpoint_id = e.id AND d.next_attempt_at IS NOT NULL)
		FROM waiting w JOIN webhook_endpoints e ON e.id = w.endpoint_id`)
	if err != nil {
		return nil, now, err
	}
	defer func() { _ = rows.Close() }()
	var read sql.NullTime
	for rows.Next() {
		var w Waiting
		var from instant
		if err := rows.Scan(&read, &w.Tenant, &w.Endpoint, &w.Streak, &from); err != nil {
			return nil, now, err
		}
		w.From = from.Time
		waiting = append(waiting, w)
	}
	if now = s.Now(); read.Valid {
		now = read.Time.UTC().Add(time.Duration(s.ahead.Load()))
	}
	return waiting, now, rows.Err()
}

// Take is the number of deliveries to claim for an endpoint.
type Take struct{ Endpoint, N int }

// Claimed is a claimed delivery, with what its holder needs.
type Claimed struct {
	ID, Tenant, Endpoint int
	Fence                int64
	MessageID, Event     string
	Payload              []byte
	Attempts             int
	Redelivery           bool
	CreatedAt            time.Time
}

// SQLite supports only plain column names in RETURNING.
const claimed = ` RETURNING id, tenant_id, endpoint_id, fence, message_id, event, payload, attempts,
	redelivery_of_id IS NOT NULL, created_at`

// ClaimDeliveries claims due deliveries until an instant, those due longest first.
func (tx *Tx) ClaimDeliveries(ctx context.Context, now, until time.Time, takes []Take) ([]Claimed, error) {
	if tx.dialect == dialect.Postgres {
		return tx.claimSkippingLocked(ctx, now, until, takes)
	}
	var all []Claimed
	for _, t := range takes {
		rows, err := tx.query(ctx, `UPDATE webhook_deliveries SET next_attempt_at = $1, locked_until = $1, fence = fence + 1
			WHERE id IN (SELECT id FROM webhook_deliveries WHERE endpoint_id = $2 AND next_attempt_at <= $3
				ORDER BY next_attempt_at, id LIMIT $4)`+claimed, until, t.Endpoint, now, t.N)
		if err != nil {
			return nil, err
		}
		some, err := scanClaimed(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// claimSkippingLocked selects the rows before it updates any: PostgreSQL may evaluate a subquery more than once
// and so claim more than requested.
func (tx *Tx) claimSkippingLocked(ctx context.Context, now, until time.Time, takes []Take) ([]Claimed, error) {
	values := make([]map[string]any, len(takes))
	for i, t := range takes {
		values[i] = map[string]any{"wanted": t.Endpoint, "quota": t.N}
	}
	source, arg, err := tx.recordset(3, values, "wanted bigint", "quota bigint")
	if err != nil {
		return nil, err
	}
	rows, err := tx.query(ctx, `WITH due AS MATERIALIZED (
			SELECT f.due_id FROM `+source+` CROSS JOIN LATERAL (
				SELECT d.id AS due_id FROM webhook_deliveries d WHERE d.endpoint_id = r.wanted AND d.next_attempt_at <= $1
				ORDER BY d.next_attempt_at, d.id LIMIT r.quota `+tx.skipLocked()+`) f)
		UPDATE webhook_deliveries d SET next_attempt_at = $2, locked_until = $2, fence = d.fence + 1
		FROM due WHERE d.id = due.due_id`+claimed, now, until, arg)
	if err != nil {
		return nil, err
	}
	return scanClaimed(rows)
}

func scanClaimed(rows *entsql.Rows) ([]Claimed, error) {
	defer func() { _ = rows.Close() }()
	var all []Claimed
	for rows.Next() {
		var c Claimed
		var payload string
		var created instant
		err := rows.Scan(&c.ID, &c.Tenant, &c.Endpoint, &c.Fence, &c.MessageID, &c.Event, &payload, &c.Attempts,
			&c.Redelivery, &created)
		if err != nil {
			return nil, err
		}
		c.Payload, c.CreatedAt = []byte(payload), created.Time
		all = append(all, c)
	}
	return all, rows.Err()
}

// EndpointState is the part of an endpoint that delivery outcomes depend on.
type EndpointState struct {
	Tenant   int
	IsActive bool
	Streak   int
}

// LockEndpoints locks endpoints and returns those that exist. It locks in a fixed order, so that two callers
// never deadlock.
func (tx *Tx) LockEndpoints(ctx context.Context, ids []int) (map[int]EndpointState, error) {
	values := make([]map[string]any, len(ids))
	for i, id := range ids {
		values[i] = map[string]any{"id": id}
	}
	source, arg, err := tx.recordset(1, values, "id bigint")
	if err != nil {
		return nil, err
	}
	locking := ""
	if tx.dialect == dialect.Postgres {
		locking = " FOR NO KEY UPDATE"
	}
	rows, err := tx.query(ctx, `SELECT id, tenant_id, is_active, failure_streak FROM webhook_endpoints
		WHERE id IN (SELECT r.id FROM `+source+`) ORDER BY id`+locking, arg)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	states := make(map[int]EndpointState, len(ids))
	for rows.Next() {
		var id int
		var s EndpointState
		if err := rows.Scan(&id, &s.Tenant, &s.IsActive, &s.Streak); err != nil {
			return nil, err
		}
		states[id] = s
	}
	return states, rows.Err()
}

// EndedTry is the result of an attempt.
type EndedTry struct {
	Delivery int
	Fence    int64
	// MessageID is the delivery's. After a crash PostgreSQL may reuse an id and a fence of a lost commit; a
	// message id is never reused.
	MessageID string
	Status    string     // the delivery's new status
	Next      *time.Time // when it is retried; nil if it has ended
	// Number is the number of the attempt, or 0 if there was none that counts.
	Number         int
	ResponseStatus int // 0 if there was no response
	Duration       time.Duration
	Error          string
	Snippet        string
	// Reason is why the delivery ended, if not by its last attempt; "" means the attempt's error.
	Reason string
}

// What is absent in these rows is NULL.
type (
	endedTryRow struct {
		Delivery int    `json:"delivery"`
		Fence    int64  `json:"held"`
		Message  string `json:"message"`
		State    string `json:"state"`
		Next     string `json:"next_at,omitempty"`
		Number   int    `json:"number"`
		Response int    `json:"response,omitempty"`
		Took     int64  `json:"took"`
		Reason   string `json:"reason,omitempty"`
		Snippet  string `json:"snippet,omitempty"`
	}
	attemptRow struct {
		Delivery int    `json:"id"`
		Number   int    `json:"number"`
		Response int    `json:"response_status,omitempty"`
		Took     int64  `json:"duration_ms"`
		Error    string `json:"error,omitempty"`
		Snippet  string `json:"snippet,omitempty"`
	}
)

// EndTries stores results of attempts and releases the deliveries. It returns the fences of those that were
// still claimed, by id; it does not change the others.
func (tx *Tx) EndTries(ctx context.Context, now time.Time, tries []EndedTry) (map[int]int64, error) {
	values := make([]endedTryRow, len(tries))
	for i, t := range tries {
		values[i] = endedTryRow{
			Delivery: t.Delivery, Fence: t.Fence, Message: t.MessageID, State: t.Status, Next: timeText(t.Next),
			Number: t.Number, Response: t.ResponseStatus, Took: t.Duration.Milliseconds(),
			Reason: cmp.Or(t.Reason, t.Error), Snippet: t.Snippet,
		}
	}
	source, arg, err := tx.recordset(2, values, "delivery bigint", "held bigint", "message text", "state text",
		"next_at timestamptz", "number bigint", "response bigint", "took bigint", "reason text", "snippet text")
	if err != nil {
		return nil, err
	}
	// If no attempt counts, the data of the last one is kept.
	kept := func(column, value string) string {
		return column + ` = CASE WHEN r.number > 0 THEN ` + value + ` ELSE d.` + column + ` END`
	}
	at := tx.timeParam(1)
	rows, err := tx.query(
		ctx,
		`UPDATE webhook_deliveries AS d SET status = r.state, next_attempt_at = r.next_at, locked_until = NULL,
			updated_at = `+at+`, attempts = CASE WHEN r.number > 0 THEN r.number ELSE d.attempts END, `+
			kept("response_status", "r.response")+`, `+kept("duration_ms", "r.took")+`, `+
			kept("response_snippet", "r.snippet")+`,
			error = CASE WHEN r.number > 0 OR r.reason IS NOT NULL THEN r.reason ELSE d.error END,
			delivered_at = CASE WHEN r.state = 'DELIVERED' THEN `+at+` END
		FROM `+source+` WHERE d.id = r.delivery AND d.fence = r.held AND d.message_id = r.message
			AND d.locked_until IS NOT NULL RETURNING id, fence`,
		now.Truncate(Precision),
		arg,
	)
	if err != nil {
		return nil, err
	}
	accepted, err := fencesOf(rows)
	if err != nil || len(accepted) == 0 {
		return accepted, err
	}
	return accepted, tx.addAttempts(ctx, now, tries, accepted)
}

func idsOf(rows *entsql.Rows) (map[int]bool, error) {
	defer func() { _ = rows.Close() }()
	ids := map[int]bool{}
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids[id] = true
	}
	return ids, rows.Err()
}

func fencesOf(rows *entsql.Rows) (map[int]int64, error) {
	defer func() { _ = rows.Close() }()
	fences := map[int]int64{}
	for rows.Next() {
		var id int
		var fence int64
		if err := rows.Scan(&id, &fence); err != nil {
			return nil, err
		}
		fences[id] = fence
	}
	return fences, rows.Err()
}

// addAttempts adds the attempts to the log.
func (tx *Tx) addAttempts(ctx context.Context, now time.Time, tries []EndedTry, accepted map[int]int64) error {
	values := make([]attemptRow, 0, len(tries))
	for _, t := range tries {
		if t.Number > 0 && accepted[t.Delivery] == t.Fence {
			values = append(values, attemptRow{
				t.Delivery, t.Number, t.ResponseStatus, t.Duration.Milliseconds(), t.Error, t.Snippet,
			})
		}
	}
	if len(values) == 0 {
		return nil
	}
	source, arg, err := tx.recordset(
		2, values, "id bigint", "number bigint", "response_status bigint", "duration_ms bigint", "error text", "snippet text",
	)
	if err != nil {
		return err
	}
	return tx.exec(ctx, `INSERT INTO delivery_attempts (created_at, tenant_id, delivery_id, number, response_status,
			duration_ms, error, response_snippet)
		SELECT `+tx.timeParam(1)+`, d.tenant_id, d.id, r.number, r.response_status, r.duration_ms, r.error, r.snippet
		FROM `+source+` JOIN webhook_deliveries d ON d.id = r.id`, now.Truncate(Precision), arg)
}

// EndpointOutcome is the combined outcome of an endpoint's deliveries.
type EndpointOutcome struct {
	Endpoint  int
	Streak    int
	Delivered bool // at least one was delivered
}

// SetOutcomes stores the outcomes of endpoints, which must be locked.
func (tx *Tx) SetOutcomes(ctx context.Context, now time.Time, outcomes []EndpointOutcome) error {
	values := make([]map[string]any, len(outcomes))
	for i, o := range outcomes {
		values[i] = map[string]any{"id": o.Endpoint, "streak": o.Streak, "delivered": 0}
		if o.Delivered {
			values[i]["delivered"] = 1
		}
	}
	source, arg, err := tx.recordset(2, values, "id bigint", "streak bigint", "delivered bigint")
	if err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE webhook_endpoints AS e SET failure_streak = r.streak,
			last_delivered_at = CASE WHEN r.delivered = 1 THEN `+tx.timeParam(1)+` ELSE e.last_delivered_at END
		FROM `+source+` WHERE e.id = r.id`, now.Truncate(Precision), arg)
}

// DropDeliveries ends the waiting deliveries of the tenant's endpoint that are not being sent, as failed with a
// reason. It returns their number.
func (tx *Tx) DropDeliveries(ctx context.Context, now time.Time, tenant, endpoint int, reason string) (int, error) {
	rows, err := tx.query(ctx, `UPDATE webhook_deliveries SET status = 'FAILED', error = $1, next_attempt_at = NULL,
			locked_until = NULL, updated_at = $2, fence = fence + 1
		WHERE tenant_id = $3 AND endpoint_id = $4 AND next_attempt_at IS NOT NULL
			AND (locked_until IS NULL OR locked_until <= $5) RETURNING id`,
		reason, now.Truncate(Precision), tenant, endpoint, now)
	if err != nil {
		return 0, err
	}
	ids, err := idsOf(rows)
	return len(ids), err
}

// LastEvent returns the id of the latest event of all tenants, or 0. Events after the commit of this
// transaction have higher ids, whatever the clocks of processes say.
func (tx *Tx) LastEvent(ctx context.Context) (id int, err error) {
	err = tx.queryRow(ctx, `SELECT COALESCE(MAX(id), 0) FROM outbox_events`, nil, &id)
	return id, err
}

// recordset returns a table r, for FROM, of values passed in one parameter: a slice whose elements have the columns
// in their JSON. Columns are given in PostgreSQL's form: a name and a type.
func (tx *Tx) recordset(param int, values any, columns ...string) (source, arg string, err error) {
	raw, err := json.Marshal(values)
	if err != nil {
		return "", "", err
	}
	if tx.dialect == dialect.Postgres {
		return fmt.Sprintf(`json_to_recordset($%d::json) AS r(%s)`, param, strings.Join(columns, ", ")), string(raw), nil
	}
	for i, c := range columns {
		name, _, _ := strings.Cut(c, " ")
		columns[i] = fmt.Sprintf(`value ->> '%s' AS %s`, name, name)
	}
	return fmt.Sprintf(`(SELECT %s FROM json_each($%d)) AS r`, strings.Join(columns, ", "), param), string(raw), nil
}

// liteTime is SQLite's time format; PostgreSQL reads it too.
const liteTime = "2006-01-02 15:04:05.999999999-07:00"

// timeText is "" without a time.
func timeText(at *time.Time) string {
	if at == nil {
		return ""
	}
	return at.UTC().Format(liteTime)
}

// timeParam is a time parameter.
func (tx *Tx) timeParam(n int) string {
	if tx.dialect == dialect.Postgres {
		return fmt.Sprintf("$%d::timestamptz", n)
	}
	return fmt.Sprintf("$%d", n)
}

// instant scans a time from an expression, which SQLite's driver does not recognize as a time.
type instant struct{ time.Time }

var errTime = errors.New("store: not a time")

// Scan implements sql.Scanner.
func (i *instant) Scan(value any) (err error) {
	switch v := value.(type) {
	case time.Time:
		i.Time = v
	case string:
		i.Time, err = time.Parse(liteTime, v)
	default:
		err = fmt.Errorf("%w: %T", errTime, value)
	}
	i.Time = i.UTC()
	return err
}
