package store

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"

	"paydown/internal/civil"
)

// Sum is the sum of postings of one account, syndicator (0 for the tenant itself) and kind, in cents; debits
// are positive.
type Sum struct {
	Account      string
	SyndicatorID int
	Kind         string
	Cents        int64
}

// centsOf sums amounts exactly on both databases: SQLite would sum them as floats.
const centsOf = `CAST(SUM(CAST(ROUND(amount * 100) AS BIGINT)) AS BIGINT)`

// DealSums sums the postings of one deal.
func (tx *Tx) DealSums(ctx context.Context, tenant, dealID int) ([]Sum, error) {
	sums, err := tx.DealsSums(ctx, tenant, []int{dealID})
	return sums[dealID], err
}

// DealsSums sums the postings of each of the deals, in one statement. The map omits deals without any.
func (tx *Tx) DealsSums(ctx context.Context, tenant int, dealIDs []int) (map[int][]Sum, error) {
	query, args := dealsSums(tenant, dealIDs)
	rows, err := tx.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	return scanSums(rows)
}

// DealsSums is Tx.DealsSums outside of a transaction.
func (s *Store) DealsSums(ctx context.Context, tenant int, dealIDs []int) (map[int][]Sum, error) {
	query, args := dealsSums(tenant, dealIDs)
	rows, err := s.pools.reader.QueryContext(ctx, s.bind(query), args...) //nolint:rowserrcheck // scanSums checks
	if err != nil {
		return nil, err
	}
	return scanSums(rows)
}

func dealsSums(tenant int, dealIDs []int) (query string, args []any) {
	in, args := listOf([]any{tenant}, dealIDs)
	return `SELECT deal_id, account, COALESCE(syndicator_id, 0), kind, ` + centsOf + `
		FROM postings WHERE tenant_id = $1 AND deal_id IN (` + in + `) GROUP BY deal_id, account, syndicator_id, kind`, args
}

// listOf adds ids to the arguments of a statement, and returns their placeholders.
func listOf(args []any, ids []int) (list string, all []any) {
	marks := make([]string, len(ids))
	for i, id := range ids {
		args = append(args, id)
		marks[i] = "$" + strconv.Itoa(len(args))
	}
	return strings.Join(marks, ", "), args
}

// scanner is the rows of a query, of either driver layer.
type scanner interface {
	Next() bool
	Scan(into ...any) error
	Err() error
	Close() error
}

var _ scanner = (*sql.Rows)(nil)

func scanSums(rows scanner) (map[int][]Sum, error) {
	defer func() { _ = rows.Close() }()
	sums := map[int][]Sum{}
	for rows.Next() {
		var id int
		var s Sum
		if err := rows.Scan(&id, &s.Account, &s.SyndicatorID, &s.Kind, &s.Cents); err != nil {
			return nil, err
		}
		sums[id] = append(sums[id], s)
	}
	return sums, rows.Err()
}

// WalletCents sums the postings of a syndicator on one account.
func (tx *Tx) WalletCents(ctx context.Context, tenant, syndicatorID int, account string) (int64, error) {
	var cents int64
	err := tx.queryRow(ctx, `SELECT COALESCE(`+centsOf+`, 0) FROM postings
		WHERE tenant_id = $1 AND syndicator_id = $2 AND account = $3`, []any{tenant, syndicatorID, account}, &cents)
	return cents, err
}

// PartySums sums the postings of each of the syndicators, by account and kind. The map omits syndicators
// without any.
func (s *Store) PartySums(ctx context.Context, tenant int, syndicatorIDs []int) (map[int][]Sum, error) {
	in, args := listOf([]any{tenant}, syndicatorIDs)
	query := `SELECT syndicator_id, account, syndicator_id, kind, ` + centsOf + `
		FROM postings WHERE tenant_id = $1 AND syndicator_id IN (` + in + `)
		GROUP BY syndicator_id, account, kind ORDER BY syndicator_id, account, kind`
	rows, err := s.pools.reader.QueryContext(ctx, s.bind(query), args...) //nolint:rowserrcheck // scanSums checks
	if err != nil {
		return nil, err
	}
	return scanSums(rows)
}

