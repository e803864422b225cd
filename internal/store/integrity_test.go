package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/store"
)

// Broken references, and those to another tenant, are one check, which names each kind of them.
func TestBrokenReferencesAreNamed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		check := checkNamed(t, "references")
		found, err := s.RunCheck(t.Context(), check)
		if err != nil || found.Violations != 0 || found.Looked < 50 {
			t.Fatalf("%s: %v", found.Describe(), err)
		}
		if want := fmt.Sprintf("(%d references checked)", found.Looked); !strings.HasSuffix(found.Describe(), want) {
			t.Errorf("it says %q, want %q at the end", found.Describe(), want)
		}
		theirs := w.b.rows[ent.TypeDeal]
		tamper := unguarded(t, s, db)
		for _, table := range []string{"payments", "ucc_filings"} {
			tamper(fmt.Sprintf(`UPDATE %s SET deal_id = %d WHERE tenant_id = %d`, table, theirs, w.a.id))
		}
		if found, err = s.RunCheck(t.Context(), check); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{
			fmt.Sprintf("payments.deal_id of %d", w.a.rows[ent.TypePayment]),
			fmt.Sprintf("ucc_filings.deal_id of %d", w.a.rows[ent.TypeUCCFiling]),
			"2 violations among ",
		} {
			if !strings.Contains(found.Describe(), want) {
				t.Errorf("it says %q, without %q", found.Describe(), want)
			}
		}
		names := map[string]bool{}
		for _, c := range store.IntegrityChecks() {
			names[c.Name] = true
		}
		if len(names) != len(store.IntegrityChecks()) || len(names) > 20 {
			t.Errorf("%d checks have %d names", len(store.IntegrityChecks()), len(names))
		}
	})
}

// Renewals debit and credit clearing by equal amounts.
func TestRenewalClearingIsEmpty(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		check := checkNamed(t, "renewal_clearing")
		post := func(kind ledger.Kind, cents int64) {
			err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
				j, err := tx.Journal.Create().
					SetKind(kind).
					SetLineCount(2).
					SetOccurredAt(tx.At()).
					SetEffectiveDate(civil.On(tx.At(), time.UTC)).
					SetDealID(w.a.rows[ent.TypeDeal]).
					Save(ctx)
				if err != nil {
					return err
				}
				line := func(account string, cents int64) *ent.PostingCreate {
					return tx.Posting.Create().SetJournalID(j.ID).SetKind(kind).SetDealID(w.a.rows[ent.TypeDeal]).
						SetAccount(account).SetAmount(money.Cents(cents))
				}
				return tx.Posting.CreateBulk(line("1900", cents), line("1000", -cents)).Exec(ctx)
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		for i, step := range []struct {
			kind  ledger.Kind
			cents int64
			clean bool
		}{{ledger.Payment, 500, false}, {ledger.Payment, -500, true}, {ledger.Renewal, -300, false}} {
			post(step.kind, step.cents)
			found, err := s.RunCheck(t.Context(), check)
			if err != nil {
				t.Fatal(err)
			}
			if (found.Violations == 0) != step.clean || found.Looked != i+1 {
				t.Errorf("after %s of %d cents: %s", step.kind, step.cents, found.Describe())
			}
		}
	})
}

// A payment's postings count for the day on which it cleared, until they are reversed.
func TestEntriesCountForTheDayTheirPaymentCleared(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		check := checkNamed(t, "effective_dates")
		cleared := civil.Of(2026, time.March, 2)
		post := func(counts civil.Date) (id int) {
			err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
				p, err := tx.Payment.Create().
					SetDealID(w.a.rows[ent.TypeDeal]).
					SetType(payment.OtherFee).
					SetAmount(money.Cents(500)).
					SetStatus(payment.Paid).
					SetEpisode(1).
					SetClearedDate(cleared).
					Save(ctx)
				if err != nil {
					return err
				}
				j, err := tx.Journal.Create().
					SetKind(ledger.Payment).
					SetLineCount(2).
					SetOccurredAt(tx.At()).
					SetEffectiveDate(counts).
					SetDealID(p.DealID).
					SetPaymentID(p.ID).
					SetEpisode(1).
					Save(ctx)
				if err != nil {
					return err
				}
				id = j.ID
				return addLines(ctx, tx, j)
			})
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		violations := func() int {
			found, err := s.RunCheck(t.Context(), check)
			if err != nil {
				t.Fatal(err)
			}
			return found.Violations
		}
		post(cleared)
		if n := violations(); n != 0 {
			t.Errorf("%d violations where there is none", n)
		}
		wrong := post(cleared.AddDays(1))
		if n := violations(); n != 1 {
			t.Errorf("%d violations, want 1", n)
		}
		err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
			j, err := tx.Journal.Get(ctx, wrong)
			if err != nil {
				return err
			}
			back, err := tx.Journal.Create().
				SetKind(j.Kind).
				SetLineCount(2).
				SetOccurredAt(tx.At()).
				SetEffectiveDate(j.EffectiveDate).
				SetDealID(*j.DealID).
				SetPaymentID(*j.PaymentID).
				SetEpisode(1).
				SetReversesID(j.ID).
				Save(ctx)
			if err != nil {
				return err
			}
			return addLines(ctx, tx, back)
		})
		if err != nil {
			t.Fatal(err)
		}
		if n := violations(); n != 0 {
			t.Errorf("%d violations once it is taken back", n)
		}
	})
}

func addLines(ctx context.Context, tx *store.Tx, j *ent.Journal) error {
	line := func(account string, cents int64) *ent.PostingCreate {
		return tx.Posting.Create().SetJournalID(j.ID).SetKind(j.Kind).SetDealID(*j.DealID).SetPaymentID(*j.PaymentID).
			SetAccount(account).SetAmount(money.Cents(cents))
	}
	return tx.Posting.CreateBulk(line("1000", 500), line("4100", -500)).Exec(ctx)
}

func checkNamed(t *testing.T, name string) store.Check {
	t.Helper()
	checks := store.IntegrityChecks()
	i := slices.IndexFunc(checks, func(c store.Check) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no check is called %s", name)
	}
	return checks[i]
}
