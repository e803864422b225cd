package store_test

import (
	"context"
	"database/sql"
	"testing"

	entsql "entgo.io/ent/dialect/sql"

	"paydown/ent"
	entpayment "paydown/ent/payment"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/store"
)

func TestFirstOfEachKeepsToItsTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		mine, theirs := w.a.rows[ent.TypeDeal], w.b.rows[ent.TypeDeal]
		err := s.Write(w.a.ctx, func(ctx context.Context, tx *store.Tx) error {
			for range 4 {
				err := tx.Payment.Create().SetDealID(mine).SetType(payment.OtherFee).SetAmount(money.Cents(1)).Exec(ctx)
				if err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for n, want := range map[int]int{0: 0, 1: 1, 3: 3, 5: 5, 100: 5} { // one came with the world
			first := store.FirstOfEach(w.a.id, entpayment.FieldDealID, []int{mine, theirs}, n)
			rows, err := s.Reader().Payment.Query().Where(first).Order(entpayment.ByID()).All(w.a.ctx)
			if err != nil || len(rows) != want {
				t.Errorf("the first %d: %d, %v", n, len(rows), err)
			}
			for _, p := range rows {
				if p.TenantID != w.a.id || p.DealID != mine {
					t.Errorf("payment %d of tenant %d comes along", p.ID, p.TenantID)
				}
			}
			// Neither tenant sees the records of the other's id.
			if n, err := s.Reader().Payment.Query().Where(first).Count(w.b.ctx); err != nil || n != 0 {
				t.Errorf("another tenant sees %d, %v", n, err)
			}
		}
	})
}

func TestCountOfEachKeepsToItsTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		mine, theirs := w.a.rows[ent.TypeDeal], w.b.rows[ent.TypeDeal]
		all, none := func(*entsql.Selector) {}, func(s *entsql.Selector) { s.Where(entsql.EQ(s.C("id"), 0)) }
		counts, err := s.CountOfEach(w.a.ctx, w.a.id, entpayment.Table, entpayment.FieldDealID, []int{mine, theirs}, all)
		if err != nil || len(counts) != 1 || counts[mine] != 1 {
			t.Errorf("%v, %v", counts, err)
		}
		counts, err = s.CountOfEach(w.a.ctx, w.a.id, entpayment.Table, entpayment.FieldDealID, []int{mine}, none)
		if err != nil || len(counts) != 0 {
			t.Errorf("narrowed to none: %v, %v", counts, err)
		}
	})
}
