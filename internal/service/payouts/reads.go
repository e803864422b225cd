package payouts

import (
	"context"

	"paydown/ent"
	"paydown/ent/payoutitem"
	"paydown/internal/auth"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// PayoutItemListing describes the lines of a batch, in the order in which they came into it.
var PayoutItemListing = &list.Listing[ent.PayoutItem]{
	Resource: "payout items", Scope: auth.Read("payouts"), ByIDOnly: true,
	Filters: []list.Filter{
		{
			Name: "status", Column: payoutitem.FieldStatus, Kind: list.IsEnum, Values: payoutitem.Status("").Values(),
			Doc: "Only items of this status",
		},
	},
}

// Heads returns a page of the batches without their items, of which one may have thousands.
func (s Payouts) Heads(ctx context.Context, req list.Request) (*list.Page[ent.PayoutBatch], error) {
	return list.Read(ctx, s.core, PayoutListing, req, s.core.Store.Reader().PayoutBatch.Query())
}

// Items lists the lines of each of them, by id.
func (s Payouts) Items(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.PayoutItem, error) {
	return list.ReadOfEach(ctx, through, payoutitem.FieldBatchID, ids, s.core.Store.Reader().PayoutItem.Query())
}

// Lines returns a page of the lines of each of the batches.
func (s Payouts) Lines(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.PayoutItem], error) {
	return list.PageOfEach(ctx, s.core, PayoutItemListing, list.Belonging{Filter: "batchId", Column: payoutitem.FieldBatchID}, ids, req,
		s.core.Store.Reader().PayoutItem.Query())
}

// People returns those of the members of staff that there are, by id: who made batches, or approved them. They are for
// whoever may read payouts, however the batch was come by.
func (s Payouts) People(ctx context.Context, _ auth.Scope, ids []int) (map[int]*ent.User, error) {
	return list.ByIDs(ctx, auth.Read("payouts"), ids, s.core.Store.Reader().User.Query())
}

// PayoutStanding are the lines of a batch that have the same status, and what they come to.
type PayoutStanding struct {
	Status payoutitem.Status
	Items  books.Tally
}

// Standing adds up the lines of each of the batches by their status, in one statement. A status that none has is not there.
func (s Payouts) Standing(ctx context.Context, through auth.Scope, ids []int) (map[int][]*PayoutStanding, error) {
	actor, err := unit.RequireScope(ctx, through)
	if err != nil {
		return nil, err
	}
	sums, err := s.core.Store.PayoutSums(ctx, actor.TenantID, ids)
	found := make(map[int][]*PayoutStanding, len(ids))
	for _, sum := range sums {
		found[sum.BatchID] = append(found[sum.BatchID], &PayoutStanding{
			Status: payoutitem.Status(sum.Status), Items: books.Tally{Count: sum.Count, Amount: money.Cents(sum.Cents)},
		})
	}
	return found, err
}

// Totals adds up all lines of each of the batches, in one statement.
func (s Payouts) Totals(ctx context.Context, through auth.Scope, ids []int) (map[int]books.Tally, error) {
	standing, err := s.Standing(ctx, through, ids)
	totals := make(map[int]books.Tally, len(standing))
	for id, parts := range standing {
		var total books.Tally
		for _, part := range parts {
			total.Count += part.Items.Count
			total.Amount = total.Amount.Add(part.Items.Amount)
		}
		totals[id] = total
	}
	return totals, err
}
