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

// This file keeps a line of credit true: its draws, and what there is left to draw. The deal is locked before its line, and
// the line before its draws, so that draws which are asked for at the same moment are judged one after the other.

// lockLine finds the line of credit of a deal, and locks both.
func lockLine(ctx context.Context, t *unit.Tx, dealID int) (*ent.Deal, *ent.CreditFacility, error) {
	d, err := books.LockDeal(ctx, t, dealID)
	if err != nil {
		return nil, nil, err
	}
	line, err := t.CreditFacility.Query().Where(creditfacility.DealID(dealID), unit.Locked).Only(ctx)
	return d, line, unit.NotFound(err, "credit facility")
}

// lockFacility is lockLine by the line's id.
func lockFacility(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.CreditFacility, error) {
	dealID, err := t.CreditFacility.Query().Where(creditfacility.ID(id)).Select(creditfacility.FieldDealID).Int(ctx)
	if err != nil {
		return nil, nil, unit.NotFound(err, "credit facility")
	}
	return lockLine(ctx, t, dealID)
}

// lockDraw finds a draw with its line and deal, and locks all three.
func lockDraw(ctx context.Context, t *unit.Tx, id int) (*ent.Deal, *ent.CreditFacility, *ent.LocDraw, error) {
	facilityID, err := t.LocDraw.Query().Where(locdraw.ID(id)).Select(locdraw.FieldFacilityID).Int(ctx)
	if err != nil {
		return nil, nil, nil, unit.NotFound(err, "draw")
	}
	d, line, err := lockFacility(ctx, t, facilityID)
	if err != nil {
		return nil, nil, nil, err
	}
	draw, err := t.LocDraw.Query().Where(locdraw.ID(id), unit.Locked).Only(ctx)
	return d, line, draw, unit.NotFound(err, "draw")
}

// openLine makes the line of credit of a deal that is priced, with a first draw: what the deal itself funds. It follows the
// deal from then on.
func openLine(
	ctx context.Context, t *unit.Tx, d *ent.Deal, limit money.Amount, factor *money.Rate, requestedBy *string,
) (*ent.CreditFacility, error) {
	if err := lineFits(d, limit); err != nil {
		return nil, err
	}
	if taken, err := t.CreditFacility.Query().Where(creditfacility.DealID(d.ID)).Exist(ctx); err != nil {
		return nil, err
	} else if taken {
		return nil, fault.Conflictf("The deal has a credit facility already.").With("dealId", "has a credit facility")
	}
	if factor == nil {
		factor = d.FactorRate
	}
	status := creditfacility.StatusSUSPENDED
	if d.State.Live() {
		status = creditfacility.Status(deal.LineOf(string(status), deal.Prefunded, d.State))
	}
	line, err := t.CreditFacility.Create().SetDealID(d.ID).SetCreditLimit(limit).
		SetAvailableRoom(limit.Sub(*d.FundedAmount)).SetNillableFactorRate(factor).
		SetStatus(status).Save(ctx)
	if err != nil {
		return nil, err
	}
	draw, err := t.LocDraw.Create().SetFacilityID(line.ID).SetAmount(*d.FundedAmount).
		SetFeeAmount(books.TermsOf(d, t.Zone()).BankFee()).SetPaybackAmount(*d.PaybackAmount).
		SetNillableRequestedBy(requestedBy).SetNillableRequestedByUserID(t.UserID()).Save(ctx)
	if err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "locDraw", draw)
	return followLine(ctx, t, d, line)
}

