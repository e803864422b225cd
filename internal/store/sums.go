package store

import "context"

// Sum is what postings of one account, syndicator (0: the house) and kind add up to, in cents; debits are positive.
type Sum struct {
	Account      string
	SyndicatorID int
	Kind         string
	Cents        int64
}

// centsOf adds amounts up exactly on both databases: SQLite would add them as floats.
const centsOf = `CAST(SUM(CAST(ROUND(amount * 100) AS BIGINT)) AS BIGINT)`

// DealSums adds up the postings of one deal.
func (tx *Tx) DealSums(ctx context.Context, tenant, dealID int) ([]Sum, error) {
	rows, err := tx.query(ctx, `SELECT account, COALESCE(syndicator_id, 0), kind, `+centsOf+`
		FROM postings WHERE tenant_id = $1 AND deal_id = $2 GROUP BY account, syndicator_id, kind`, tenant, dealID)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var sums []Sum
	for rows.Next() {
		var s Sum
		if err := rows.Scan(&s.Account, &s.SyndicatorID, &s.Kind, &s.Cents); err != nil {
			return nil, err
		}
		sums = append(sums, s)
	}
	return sums, rows.Err()
}

// WalletCents adds up the postings of a syndicator on one account.
func (tx *Tx) WalletCents(ctx context.Context, tenant, syndicatorID int, account string) (int64, error) {
	var cents int64
	err := tx.queryRow(ctx, `SELECT COALESCE(`+centsOf+`, 0) FROM postings
		WHERE tenant_id = $1 AND syndicator_id = $2 AND account = $3`, []any{tenant, syndicatorID, account}, &cents)
	return cents, err
}