// Holding is the number and total, in cents, of a syndicator's participations in funded deals.
type Holding struct {
	Count int
	Cents int64
}

// Holdings counts and sums the participations in funded deals of each of the syndicators. The map omits
// syndicators without any.
func (s *Store) Holdings(ctx context.Context, tenant int, syndicatorIDs []int) (map[int]Holding, error) {
	in, args := listOf([]any{tenant}, syndicatorIDs)
	rows, err := s.pools.reader.QueryContext(ctx, s.bind(`SELECT syndicator_id, COUNT(*), `+centsOf+`
		FROM participations WHERE tenant_id = $1 AND funded_at IS NOT NULL AND syndicator_id IN (`+in+`)
		GROUP BY syndicator_id`), args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	found := map[int]Holding{}
	for rows.Next() {
		var id int
		var h Holding
		if err := rows.Scan(&id, &h.Count, &h.Cents); err != nil {
			return nil, err
		}
		found[id] = h
	}
	return found, rows.Err()
}

// Part selects postings: those of a deal, those of a syndicator, or all if both are zero.
type Part struct{ DealID, SyndicatorID int }

// CentsThrough sums the tenant's postings of entries with an effective date up to a day, by account and kind.
// The sums name no syndicators.
func (s *Store) CentsThrough(ctx context.Context, tenant int, of Part, day civil.Date) ([]Sum, error) {
	return s.centsOf(ctx, tenant, of, `j.effective_date <= $2`, day)
}

// CentsRecorded is CentsThrough for what was recorded before an instant, whatever its effective date.
func (s *Store) CentsRecorded(ctx context.Context, tenant int, of Part, before time.Time) ([]Sum, error) {
	return s.centsOf(ctx, tenant, of, `j.occurred_at < $2`, before.UTC())
}

func (s *Store) centsOf(ctx context.Context, tenant int, of Part, when string, bound any) ([]Sum, error) {
	args := []any{tenant, bound}
	var narrow strings.Builder
	for _, n := range []struct {
		column string
		id     int
	}{{"deal_id", of.DealID}, {"syndicator_id", of.SyndicatorID}} {
		if n.id != 0 {
			args = append(args, n.id)
			_, _ = fmt.Fprintf(&narrow, ` AND p.%s = $%d`, n.column, len(args)) // a builder never fails
		}
	}
	rows, err := s.pools.reader.QueryContext(ctx, s.bind(`SELECT p.account, p.kind,
		CAST(SUM(CAST(ROUND(p.amount * 100) AS BIGINT)) AS BIGINT)
		FROM postings p JOIN journals j ON j.id = p.journal_id AND j.tenant_id = p.tenant_id
		WHERE p.tenant_id = $1 AND `+when+narrow.String()+` GROUP BY p.account, p.kind`), args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var sums []Sum
	for rows.Next() {
		var sum Sum
		if err := rows.Scan(&sum.Account, &sum.Kind, &sum.Cents); err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	return sums, rows.Err()
}

// PayoutSum is the sum, in cents, and the number of the items of a batch with one status.
type PayoutSum struct {
	BatchID int
	Status  string
	Count   int
	Cents   int64
}

// PayoutSums sums the items of each of the batches by status, ordered by both.
func (s *Store) PayoutSums(ctx context.Context, tenant int, batchIDs []int) ([]PayoutSum, error) {
	in, args := listOf([]any{tenant}, batchIDs)
	rows, err := s.pools.reader.QueryContext(ctx, s.bind(`SELECT batch_id, status, COUNT(*), `+centsOf+`
		FROM payout_items WHERE tenant_id = $1 AND batch_id IN (`+in+`)
		GROUP BY batch_id, status ORDER BY batch_id, status`), args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var sums []PayoutSum
	for rows.Next() {
		var sum PayoutSum
		if err := rows.Scan(&sum.BatchID, &sum.Status, &sum.Count, &sum.Cents); err != nil {
			return nil, err
		}
		sums = append(sums, sum)
	}
	return sums, rows.Err()
}
