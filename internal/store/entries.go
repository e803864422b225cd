package store

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
)

// NewEntry is a ledger entry to store, with its lines.
type NewEntry struct {
	Kind                                     ledger.Kind
	Memo                                     string // "" for none
	DealID, PaymentID, Episode               *int
	ReversesID, DisbursementID, PayoutItemID *int
	Revision                                 int
	EffectiveDate                            civil.Date
	Lines                                    []NewLine
}

// NewLine is a line of a ledger entry.
type NewLine struct {
	Account                     string
	Amount                      money.Amount
	DealID, SyndicatorID, ISOID *int
}

const (
	journalColumns = `tenant_id, created_at, kind, memo, line_count, deal_id, payment_id, episode, reverses_id, revision,
	disbursement_id, payout_item_id, occurred_at, effective_date`
	postingColumns = `tenant_id, journal_id, account, kind, amount, deal_id, syndicator_id, iso_id, payment_id`
	// linesAtOnce keeps a statement below the arguments that either database takes.
	linesAtOnce = 1000
)

// AddEntries stores ledger entries of the actor's tenant, recorded at the instant of the transaction, and returns
// their ids. What they refer to must be the tenant's.
func (tx *Tx) AddEntries(ctx context.Context, entries []NewEntry) ([]int, error) {
	tenant, err := ownerOf(ctx, ent.TypeJournal)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		if err := tx.checkEntry(ctx, &entries[i]); err != nil {
			return nil, err
		}
	}
	ids, err := tx.addJournals(ctx, tenant, entries)
	if err != nil {
		return nil, err
	}
	in := insertion{table: "postings", columns: postingColumns}
	for i, e := range entries {
		tx.see(tenant, ent.TypeJournal, ids[i])
		for _, l := range e.Lines {
			in.rows = append(in.rows, []any{
				tenant, ids[i], l.Account, string(e.Kind), l.Amount, orNullInt(l.DealID), orNullInt(l.SyndicatorID),
				orNullInt(l.ISOID), orNullInt(e.PaymentID),
			})
		}
	}
	for len(in.rows) > linesAtOnce {
		part := in
		part.rows, in.rows = in.rows[:linesAtOnce], in.rows[linesAtOnce:]
		if err := tx.insert(ctx, part); err != nil {
			return nil, err
		}
	}
	return ids, tx.insert(ctx, in)
}

// checkEntry checks what Ent checks: the values, and that references are to records of the tenant.
func (tx *Tx) checkEntry(ctx context.Context, e *NewEntry) error {
	if err := journal.KindValidator(e.Kind); err != nil {
		return err
	}
	if err := journal.LineCountValidator(len(e.Lines)); err != nil {
		return err
	}
	type reference struct {
		edge, record string
		id           *int
	}
	of := func(record string, references ...reference) error {
		for _, r := range references {
			if r.id == nil {
				continue
			}
			found, err := tx.Has(ctx, r.record, *r.id)
			if err != nil {
				return fmt.Errorf("look up %s %d: %w", r.record, *r.id, err)
			}
			if !found {
				return &ForeignError{Record: record, Edge: r.edge}
			}
		}
		return nil
	}
	if err := of(
		ent.TypeJournal,
		reference{"deal", ent.TypeDeal, e.DealID}, reference{"payment", ent.TypePayment, e.PaymentID},
		reference{"reverses", ent.TypeJournal, e.ReversesID},
		reference{"disbursement", ent.TypeDisbursement, e.DisbursementID},
		reference{"payout_item", ent.TypePayoutItem, e.PayoutItemID},
	); err != nil {
		return err
	}
	for _, l := range e.Lines {
		if err := of(
			ent.TypePosting,
			reference{"deal", ent.TypeDeal, l.DealID}, reference{"syndicator", ent.TypeSyndicator, l.SyndicatorID},
			reference{"iso", ent.TypeISO, l.ISOID},
		); err != nil {
			return err
		}
	}
	return nil
}

func (tx *Tx) addJournals(ctx context.Context, tenant int, entries []NewEntry) ([]int, error) {
	in := insertion{table: "journals", columns: journalColumns}
	for _, e := range entries {
		in.rows = append(in.rows, []any{
			tenant, tx.at, string(e.Kind), orNull(e.Memo), len(e.Lines), orNullInt(e.DealID), orNullInt(e.PaymentID),
			orNullInt(e.Episode), orNullInt(e.ReversesID), e.Revision, orNullInt(e.DisbursementID),
			orNullInt(e.PayoutItemID), tx.at, e.EffectiveDate,
		})
	}
	if tx.deferring == nil {
		query, args := in.statement()
		return tx.ids(ctx, query+" RETURNING id", args...)
	}
	ids, err := tx.journalIDs(ctx, len(entries))
	if err != nil {
		return nil, err
	}
	in.columns += ", id"
	for i := range in.rows {
		in.rows[i] = append(in.rows[i], ids[i])
	}
	return ids, tx.insert(ctx, in)
}

// journalIDs returns n ids for ledger entries: those already reserved first, then new ones.
func (tx *Tx) journalIDs(ctx context.Context, n int) ([]int, error) {
	if missing := n - len(tx.journals); missing > 0 {
		more, err := tx.ids(reading(ctx), `SELECT nextval('journals_id_seq') FROM generate_series(1, $1)`, missing)
		if err != nil {
			return nil, err
		}
		tx.journals = append(tx.journals, more...)
	}
	ids := tx.journals[:n:n]
	tx.journals = tx.journals[n:]
	return ids, nil
}

// ids returns the only column of a query, in its order.
func (tx *Tx) ids(ctx context.Context, query string, args ...any) ([]int, error) {
	rows, err := tx.query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	var ids []int
	for rows.Next() {
		var id int
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}

// DealBooks is what a deal's books are computed from, apart from the deal itself.
type DealBooks struct {
	Sums           []Sum
	Participations int
}

// BooksOf reads a deal's books in one statement. If the write posts an entry afterwards, the statement also reserves
// its id.
func (tx *Tx) BooksOf(ctx context.Context, tenant, dealID int, posts bool) (DealBooks, error) {
	reserved := `0`
	if posts && tx.deferring != nil {
		reserved = `nextval('journals_id_seq')`
	}
	rows, err := tx.query(reading(ctx, "participations", "postings"), `
		SELECT '' AS account, `+reserved+` AS syndicator, '' AS kind,
			(SELECT COUNT(*) FROM participations WHERE tenant_id = $1 AND deal_id = $2) AS cents
		UNION ALL SELECT account, COALESCE(syndicator_id, 0), kind, `+centsOf+`
		FROM postings WHERE tenant_id = $1 AND deal_id = $2 GROUP BY account, syndicator_id, kind`, tenant, dealID)
	if err != nil {
		return DealBooks{}, err
	}
	defer func() { _ = rows.Close() }()
	var books DealBooks
	for rows.Next() {
		var s Sum
		if err := rows.Scan(&s.Account, &s.SyndicatorID, &s.Kind, &s.Cents); err != nil {
			return DealBooks{}, err
		}
		if s.Account != "" {
			books.Sums = append(books.Sums, s)
			continue
		}
		books.Participations = int(s.Cents)
		if s.SyndicatorID != 0 {
			tx.journals = append(tx.journals, s.SyndicatorID)
		}
	}
	return books, rows.Err()
}