func lineFits(d *ent.Deal, limit money.Amount) error {
	switch {
	case d.ProductType != deal.LOC:
		return fault.Conflictf("Only a deal of the product LOC has a credit facility.").With("dealId", "names a deal of %s", d.ProductType)
	case d.FundedAmount == nil || d.PaybackAmount == nil:
		return fault.Conflictf("The deal has to be priced first: its first draw is what it funds.").
			With("dealId", "names a deal without fundedAmount or paybackAmount")
	case d.State == deal.Withdrawn || d.State == deal.Closed || d.State == deal.Renewed:
		return fault.Conflictf("A deal that is %s gets no credit facility.", d.State).With("dealId", "names a deal that is %s", d.State)
	case limit.Less(*d.FundedAmount):
		return fault.Field("creditLimit", "must be at least what the deal funds, %s", d.FundedAmount)
	}
	return nil
}

// requestDraw asks for a draw on a line, which takes its room at once.
func requestDraw(
	ctx context.Context, t *unit.Tx, d *ent.Deal, line *ent.CreditFacility, in DrawInput,
) (*ent.LocDraw, error) {
	if err := notSyndicated(ctx, t, d, "facilityId"); err != nil {
		return nil, err
	}
	amount := in.Amount.Or(money.Zero)
	create := t.LocDraw.Create().SetFacilityID(line.ID).SetAmount(amount).SetStatus(locdraw.StatusREQUESTED).
		SetNillableFeeAmount(in.FeeAmount.Ptr()).SetNillableRequestedBy(in.RequestedBy.Ptr()).
		SetNillableRequestedByUserID(t.UserID())
	if line.FactorRate != nil {
		create.SetPaybackAmount(amount.Times(*line.FactorRate))
	}
	draw, err := create.Save(ctx)
	if err != nil {
		return nil, err
	}
	t.Record("locDraw.create", "locDraw", draw.ID, &d.ID, nil, draw)
	return draw, alsoFollowLine(ctx, t, d, line)
}

// judgeDraw approves a draw, or declines it for a reason.
func judgeDraw(
	ctx context.Context, t *unit.Tx, d *ent.Deal, line *ent.CreditFacility, before *ent.LocDraw, to locdraw.Status, reason *string,
) (*ent.LocDraw, error) {
	if before.Status == to {
		return before, nil
	}
	if err := deal.Draws.Check("draw", string(before.Status), string(to)); err != nil {
		return nil, err
	}
	changes := []input.Change{input.Set(locdraw.FieldStatus, to), input.Set(locdraw.FieldDeclinedReason, input.Nullable(reason))}
	if to == locdraw.StatusAPPROVED {
		changes = append(changes, input.Set(locdraw.FieldApprovedByUserID, input.Nullable(t.UserID())))
	}
	after, err := saveDraw(ctx, t, before, changes)
	if err != nil {
		return nil, err
	}
	t.Record("locDraw.update", "locDraw", after.ID, &d.ID, before, after)
	return after, alsoFollowLine(ctx, t, d, line)
}

// repriceLine has the first draw of a deal's line follow the deal's new price, which the limit must allow.
func repriceLine(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	line, err := lineOf(ctx, t, d)
	if err != nil || line == nil || d.PaybackAmount == nil {
		return err
	}
	if line.CreditLimit.Less(*d.FundedAmount) {
		return fault.Conflictf("The deal's credit facility has a limit of %s.", line.CreditLimit).
			With("fundedAmount", "must be at most %s, the limit of the credit facility", line.CreditLimit)
	}
	first, err := t.LocDraw.Query().Where(locdraw.FacilityID(line.ID), unit.Locked).Order(locdraw.ByID()).First(ctx)
	if err != nil {
		return err
	}
	after, err := saveDraw(ctx, t, first, termsOfFirst(t, d))
	if err != nil {
		return err
	}
	unit.AlsoUpdated(t, "locDraw", first, after)
	return alsoFollowLine(ctx, t, d, line)
}

