package payouts

import (
	"context"

	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Payouts is the aggregate of payout batches.
type Payouts struct {
	core      *unit.Core
	transfers Transfers
}

// PayoutListing describes the list of payout batches.
var PayoutListing = &list.Listing[ent.PayoutBatch]{
	Resource: "payouts", Scope: auth.Read("payouts"),
	Sorts: []list.Sort{
		{Name: "periodFrom", Column: payoutbatch.FieldPeriodFrom, Kind: list.IsDate},
		{Name: "periodTo", Column: payoutbatch.FieldPeriodTo, Kind: list.IsDate},
	},
	Filters: []list.Filter{
		{
			Name: "kind", Column: payoutbatch.FieldKind, Kind: list.IsEnum, Values: payoutbatch.Kind("").Values(),
			Doc: "Only batches of this kind",
		},
		{
			Name: "status", Column: payoutbatch.FieldStatus, Kind: list.IsEnum, Values: payoutbatch.Status("").Values(),
			Doc: "Only batches of this status",
		},
	},
	Expands: []list.Expand{
		{Name: "items", Scope: auth.Read("payouts")},
	},
}

// List returns a page of payout batches with their items.
func (s Payouts) List(ctx context.Context, req list.Request) (*list.Page[ent.PayoutBatch], error) {
	return list.Read(ctx, s.core, PayoutListing, req,
		s.core.Store.Reader().PayoutBatch.Query().WithItems(func(q *ent.PayoutItemQuery) { q.Order(payoutitem.ByID()) }))
}

// Approve approves a batch that someone else made: see identity.FourEyes. It needs the permission
// payouts.approve. Batches that the system drafted, such as the commissions of funded deals, have no human
// maker.
func (s Payouts) Approve(ctx context.Context, id int) (*ent.PayoutBatch, error) {
	if _, err := unit.RequirePermission(ctx, auth.ApprovePayouts); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("payouts"), func(ctx context.Context, t *unit.Tx) (*ent.PayoutBatch, error) {
		return approveBatch(ctx, t, id)
	})
}

// Pay pays what can be paid of an approved batch and posts it: one sum per payee across deals, with a payment
// for each deal. Commissions at risk of a clawback and shares within their holding period become HELD. A sum that
// is negative or exceeds what the payee is owed by then is carried into the payee's next batch. With itemIDs it
// pays only the payees of those items, including commissions at risk. The batch is PARTIAL until nothing is
// left to pay, then PAID. Paying a PAID batch changes nothing.
func (s Payouts) Pay(ctx context.Context, id int, itemIDs []int) (*ent.PayoutBatch, error) {
	if itemIDs != nil && len(itemIDs) == 0 {
		return nil, fault.Field("itemIds", "must name at least one item; leave it out to pay all items that can be paid")
	}
	if len(itemIDs) > list.MaxIDs {
		return nil, fault.Field("itemIds", "must have at most %d ids", list.MaxIDs)
	}
	return unit.Write(ctx, s.core, auth.Write("payouts"), func(ctx context.Context, t *unit.Tx) (*ent.PayoutBatch, error) {
		return payBatch(ctx, t, s.transfers, id, itemIDs)
	})
}

// Hold blocks payment of an item until it is released.
func (s Payouts) Hold(ctx context.Context, itemID int, reason string) (*ent.PayoutItem, error) {
	return s.moveItem(ctx, itemID, payoutitem.StatusHELD, &reason)
}

// Fail records that an item's transfer was returned. It reverses the postings of everything that the transfer
// paid.
func (s Payouts) Fail(ctx context.Context, itemID int, reason string) (*ent.PayoutItem, error) {
	return s.moveItem(ctx, itemID, payoutitem.StatusFAILED, &reason)
}

// Release releases a held or failed item, so that the batch's next payment run pays it.
func (s Payouts) Release(ctx context.Context, itemID int) (*ent.PayoutItem, error) {
	return s.moveItem(ctx, itemID, payoutitem.StatusPENDING, nil)
}

func (s Payouts) moveItem(ctx context.Context, id int, to payoutitem.Status, reason *string) (*ent.PayoutItem, error) {
	if reason != nil {
		if message := input.Violation(*reason, "name"); message != "" {
			return nil, fault.Field("reason", "%s", message)
		}
	}
	return unit.Write(ctx, s.core, auth.Write("payouts"), func(ctx context.Context, t *unit.Tx) (*ent.PayoutItem, error) {
		return moveItem(ctx, t, s.transfers, id, itemMove{to, reason})
	})
}
