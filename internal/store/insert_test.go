package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/store"
)

// Rows that are inserted by hand are those that Ent would store, byte for byte and in the same storage class.
func TestRowsByHandAreAsEntStoresThem(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		for range 40 {
			for table, c := range map[string]bothWays{
				"audit_entries": {auditByHand, auditByEnt}, "outbox_events": {eventByHand, eventByEnt},
				"idempotency_records": {answerByHand, answerByEnt},
				"journals":            {w.a.entryByHand, w.a.entryByEnt}, "postings": {w.a.entryByHand, w.a.entryByEnt},
			} {
				seed := rand.Uint64()
				one, other := w.stored(t, table, seed, c.byHand), w.stored(t, table, seed, c.byEnt)
				if !reflect.DeepEqual(one, other) || len(one) == 0 {
					t.Fatalf("%s, by hand:\n%v\nby Ent:\n%v", table, one, other)
				}
			}
		}
	})
}

// work stores one row, or an entry, of random values.
type work func(ctx context.Context, tx *store.Tx, r *rand.Rand) error

type bothWays struct{ byHand, byEnt work }

// stored returns the rows that work adds to a table, without their ids and the time of the transaction, and undoes it.
func (w *world) stored(t *testing.T, table string, seed uint64, do work) (rows []map[string]any) {
	t.Helper()
	undo := errors.New("undo")
	err := w.s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
		last, err := tx.Rows(ctx, `SELECT COALESCE(MAX(id), 0) AS id FROM `+table)
		if err != nil {
			return err
		}
		if err := do(ctx, tx, rand.New(rand.NewPCG(seed, 1))); err != nil {
			return err
		}
		classes := ""
		if !w.s.IsPostgres() {
			for _, c := range kindByTable(table).columns() {
				classes += `, typeof(` + c.Name + `) AS "class of ` + c.Name + `"`
			}
		}
		rows, err = tx.Rows(ctx, fmt.Sprintf(`SELECT *%s FROM %s WHERE id > %v ORDER BY id`, classes, table, last[0]["id"]))
		if err != nil {
			return err
		}
		for _, row := range rows {
			delete(row, "id")
			delete(row, "journal_id")
			for name, value := range row {
				if at, ok := value.(time.Time); ok && at.Equal(tx.At()) {
					row[name] = "now"
				}
			}
		}
		return undo
	})
	if !errors.Is(err, undo) {
		t.Fatalf("%s: %v", table, err)
	}
	return rows
}

func kindByTable(table string) kind {
	for _, k := range kinds() {
		if k.Table == table {
			return k
		}
	}
	panic(table)
}

func randomText(r *rand.Rand) string {
	return []string{"", "x", "Überweisung", `"quoted" \ $1 ?1`, "<b>&amp;</b>", "\u2028 line"}[r.IntN(6)]
}

func randomJSON(r *rand.Rand) []byte {
	if r.IntN(4) == 0 {
		return nil
	}
	raw, _ := json.Marshal(map[string]any{"id": r.IntN(9), "text": randomText(r), "n": r.Float64()})
	return raw
}

func randomID(r *rand.Rand) *int {
	if r.IntN(2) == 0 {
		return nil
	}
	return new(1 + r.IntN(1000))
}

func randomAudit(r *rand.Rand) store.AuditRow {
	return store.AuditRow{
		ActorKind: "KEY", ActorName: randomText(r), Surface: "REST", RequestID: randomText(r), ActorID: r.IntN(2),
		Action: "deal.update", Entity: "deal", EntityID: 1 + r.IntN(9), DealID: randomID(r),
		Before: randomJSON(r), After: randomJSON(r), Effects: randomJSON(r),
	}
}

func auditByHand(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	return tx.AddAudit(ctx, []store.AuditRow{randomAudit(r)})
}

func auditByEnt(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	a := randomAudit(r)
	c := tx.AuditEntry.Create().SetActorKind(a.ActorKind).SetActorName(a.ActorName).SetSurface(a.Surface).
		SetRequestID(a.RequestID).SetAction(a.Action).SetEntity(a.Entity).SetEntityID(a.EntityID).
		SetNillableDealID(a.DealID)
	if a.ActorID != 0 {
		c.SetActorID(a.ActorID)
	}
	if a.Before != nil {
		c.SetBefore(a.Before)
	}
	if a.After != nil {
		c.SetAfter(a.After)
	}
	if a.Effects != nil {
		c.SetEffects(a.Effects)
	}
	return c.Exec(ctx)
}

