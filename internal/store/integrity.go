package store

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"

	entsql "entgo.io/ent/dialect/sql"

	"paydown/ent"
)

// Check is a rule that all records must satisfy.
type Check struct {
	Name  string
	About string // what is true if nothing violates it
	of    rows
	rules []rule
}

// rows are the rows that a check examines: their name, and the query that counts them.
type rows struct{ noun, count string }

// rule is a query whose rows are violations: each row is a text about one. A check of several rules names each;
// the name of a single rule is empty.
type rule struct{ name, query string }

// Finding is the result of a check.
type Finding struct {
	Check
	Looked     int // number of rows examined
	Violations int
	Examples   []string // of each violated rule
}

// maxExamples limits the examples of one rule.
const maxExamples = 5

// Describe states what is true, or what is violated, and of how many rows.
func (f *Finding) Describe() string {
	if f.Violations == 0 {
		return fmt.Sprintf("%s (%d %s checked)", f.About, f.Looked, f.of.noun)
	}
	noun := "violations"
	if f.Violations == 1 {
		noun = "violation"
	}
	return fmt.Sprintf("%d %s among %d %s: %s", f.Violations, noun, f.Looked, f.of.noun, strings.Join(f.Examples, "; "))
}

// Violate adds a violation with its text.
func (f *Finding) Violate(text string) {
	f.Violations++
	switch {
	case f.Violations <= maxExamples:
		f.Examples = append(f.Examples, text)
	case f.Violations == maxExamples+1:
		f.Examples = append(f.Examples, "…")
	}
}

// all counts the rows of tables of the schema.
func all(noun string, tables ...string) rows {
	counts := make([]string, len(tables))
	for i, table := range tables {
		counts[i] = `(SELECT COUNT(*) FROM ` + table + `)`
	}
	return rows{noun, `SELECT ` + strings.Join(counts, ` + `)}
}

// only is the single rule of a check.
func only(query string) []rule { return []rule{{query: query}} }

const cents = `CAST(ROUND(amount * 100) AS BIGINT)`

