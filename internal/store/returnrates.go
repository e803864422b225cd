package store

import (
	"context"
	"time"
)

// ReturnCount counts ACH debits since an instant, and their returns by class.
type ReturnCount struct{ Debits, Unauthorized, Administrative, Overall int }

// ReturnCounts counts the tenant's ACH debits initiated since an instant, and its returns since then. A payment
// without a method counts as ACH. A return that was reversed, so that the payment is PAID after all, does not
// count.
func (s *Store) ReturnCounts(ctx context.Context, tenant int, since time.Time) (ReturnCount, error) {
	var c ReturnCount
	count := func(condition string) string {
		return `COALESCE(SUM(CASE WHEN ` + condition + ` THEN 1 ELSE 0 END), 0)`
	}
	returned := `p.status = 'BOUNCED' AND p.returned_at >= $2`
	rows, err := s.pools.reader.QueryContext(ctx, s.bind(`SELECT `+
		count(`COALESCE(p.initiated_at, p.returned_at) >= $2`)+`, `+
		count(returned+` AND b.return_class = 'UNAUTHORIZED'`)+`, `+
		count(returned+` AND b.return_class = 'ADMINISTRATIVE'`)+`, `+count(returned)+`
		FROM payments p LEFT JOIN bounce_codes b ON b.id = p.bounce_code_id AND b.tenant_id = p.tenant_id
		WHERE p.tenant_id = $1 AND p.direction = 'IN' AND p.status IN ('SUBMITTED', 'PAID', 'BOUNCED') AND p.amount > 0
		  AND p.type <> 'EPO_DISCOUNT' AND (p.method IS NULL OR p.method = 'ACH')
		  AND (p.initiated_at >= $2 OR p.returned_at >= $2)`), tenant, since.UTC())
	if err != nil {
		return c, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := rows.Scan(&c.Debits, &c.Unauthorized, &c.Administrative, &c.Overall); err != nil {
			return c, err
		}
	}
	return c, rows.Err()
}
