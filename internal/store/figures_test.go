package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/store"
)

// Figures are aggregated by raw SQL. One tenant's records never appear in another's figures, and asking for
// another's deals and syndicators finds nothing.
func TestFiguresKeepToTheirTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		before, theirs := w.a.figures(t, s, w.a), w.b.figures(t, s, w.b)
		w.b.book(t, s, 4321, ledger.Funding)
		err := s.Write(w.b.ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.Payment.Create().
				SetDealID(w.b.rows[ent.TypeDeal]).
				SetType(payment.AdvancePayback).
				SetDirection(payment.In).
				SetAmount(money.Must("10.10")).
				SetScheduledDate(civil.Must("2026-02-02")).
				SetStatus(payment.Bounced).
				SetReturnedAt(tx.At()).
				Exec(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		if after := w.a.figures(t, s, w.a); !slices.Equal(after, before) {
			t.Errorf("what b has done shows in a's figures:\n%v\n%v", before, after)
		}
		if after := w.b.figures(t, s, w.b); slices.Equal(after, theirs) {
			t.Errorf("b's figures do not show what b has done: %v", after)
		}
		if own := w.b.figures(t, s, w.b)[3]; own == "[]" {
			t.Error("b's payout comes to nothing")
		}
		for _, line := range w.a.figures(t, s, w.b)[:4] {
			if line != "map[]" && line != "[]" {
				t.Errorf("a finds something of b's: %s", line)
			}
		}
	})
}

// The pipeline of a tenant has only its own submissions.
func TestPipelineTotalsKeepToTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		for _, o := range []*owner{w.a, w.b} {
			sums, err := s.PipelineSums(o.ctx, o.id)
			if err != nil || len(sums) != 1 || sums[o.rows[ent.TypeSubmissionStatus]].Count != 1 {
				t.Errorf("tenant %d has %v, %v", o.id, sums, err)
			}
		}
	})
}

// Debits and returns are counted by class, for each tenant separately, and other payments are not counted.
func TestReturnsAreCountedByClass(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		since := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
		within, before := since.Add(time.Hour), since.Add(-time.Hour)
		for _, o := range []*owner{w.a, w.b} {
			err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
				classes := map[payment.ReturnClass]int{}
				for code, class := range map[string]payment.ReturnClass{
					"R83": payment.UnauthorizedReturn, "R84": payment.AdministrativeReturn, "R85": payment.OtherReturn,
				} {
					classes[class] = tx.BounceCode.Create().SetCode(code).SetTitle(code).SetReturnClass(class).SaveX(ctx).ID
				}
				add := func(status payment.Status, method payment.Method, initiated time.Time, class payment.ReturnClass) {
					p := tx.Payment.Create().SetDealID(o.rows[ent.TypeDeal]).SetType(payment.AdvancePayback).SetDirection(payment.In).
						SetAmount(money.Must("10.00")).SetStatus(status).SetMethod(method).SetInitiatedAt(initiated)
					if status == payment.Bounced {
						p.SetReturnedAt(within)
					}
					if class != "" {
						p.SetBounceCodeID(classes[class])
					}
					p.SaveX(ctx)
				}
				add(payment.Submitted, payment.ACH, within, "")
				add(payment.Paid, payment.ACH, within, "")
				add(payment.Paid, payment.ACH, before, "")
				add(payment.Paid, payment.Wire, within, "")
				add(payment.Cancelled, payment.ACH, within, "")
				add(payment.Bounced, payment.ACH, within, payment.UnauthorizedReturn)
				add(payment.Bounced, payment.ACH, before, payment.AdministrativeReturn) // of an older debit
				add(payment.Bounced, payment.ACH, within, payment.OtherReturn)
				add(payment.Bounced, payment.ACH, within, "")
				add(payment.Bounced, payment.Check, within, payment.UnauthorizedReturn)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			got, err := s.ReturnCounts(o.ctx, o.id, since)
			if want := (store.ReturnCount{Debits: 5, Unauthorized: 1, Administrative: 1, Overall: 4}); err != nil ||
				got != want {
				t.Errorf("%+v %v, want %+v", got, err, want)
			}
		}
	})
}

// Both databases return days as dates, and sums are exact to the cent.
func TestDaysAreAddedUpExactly(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		day := civil.Must("2031-03-04")
		err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
			for range 3 {
				err := tx.Payment.Create().
					SetDealID(w.a.rows[ent.TypeDeal]).
					SetType(payment.AdvancePayback).
					SetDirection(payment.In).
					SetAmount(money.Must("999999999.99")).
					SetScheduledDate(day).
					Exec(ctx)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		found, err := s.DayFigures(w.a.ctx, w.a.id, day, day)
		if want := "[{expected 2031-03-04 3 299999999997}]"; err != nil || fmt.Sprint(found) != want {
			t.Errorf("%v %v, want %s", found, err, want)
		}
	})
}

// figures returns all figures of a tenant, the first four for the deal, the syndicator and the payout of an
// owner.
func (o *owner) figures(t *testing.T, s *store.Store, of *owner) []string {
	t.Helper()
	deal, syndicator := of.rows[ent.TypeDeal], of.rows[ent.TypeSyndicator]
	late := time.Date(2040, 1, 1, 0, 0, 0, 0, time.UTC)
	var lines []string
	add := func(found any, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, fmt.Sprint(found))
	}
	sums, err := s.DealsSums(o.ctx, o.id, []int{deal})
	add(sums, err)
	parties, err := s.PartySums(o.ctx, o.id, []int{syndicator})
	add(parties, err)
	holdings, err := s.Holdings(o.ctx, o.id, []int{syndicator})
	add(holdings, err)
	payouts, err := s.PayoutSums(o.ctx, o.id, []int{of.rows[ent.TypePayoutBatch]})
	add(payouts, err)
	err = s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
		unshared, err := tx.UnsharedCents(ctx, o.id, "2120")
		if err != nil {
			return err
		}
		shares, err := tx.CollectedShares(ctx, o.id, "2120", civil.Must("2000-01-01"), civil.On(late, time.UTC))
		if err != nil {
			return err
		}
		returned, err := tx.ReturnedItems(ctx, o.id)
		lines = append(lines, fmt.Sprint(unshared), fmt.Sprint(shares), fmt.Sprint(returned))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := s.CentsRecorded(o.ctx, o.id, store.Part{DealID: deal}, late)
	add(recorded, err)
	part, err := s.CentsThrough(o.ctx, o.id, store.Part{DealID: deal}, civil.On(late, time.UTC))
	add(part, err)
	counts, err := s.ReturnCounts(o.ctx, o.id, time.Time{})
	add(counts, err)
	for _, figures := range []func() ([]store.Figure, error){
		func() ([]store.Figure, error) {
			return s.DayFigures(o.ctx, o.id, civil.Must("2000-01-01"), civil.Must("2040-01-01"))
		},
		func() ([]store.Figure, error) { return s.PipelineFigures(o.ctx, o.id) },
		func() ([]store.Figure, error) {
			return s.VolumeFigures(o.ctx, o.id, []time.Time{{}, late})
		},
		func() ([]store.Figure, error) { return s.WorkQueueFigures(o.ctx, o.id, time.Time{}, late) },
	} {
		found, err := figures()
		add(found, err)
	}
	return lines
}
