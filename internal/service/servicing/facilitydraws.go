package servicing

import (
	"context"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/locdraw"
	"paydown/ent/payment"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// This file keeps a credit facility, its draws and its available room consistent. Locks are taken in the order
// deal, facility, draws, so that draws requested at the same time are checked one after the other.

// lockDealFacility finds and locks a deal and its credit facility.
func lockDealFacility(ctx context.Context, t *unit.Tx, dealID int) (*ent.Deal, *ent.CreditFacility, error) {
	d, err := books.LockDeal(ctx, t, dealID)
	if err != nil {
		return nil, nil, err
	}
	facility, err := t.CreditFacility.Query().Where(creditfacility.DealID(dealID), unit.Locked).Only(ctx)
	return d, facility, unit.NotFound(err, "credit facility")
}

// lockFacility finds a credit facility by its own id and locks it and its deal.
func lockFacility(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.CreditFacility, error) {
	dealID, err := t.CreditFacility.Query().Where(creditfacility.ID(id)).Select(creditfacility.FieldDealID).Int(ctx)
	if err != nil {
		return nil, nil, unit.NotFound(err, "credit facility")
	}
	return lockDealFacility(ctx, t, dealID)
}

// lockDraw finds and locks a draw, its credit facility and its deal.
func lockDraw(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.CreditFacility, *ent.LocDraw, error) {
	facilityID, err := t.LocDraw.Query().Where(locdraw.ID(id)).Select(locdraw.FieldFacilityID).Int(ctx)
	if err != nil {
		return nil, nil, nil, unit.NotFound(err, "draw")
	}
	d, facility, err := lockFacility(ctx, t, facilityID)
	if err != nil {
		return nil, nil, nil, err
	}
	draw, err := t.LocDraw.Query().Where(locdraw.ID(id), unit.Locked).Only(ctx)
	return d, facility, draw, unit.NotFound(err, "draw")
}

// openFacility creates the credit facility of a priced deal, with a first draw of the deal's own funded amount.
// The first draw follows the deal from then on.
func openFacility(
	ctx context.Context, t *unit.Tx, d *ent.Deal, limit money.Amount, factor *money.Rate, requestedBy *string,
) (*ent.CreditFacility, error) {
	if err := checkNewFacility(d, limit); err != nil {
		return nil, err
	}
	if taken, err := t.CreditFacility.Query().Where(creditfacility.DealID(d.ID)).Exist(ctx); err != nil {
		return nil, err
	} else if taken {
		return nil, fault.Conflictf("The deal already has a credit facility.").With("dealId", "already has a credit facility")
	}
	if factor == nil {
		factor = d.FactorRate
	}
	status := creditfacility.StatusSUSPENDED
	if d.State.Live() {
		status = creditfacility.Status(deal.LineOf(string(status), deal.Prefunded, d.State))
	}
	facility, err := t.CreditFacility.Create().SetDealID(d.ID).SetCreditLimit(limit).
		SetAvailableRoom(limit.Sub(*d.FundedAmount)).SetNillableFactorRate(factor).
		SetStatus(status).Save(ctx)
	if err != nil {
		return nil, err
	}
	draw, err := t.LocDraw.Create().SetFacilityID(facility.ID).SetAmount(*d.FundedAmount).
		SetFeeAmount(books.TermsOf(d, t.Zone()).BankFee()).SetPaybackAmount(*d.PaybackAmount).
		SetNillableRequestedBy(requestedBy).SetNillableRequestedByUserID(t.UserID()).Save(ctx)
	if err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "locDraw", draw)
	return syncFacility(ctx, t, d, facility)
}

func checkNewFacility(d *ent.Deal, limit money.Amount) error {
	switch {
	case d.ProductType != deal.LOC:
		return fault.Conflictf("Only a deal with product LOC can have a credit facility.").
			With("dealId", "must name a deal with product LOC, not %s", d.ProductType)
	case d.FundedAmount == nil || d.PaybackAmount == nil:
		return fault.Conflictf("The deal must be priced first: its funded amount is the first draw.").
			With("dealId", "must name a deal with fundedAmount and paybackAmount")
	case d.State == deal.Withdrawn || d.State == deal.Closed || d.State == deal.Renewed:
		return fault.Conflictf("A deal that is %s cannot have a credit facility.", d.State).
			With("dealId", "must not name a deal that is %s", d.State)
	case limit.Less(*d.FundedAmount):
		return fault.Field("creditLimit", "must be at least %s, the deal's fundedAmount", d.FundedAmount)
	}
	return nil
}

