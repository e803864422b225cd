package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/auth"
)

// Payouts are batches of money that goes out together.
type Payouts struct{ *core }

// PayoutListing describes the list.
var PayoutListing = &Listing[ent.PayoutBatch]{
	Resource: "payouts", Scope: auth.Read("payouts"),
	Sorts: []Sort{
		{"periodFrom", payoutbatch.FieldPeriodFrom, IsDate},
		{"periodTo", payoutbatch.FieldPeriodTo, IsDate},
	},
	Filters: []Filter{
		{
			Name: "kind", Column: payoutbatch.FieldKind, Kind: IsEnum, Values: payoutbatch.Kind("").Values(),
			Doc: "Only batches of this kind",
		},
		{
			Name: "status", Column: payoutbatch.FieldStatus, Kind: IsEnum, Values: payoutbatch.Status("").Values(),
			Doc: "Only batches of this status",
		},
	},
	Expands: []Expand{
		{"items", auth.Read("payouts")},
	},
}

// List returns a page of them, each with what it always includes.
func (s Payouts) List(ctx context.Context, params map[string]string) (*Page[ent.PayoutBatch], error) {
	return page(ctx, s.core, PayoutListing, params,
		s.store.Reader().PayoutBatch.Query().WithItems(func(q *ent.PayoutItemQuery) { q.Order(payoutitem.ByID()) }))
}
