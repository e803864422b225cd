package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	"paydown/ent"
)

// Check is a query whose rows are violations: each row is a sentence about one of them.
type Check struct {
	Name  string
	About string // what holds when there is no row
	query string
}

// Finding is what a check came to.
type Finding struct {
	Check
	Violations int
	Examples   []string
}

const maxExamples = 5

// Describe says what holds, or what does not.
func (f Finding) Describe() string {
	if f.Violations == 0 {
		return f.About
	}
	text := fmt.Sprintf("%d violations: %s", f.Violations, strings.Join(f.Examples, "; "))
	if f.Violations > len(f.Examples) {
		text += "; …"
	}
	return text
}

const cents = `CAST(ROUND(amount * 100) AS BIGINT)`

// IntegrityChecks are the checks, those of single references among them. They look at all tenants at once.
func IntegrityChecks() []Check {
	checks := []Check{
		{
			"trial_balance", "the ledger of every tenant adds up to zero",
			`SELECT 'tenant ' || tenant_id || ' is off by ' || SUM(` + cents + `) || ' cents'
			 FROM postings GROUP BY tenant_id HAVING SUM(` + cents + `) <> 0`,
		},
		{
			"entries_balance", "every ledger entry has its lines and adds up to zero",
			`SELECT 'entry ' || j.id || ' of tenant ' || j.tenant_id
			 FROM journals j LEFT JOIN postings p ON p.journal_id = j.id AND p.tenant_id = j.tenant_id
			 GROUP BY j.id, j.tenant_id, j.line_count
			 HAVING COUNT(p.id) <> j.line_count OR COALESCE(SUM(CAST(ROUND(p.amount * 100) AS BIGINT)), 1) <> 0`,
		},
		{
			"reversals", "every reversal negates what it reverses",
			`SELECT 'entry ' || r.id || ' does not negate entry ' || o.id
			 FROM journals r JOIN journals o ON o.id = r.reverses_id
			 WHERE r.kind <> o.kind OR r.line_count <> o.line_count OR EXISTS (
			   SELECT 1 FROM (
			     SELECT account, COALESCE(syndicator_id, 0) s, SUM(` + cents + `) c FROM postings
			     WHERE journal_id IN (r.id, o.id) GROUP BY account, COALESCE(syndicator_id, 0)) x WHERE x.c <> 0)`,
		},
		{
			"payments_posted", "every payment that is PAID is posted for its last episode alone, and no other is posted",
			`SELECT 'payment ' || p.id || ' is ' || p.status || ' with ' || COUNT(DISTINCT j.episode) || ' episodes standing'
			 FROM payments p
			 LEFT JOIN journals j ON j.payment_id = p.id AND j.tenant_id = p.tenant_id AND j.reverses_id IS NULL
			   AND NOT EXISTS (SELECT 1 FROM journals r WHERE r.reverses_id = j.id AND r.tenant_id = j.tenant_id)
			 GROUP BY p.id, p.status, p.episode
			 HAVING COUNT(DISTINCT j.episode) <> CASE WHEN p.status = 'PAID' THEN 1 ELSE 0 END
			   OR COALESCE(MAX(j.episode), p.episode) <> p.episode`,
		},
		{
			"deal_balances", "what every funded deal owes is its payback less what was collected, discounted and written off",
			dealBalances,
		},
		{
			"schedule_sums", "the payments scheduled when a deal was funded add up to its payback",
			`SELECT 'deal ' || d.id || ' planned ' || COALESCE(SUM(CAST(ROUND(p.planned_amount * 100) AS BIGINT)), 0) || ' cents'
			 FROM deals d LEFT JOIN payments p ON p.deal_id = d.id AND p.tenant_id = d.tenant_id
			 WHERE d.state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED')
			 GROUP BY d.id, d.payback_amount
			 HAVING COALESCE(SUM(CAST(ROUND(p.planned_amount * 100) AS BIGINT)), 0)
			   <> CAST(ROUND(d.payback_amount * 100) AS BIGINT)`,
		},
		{
			"closed_deals", "no closed or renewed deal owes anything, and no other state has a funding entry missing",
			`SELECT 'deal ' || d.id || ' is ' || d.state || ' without its funding entry' FROM deals d
			 WHERE d.state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED') AND NOT EXISTS (
			   SELECT 1 FROM journals j WHERE j.deal_id = d.id AND j.tenant_id = d.tenant_id AND j.kind IN ('FUNDING', 'RENEWAL'))
			 UNION ALL
			 SELECT 'deal ' || d.id || ' is ' || d.state || ' and owes ' || SUM(` + cents + `) || ' cents'
			 FROM deals d JOIN postings p ON p.deal_id = d.id AND p.tenant_id = d.tenant_id AND p.account IN ('1100', '2400')
			 WHERE d.state IN ('CLOSED', 'RENEWED') GROUP BY d.id, d.state HAVING SUM(` + cents + `) > 0`,
		},
		{
			"audit_complete", "every lead, merchant, deal, payment and key has the audit entry of its making",
			auditComplete,
		},
		{
			"outbox_complete", "every lead, merchant and deal, and every payment that was paid or bounced, has its event",
			outboxComplete,
		},
	}
	return append(checks, referenceChecks()...)
}