// IntegrityChecks returns the checks. They examine all tenants at once.
func IntegrityChecks() []Check {
	checks := []Check{
		{
			"trial_balance", "the ledger of every tenant adds up to zero",
			all("postings", "postings"),
			only(`SELECT 'tenant ' || tenant_id || ' is off by ' || SUM(` + cents + `) || ' cents'
			 FROM postings GROUP BY tenant_id HAVING SUM(` + cents + `) <> 0`),
		},
		{
			"entries_balance", "every ledger entry has its lines and adds up to zero",
			all("ledger entries", "journals"),
			only(`SELECT 'entry ' || j.id || ' of tenant ' || j.tenant_id
			 FROM journals j LEFT JOIN postings p ON p.journal_id = j.id AND p.tenant_id = j.tenant_id
			 GROUP BY j.id, j.tenant_id, j.line_count
			 HAVING COUNT(p.id) <> j.line_count OR COALESCE(SUM(CAST(ROUND(p.amount * 100) AS BIGINT)), 1) <> 0`),
		},
		{
			"reversals", "every reversal negates what it reverses",
			rows{"reversals", `SELECT COUNT(*) FROM journals WHERE reverses_id IS NOT NULL`},
			only(`SELECT 'entry ' || r.id || ' does not negate entry ' || o.id
			 FROM journals r JOIN journals o ON o.id = r.reverses_id
			 WHERE r.kind <> o.kind OR r.line_count <> o.line_count OR EXISTS (
			   SELECT 1 FROM (
			     SELECT account, COALESCE(syndicator_id, 0) s, SUM(` + cents + `) c FROM postings
			     WHERE journal_id IN (r.id, o.id) GROUP BY account, COALESCE(syndicator_id, 0)) x WHERE x.c <> 0)`),
		},
		{
			"payments_posted", "every payment that is PAID is posted for its last episode alone, and no other is posted",
			all("payments", "payments"),
			only(`SELECT 'payment ' || p.id || ' is ' || p.status || ' with ' ||
			    COUNT(DISTINCT j.episode) || ' episodes standing'
			 FROM payments p
			 LEFT JOIN journals j ON j.payment_id = p.id AND j.tenant_id = p.tenant_id AND j.reverses_id IS NULL
			   AND NOT EXISTS (SELECT 1 FROM journals r WHERE r.reverses_id = j.id AND r.tenant_id = j.tenant_id)
			 GROUP BY p.id, p.status, p.episode
			 HAVING COUNT(DISTINCT j.episode) <> CASE WHEN p.status = 'PAID' THEN 1 ELSE 0 END
			   OR COALESCE(MAX(j.episode), p.episode) <> p.episode`),
		},
		{
			"effective_dates", "what a payment posted, and was not taken back, counts for the day on which the payment cleared",
			rows{"entries of payments", `SELECT COUNT(*) FROM journals WHERE payment_id IS NOT NULL`},
			only(`SELECT 'entry ' || j.id || ' of payment ' || p.id || ' counts for another day'
			 FROM journals j JOIN payments p ON p.id = j.payment_id AND p.tenant_id = j.tenant_id AND p.episode = j.episode
			 WHERE p.status = 'PAID' AND j.reverses_id IS NULL AND j.effective_date <> p.cleared_date
			   AND NOT EXISTS (SELECT 1 FROM journals r WHERE r.reverses_id = j.id AND r.tenant_id = j.tenant_id)`),
		},
		{
			"deal_balances", "what every funded deal owes is its payback less what was collected, discounted and written off",
			funded, only(dealBalances),
		},
		{
			"schedule_sums", "the payments scheduled when a deal was funded add up to its payback",
			funded,
			only(`SELECT 'deal ' || d.id || ' planned ' ||
			    COALESCE(SUM(CAST(ROUND(p.planned_amount * 100) AS BIGINT)), 0) || ' cents'
			 FROM deals d LEFT JOIN payments p ON p.deal_id = d.id AND p.tenant_id = d.tenant_id
			 WHERE d.state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED')
			 GROUP BY d.id, d.payback_amount
			 HAVING COALESCE(SUM(CAST(ROUND(p.planned_amount * 100) AS BIGINT)), 0)
			   <> CAST(ROUND(d.payback_amount * 100) AS BIGINT)`),
		},
		{
			"closed_deals", "no closed or renewed deal owes anything, and no other state has a funding entry missing",
			funded,
			only(`SELECT 'deal ' || d.id || ' is ' || d.state || ' without its funding entry' FROM deals d
			 WHERE d.state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED') AND NOT EXISTS (
			   SELECT 1 FROM journals j WHERE j.deal_id = d.id AND j.tenant_id = d.tenant_id
			   AND j.kind IN ('FUNDING', 'RENEWAL'))
			 UNION ALL
			 SELECT 'deal ' || d.id || ' is ' || d.state || ' and owes ' || SUM(` + cents + `) || ' cents'
			 FROM deals d JOIN postings p ON p.deal_id = d.id AND p.tenant_id = d.tenant_id AND p.account IN ('1100', '2400')
			 WHERE d.state IN ('CLOSED', 'RENEWED') GROUP BY d.id, d.state HAVING SUM(` + cents + `) > 0`),
		},
		{
			"renewal_clearing",
			"what renewals kept back from new deals is what they settled on the prior ones",
			rows{"clearing postings", `SELECT COUNT(*) FROM postings WHERE account = '1900'`},
			only(renewalClearing),
		},
		{
			"audit_complete", "every lead, merchant, deal, payment and key has the audit entry of its making",
			all("records", "leads", "merchants", "deals", "payments", "api_keys"), only(auditComplete),
		},
		{
			"outbox_complete", "every lead, merchant and deal, and every payment that was paid or bounced, has its event",
			all("records", "leads", "merchants", "deals", "payments"), only(outboxComplete),
		},
	}
	return append(checks, references())
}

// funded are the deals with money out, now or earlier.
var funded = rows{
	"funded deals", `SELECT COUNT(*) FROM deals WHERE state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED')`,
}

// A renewal credits clearing on the new deal and debits it on the prior deal in one transaction, so all deals
// that renewed a prior deal sum to zero. A RENEWAL_PAYOFF by OFFSET without a renewal, which callers could once
// record, has no other side and is found here; marking it BOUNCED reverses it.
const renewalClearing = `
	SELECT 'the renewals of deal ' || x.prior || ' leave ' || SUM(x.cents) || ' cents in clearing'
	FROM (SELECT p.tenant_id, CASE WHEN p.kind = 'RENEWAL' THEN COALESCE(d.renewed_from_deal_id, 0)
	          ELSE COALESCE(p.deal_id, 0) END prior, CAST(ROUND(p.amount * 100) AS BIGINT) cents
	      FROM postings p
	      LEFT JOIN deals d ON d.id = p.deal_id AND d.tenant_id = p.tenant_id
	      WHERE p.account = '1900') x
	GROUP BY x.tenant_id, x.prior HAVING SUM(x.cents) <> 0`