// requestDraw creates a requested draw, which reserves its room at once.
func requestDraw(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility, in DrawInput,
) (*ent.LocDraw, error) {
	if err := refuseSyndicated(ctx, t, d, "facilityId"); err != nil {
		return nil, err
	}
	amount := in.Amount.Or(money.Zero)
	create := t.LocDraw.Create().SetFacilityID(facility.ID).SetAmount(amount).SetStatus(locdraw.StatusREQUESTED).
		SetNillableFeeAmount(in.FeeAmount.Ptr()).SetNillableRequestedBy(in.RequestedBy.Ptr()).
		SetNillableRequestedByUserID(t.UserID())
	if facility.FactorRate != nil {
		create.SetPaybackAmount(amount.Times(*facility.FactorRate))
	}
	draw, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.Record("locDraw.create", "locDraw", draw.ID, &d.ID, nil, draw)
	return draw, alsoSyncFacility(ctx, t, d, facility)
}

// reviewDraw approves a draw, or declines it with a reason.
func reviewDraw(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility, before *ent.LocDraw,
	to locdraw.Status, reason *string,
) (*ent.LocDraw, error) {
	if before.Status == to {
		return before, nil
	}
	if err := deal.Draws.Check("draw", string(before.Status), string(to)); err != nil {
		return nil, err
	}
	changes := []input.Change{
		input.Set(locdraw.FieldStatus, to), input.Set(locdraw.FieldDeclinedReason, input.Nullable(reason)),
	}
	if to == locdraw.StatusAPPROVED {
		changes = append(changes, input.Set(locdraw.FieldApprovedByUserID, input.Nullable(t.UserID())))
	}
	after, err := saveDraw(ctx, t, before, changes)
	if err != nil {
		return nil, err
	}
	t.Record("locDraw.update", "locDraw", after.ID, &d.ID, before, after)
	return after, alsoSyncFacility(ctx, t, d, facility)
}

// repriceFacility updates the first draw after the deal's price changed. The new price must fit the limit.
func repriceFacility(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	facility, err := facilityOf(ctx, t, d)
	if err != nil || facility == nil || d.PaybackAmount == nil {
		return err
	}
	if facility.CreditLimit.Less(*d.FundedAmount) {
		return fault.Conflictf("The deal's credit facility has a limit of %s.", facility.CreditLimit).
			With("fundedAmount", "must be at most %s, the limit of the credit facility", facility.CreditLimit)
	}
	first, err := t.LocDraw.Query().Where(locdraw.FacilityID(facility.ID), unit.Locked).Order(locdraw.ByID()).First(ctx)
	if err != nil {
		return err
	}
	after, err := saveDraw(ctx, t, first, firstDrawTerms(t, d))
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "locDraw", first, after)
	return alsoSyncFacility(ctx, t, d, facility)
}

// firstDrawTerms returns the columns of the first draw that follow from its deal.
func firstDrawTerms(t *unit.Tx, d *ent.Deal) []input.Change {
	return []input.Change{
		input.Set(locdraw.FieldAmount, *d.FundedAmount),
		input.Set(locdraw.FieldPaybackAmount, *d.PaybackAmount),
		input.Set(locdraw.FieldFeeAmount, books.TermsOf(d, t.Zone()).BankFee()),
	}
}

func saveDraw(ctx context.Context, t *unit.Tx, before *ent.LocDraw, changes []input.Change) (*ent.LocDraw, error) {
	update := t.LocDraw.Update().Where(locdraw.ID(before.ID))
	return unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
}

func saveFacility(
	ctx context.Context, t *unit.Tx, before *ent.CreditFacility, changes []input.Change,
) (*ent.CreditFacility, error) {
	update := t.CreditFacility.Update().Where(creditfacility.ID(before.ID))
	return unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
}

// syncFacilityStatus updates the status of the deal's credit facility, if it has one, after the deal left state
// from.
func syncFacilityStatus(ctx context.Context, t *unit.Tx, from deal.State, d *ent.Deal) error {
	facility, err := facilityOf(ctx, t, d)
	if err != nil || facility == nil {
		return err
	}
	updated := *facility
	updated.Status = creditfacility.Status(deal.LineOf(string(facility.Status), from, d.State))
	return storeFacility(ctx, t, d, facility, &updated)
}