// The receivable less unapplied cash is what was bought, less what was paid against it: both sides come from different
// records, the ledger and the payments.
const dealBalances = `
	SELECT 'deal ' || d.id || ' owes ' || l.owed || ' cents by the ledger and ' || (l.base - x.paid) || ' by its payments'
	FROM deals d
	JOIN (SELECT p.deal_id, p.tenant_id,
	        SUM(CASE WHEN p.account IN ('1100', '2400') THEN CAST(ROUND(p.amount * 100) AS BIGINT) ELSE 0 END) owed,
	        SUM(CASE WHEN (p.account = '1100' AND p.kind IN ('FUNDING', 'RENEWAL'))
	                   OR (p.account IN ('1100', '2400') AND p.kind = 'WRITE_OFF')
	                 THEN CAST(ROUND(p.amount * 100) AS BIGINT)
	                 WHEN p.account IN ('2110', '4300') AND p.kind = 'RECOVERY'
	                 THEN -CAST(ROUND(p.amount * 100) AS BIGINT) ELSE 0 END) base
	      FROM postings p WHERE p.deal_id IS NOT NULL GROUP BY p.deal_id, p.tenant_id) l
	  ON l.deal_id = d.id AND l.tenant_id = d.tenant_id
	JOIN (SELECT deals.id, deals.tenant_id, COALESCE(SUM(CAST(ROUND(payments.amount * 100) AS BIGINT)), 0) paid
	      FROM deals LEFT JOIN payments ON payments.deal_id = deals.id AND payments.tenant_id = deals.tenant_id
	        AND payments.status = 'PAID' AND payments.type IN ('ORIGINAL_ADVANCE_PAYBACK', 'ADVANCE_PAYBACK',
	          'ADVANCE_PAYBACK_ADJUSTMENT', 'EPO_DISCOUNT', 'RENEWAL_PAYOFF')
	      GROUP BY deals.id, deals.tenant_id) x
	  ON x.id = d.id AND x.tenant_id = d.tenant_id
	WHERE d.state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED') AND l.owed <> l.base - x.paid`

// A payment that a schedule or a renewal made is an effect of the deal's own write; the others have an entry themselves.
const auditComplete = `
	SELECT 'lead ' || r.id FROM leads r WHERE NOT EXISTS (SELECT 1 FROM audit_entries a
	  WHERE a.tenant_id = r.tenant_id AND a.entity = 'lead' AND a.entity_id = r.id AND a.action = 'lead.create')
	UNION ALL SELECT 'merchant ' || r.id FROM merchants r WHERE NOT EXISTS (SELECT 1 FROM audit_entries a
	  WHERE a.tenant_id = r.tenant_id AND a.entity = 'merchant' AND a.entity_id = r.id AND a.action = 'merchant.create')
	UNION ALL SELECT 'deal ' || r.id FROM deals r WHERE NOT EXISTS (SELECT 1 FROM audit_entries a
	  WHERE a.tenant_id = r.tenant_id AND a.entity = 'deal' AND a.entity_id = r.id AND a.action = 'deal.create')
	UNION ALL SELECT 'payment ' || r.id FROM payments r WHERE r.source IN ('API', 'STAFF', 'PROCESSOR')
	  AND NOT EXISTS (SELECT 1 FROM audit_entries a WHERE a.tenant_id = r.tenant_id AND a.entity = 'payment'
	  AND a.entity_id = r.id AND a.action = 'payment.create')
	UNION ALL SELECT 'key ' || r.id FROM api_keys r WHERE NOT EXISTS (SELECT 1 FROM audit_entries a
	  WHERE a.tenant_id = r.tenant_id AND a.entity = 'apiKey' AND a.entity_id = r.id)`

