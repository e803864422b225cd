package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lib/pq"
)

// A Watermark tells how far a table has settled: a row with an id up to there is committed by now or never will be. Ids are
// given out in order and commit in any, so that whoever remembers the last id that he has seen would pass over a
// row whose transaction took longer. Up to the watermark he does not.
//
// On PostgreSQL whoever inserts into a table holds a lock on it, of a mode that locks nobody out, from before the first id is
// taken until all is committed. An id is settled once none of those holds it who did when the id was seen. Transactions of
// other tables, and of other databases on the same server, keep nobody waiting. SQLite's transactions commit one after the
// other.
type Watermark struct {
	s     *Store
	table string

	mu      sync.Mutex
	settled int
	// seen is the newest id at a moment; it is settled once none of the transactions runs that were inserting then.
	seen      int
	inserting []string
}

// Watermark makes one of a table whose records are not deleted as they come, by its name in the schema.
func (s *Store) Watermark(table string) *Watermark { return &Watermark{s: s, table: table} }

// insertingNow reads the newest id, and then who is inserting: nobody who has taken an earlier id is missing among them,
// unless all of his is there to be read by now.
const insertingNow = `SELECT COALESCE(MAX(id), 0), ARRAY(SELECT l.virtualtransaction FROM pg_locks l
	WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted AND l.relation = '%[1]s'::regclass
		AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) FROM %[1]s`

// Look reads how far the table has settled, and the newest id there is: where that is higher, another look soon will
// tell more.
func (w *Watermark) Look(ctx context.Context) (settled, newest int, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.s.IsPostgres() {
		err := w.s.pools.reader.QueryRowContext(ctx, `SELECT COALESCE(MAX(id), 0) FROM `+w.table).Scan(&newest)
		w.settled = max(w.settled, newest)
		return w.settled, w.settled, err
	}
	var inserting []string
	err = w.s.pools.reader.QueryRowContext(ctx, fmt.Sprintf(insertingNow, w.table)).Scan(&newest, pq.Array(&inserting))
	if err != nil {
		return w.settled, w.settled, err
	}
	w.settle(newest, inserting)
	return w.settled, max(newest, w.settled), nil
}

// settle moves the watermark by what was seen at one moment.
func (w *Watermark) settle(newest int, inserting []string) {
	if w.seen > w.settled && !slices.ContainsFunc(w.inserting, func(one string) bool { return slices.Contains(inserting, one) }) {
		w.settled = w.seen
	}
	switch {
	case newest <= w.settled:
	case len(inserting) == 0:
		w.settled = newest
	case w.seen <= w.settled:
		w.seen, w.inserting = newest, inserting
	}
}

// Followed is a table that can be followed by what its rows are about.
type Followed struct{ table, topic, join string }

// The tables that are followed.
var (
	AuditOfDeals          = Followed{"audit_entries", "r.deal_id", ""}
	DeliveriesOfEndpoints = Followed{"webhook_deliveries", "r.endpoint_id", ""}
	TriesOfEndpoints      = Followed{"delivery_attempts", "d.endpoint_id", "JOIN webhook_deliveries d ON d.id = r.delivery_id"}
)

// String is the table's name.
func (f Followed) String() string { return f.table }

// Topic is what a row is about, to whoever follows a table: the record of a tenant.
type Topic struct{ Tenant, ID int }

// Topics are those of a table's rows with ids after one and up to another; all is false where that may be more than a few,
// and none is told.
func (s *Store) Topics(ctx context.Context, of Followed, after, until int) (topics []Topic, all bool, err error) {
	const few = 500
	if until-after > few {
		return nil, false, nil
	}
	rows, err := s.pools.reader.QueryContext(ctx, fmt.Sprintf(`SELECT DISTINCT r.tenant_id, %[2]s FROM %[1]s r %[3]s
		WHERE r.id > $1 AND r.id <= $2 AND %[2]s IS NOT NULL`, of.table, of.topic, of.join), after, until)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var t Topic
		if err := rows.Scan(&t.Tenant, &t.ID); err != nil {
			return nil, false, err
		}
		topics = append(topics, t)
	}
	return topics, true, rows.Err()
}
