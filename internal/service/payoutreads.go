package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/payoutitem"
	"paydown/internal/auth"
	"paydown/internal/money"
)

// PayoutItemListing describes the lines of a batch, in the order in which they came into it.
var PayoutItemListing = &Listing[ent.PayoutItem]{
	Resource: "payout items", Scope: auth.Read("payouts"), ByIDOnly: true,
	Filters: []Filter{
		{
			Name: "status", Column: payoutitem.FieldStatus, Kind: IsEnum, Values: payoutitem.Status("").Values(),
			Doc: "Only items of this status",
		},
	},
}

// Heads returns a page of the batches without their items, of which one may have thousands.
func (s Payouts) Heads(ctx context.Context, params map[string]string) (*Page[ent.PayoutBatch], error) {
	return page(ctx, s.core, PayoutListing, params, s.store.Reader().PayoutBatch.Query())
}

// Items lists the lines of each of them, by id.
func (s Payouts) Items(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.PayoutItem, error) {
	return listOfEach(ctx, through, payoutitem.FieldBatchID, ids, s.store.Reader().PayoutItem.Query())
}

// Lines returns a page of the lines of each of the batches.
func (s Payouts) Lines(ctx context.Context, ids []int, params map[string]string) (map[int]*Page[ent.PayoutItem], error) {
	return pageOfEach(ctx, s.core, PayoutItemListing, belonging{"batchId", payoutitem.FieldBatchID}, ids, params,
		s.store.Reader().PayoutItem.Query())
}

// People returns those of the members of staff that there are, by id: who made batches, or approved them. They are for
// whoever may read payouts, however the batch was come by.
func (s Payouts) People(ctx context.Context, _ auth.Scope, ids []int) (map[int]*ent.User, error) {
	return byIDs(ctx, auth.Read("payouts"), ids, s.store.Reader().User.Query())
}

// PayoutStanding are the lines of a batch that have the same status, and what they come to.
type PayoutStanding struct {
	Status payoutitem.Status
	Items  Tally
}

// Standing adds up the lines of each of the batches by their status, in one statement. A status that none has is not there.
func (s Payouts) Standing(ctx context.Context, through auth.Scope, ids []int) (map[int][]*PayoutStanding, error) {
	actor, err := permit(ctx, through)
	if err != nil {
		return nil, err
	}
	sums, err := s.store.PayoutSums(ctx, actor.TenantID, ids)
	found := make(map[int][]*PayoutStanding, len(ids))
	for _, sum := range sums {
		found[sum.BatchID] = append(found[sum.BatchID], &PayoutStanding{
			Status: payoutitem.Status(sum.Status), Items: Tally{Count: sum.Count, Amount: money.Cents(sum.Cents)},
		})
	}
	return found, err
}

// Totals adds up all lines of each of the batches, in one statement.
func (s Payouts) Totals(ctx context.Context, through auth.Scope, ids []int) (map[int]Tally, error) {
	standing, err := s.Standing(ctx, through, ids)
	totals := make(map[int]Tally, len(standing))
	for id, parts := range standing {
		var total Tally
		for _, part := range parts {
			total.Count += part.Items.Count
			total.Amount = total.Amount.Add(part.Items.Amount)
		}
		totals[id] = total
	}
	return totals, err
}
