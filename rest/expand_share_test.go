package rest_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service"
	"paydown/internal/store"
)

// The payments expanded with deals are limited: each deal of a page has a share of the limit, and the rest is
// on the list.
func TestExpandedPaymentsAreShared(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "share.test")
		merchant := seedMerchant(t, c, nil)
		const share = service.ExpandedPayments / service.MaxLimit
		many, few, none := seedDeal(t, c, merchant, nil), seedDeal(t, c, merchant, nil), seedDeal(t, c, merchant, nil)
		behind(t, a, c.Host, func(ctx context.Context, tx *store.Tx) error {
			var rows []*ent.PaymentCreate
			for i := range 2*share + 3 {
				deal := many
				if i%share == 7 {
					deal = few // so that the ids of one deal lie between those of the other
				}
				rows = append(
					rows, tx.Payment.Create().SetDealID(deal).SetType(payment.OtherFee).SetAmount(money.Cents(int64(i+1))),
				)
			}
			return tx.Payment.CreateBulk(rows...).Exec(ctx)
		})
		all := map[int][]int{}
		for _, deal := range []int{many, few, none} {
			all[deal] = listed(t, c, "/payments", "dealId", strconv.Itoa(deal), "limit", "200")
		}
		if len(all[many]) != 2*share+1 || len(all[few]) != 2 {
			t.Fatalf("%d and %d payments", len(all[many]), len(all[few]))
		}
		for limit, each := range map[int]int{
			200: share, 150: service.ExpandedPayments / 150, 50: 2*share + 1, 3: 2*share + 1,
		} {
			deals := c.Get(t, fmt.Sprintf("/deals?expand=payments&limit=%d", limit)).List("deals")
			if len(deals) != 3 {
				t.Fatalf("limit %d: %d deals", limit, len(deals))
			}
			for _, d := range deals {
				what := fmt.Sprintf("limit %d, deal %d", limit, d.ID())
				sameIDs(t, what, idsOf(d.List("payments")), all[d.ID()][:min(each, len(all[d.ID()]))])
				if _, there := d["payments"].([]any); !there {
					t.Errorf("%s: payments are %v", what, d["payments"])
				}
			}
		}
		single := c.Get(t, path("/deals", many)+"?expand=payments").In("deal")
		sameIDs(t, "one deal", idsOf(single.List("payments")), all[many])
		if !slices.IsSorted(all[many]) {
			t.Error("a deal's payments are not in order")
		}

		// More payments than a response includes: each deal still has its share.
		behind(t, a, c.Host, func(ctx context.Context, tx *store.Tx) error {
			rows := make([]*ent.PaymentCreate, 500)
			for range service.ExpandedPayments / len(rows) {
				for i := range rows {
					rows[i] = tx.Payment.Create().SetDealID(few).SetType(payment.OtherFee).SetAmount(money.Cents(1))
				}
				if err := tx.Payment.CreateBulk(rows...).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		for _, d := range c.Get(t, "/deals?expand=payments&limit=200").List("deals") {
			ids := idsOf(d.List("payments"))
			if want := map[int]int{many: share, few: share}[d.ID()]; len(ids) != want || !slices.IsSorted(ids) {
				t.Errorf("deal %d comes with %d payments, want the first %d: %v", d.ID(), len(ids), want, ids)
			}
		}
	})
}