// The receivable less unapplied cash equals the payback less the payments against it. The two sides come from
// different records, the ledger and the payments. Fees paid with a payoff are not payments against it.
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
	JOIN (SELECT deals.id, deals.tenant_id,
	COALESCE(SUM(CASE WHEN payments.type IN (` + againstBalance + `) THEN 1 ELSE -1 END
	        * CAST(ROUND(payments.amount * 100) AS BIGINT)), 0) paid
	      FROM deals LEFT JOIN payments ON payments.deal_id = deals.id AND payments.tenant_id = deals.tenant_id
	        AND payments.status = 'PAID' AND (payments.type IN (` + againstBalance + `) OR payments.payoff_id IS NOT NULL)
	      GROUP BY deals.id, deals.tenant_id) x
	  ON x.id = d.id AND x.tenant_id = d.tenant_id
	WHERE d.state IN ('FUNDED', 'DEFAULTED', 'CLOSED', 'RENEWED') AND l.owed <> l.base - x.paid`

const againstBalance = `'ORIGINAL_ADVANCE_PAYBACK', 'ADVANCE_PAYBACK', 'ADVANCE_PAYBACK_ADJUSTMENT',
	'EPO_DISCOUNT', 'RENEWAL_PAYOFF'`

// Payments created by callers are required; those created by the system follow from the deal's own write.
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

// references has a rule per reference of the schema: it must point at an existing record of the same tenant.
func references() Check {
	c := Check{Name: "references", About: "every reference points at an existing record of the same tenant"}
	var counts []string
	for _, name := range slices.Sorted(maps.Keys(ent.Records)) {
		record := ent.Records[name]
		for _, edge := range slices.Sorted(maps.Keys(record.Columns)) {
			target := ent.Records[record.Targets[edge]]
			if !record.Owned || !target.Owned {
				continue
			}
			column := record.Columns[edge]
			counts = append(counts, `SELECT COUNT(`+column+`) n FROM `+record.Table)
			c.rules = append(c.rules, rule{
				record.Table + "." + column,
				`SELECT c.id FROM ` + record.Table + ` c LEFT JOIN ` + target.Table + ` p
				 ON p.id = c.` + column + ` AND p.tenant_id = c.tenant_id WHERE c.` + column + ` IS NOT NULL AND p.id IS NULL`,
			})
		}
	}
	c.of = rows{"references", `SELECT CAST(SUM(n) AS BIGINT) FROM (` + strings.Join(counts, ` UNION ALL `) + `) counted`}
	return c
}

// Walk is a check that needs more than SQL: it examines rows one by one.
type Walk struct {
	Name  string
	About string // what is true if nothing violates it
	Noun  string // the name of what it examines
	Run   func(ctx context.Context, view *Snapshot, found *Finding) error
}

// Snapshot is a read-only view of the data as of one moment.
type Snapshot struct {
	tx      *sql.Tx
	dialect string
	client  *ent.Client // for all tenants
}

// RunChecks runs checks and then walks on one snapshot of the data, however long that takes. found, which may
// be nil, is called with each result; it must not block, because a transaction is open.
func (s *Store) RunChecks(ctx context.Context, checks []Check, found func(Finding), walks ...Walk) ([]Finding, error) {
	options := &sql.TxOptions{ReadOnly: true}
	if s.IsPostgres() {
		options.Isolation = sql.LevelRepeatableRead
	}
	tx, err := s.pools.reader.BeginTx(ctx, options)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback() }()
	if s.IsPostgres() {
		if _, err := tx.ExecContext(ctx, `SET LOCAL statement_timeout = 0`); err != nil {
			return nil, err
		}
	}
	var findings []Finding
	ended := func(f Finding, err error) error {
		if err != nil {
			return fmt.Errorf("check %s: %w", f.Name, err)
		}
		findings = append(findings, f)
		if found != nil {
			found(f)
		}
		return nil
	}
	for _, check := range checks {
		if err := ended(run(ctx, tx, check)); err != nil {
			return nil, err
		}
	}
	view := &Snapshot{tx, s.dialect, ent.NewClient(ent.Driver(entsql.NewDriver(s.dialect, entsql.Conn{ExecQuerier: tx})))}
	for _, w := range walks {
		f := Finding{Check: Check{Name: w.Name, About: w.About, of: rows{noun: w.Noun}}}
		err := w.Run(ctx, view, &f)
		if err := ended(f, err); err != nil {
			return nil, err
		}
	}
	return findings, nil
}

func run(ctx context.Context, tx *sql.Tx, c Check) (Finding, error) {
	found := Finding{Check: c}
	if err := tx.QueryRowContext(ctx, c.of.count).Scan(&found.Looked); err != nil {
		return found, err
	}
	for _, r := range c.rules {
		n, examples, err := violations(ctx, tx, r)
		if err != nil {
			return found, fmt.Errorf("%s: %w", r.name, err)
		}
		found.Violations += n
		switch {
		case n == 0:
		case r.name == "":
			found.Examples = append(found.Examples, examples...)
		default:
			found.Examples = append(found.Examples, r.name+" of "+strings.Join(examples, ", "))
		}
	}
	return found, nil
}

// violations counts the violations of a rule, and returns some of them, followed by dots if there are more.
func violations(ctx context.Context, tx *sql.Tx, r rule) (n int, examples []string, err error) {
	rows, err := tx.QueryContext(ctx, r.query)
	if err != nil {
		return 0, nil, err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return 0, nil, err
		}
		if n++; n <= maxExamples {
			examples = append(examples, text)
		}
	}
	if n > maxExamples {
		examples = append(examples, "…")
	}
	return n, examples, rows.Err()
}
