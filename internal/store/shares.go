package store

import (
	"context"

	"paydown/internal/civil"
)

// CollectedShare is the sum, in cents, of the postings of an account for one syndicator from one paid episode of a
// merchant's payment; what the syndicator is owed is negative.
type CollectedShare struct {
	DealID, SyndicatorID, PaymentID, Episode int
	ClearedDate                              civil.Date
	Cents                                    int64
}

// CollectedShares sums an account's postings of PAID payments that cleared between two days, by payment and
// syndicator, unless an item of a payout batch already has them.
func (tx *Tx) CollectedShares(
	ctx context.Context, tenant int, account string, from, to civil.Date,
) ([]CollectedShare, error) {
	rows, err := tx.query(ctx, `SELECT m.deal_id, p.syndicator_id, m.id, m.episode, m.cleared_date,
		  CAST(SUM(CAST(ROUND(p.amount * 100) AS BIGINT)) AS BIGINT)
		FROM payments m
		JOIN journals j ON j.tenant_id = m.tenant_id AND j.payment_id = m.id AND j.episode = m.episode
		JOIN postings p ON p.tenant_id = j.tenant_id AND p.journal_id = j.id
		WHERE m.tenant_id = $1 AND m.cleared_date >= $3 AND m.cleared_date <= $4 AND m.status = 'PAID' AND m.direction = 'IN'
		  AND p.account = $2 AND p.syndicator_id IS NOT NULL AND p.kind <> 'PAYOUT'
		  AND NOT EXISTS (SELECT 1 FROM payout_items i WHERE i.tenant_id = m.tenant_id AND i.collected_payment_id = m.id
		    AND i.episode = m.episode AND i.syndicator_id = p.syndicator_id)
		GROUP BY m.deal_id, p.syndicator_id, m.id, m.episode, m.cleared_date
		HAVING SUM(CAST(ROUND(p.amount * 100) AS BIGINT)) <> 0`, tenant, account, from, to)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var found []CollectedShare
	for rows.Next() {
		var c CollectedShare
		if err := rows.Scan(&c.DealID, &c.SyndicatorID, &c.PaymentID, &c.Episode, &c.ClearedDate, &c.Cents); err != nil {
			return nil, err
		}
		found = append(found, c)
	}
	return found, rows.Err()
}

// ReturnedItems returns the items of payout batches that paid out a share of a payment that has since been
// returned, unless another item takes that share back, also after it was carried.
func (tx *Tx) ReturnedItems(ctx context.Context, tenant int) ([]int, error) {
	return tx.ids(ctx, `SELECT i.id FROM payout_items i
		JOIN payments m ON m.id = i.collected_payment_id AND m.tenant_id = i.tenant_id
		WHERE i.tenant_id = $1 AND i.status = 'PAID' AND i.syndicator_id IS NOT NULL AND i.reverses_id IS NULL
		  AND (m.status <> 'PAID' OR m.episode <> i.episode)
		  AND NOT EXISTS (SELECT 1 FROM payout_items r WHERE r.tenant_id = i.tenant_id AND r.reverses_id IS NOT NULL
		    AND r.collected_payment_id = i.collected_payment_id AND r.episode = i.episode
		    AND r.syndicator_id = i.syndicator_id)
		ORDER BY i.id`, tenant)
}

// Unshared is the sum, in cents, of the postings of an account that belong to a deal and a syndicator, but to
// no payment of a merchant.
type Unshared struct {
	DealID, SyndicatorID int
	Cents                int64
}

// UnsharedCents sums an account's postings of all days that no payment of a merchant made: true-ups after a
// return, reimbursements after a write-off, or payouts outside of batches.
func (tx *Tx) UnsharedCents(ctx context.Context, tenant int, account string) ([]Unshared, error) {
	rows, err := tx.query(
		ctx,
		`SELECT p.deal_id, p.syndicator_id, CAST(SUM(CAST(ROUND(p.amount * 100) AS BIGINT)) AS BIGINT)
		FROM postings p LEFT JOIN payments m ON m.id = p.payment_id AND m.tenant_id = p.tenant_id
		WHERE p.tenant_id = $1 AND p.account = $2 AND p.deal_id IS NOT NULL AND p.syndicator_id IS NOT NULL
		  AND (m.id IS NULL OR (m.direction = 'OUT'
		    AND NOT EXISTS (SELECT 1 FROM payout_items i WHERE i.tenant_id = m.tenant_id AND i.payment_id = m.id)))
		GROUP BY p.deal_id, p.syndicator_id ORDER BY p.deal_id, p.syndicator_id`,
		tenant,
		account,
	)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var found []Unshared
	for rows.Next() {
		var u Unshared
		if err := rows.Scan(&u.DealID, &u.SyndicatorID, &u.Cents); err != nil {
			return nil, err
		}
		found = append(found, u)
	}
	return found, rows.Err()
}
