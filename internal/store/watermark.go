package store

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/lib/pq"
)

// A Watermark is the id up to which a table has settled: every row with a lower or equal id is committed by now
// or never will be. Ids are assigned in order but commit in any order, so a reader that remembers the last id
// seen would miss a row whose transaction took longer. Reading only up to the watermark avoids that.
//
// On PostgreSQL a transaction that inserts into a table holds a lock on it, in a mode that blocks nobody, from
// before it takes the first id until it commits. An id has settled once all transactions that held the lock
// when the id was seen have ended. Transactions on other tables, and in other databases of the same server,
// cause no delay. SQLite's transactions commit one after the other.
type Watermark struct {
	s     *Store
	table string

	mu      sync.Mutex
	settled int
	// seen is the newest id at a moment; it has settled once all transactions that were inserting then have ended.
	seen      int
	inserting []string
}

// Watermark returns the watermark of a table whose recent rows are not deleted.
func (s *Store) Watermark(table string) *Watermark { return &Watermark{s: s, table: table} }

// insertingNow reads the newest id, and then which transactions are inserting. That includes every transaction
// that has taken an earlier id, unless all its rows are already visible.
const insertingNow = `SELECT COALESCE(MAX(id), 0), ARRAY(SELECT l.virtualtransaction FROM pg_locks l
	WHERE l.locktype = 'relation' AND l.mode = 'RowExclusiveLock' AND l.granted AND l.relation = '%[1]s'::regclass
		AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())) FROM %[1]s`

// Look returns the id up to which the table has settled, and the newest id: if that is higher, look again soon.
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

// settle advances the watermark by what was seen at one moment.
func (w *Watermark) settle(newest int, inserting []string) {
	if w.seen > w.settled &&
		!slices.ContainsFunc(w.inserting, func(one string) bool { return slices.Contains(inserting, one) }) {
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

// Followed is a table whose rows can be followed by topic.
type Followed struct{ table, topic, join string }

// The tables that are followed.
var (
	AuditOfDeals          = Followed{"audit_entries", "r.deal_id", ""}
	DeliveriesOfEndpoints = Followed{"webhook_deliveries", "r.endpoint_id", ""}
	TriesOfEndpoints      = Followed{
		"delivery_attempts",
		"d.endpoint_id",
		"JOIN webhook_deliveries d ON d.id = r.delivery_id",
	}
)

// String returns the table's name.
func (f Followed) String() string { return f.table }

// Topic is what a row is about, for followers: a record of a tenant.
type Topic struct{ Tenant, ID int }

// Topics returns the topics of a table's rows with ids after one and up to another. all is false, and none are
// returned, if there may be more than a few.
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
