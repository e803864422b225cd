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

// PayoutItemListing describes the items of a batch, in creation order.
var PayoutItemListing = &list.Listing[ent.PayoutItem]{
	Resource: "payout items", Scope: auth.Read("payouts"), ByIDOnly: true,
	Filters: []list.Filter{
		{
			Name: "status", Column: payoutitem.FieldStatus, Kind: list.IsEnum, Values: payoutitem.Status("").Values(),
			Doc: "Only items of this status",
		},
	},
}

// ListWithoutItems returns a page of batches without their items, because one batch may have thousands.
func (s Payouts) ListWithoutItems(ctx context.Context, req list.Request) (*list.Page[ent.PayoutBatch], error) {
	return list.Read(ctx, s.core, PayoutListing, req, s.core.Store.Reader().PayoutBatch.Query())
}

// Items lists the items of each batch, by its id.
func (s Payouts) Items(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.PayoutItem, error) {
	return list.ReadOfEach(ctx, through, payoutitem.FieldBatchID, ids, s.core.Store.Reader().PayoutItem.Query())
}

// Lines returns a page of the items of each batch.
func (s Payouts) Lines(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.PayoutItem], error) {
	ofBatch := list.Belonging{Filter: "batchId", Column: payoutitem.FieldBatchID}
	return list.PageOfEach(ctx, s.core, PayoutItemListing, ofBatch, ids, req,
		s.core.Store.Reader().PayoutItem.Query())
}

// People returns the members of staff who made or approved batches, by id. The scope to read payouts suffices,
// whatever scope led to the batch.
func (s Payouts) People(ctx context.Context, _ auth.Scope, ids []int) (map[int]*ent.User, error) {
	return list.ByIDs(ctx, auth.Read("payouts"), ids, s.core.Store.Reader().User.Query())
}

// PayoutStatusTotal is the count and sum of a batch's items with one status.
type PayoutStatusTotal struct {
	Status payoutitem.Status
	Items  books.Tally
}

// StatusTotals sums up the items of each batch by status, in one statement. Statuses without items are left out.
func (s Payouts) StatusTotals(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*PayoutStatusTotal, error) {
	actor, err := unit.RequireScope(ctx, through)
	if err != nil {
		return nil, err
	}
	sums, err := s.core.Store.PayoutSums(ctx, actor.TenantID, ids)
	found := make(map[int][]*PayoutStatusTotal, len(ids))
	for _, sum := range sums {
		found[sum.BatchID] = append(found[sum.BatchID], &PayoutStatusTotal{
			Status: payoutitem.Status(sum.Status), Items: books.Tally{Count: sum.Count, Amount: money.Cents(sum.Cents)},
		})
	}
	return found, err
}

// Totals sums up all items of each batch, in one statement.
func (s Payouts) Totals(ctx context.Context, through auth.Scope, ids []int) (map[int]books.Tally, error) {
	byStatus, err := s.StatusTotals(ctx, through, ids)
	totals := make(map[int]books.Tally, len(byStatus))
	for id, parts := range byStatus {
		var total books.Tally
		for _, part := range parts {
			total.Count += part.Items.Count
			total.Amount = total.Amount.Add(part.Items.Amount)
		}
		totals[id] = total
	}
	return totals, err
}