// facilityOf returns the credit facility of a locked deal and locks it; nil if the deal has none.
func facilityOf(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.CreditFacility, error) {
	if d.ProductType != deal.LOC {
		return nil, nil
	}
	facility, err := t.CreditFacility.Query().Where(creditfacility.DealID(d.ID), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return facility, err
}

// checkProductChange rejects a change of product on a deal with a credit facility: only an LOC deal can have
// one.
func checkProductChange(ctx context.Context, t *unit.Tx, before *ent.Deal, in DealUpdate) error {
	if in.ProductType.Or(deal.LOC) == deal.LOC {
		return nil
	}
	facility, err := facilityOf(ctx, t, before)
	if err != nil || facility == nil {
		return err
	}
	return fault.Conflictf("The deal has a credit facility, which only a deal with product LOC can have.").
		With("productType", "must be LOC: the deal has a credit facility")
}

// syncFacilityBalance updates the deal's credit facility, if it has one, after a payment on the deal.
func syncFacilityBalance(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	facility, err := facilityOf(ctx, t, d)
	if err != nil || facility == nil {
		return err
	}
	return alsoSyncFacility(ctx, t, d, facility)
}

// alsoSyncFacility is syncFacility, recorded as a side effect of a write to another record.
func alsoSyncFacility(ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.CreditFacility) error {
	return storeFacility(ctx, t, d, before, before)
}

func storeFacility(ctx context.Context, t *unit.Tx, d *ent.Deal, before, updated *ent.CreditFacility) error {
	after, err := syncFacility(ctx, t, d, updated)
	if err != nil {
		return err
	}
	if after.Status != before.Status && after == updated { // the room did not change, so syncFacility stored nothing
		after, err = saveFacility(ctx, t, before, []input.Change{input.Set(creditfacility.FieldStatus, updated.Status)})
	}
	if err == nil && after != before {
		unit.AlsoUpdated(t, "creditFacility", before, after)
	}
	return err
}

// syncFacility stores the status of each draw, the available room, and the status that facility carries.
// It returns the stored facility, or facility itself if the room did not change.
func syncFacility(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility,
) (*ent.CreditFacility, error) {
	draws, err := t.LocDraw.Query().Where(locdraw.FacilityID(facility.ID), unit.Locked).Order(locdraw.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for i, draw := range draws {
		to := drawStatus(d, draw, i == 0, facility.Status)
		if draws[i], err = setDrawStatus(ctx, t, d, draw, to); err != nil {
			return nil, err
		}
	}
	room, err := syncDraws(ctx, t, d, facility, draws)
	if err != nil {
		return nil, err
	}
	if facility.AvailableRoom.Equal(room) {
		return facility, nil
	}
	return saveFacility(ctx, t, facility, []input.Change{
		input.Set(creditfacility.FieldStatus, facility.Status), input.Set(creditfacility.FieldAvailableRoom, room),
	})
}

// drawStatus derives a draw's status from its deal and its facility. The first draw is the deal's own funding.
func drawStatus(d *ent.Deal, draw *ent.LocDraw, first bool, facility creditfacility.Status) locdraw.Status {
	out := draw.Status == locdraw.StatusFUNDED || draw.Status == locdraw.StatusREPAID
	switch {
	case out:
		return draw.Status
	case first && d.State.Live():
		return locdraw.StatusFUNDED
	case facility == creditfacility.StatusCLOSED:
		return locdraw.StatusDECLINED
	case first && d.State == deal.Prefunded:
		return locdraw.StatusAPPROVED
	case first:
		return locdraw.StatusREQUESTED
	default:
		return draw.Status
	}
}

// syncDraws marks paid-out draws REPAID or FUNDED by what the deal owes, and returns the available room: the
// limit less the unpaid principal of paid-out draws and less requested and approved draws. The room is never
// negative.
func syncDraws(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility, draws []*ent.LocDraw,
) (money.Amount, error) {
	room := facility.CreditLimit
	var out []*ent.LocDraw
	for _, draw := range draws {
		switch draw.Status {
		case locdraw.StatusFUNDED, locdraw.StatusREPAID:
			out = append(out, draw)
		case locdraw.StatusREQUESTED, locdraw.StatusAPPROVED:
			room = room.Sub(draw.Amount)
		case locdraw.StatusDECLINED: // uses no room
		}
	}
	if len(out) == 0 || !d.State.Live() {
		return money.Max(money.Zero, room), nil
	}
	unpaid, principal, err := unpaidOf(ctx, t, d, out)
	if err != nil {
		return room, err
	}
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return room, err
	}
	writtenOff := ledger.WrittenOff(balances).Sign() > 0
	for i, draw := range out {
		room = room.Sub(principal[i])
		to := locdraw.StatusFUNDED
		if unpaid[i].IsZero() {
			to = locdraw.StatusREPAID
		}
		if writtenOff {
			to = draw.Status // a written-off draw is not repaid
		}
		if _, err := setDrawStatus(ctx, t, d, draw, to); err != nil {
			return room, err
		}
	}
	return money.Max(money.Zero, room), nil
}

// unpaidOf returns what is left to collect of paid-out draws, and the unpaid principal of each.
func unpaidOf(
	ctx context.Context, t *unit.Tx, d *ent.Deal, draws []*ent.LocDraw,
) (unpaid, principal []money.Amount, err error) {
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return nil, nil, err
	}
	rows, err := drawPayments(t.Payment.Query(), d.ID).All(ctx)
	if err != nil {
		return nil, nil, err
	}
	unpaid, principal = allocate(draws, rows, ledger.Outstanding(balances))
	return unpaid, principal, nil
}