func randomEvent(r *rand.Rand) store.EventRow {
	return store.EventRow{
		Event: "payment.paid", Version: 1 + r.IntN(3), Entity: "payment",
		EntityID: r.IntN(9), FannedOut: r.IntN(2) == 0,
	}
}

func eventByHand(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	e := randomEvent(r)
	e.Data, _ = json.Marshal(randomText(r))
	return tx.AddEvents(ctx, []store.EventRow{e})
}

func eventByEnt(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	e := randomEvent(r)
	e.Data, _ = json.Marshal(randomText(r))
	c := tx.OutboxEvent.Create().SetEvent(e.Event).SetVersion(e.Version).SetOccurredAt(tx.At()).SetData(e.Data).
		SetEntity(e.Entity).SetEntityID(e.EntityID)
	if e.FannedOut {
		c.SetFannedOutAt(tx.At())
	}
	return c.Exec(ctx)
}

func randomAnswer(r *rand.Rand) store.AnswerRow {
	return store.AnswerRow{
		Claim: []byte(randomText(r) + "c"), BodyHash: []byte(randomText(r) + "h"), Status: r.IntN(500),
		Body: []byte(randomText(r)), Sealed: r.IntN(2) == 0,
	}
}

func answerByHand(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	return tx.AddAnswer(ctx, randomAnswer(r))
}

func answerByEnt(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	a := randomAnswer(r)
	return tx.IdempotencyRecord.Create().SetClaim(a.Claim).SetBodyHash(a.BodyHash).SetStatus(a.Status).SetBody(a.Body).
		SetSealed(a.Sealed).Exec(ctx)
}

// randomEntries are entries that refer to records of the owner or to none.
func (o *owner) randomEntries(r *rand.Rand) []store.NewEntry {
	record := func(kind string) *int {
		if r.IntN(3) == 0 {
			return nil
		}
		return new(o.rows[kind])
	}
	entries := make([]store.NewEntry, 1+r.IntN(3))
	for i := range entries {
		e := store.NewEntry{
			Kind: ledger.Funding, Memo: randomText(r), DealID: record(ent.TypeDeal), Revision: r.IntN(3),
			DisbursementID: record(ent.TypeDisbursement), PayoutItemID: record(ent.TypePayoutItem),
			EffectiveDate: civil.Of(2026, 1, 1+r.IntN(28)),
		}
		if i == 0 {
			e.PaymentID, e.Episode, e.ReversesID = record(ent.TypePayment), new(7), record(ent.TypeJournal)
		}
		for range 1 + r.IntN(2) {
			cents := 1 + r.Int64N(1e9)
			e.Lines = append(e.Lines,
				store.NewLine{Account: "1000", Amount: money.Cents(cents), DealID: record(ent.TypeDeal)},
				store.NewLine{
					Account: "2120", Amount: money.Cents(-cents), SyndicatorID: record(ent.TypeSyndicator),
					ISOID: record(ent.TypeISO),
				})
		}
		entries[i] = e
	}
	return entries
}

func (o *owner) entryByHand(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	_, err := tx.AddEntries(ctx, o.randomEntries(r))
	return err
}

