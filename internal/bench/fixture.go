package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"paydown/internal/store"
)

// The records that are measured on: one deal is made through the API, with its merchant, its schedule and its books,
// and copied by SQL. The copies of number k have ids that begin at base + k × span, in every table.
const (
	base           = 1_000_000
	span           = 100
	paymentsOfDeal = 20
)

// Deals below this copy are only read, so that lists stay as they are; those above take the payments that are written.
const firstWritten = 200

func copyOf(k int) int { return base + k*span }

// database is one that the bench has made.
type database struct {
	*sql.DB
	url      string
	postgres bool
}

func openDatabase(dbURL string) (*database, error) {
	if path, ok := store.SQLitePath(dbURL); ok {
		// The product writes beside it: a transaction that has read before its first write could not wait for its turn.
		db, err := openPool("sqlite", "file:"+path+"?_pragma=busy_timeout(60000)&_txlock=immediate&_time_format=sqlite", 1)
		return &database{db, dbURL, false}, err
	}
	db, err := openPool("postgres", dbURL, 2)
	return &database{db, dbURL, true}, err
}

// multiply copies the deal of that id so many times: the deal, its merchant, payments, journals and postings, or only
// deal and payments, on other days, where all that counts is their number.
func (d *database) multiply(ctx context.Context, deal, merchant, copies int, books bool) error {
	tx, err := d.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	start := func(table string) string {
		return fmt.Sprintf("(%d + k * %d + id - (SELECT min(id) FROM %s WHERE deal_id = %d))", base, span, table, deal)
	}
	dealID := fmt.Sprintf("(%d + k * %d)", base, span)
	number := "'X-' || k"
	type cloned struct {
		table, of string
		values    map[string]string
	}
	ofDeal := fmt.Sprintf("deal_id = %d", deal)
	all := []cloned{
		{"merchants", fmt.Sprintf("id = %d", merchant), map[string]string{"id": dealID}},
		{"deals", fmt.Sprintf("id = %d", deal), map[string]string{
			"id": dealID, "merchant_id": dealID, "deal_number": number,
		}},
		{"payments", ofDeal, map[string]string{"id": start("payments"), "deal_id": dealID}},
		{"journals", ofDeal, map[string]string{"id": start("journals"), "deal_id": dealID}},
		{"postings", ofDeal, map[string]string{
			"id": start("postings"), "deal_id": dealID,
			"journal_id": fmt.Sprintf(
				"(%d + k * %d + journal_id - (SELECT min(id) FROM journals WHERE deal_id = %d))", base, span, deal),
		}},
	}
	if !books {
		all = all[:3]
		all[2].values["scheduled_date"] = "date(scheduled_date, '+' || (k % 3000) || ' days')"
		if d.postgres {
			all[2].values["scheduled_date"] = "scheduled_date + (k % 3000)::int"
		}
	}
	for _, c := range all {
		if err := d.clone(ctx, tx, c.table, c.of, c.values, copies); err != nil {
			return fmt.Errorf("copy %s: %w", c.table, err)
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return d.settleDown(ctx)
}

// clone inserts copies of the rows with the given columns recomputed, each by an expression of the row and of k.
func (d *database) clone(
	ctx context.Context, tx *sql.Tx, table, of string, values map[string]string, copies int,
) error {
	columns, err := d.columns(ctx, tx, table)
	if err != nil {
		return err
	}
	made := make([]string, len(columns))
	for i, c := range columns {
		made[i] = c
		if v, ok := values[c]; ok {
			made[i] = v
		}
	}
	_, err = tx.ExecContext(ctx, fmt.Sprintf(`INSERT INTO %s (%s)
		WITH RECURSIVE copies (k) AS (SELECT 1 UNION ALL SELECT k + 1 FROM copies WHERE k < %d)
		SELECT %s FROM %s CROSS JOIN copies WHERE %s ORDER BY k, id`,
		table, strings.Join(columns, ", "), copies, strings.Join(made, ", "), table, of))
	return err
}

func (d *database) columns(ctx context.Context, tx *sql.Tx, table string) ([]string, error) {
	rows, err := tx.QueryContext(ctx, `SELECT * FROM `+table+` LIMIT 0`) //nolint:gosec // a table of ours
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	return columns, rows.Err()
}

// settleDown leaves the database as a while of service would: sequences beyond the copies, statistics taken.
func (d *database) settleDown(ctx context.Context) error {
	if !d.postgres {
		_, err := d.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
		return err
	}
	for _, table := range []string{"merchants", "deals", "payments", "journals", "postings"} {
		if _, err := d.ExecContext(ctx, fmt.Sprintf(
			`SELECT setval(pg_get_serial_sequence('%[1]s', 'id'), (SELECT max(id) + %[2]d FROM %[1]s))`,
			table, base,
		)); err != nil {
			return err
		}
	}
	for _, statement := range []string{`VACUUM ANALYZE`, `CHECKPOINT`} {
		if _, err := d.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	return nil
}
