package main

// The statements of the bare server. A read takes one for each kind of record. A write takes as few round trips as it
// can on PostgreSQL, and plain statements on SQLite, which has no round trips.

var postgresReads = map[string]string{
	"deal":      `SELECT ` + dealColumns + ` FROM deals WHERE tenant_id = $1 AND id = $2`,
	"deals":     `SELECT ` + dealColumns + ` FROM deals WHERE tenant_id = $1 ORDER BY id LIMIT $2`,
	"merchants": `SELECT ` + merchantColumns + ` FROM merchants WHERE tenant_id = $1 AND id = ANY ($2)`,
	"payments":  `SELECT ` + paymentColumns + ` FROM payments WHERE tenant_id = $1 AND deal_id = ANY ($2) ORDER BY id`,
}

var sqliteReads = map[string]string{
	"deal":  postgresReads["deal"],
	"deals": postgresReads["deals"],
	"merchants": `SELECT ` + merchantColumns + ` FROM merchants
		WHERE tenant_id = $1 AND id IN (SELECT value FROM json_each($2))`,
	"payments": `SELECT ` + paymentColumns + ` FROM payments
		WHERE tenant_id = $1 AND deal_id IN (SELECT value FROM json_each($2)) ORDER BY id`,
}

const (
	auditColumns = `created_at, tenant_id, actor_kind, actor_id, actor_name, surface, request_id, action, entity,
	entity_id, deal_id`
	dealSums = `SELECT account, COALESCE(syndicator_id, 0), kind,
	CAST(SUM(CAST(ROUND(amount * 100) AS BIGINT)) AS BIGINT)
	FROM postings WHERE tenant_id = $1 AND deal_id = $2 GROUP BY account, syndicator_id, kind`
	payable = `SELECT p.id, p.tenant_id, p.created_at, p.updated_at, p.deal_id, p.type, p.status, p.amount, p.direction,
	p.source, p.method, p.episode, p.scheduled_date, p.cleared_date, p.external_transfer_id, p.reference_id, p.note,
	p.initiated_at, p.returned_at, p.account_id, p.syndicator_id, p.bounce_code_id, p.bank_account_token_id, p.loc_draw_id,
	p.made_up_by_id, p.planned_amount, d.funded_amount, d.payback_amount,
	(SELECT count(*) FROM participations s WHERE s.tenant_id = $1 AND s.deal_id = d.id)
	FROM payments p JOIN deals d ON d.id = p.deal_id WHERE p.tenant_id = $1 AND p.id = $2`
)

var postgresWrites = map[string]string{
	// One statement is one transaction.
	"create": `WITH made AS (
		INSERT INTO payments (tenant_id, deal_id, type, amount, method, reference_id, note, status, direction, source,
			episode, created_at, updated_at)
		SELECT $1, d.id, $3, $4, $5, $6, $7, 'PENDING', 'IN', 'API', 0, $8, $8
		FROM deals d WHERE d.tenant_id = $1 AND d.id = $2
		RETURNING id
	), audited AS (
		INSERT INTO audit_entries (` + auditColumns + `, after)
		SELECT $8, $1, 'KEY', $9, $10, 'REST', $11, 'payment.create', 'payment', made.id, $2,
			$12::jsonb || jsonb_build_object('id', made.id) FROM made
	) SELECT id FROM made`,
	"payable": payable + ` FOR UPDATE`,
	"sums":    dealSums,
	"pay": `WITH paid AS (
		UPDATE payments SET status = 'PAID', episode = $3, cleared_date = $4, initiated_at = $5, updated_at = $5
		WHERE tenant_id = $1 AND id = $2
	), posted AS (
		INSERT INTO journals (tenant_id, payment_id, episode, created_at, occurred_at, effective_date, kind, memo, line_count,
			deal_id)
		VALUES ($1, $2, $3, $5, $5, $4, $6, $7, cardinality($9::text[]), $8) RETURNING id
	), lines AS (
		INSERT INTO postings (tenant_id, journal_id, payment_id, deal_id, kind, account, amount)
		SELECT $1, posted.id, $2, $8, $6, l.account, l.amount
		FROM posted, unnest($9::text[], $10::numeric[]) AS l (account, amount)
	), told AS (
		INSERT INTO outbox_events (tenant_id, event, version, occurred_at, data, entity, entity_id)
		VALUES ($1, 'payment.paid', 1, $5, $11, 'payment', $2)
	)
	INSERT INTO audit_entries (` + auditColumns + `, before, after, effects)
	SELECT $5, $1, 'KEY', $12, $13, 'REST', $14, 'payment.update', 'payment', $2, $8, $15::jsonb, $16::jsonb,
		jsonb_build_array(jsonb_build_object('entity', 'journal', 'ids', jsonb_build_array(posted.id), 'change', 'create'))
	FROM posted`,
}

var sqliteWrites = map[string]string{
	"deal exists": `SELECT 1 FROM deals WHERE tenant_id = $1 AND id = $2`,
	"create": `INSERT INTO payments (tenant_id, deal_id, type, amount, method, reference_id, note, status, direction,
		source, episode, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, 'PENDING', 'IN', 'API', 0, $8, $8) RETURNING id`,
	"payable": payable,
	"sums":    dealSums,
	"pay": `UPDATE payments SET status = 'PAID', episode = $3, cleared_date = $4, initiated_at = $5, updated_at = $5
		WHERE tenant_id = $1 AND id = $2`,
	"journal": `INSERT INTO journals (tenant_id, payment_id, episode, created_at, occurred_at, kind, memo, line_count,
		deal_id, effective_date) VALUES ($1, $2, $3, $4, $4, $5, $6, $7, $8, $9) RETURNING id`,
	"postings": `INSERT INTO postings (tenant_id, journal_id, payment_id, deal_id, kind, account, amount)
		VALUES ($1, $2, $3, $4, $5, $6, $7), ($1, $2, $3, $4, $5, $8, $9), ($1, $2, $3, $4, $5, $10, $11),
			($1, $2, $3, $4, $5, $12, $13)`,
	"outbox": `INSERT INTO outbox_events (tenant_id, event, version, occurred_at, data, entity, entity_id)
		VALUES ($1, 'payment.paid', 1, $2, $3, 'payment', $4)`,
	"audit": `INSERT INTO audit_entries (` + auditColumns + `, before, after, effects)
		VALUES ($1, $2, 'KEY', $3, $4, 'REST', $5, $6, 'payment', $7, $8, $9, $10, $11)`,
}
