package service

import (
	"context"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/locdraw"
	entpayment "paydown/ent/payment"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
)

// OpenLine makes the credit facility of an LOC deal that is priced, with a first draw of the amount to be funded that waits
// for the deal. The line is SUSPENDED until the deal is funded. Its id is the facility's.
func (s Seeds) OpenLine(ctx context.Context, dealID int, limit money.Amount, requestedBy string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return 0, err
		}
		if d.ProductType != deal.LOC || d.FundedAmount == nil || d.PaybackAmount == nil || limit.Less(*d.FundedAmount) {
			return 0, fault.Conflictf("Deal %s cannot have a line of credit of %s.", d.DealNumber, limit)
		}
		line, err := t.CreditFacility.Create().SetDealID(dealID).SetCreditLimit(limit).
			SetAvailableRoom(limit.Sub(*d.FundedAmount)).SetNillableFactorRate(d.FactorRate).
			SetStatus(creditfacility.StatusSUSPENDED).Save(ctx)
		if err != nil {
			return 0, err
		}
		draw, err := t.LocDraw.Create().SetFacilityID(line.ID).SetAmount(*d.FundedAmount).
			SetFeeAmount(termsOf(d, t.zone()).BankFee()).SetPaybackAmount(*d.PaybackAmount).
			SetRequestedBy(requestedBy).Save(ctx)
		if err != nil {
			return 0, err
		}
		alsoMade(t, "locDraw", draw)
		t.record("creditFacility.create", "creditFacility", line.ID, &dealID, nil, line)
		return line.ID, nil
	})
}

// RequestDraw asks for a further draw on a line, which counts against its room at once. Where the room does not suffice
// the draw is DECLINED. Its id is the draw's.
func (s Seeds) RequestDraw(ctx context.Context, dealID int, amount money.Amount, requestedBy string) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, line, err := t.lockLine(ctx, dealID)
		if err != nil {
			return 0, err
		}
		status := locdraw.StatusREQUESTED
		if line.AvailableRoom.Less(amount) {
			status = locdraw.StatusDECLINED
		}
		create := t.LocDraw.Create().SetFacilityID(line.ID).SetAmount(amount).SetStatus(status).SetRequestedBy(requestedBy)
		if line.FactorRate != nil {
			create.SetPaybackAmount(amount.Times(*line.FactorRate))
		}
		draw, err := create.Save(ctx)
		if err != nil {
			return 0, err
		}
		if err := t.alsoFollowLine(ctx, d, line); err != nil {
			return 0, err
		}
		t.record("locDraw.create", "locDraw", draw.ID, &dealID, nil, draw)
		return draw.ID, nil
	})
}

// JudgeDraw approves a draw that was asked for, or declines it.
func (s Seeds) JudgeDraw(ctx context.Context, dealID, drawID int, approve bool) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, line, err := t.lockLine(ctx, dealID)
		if err != nil {
			return 0, err
		}
		before, err := t.LocDraw.Query().Where(locdraw.ID(drawID), locdraw.FacilityID(line.ID), locked).Only(ctx)
		if err != nil {
			return 0, missing(err, "draw")
		}
		if before.Status != locdraw.StatusREQUESTED {
			return 0, fault.Conflictf("A draw that is %s is not judged any more.", before.Status)
		}
		status := locdraw.StatusDECLINED
		if approve {
			status = locdraw.StatusAPPROVED
		}
		update := t.LocDraw.Update().Where(locdraw.ID(drawID))
		after, err := stored(ctx, t, before, []columnChange{{locdraw.FieldStatus, status}}, update.Mutation(), update.Save)
		if err != nil {
			return 0, err
		}
		if err := t.alsoFollowLine(ctx, d, line); err != nil {
			return 0, err
		}
		t.record("locDraw.update", "locDraw", drawID, &dealID, before, after)
		return drawID, nil
	})
}

// FollowLine has the line of a deal follow what became of the deal: its status, that of its first draw and its room. Where
// nothing has changed it does nothing.
func (s Seeds) FollowLine(ctx context.Context, dealID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		d, line, err := t.lockLine(ctx, dealID)
		if err != nil {
			return 0, err
		}
		after, err := t.followLine(ctx, d, line)
		if err != nil || after == line && len(t.effects) == 0 {
			return 0, err
		}
		t.record("creditFacility.update", "creditFacility", line.ID, &dealID, line, after)
		return line.ID, nil
	})
}

func (t *tx) lockLine(ctx context.Context, dealID int) (*ent.Deal, *ent.CreditFacility, error) {
	d, err := t.lockDeal(ctx, dealID)
	if err != nil {
		return nil, nil, err
	}
	line, err := t.CreditFacility.Query().Where(creditfacility.DealID(dealID), locked).Only(ctx)
	return d, line, missing(err, "credit facility")
}