// termsOfFirst are the columns of a line's first draw that follow from its deal.
func termsOfFirst(t *unit.Tx, d *ent.Deal) []input.Change {
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

func saveLine(ctx context.Context, t *unit.Tx, before *ent.CreditFacility, changes []input.Change) (*ent.CreditFacility, error) {
	update := t.CreditFacility.Update().Where(creditfacility.ID(before.ID))
	return unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
}

// followDeal has the line of an LOC deal, where there is one, follow a move of the deal.
func followDeal(ctx context.Context, t *unit.Tx, from deal.State, d *ent.Deal) error {
	line, err := lineOf(ctx, t, d)
	if err != nil || line == nil {
		return err
	}
	wanted := *line
	wanted.Status = creditfacility.Status(deal.LineOf(string(line.Status), from, d.State))
	return storeLine(ctx, t, d, line, &wanted)
}

// lineOf is the line of an LOC deal, locked; nil where it has none. The deal is locked.
func lineOf(ctx context.Context, t *unit.Tx, d *ent.Deal) (*ent.CreditFacility, error) {
	if d.ProductType != deal.LOC {
		return nil, nil
	}
	line, err := t.CreditFacility.Query().Where(creditfacility.DealID(d.ID), unit.Locked).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return line, err
}

// keepsLine refuses to make another product of a deal that has a line, which only follows a deal of the product LOC.
func keepsLine(ctx context.Context, t *unit.Tx, before *ent.Deal, in DealUpdate) error {
	if in.ProductType.Or(deal.LOC) == deal.LOC {
		return nil
	}
	line, err := lineOf(ctx, t, before)
	if err != nil || line == nil {
		return err
	}
	return fault.Conflictf("The deal has a credit facility, which only a deal of the product LOC has.").
		With("productType", "must be LOC: the deal has a credit facility")
}

// followBalance has the line of an LOC deal, where there is one, follow what was paid on the deal.
func followBalance(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	line, err := lineOf(ctx, t, d)
	if err != nil || line == nil {
		return err
	}
	return alsoFollowLine(ctx, t, d, line)
}

// alsoFollowLine is followLine as a consequence of a write about something else.
func alsoFollowLine(ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.CreditFacility) error {
	return storeLine(ctx, t, d, before, before)
}

func storeLine(ctx context.Context, t *unit.Tx, d *ent.Deal, before, wanted *ent.CreditFacility) error {
	after, err := followLine(ctx, t, d, wanted)
	if err != nil {
		return err
	}
	if after.Status != before.Status && after == wanted { // the room is what it was
		after, err = saveLine(ctx, t, before, []input.Change{input.Set(creditfacility.FieldStatus, wanted.Status)})
	}
	if err == nil && after != before {
		unit.AlsoUpdated(t, "creditFacility", before, after)
	}
	return err
}

// followLine stores where a line's draws stand and what there is left to draw, with the status that the line is handed in
// with, and returns the line as it is then: itself where nothing has changed.
func followLine(ctx context.Context, t *unit.Tx, d *ent.Deal, line *ent.CreditFacility) (*ent.CreditFacility, error) {
	draws, err := t.LocDraw.Query().Where(locdraw.FacilityID(line.ID), unit.Locked).Order(locdraw.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	for i, draw := range draws {
		to := drawStatus(d, draw, i == 0, line.Status)
		if draws[i], err = moveDraw(ctx, t, d, draw, to); err != nil {
			return nil, err
		}
	}
	room, err := settleDraws(ctx, t, d, line, draws)
	if err != nil {
		return nil, err
	}
	if line.AvailableRoom.Equal(room) {
		return line, nil
	}
	return saveLine(ctx, t, line, []input.Change{
		input.Set(creditfacility.FieldStatus, line.Status), input.Set(creditfacility.FieldAvailableRoom, room),
	})
}

// drawStatus is where a draw stands by what became of its deal and its line. The first draw is what the deal funds.
func drawStatus(d *ent.Deal, draw *ent.LocDraw, first bool, line creditfacility.Status) locdraw.Status {
	out := draw.Status == locdraw.StatusFUNDED || draw.Status == locdraw.StatusREPAID
	switch {
	case out:
		return draw.Status
	case first && d.State.Live():
		return locdraw.StatusFUNDED
	case line == creditfacility.StatusCLOSED:
		return locdraw.StatusDECLINED
	case first && d.State == deal.Prefunded:
		return locdraw.StatusAPPROVED
	case first:
		return locdraw.StatusREQUESTED
	default:
		return draw.Status
	}
}

// settleDraws says which draws are repaid, or not any more, by what the deal owes, and returns what is left to draw: the
// limit less the unpaid principal of what was drawn and less what was asked for. It is never less than nothing.
func settleDraws(
	ctx context.Context, t *unit.Tx, d *ent.Deal, line *ent.CreditFacility, draws []*ent.LocDraw,
) (money.Amount, error) {
	room := line.CreditLimit
	var out []*ent.LocDraw
	for _, draw := range draws {
		switch draw.Status {
		case locdraw.StatusFUNDED, locdraw.StatusREPAID:
			out = append(out, draw)
		case locdraw.StatusREQUESTED, locdraw.StatusAPPROVED:
			room = room.Sub(draw.Amount)
		case locdraw.StatusDECLINED: // takes no room
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
	givenUp := ledger.WrittenOff(balances).Sign() > 0
	for i, draw := range out {
		room = room.Sub(principal[i])
		to := locdraw.StatusFUNDED
		if unpaid[i].IsZero() {
			to = locdraw.StatusREPAID
		}
		if givenUp {
			to = draw.Status // what was written off is not repaid
		}
		if _, err := moveDraw(ctx, t, d, draw, to); err != nil {
			return room, err
		}
	}
	return money.Max(money.Zero, room), nil
}

// unpaidOf is what is left to collect of draws that were paid out, and of their principal.
func unpaidOf(ctx context.Context, t *unit.Tx, d *ent.Deal, draws []*ent.LocDraw) (unpaid, principal []money.Amount, err error) {
	balances, err := books.Balances(ctx, t, d.ID)
	if err != nil {
		return nil, nil, err
	}
	rows, err := drawPayments(t.Payment.Query(), d.ID).All(ctx)
	if err != nil {
		return nil, nil, err
	}
	unpaid, principal = shareOut(draws, rows, ledger.Outstanding(balances))
	return unpaid, principal, nil
}

// drawPayments narrows a query to the payments of deals that were paid and name the draw that they repay.
func drawPayments(q *ent.PaymentQuery, dealIDs ...int) *ent.PaymentQuery {
	return q.Where(entpayment.DealIDIn(dealIDs...), entpayment.LocDrawIDNotNil(),
		entpayment.StatusEQ(payment.Paid), entpayment.TypeIn(payment.AgainstReceivable()...))
}

// shareOut divides what a deal owes among the draws on its line that were paid out.
func shareOut(draws []*ent.LocDraw, paid []*ent.Payment, outstanding money.Amount) (unpaid, principal []money.Amount) {
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

// moveDraw stores where a draw stands, and returns it as it is then. What the funding of the deal scheduled repays the first
// draw, which it paid out.
func moveDraw(ctx context.Context, t *unit.Tx, d *ent.Deal, before *ent.LocDraw, to locdraw.Status) (*ent.LocDraw, error) {
	if before.Status == to {
		return before, nil
	}
	changes := []input.Change{input.Set(locdraw.FieldStatus, to)}
	if to == locdraw.StatusFUNDED && before.FundedAt == nil {
		changes = append(append(changes, input.Set(locdraw.FieldFundedAt, *d.FundedAt)), termsOfFirst(t, d)...)
		if err := tagSchedule(ctx, t, d, before); err != nil {
			return nil, err
		}
	}
	if to == locdraw.StatusDECLINED && before.DeclinedReason == nil {
		changes = append(changes, input.Set(locdraw.FieldDeclinedReason, "The line was closed."))
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

// tagSchedule notes on the payments of a deal's schedule that they repay a draw.
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
