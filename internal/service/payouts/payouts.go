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

// Payouts are batches of money that goes out together.
type Payouts struct {
	core      *unit.Core
	transfers Transfers
}

// PayoutListing describes the list.
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

// List returns a page of them, each with what it always includes.
func (s Payouts) List(ctx context.Context, params map[string]string) (*list.Page[ent.PayoutBatch], error) {
	return list.Read(ctx, s.core, PayoutListing, params,
		s.core.Store.Reader().PayoutBatch.Query().WithItems(func(q *ent.PayoutItemQuery) { q.Order(payoutitem.ByID()) }))
}

// Approve approves a batch that somebody else made, whoever that is by now. It needs the permission payouts.approve. What
// the product made by itself, the commissions of deals that fund, nobody made.
func (s Payouts) Approve(ctx context.Context, id int) (*ent.PayoutBatch, error) {
	if _, err := unit.RequirePermission(ctx, auth.ApprovePayouts); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("payouts"), func(ctx context.Context, t *unit.Tx) (*ent.PayoutBatch, error) {
		return approveBatch(ctx, t, id)
	})
}

// Pay pays what can be paid of a batch that is approved, and books it: each payee the sum of its items, across deals, with a
// payment for each deal. Commissions that a default would still take back, and shares within their hold, are HELD. A sum that
// is less than nothing, or more than the payee is owed by then, is carried into the payee's next batch. With item ids it pays
// those payees' items alone, and commissions at risk too. The batch is PAID once nothing is left of it, and PARTIAL until
// then; one that is PAID stays as it is.
func (s Payouts) Pay(ctx context.Context, id int, itemIDs []int) (*ent.PayoutBatch, error) {
	if itemIDs != nil && len(itemIDs) == 0 {
		return nil, fault.Field("itemIds", "must name an item; leave it out to pay all that can be paid")
	}
	if len(itemIDs) > list.MaxIDs {
		return nil, fault.Field("itemIds", "takes at most %d ids", list.MaxIDs)
	}
	return unit.Write(ctx, s.core, auth.Write("payouts"), func(ctx context.Context, t *unit.Tx) (*ent.PayoutBatch, error) {
		return payBatch(ctx, t, s.transfers, id, itemIDs)
	})
}

// Hold keeps an item from being paid until it is released.
func (s Payouts) Hold(ctx context.Context, itemID int, reason string) (*ent.PayoutItem, error) {
	return s.moveItem(ctx, itemID, payoutitem.StatusHELD, &reason)
}

// Fail says that the transfer of an item came back. What was booked is reversed, for everything that the transfer paid.
func (s Payouts) Fail(ctx context.Context, itemID int, reason string) (*ent.PayoutItem, error) {
	return s.moveItem(ctx, itemID, payoutitem.StatusFAILED, &reason)
}

// Release has an item that was held back, or whose transfer failed, be paid with what is paid next of its batch.
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