// drawPayments filters for PAID payments of the deals that name the draw they repay.
func drawPayments(q *ent.PaymentQuery, dealIDs ...int) *ent.PaymentQuery {
	return q.Where(entpayment.DealIDIn(dealIDs...), entpayment.LocDrawIDNotNil(),
		entpayment.StatusEQ(payment.Paid), entpayment.TypeIn(payment.AgainstReceivable()...))
}

// allocate divides the deal's outstanding amount among its paid-out draws.
func allocate(draws []*ent.LocDraw, paid []*ent.Payment, outstanding money.Amount) (unpaid, principal []money.Amount) {
	tagged := map[int]money.Amount{}
	for _, p := range paid {
		tagged[*p.LocDrawID] = tagged[*p.LocDrawID].Add(p.Amount)
	}
	parts := make([]deal.Draw, len(draws))
	for i, draw := range draws {
		parts[i] = deal.Draw{Amount: draw.Amount, Payback: books.OrZero(draw.PaybackAmount), Tagged: tagged[draw.ID]}
	}
	unpaid = deal.Unpaid(parts, outstanding)
	principal = make([]money.Amount, len(parts))
	for i, part := range parts {
		principal[i] = part.Principal(unpaid[i])
	}
	return unpaid, principal
}

// setDrawStatus stores a draw's new status and returns the draw. When the deal's funding pays out the first
// draw, the deal's scheduled payments repay that draw.
func setDrawStatus(
	ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.LocDraw, to locdraw.Status,
) (*ent.LocDraw, error) {
	if before.Status == to {
		return before, nil
	}
	changes := []input.Change{input.Set(locdraw.FieldStatus, to)}
	if to == locdraw.StatusFUNDED && before.FundedAt == nil {
		changes = append(append(changes, input.Set(locdraw.FieldFundedAt, *d.FundedAt)), firstDrawTerms(t, d)...)
		if err := tagSchedule(ctx, t, d, before); err != nil {
			return nil, err
		}
	}
	if to == locdraw.StatusDECLINED && before.DeclinedReason == nil {
		changes = append(changes, input.Set(locdraw.FieldDeclinedReason, "The credit facility was closed."))
	}
	if to != locdraw.StatusDECLINED && before.DeclinedReason != nil {
		changes = append(changes, input.Set(locdraw.FieldDeclinedReason, nil))
	}
	after, err := saveDraw(ctx, t, before, changes)
	if err == nil {
		unit.AlsoUpdated(t, "locDraw", before, after)
	}
	return after, err
}

// tagSchedule sets the draw that the deal's scheduled payments repay.
func tagSchedule(ctx context.Context, t *unit.Tx, d *ent.Deal, draw *ent.LocDraw) error {
	rows, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.LocDrawIDIsNil(),
		entpayment.ScheduledDateNotNil(), unit.Locked).Order(entpayment.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "payment", rows, []input.Change{input.Set(entpayment.FieldLocDrawID, draw.ID)},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.Payment.Update().Where(entpayment.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}
