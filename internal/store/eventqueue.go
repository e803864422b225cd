package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"entgo.io/ent/dialect"
)

// QueuedEvent is an event to be fanned out.
type QueuedEvent struct {
	ID, Tenant int
	Event      string
	Version    int
	OccurredAt time.Time
	Data       json.RawMessage
}

// tenantsWaiting lists the tenants with events to fan out, by reading one index entry per tenant.
const tenantsWaiting = `WITH RECURSIVE waiting (tenant_id) AS (
		SELECT MIN(o.tenant_id) FROM outbox_events o WHERE o.fanned_out_at IS NULL
		UNION ALL SELECT (SELECT MIN(o.tenant_id) FROM outbox_events o
		WHERE o.fanned_out_at IS NULL AND o.tenant_id > w.tenant_id)
		FROM waiting w WHERE w.tenant_id IS NOT NULL)`

// eventsOfTenant selects the oldest events to fan out of a tenant, and the number of tenants with such events.
const eventsOfTenant = `SELECT id, tenant_id, event, version, occurred_at, data, %[2]s AS tenants FROM outbox_events
	WHERE tenant_id = %[1]s AND fanned_out_at IS NULL ORDER BY id LIMIT %[3]s `

// QueuedEvents returns events to fan out, locked until the transaction ends: n, or one per tenant if more
// tenants have events. Each tenant gets an equal share of its oldest events, so that a tenant with thousands
// does not delay others, and tenants alternate. Events that another transaction is fanning out are skipped.
// more reports that there may be more.
func (tx *Tx) QueuedEvents(ctx context.Context, n int) (events []QueuedEvent, more bool, err error) {
	var tenants int
	if tx.dialect == dialect.Postgres {
		const count = `(SELECT COUNT(tenant_id) FROM waiting)`
		events, tenants, err = tx.queuedEvents(ctx, tenantsWaiting+` SELECT e.* FROM waiting w CROSS JOIN LATERAL (`+
			fmt.Sprintf(eventsOfTenant, "w.tenant_id", count, fmt.Sprintf("GREATEST(1, %d / %s)", n, count))+tx.skipLocked()+
			`) e WHERE w.tenant_id IS NOT NULL`)
	} else {
		events, tenants, err = tx.queuedEventsByTenant(ctx, n)
	}
	if err != nil || len(events) == 0 {
		return nil, false, err
	}
	events, longest := inTurns(events)
	return events, longest >= max(1, n/tenants), nil
}

// queuedEventsByTenant is for SQLite, which has no LATERAL, and where many statements are as fast as one.
func (tx *Tx) queuedEventsByTenant(ctx context.Context, n int) (events []QueuedEvent, tenants int, err error) {
	rows, err := tx.query(ctx, tenantsWaiting+` SELECT tenant_id FROM waiting WHERE tenant_id IS NOT NULL`)
	if err != nil {
		return nil, 0, err
	}
	waiting, err := idsOf(rows)
	if err != nil {
		return nil, 0, err
	}
	for tenant := range waiting {
		some, _, err := tx.queuedEvents(
			ctx, fmt.Sprintf(eventsOfTenant, "$1", "$2", "$3"), tenant, len(waiting), max(1, n/len(waiting)),
		)
		if err != nil {
			return nil, 0, err
		}
		events = append(events, some...)
	}
	return events, len(waiting), nil
}

func (tx *Tx) queuedEvents(
	ctx context.Context, query string, args ...any,
) (events []QueuedEvent, tenants int, err error) {
	rows, err := tx.query(ctx, query, args...)
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var e QueuedEvent
		var data string
		if err := rows.Scan(&e.ID, &e.Tenant, &e.Event, &e.Version, &e.OccurredAt, &data, &tenants); err != nil {
			return nil, 0, err
		}
		e.Data = json.RawMessage(data)
		events = append(events, e)
	}
	return events, tenants, rows.Err()
}

// inTurns orders events so that the first of each tenant come first, then the second, and so on. It also
// returns the largest number of events of one tenant.
func inTurns(events []QueuedEvent) (ordered []QueuedEvent, longest int) {
	slices.SortFunc(events, func(a, b QueuedEvent) int { return cmp.Compare(a.ID, b.ID) })
	of, turn := map[int]int{}, make(map[int]int, len(events))
	for _, e := range events {
		of[e.Tenant]++
		turn[e.ID] = of[e.Tenant]
		longest = max(longest, of[e.Tenant])
	}
	slices.SortStableFunc(events, func(a, b QueuedEvent) int { return cmp.Compare(turn[a.ID], turn[b.ID]) })
	return events, longest
}

// FannedOut records that the deliveries of events were created.
func (tx *Tx) FannedOut(ctx context.Context, at time.Time, ids []int) error {
	values := make([]map[string]any, len(ids))
	for i, id := range ids {
		values[i] = map[string]any{"id": id}
	}
	source, arg, err := tx.recordset(2, values, "id bigint")
	if err != nil {
		return err
	}
	return tx.exec(ctx, `UPDATE outbox_events SET fanned_out_at = $1 WHERE id IN (SELECT r.id FROM `+source+`)`, at, arg)
}