// alsoFollowLine is followLine as a consequence of a write about a draw.
func (t *tx) alsoFollowLine(ctx context.Context, d *ent.Deal, before *ent.CreditFacility) error {
	after, err := t.followLine(ctx, d, before)
	if err == nil && after != before {
		alsoChanged(t, "creditFacility", before, after)
	}
	return err
}

// followLine stores what has changed of a line and its draws, and returns the line as it is then. The first draw is what
// the deal funded.
func (t *tx) followLine(ctx context.Context, d *ent.Deal, before *ent.CreditFacility) (*ent.CreditFacility, error) {
	draws, err := t.LocDraw.Query().Where(locdraw.FacilityID(before.ID), locked).Order(locdraw.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	balances, err := t.balances(ctx, d.ID)
	if err != nil {
		return nil, err
	}
	room := before.CreditLimit
	for i, draw := range draws {
		to := drawStatus(d, draw, i == 0)
		if err := t.moveDraw(ctx, d, draw, to); err != nil {
			return nil, err
		}
		switch to { //nolint:exhaustive // what is repaid or declined takes no room
		case locdraw.StatusFUNDED:
			room = room.Sub(unpaidPrincipal(draw, balances))
		case locdraw.StatusREQUESTED, locdraw.StatusAPPROVED:
			room = room.Sub(draw.Amount)
		}
	}
	status := lineStatus(d.State)
	if before.Status == status && before.AvailableRoom.Equal(room) {
		return before, nil
	}
	update := t.CreditFacility.Update().Where(creditfacility.ID(before.ID))
	return stored(ctx, t, before, []columnChange{
		{creditfacility.FieldStatus, status}, {creditfacility.FieldAvailableRoom, room},
	}, update.Mutation(), update.Save)
}

func lineStatus(s deal.State) creditfacility.Status {
	switch s {
	case deal.Funded:
		return creditfacility.StatusACTIVE
	case deal.Closed, deal.Renewed, deal.Withdrawn:
		return creditfacility.StatusCLOSED
	default:
		return creditfacility.StatusSUSPENDED
	}
}

// drawStatus is where a draw stands now that its deal is where it is.
func drawStatus(d *ent.Deal, draw *ent.LocDraw, first bool) locdraw.Status {
	pending := draw.Status == locdraw.StatusREQUESTED || draw.Status == locdraw.StatusAPPROVED
	switch {
	case first && d.State == deal.Prefunded && pending:
		return locdraw.StatusAPPROVED
	case first && d.State == deal.Funded:
		return locdraw.StatusFUNDED
	case first && (d.State == deal.Closed || d.State == deal.Renewed):
		return locdraw.StatusREPAID
	case pending && lineStatus(d.State) == creditfacility.StatusCLOSED:
		return locdraw.StatusDECLINED
	default:
		return draw.Status
	}
}

// unpaidPrincipal is what is left of a draw: each payment repays its part of the principal.
func unpaidPrincipal(draw *ent.LocDraw, b ledger.Balances) money.Amount {
	if draw.PaybackAmount == nil || draw.PaybackAmount.Sign() <= 0 {
		return draw.Amount
	}
	return money.Cumulative(draw.Amount, ledger.Outstanding(b), *draw.PaybackAmount)
}

// moveDraw stores where a draw stands. The payments that the funding scheduled repay the draw that it paid out.
func (t *tx) moveDraw(ctx context.Context, d *ent.Deal, before *ent.LocDraw, to locdraw.Status) error {
	if before.Status == to {
		return nil
	}
	changes := []columnChange{{locdraw.FieldStatus, to}}
	if to == locdraw.StatusFUNDED && before.FundedAt == nil {
		changes = append(changes, columnChange{locdraw.FieldFundedAt, *d.FundedAt})
		rows, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.LocDrawIDIsNil(),
			entpayment.ScheduledDateNotNil(), locked).Order(entpayment.ByID()).All(ctx)
		if err != nil {
			return err
		}
		if err := allStored(ctx, t, "payment", rows, []columnChange{{entpayment.FieldLocDrawID, before.ID}},
			func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
				update := t.Payment.Update().Where(entpayment.IDIn(ids...))
				return update.Mutation(), update.Save
			}); err != nil {
			return err
		}
	}
	update := t.LocDraw.Update().Where(locdraw.ID(before.ID))
	after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
	if err == nil {
		alsoChanged(t, "locDraw", before, after)
	}
	return err
}