const outboxComplete = `
	SELECT 'lead ' || r.id FROM leads r WHERE NOT EXISTS (SELECT 1 FROM outbox_events o
	  WHERE o.tenant_id = r.tenant_id AND o.entity = 'lead' AND o.entity_id = r.id AND o.event = 'lead.created')
	UNION ALL SELECT 'merchant ' || r.id FROM merchants r WHERE NOT EXISTS (SELECT 1 FROM outbox_events o
	  WHERE o.tenant_id = r.tenant_id AND o.entity = 'merchant' AND o.entity_id = r.id AND o.event = 'merchant.created')
	UNION ALL SELECT 'deal ' || r.id FROM deals r WHERE NOT EXISTS (SELECT 1 FROM outbox_events o
	  WHERE o.tenant_id = r.tenant_id AND o.entity = 'deal' AND o.entity_id = r.id AND o.event = 'deal.created')
	UNION ALL SELECT 'deal ' || r.id || ' is ' || r.state FROM deals r WHERE r.state <> 'INCEPTION' AND NOT EXISTS (
	  SELECT 1 FROM outbox_events o WHERE o.tenant_id = r.tenant_id AND o.entity = 'deal' AND o.entity_id = r.id
	  AND o.event = 'deal.state_changed')
	UNION ALL SELECT 'payment ' || p.id || ' was paid ' || p.episode || ' times' FROM payments p
	  WHERE p.episode <> (SELECT COUNT(*) FROM outbox_events o WHERE o.tenant_id = p.tenant_id AND o.entity = 'payment'
	    AND o.entity_id = p.id AND o.event = 'payment.paid')
	UNION ALL SELECT 'payment ' || p.id || ' is BOUNCED' FROM payments p WHERE p.status = 'BOUNCED' AND NOT EXISTS (
	  SELECT 1 FROM outbox_events o WHERE o.tenant_id = p.tenant_id AND o.entity = 'payment' AND o.entity_id = p.id
	  AND o.event = 'payment.bounced')`

// referenceChecks has one check per reference of the schema: it points at a record that is there, and the tenant's.
func referenceChecks() []Check {
	var checks []Check
	for _, name := range slices.Sorted(maps.Keys(ent.Records)) {
		record := ent.Records[name]
		for _, edge := range slices.Sorted(maps.Keys(record.Columns)) {
			target := ent.Records[record.Targets[edge]]
			if !record.Owned || !target.Owned {
				continue
			}
			column := record.Columns[edge]
			checks = append(checks, Check{
				"reference_" + record.Table + "_" + column,
				"every " + record.Name + " with a " + edge + " points at a record of its own tenant",
				`SELECT '` + record.Table + ` ' || c.id FROM ` + record.Table + ` c LEFT JOIN ` + target.Table + ` p
				 ON p.id = c.` + column + ` AND p.tenant_id = c.tenant_id WHERE c.` + column + ` IS NOT NULL AND p.id IS NULL`,
			})
		}
	}
	return checks
}

// RunChecks runs checks on one view of the data, undisturbed by writes that go on, for as long as that takes.
func (s *Store) RunChecks(ctx context.Context, checks []Check) ([]Finding, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.IsPostgres() {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := s.reader.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	if s.IsPostgres() {
		if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return nil, err
		}
	}
	findings := make([]Finding, len(checks))
	for i, check := range checks {
		if findings[i], err = run(ctx, tx, check); err != nil {
			return nil, fmt.Errorf("check %s: %w", check.Name, err)
		}
	}
	return findings, nil
}

func run(ctx context.Context, tx *sql.Tx, c Check) (Finding, error) {
	found := Finding{Check: c}
	rows, err := tx.QueryContext(ctx, c.query)
	if err != nil {
		return found, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		found.Violations++
		var text string
		if err := rows.Scan(&text); err != nil {
			return found, err
		}
		if len(found.Examples) < maxExamples {
			found.Examples = append(found.Examples, text)
		}
	}
	return found, rows.Err()
}