func (o *owner) entryByEnt(ctx context.Context, tx *store.Tx, r *rand.Rand) error {
	for _, e := range o.randomEntries(r) {
		c := tx.Journal.Create().SetKind(e.Kind).SetLineCount(len(e.Lines)).SetOccurredAt(tx.At()).
			SetEffectiveDate(e.EffectiveDate).SetNillableDealID(e.DealID).SetNillablePaymentID(e.PaymentID).
			SetNillableEpisode(e.Episode).SetRevision(e.Revision).SetNillableReversesID(e.ReversesID).
			SetNillableDisbursementID(e.DisbursementID).SetNillablePayoutItemID(e.PayoutItemID)
		if e.Memo != "" {
			c.SetMemo(e.Memo)
		}
		j, err := c.Save(ctx)
		if err != nil {
			return err
		}
		for _, l := range e.Lines {
			if err := tx.Posting.Create().SetJournalID(j.ID).SetKind(e.Kind).SetAccount(l.Account).SetAmount(l.Amount).
				SetNillableDealID(l.DealID).SetNillablePaymentID(e.PaymentID).SetNillableSyndicatorID(l.SyndicatorID).
				SetNillableIsoID(l.ISOID).Exec(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// What is inserted by hand is of the actor's tenant, and refers to nothing of another one.
func TestRowsByHandKeepToTheirTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		r := rand.New(rand.NewPCG(1, 2))
		for table, do := range map[string]work{
			"audit_entries": auditByHand, "outbox_events": eventByHand, "idempotency_records": answerByHand,
			"journals": w.a.entryByHand, "postings": w.a.entryByHand,
		} {
			for _, row := range w.stored(t, table, 3, do) {
				if fmt.Sprint(row["tenant_id"]) != fmt.Sprint(w.a.id) {
					t.Errorf("%s of tenant %v, want %d", table, row["tenant_id"], w.a.id)
				}
			}
			for name, ctx := range map[string]context.Context{
				"no actor": t.Context(), "all tenants": auth.AllTenants(w.a.ctx, "test"),
			} {
				err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return do(ctx, tx, r) })
				if err == nil {
					t.Errorf("%s: a row is stored for %s", table, name)
				}
			}
		}
		line := func(cents int64) store.NewLine { return store.NewLine{Account: "1000", Amount: money.Cents(cents)} }
		for name, refer := range map[string]func(*store.NewEntry){
			"deal":         func(e *store.NewEntry) { e.DealID = new(w.b.rows[ent.TypeDeal]) },
			"payment":      func(e *store.NewEntry) { e.PaymentID = new(w.b.rows[ent.TypePayment]) },
			"reverses":     func(e *store.NewEntry) { e.ReversesID = new(w.b.rows[ent.TypeJournal]) },
			"disbursement": func(e *store.NewEntry) { e.DisbursementID = new(w.b.rows[ent.TypeDisbursement]) },
			"payout_item":  func(e *store.NewEntry) { e.PayoutItemID = new(w.b.rows[ent.TypePayoutItem]) },
			"syndicator":   func(e *store.NewEntry) { e.Lines[1].SyndicatorID = new(w.b.rows[ent.TypeSyndicator]) },
			"iso":          func(e *store.NewEntry) { e.Lines[0].ISOID = new(w.b.rows[ent.TypeISO]) },
			"deal of line": func(e *store.NewEntry) { e.Lines[0].DealID = new(w.b.rows[ent.TypeDeal]) },
		} {
			e := store.NewEntry{
				Kind: ledger.Funding, EffectiveDate: civil.Of(2026, 1, 5), Lines: []store.NewLine{line(5), line(-5)},
			}
			refer(&e)
			err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.AddEntries(ctx, []store.NewEntry{e})
				return err
			})
			if _, ok := errors.AsType[*store.ForeignError](err); !ok {
				t.Errorf("an entry with the %s of another tenant: %v", name, err)
			}
		}
	})
}

func TestWrongEntriesAreRefused(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		line := func(cents int64) store.NewLine { return store.NewLine{Account: "1000", Amount: money.Cents(cents)} }
		for name, e := range map[string]store.NewEntry{
			"unbalanced": {Kind: ledger.Funding, Lines: []store.NewLine{line(5), line(-4)}},
			"zero":       {Kind: ledger.Funding, Lines: []store.NewLine{line(5), line(-5), line(0)}},
			"one line":   {Kind: ledger.Funding, Lines: []store.NewLine{line(5)}},
			"kind":       {Kind: "OTHER", Lines: []store.NewLine{line(5), line(-5)}},
		} {
			e.EffectiveDate = civil.Of(2026, 1, 5)
			err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.AddEntries(ctx, []store.NewEntry{e})
				return err
			})
			if err == nil {
				t.Errorf("an entry is stored: %s", name)
			}
		}
	})
}
