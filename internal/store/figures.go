package store

import (
	"context"
	"strconv"
	"strings"
	"time"

	"paydown/internal/civil"
)

// Figure is a number of records and their sum in cents, under a key: a state, a day, a name.
type Figure struct {
	Of, Key string
	Count   int
	Cents   int64
}

const sumOf = `CAST(COALESCE(SUM(CAST(ROUND(%s * 100) AS BIGINT)), 0) AS BIGINT)`

func summed(column string) string { return strings.Replace(sumOf, "%s", column, 1) }

// figures runs a query whose rows are figures.
func (s *Store) figures(ctx context.Context, query string, args ...any) ([]Figure, error) {
	rows, err := s.pools.reader.QueryContext(ctx, s.bind(query), args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var found []Figure
	for rows.Next() {
		var f Figure
		if err := rows.Scan(&f.Of, &f.Key, &f.Count, &f.Cents); err != nil {
			return nil, err
		}
		found = append(found, f)
	}
	return found, rows.Err()
}

// DayFigures sums the payments to collect by scheduled day ("expected") and the collected ones by cleared day
// ("collected"), from one day to another. Cancelled payments are not expected.
func (s *Store) DayFigures(ctx context.Context, tenant int, from, to civil.Date) ([]Figure, error) {
	day := func(column string) string {
		if s.IsPostgres() {
			return `to_char(` + column + `, 'YYYY-MM-DD')`
		}
		return `CAST(` + column + ` AS TEXT)`
	}
	part := func(of, column, status string) string {
		return `SELECT '` + of + `', ` + day(column) + `, COUNT(*), ` + summed("amount") + ` FROM payments
			WHERE tenant_id = $1 AND ` + column + ` >= $2 AND ` + column + ` <= $3 AND direction = 'IN' AND ` + status + `
			AND type <> 'EPO_DISCOUNT' AND (method IS NULL OR method <> 'OFFSET') GROUP BY ` + column
	}
	return s.figures(ctx, part("expected", "scheduled_date", "status <> 'CANCELLED'")+` UNION ALL `+
		part("collected", "cleared_date", "status = 'PAID'"), tenant, from, to)
}

// PipelineFigures sums the funded amounts of the tenant's deals by state.
func (s *Store) PipelineFigures(ctx context.Context, tenant int) ([]Figure, error) {
	return s.figures(ctx, `SELECT 'state', state, COUNT(*), `+summed("funded_amount")+`
		FROM deals WHERE tenant_id = $1 GROUP BY state`, tenant)
}

// VolumeFigures sums the funded amounts between consecutive instants; the key is the index of the earlier one.
func (s *Store) VolumeFigures(ctx context.Context, tenant int, bounds []time.Time) ([]Figure, error) {
	args := []any{tenant}
	parts := make([]string, len(bounds)-1)
	for i := range parts {
		n := len(args)
		args = append(args, bounds[i].UTC(), bounds[i+1].UTC())
		parts[i] = `SELECT 'volume', '` + strconv.Itoa(i) + `', COUNT(*), ` + summed("funded_amount") + ` FROM deals
			WHERE tenant_id = $1 AND funded_at >= $` + strconv.Itoa(n+1) + ` AND funded_at < $` + strconv.Itoa(n+2) + `
			AND state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED')`
	}
	return s.figures(ctx, strings.Join(parts, ` UNION ALL `), args...)
}

// WorkQueueFigures counts and sums the items of the work queue, including offers that expire before soon. What deals
// in default owe is read from the books.
func (s *Store) WorkQueueFigures(ctx context.Context, tenant int, now, soon time.Time) ([]Figure, error) {
	return s.figures(ctx, `
		SELECT 'queue', 'bounces', COUNT(*), `+summed("b.amount")+` FROM payments b
		  WHERE b.tenant_id = $1 AND b.status = 'BOUNCED' AND b.direction = 'IN' AND (b.made_up_by_id IS NULL OR EXISTS (
		    SELECT 1 FROM payments m JOIN deals d ON d.id = m.deal_id AND d.tenant_id = m.tenant_id
		    WHERE m.id = b.made_up_by_id AND m.tenant_id = b.tenant_id AND m.status = 'CANCELLED' AND d.state = 'FUNDED'))
		UNION ALL SELECT 'queue', 'stipulations', COUNT(*), 0 FROM stipulations WHERE tenant_id = $1 AND status = 'RECEIVED'
		UNION ALL SELECT 'queue', 'offers', COUNT(*), `+summed("funded_amount")+` FROM approvals
		  WHERE tenant_id = $1 AND state IN ('SENT', 'COUNTERED') AND expires_at >= $2 AND expires_at < $3
		UNION ALL SELECT 'queue', 'payouts', COUNT(DISTINCT b.id), `+summed("i.amount")+` FROM payout_batches b
		  LEFT JOIN payout_items i ON i.batch_id = b.id AND i.tenant_id = b.tenant_id
		  WHERE b.tenant_id = $1 AND b.status = 'DRAFT'
		UNION ALL SELECT 'queue', 'draws', COUNT(*), `+summed("amount")+`
		FROM loc_draws WHERE tenant_id = $1 AND status = 'REQUESTED'
		UNION ALL SELECT 'queue', 'renewals', COUNT(*), `+summed("outstanding")+` FROM renewal_opportunities
		  WHERE tenant_id = $1 AND status = 'ELIGIBLE' AND closed_at IS NULL
		UNION ALL SELECT 'queue', 'disbursements', COUNT(*), `+summed("amount")+` FROM disbursements
		  WHERE tenant_id = $1 AND status IN ('PENDING', 'FAILED')
		UNION ALL SELECT 'queue', 'defaults', COUNT(DISTINCT d.id), `+summed("p.amount")+` FROM deals d
		  LEFT JOIN postings p ON p.deal_id = d.id AND p.tenant_id = d.tenant_id AND p.account IN ('1100', '2400')
		  WHERE d.tenant_id = $1 AND d.state = 'DEFAULTED'`, tenant, now.UTC(), soon.UTC())
}
