package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/locdraw"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// CreditFacilities are lines of credit.
type CreditFacilities struct{ core *unit.Core }

// CreditFacilityListing describes the list.
var CreditFacilityListing = &list.Listing[ent.CreditFacility]{
	Resource: "creditFacilities", Scope: auth.Read("credit-facilities"),
	Sorts: []list.Sort{
		{Name: "creditLimit", Column: creditfacility.FieldCreditLimit, Kind: list.IsDecimal},
		{Name: "availableRoom", Column: creditfacility.FieldAvailableRoom, Kind: list.IsDecimal},
	},
	Filters: []list.Filter{
		{
			Name: "status", Column: creditfacility.FieldStatus, Kind: list.IsEnum, Values: creditfacility.Status("").Values(),
			Doc: "Only facilities of this status",
		},
	},
	Expands: []list.Expand{
		{Name: "draws", Scope: auth.Read("credit-facilities")},
	},
}

// List returns a page of them, each with what it always includes.
func (s CreditFacilities) List(ctx context.Context, params map[string]string) (*list.Page[ent.CreditFacility], error) {
	return list.Read(ctx, s.core, CreditFacilityListing, params,
		s.core.Store.Reader().CreditFacility.Query().WithDraws(func(q *ent.LocDrawQuery) { q.Order(locdraw.ByID()) }))
}

// People returns those of the members of staff that there are, by id: who requested draws, or approved them. They are for
// whoever may read lines of credit, however the draw was come by.
func (s CreditFacilities) People(ctx context.Context, _ auth.Scope, ids []int) (map[int]*ent.User, error) {
	return list.ByIDs(ctx, auth.Read("credit-facilities"), ids, s.core.Store.Reader().User.Query())
}

// NewCreditFacility is what a line of credit is made of.
type NewCreditFacility struct {
	DealID      input.Opt[int]          `json:"dealId" check:"gte=1" need:"create" column:"-" doc:"Deal of the product LOC, priced; what it funds is the first draw"`
	CreditLimit input.Opt[money.Amount] `json:"creditLimit" check:"gt=0" need:"create" doc:"Most that may be drawn and unpaid at a time"`
	FactorRate  input.Opt[money.Rate]   `json:"factorRate" check:"gte=1000000,lte=2500000" doc:"What a draw is paid back at; the deal's unless given"`
	RequestedBy input.Opt[string]       `json:"requestedBy" check:"text" column:"-" doc:"Who asks for the first draw"`
}

// CreditFacilityUpdate is what a caller changes of a line of credit.
type CreditFacilityUpdate struct {
	CreditLimit input.Opt[money.Amount] `json:"creditLimit" check:"gt=0" need:"value" doc:"Most that may be drawn and unpaid at a time"`
	FactorRate  input.Opt[money.Rate]   `json:"factorRate" check:"gte=1000000,lte=2500000" doc:"What draws that are asked for from now on are paid back at"`
}

// DrawInput is what is asked for of a line of credit.
type DrawInput struct {
	Amount      input.Opt[money.Amount] `json:"amount" check:"gt=0" need:"create" doc:"What is to be advanced, before the fee"`
	FeeAmount   input.Opt[money.Amount] `json:"feeAmount" check:"gte=0" doc:"What is kept back of it"`
	RequestedBy input.Opt[string]       `json:"requestedBy" check:"text" doc:"Who asks for it"`
}

// Create opens the line of credit of an LOC deal that is priced and has none. The first draw is what the deal funds and
// follows the deal; the line is open to further draws while the deal is FUNDED.
func (s CreditFacilities) Create(ctx context.Context, in NewCreditFacility) (*ent.CreditFacility, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(ctx context.Context, t *unit.Tx) (*ent.CreditFacility, error) {
		if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}); err != nil {
			return nil, err
		}
		d, err := books.LockDeal(ctx, t, in.DealID.Or(0))
		if err != nil {
			return nil, err
		}
		line, err := OpenLine(ctx, t, d, in.CreditLimit.Or(money.Zero), in.FactorRate.Ptr(), in.RequestedBy.Ptr())
		if err != nil {
			return nil, err
		}
		t.Record("creditFacility.create", "creditFacility", line.ID, &d.ID, nil, line)
		return line, nil
	})
}

// Update changes a line's limit or factor. A limit below what is drawn and asked for is a conflict.
func (s CreditFacilities) Update(ctx context.Context, id int, in CreditFacilityUpdate) (*ent.CreditFacility, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.change(ctx, id, func(ctx context.Context, t *unit.Tx, _ *ent.Deal, line *ent.CreditFacility) ([]input.Change, error) {
		changes := input.ChangesOf(in, line, t.Zone())
		limit := in.CreditLimit.Or(line.CreditLimit)
		used := line.CreditLimit.Sub(line.AvailableRoom)
		if limit.Less(used) {
			return nil, fault.Conflictf("%s of the line are drawn or asked for.", used).
				With("creditLimit", "must be at least %s, which is drawn or asked for", used)
		}
		if !limit.Equal(line.CreditLimit) {
			changes = append(changes, input.Set(creditfacility.FieldAvailableRoom, limit.Sub(used)))
		}
		return changes, nil
	})
}

// Suspend keeps a line from further draws until it is resumed.
func (s CreditFacilities) Suspend(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return s.move(ctx, id, creditfacility.StatusSUSPENDED)
}

// Resume opens a line to draws, while its deal is FUNDED.
func (s CreditFacilities) Resume(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return s.move(ctx, id, creditfacility.StatusACTIVE)
}

// CloseLine ends a line for good: what was drawn is collected on, what was asked for and is not paid out yet is DECLINED.
func (s CreditFacilities) CloseLine(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return s.move(ctx, id, creditfacility.StatusCLOSED)
}

// change stores columns of a line that is locked with its deal.
func (s CreditFacilities) change(
	ctx context.Context, id int,
	work func(context.Context, *unit.Tx, *ent.Deal, *ent.CreditFacility) ([]input.Change, error),
) (*ent.CreditFacility, error) {
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(ctx context.Context, t *unit.Tx) (*ent.CreditFacility, error) {
		d, before, err := lockFacility(ctx, t, id)
		if err != nil {
			return nil, err
		}
		changes, err := work(ctx, t, d, before)
		if err != nil || len(changes) == 0 {
			return before, err
		}
		after, err := saveLine(ctx, t, before, changes)
		if err != nil {
			return nil, err
		}
		if after, err = followLine(ctx, t, d, after); err != nil {
			return nil, err
		}
		t.Record("creditFacility.update", "creditFacility", id, &d.ID, before, after)
		return after, nil
	})
}

func (s CreditFacilities) move(ctx context.Context, id int, to creditfacility.Status) (*ent.CreditFacility, error) {
	return s.change(ctx, id, func(_ context.Context, _ *unit.Tx, d *ent.Deal, line *ent.CreditFacility) ([]input.Change, error) {
		if line.Status == to {
			return nil, nil
		}
		if err := deal.Lines.Check("credit facility", string(line.Status), string(to)); err != nil {
			return nil, err
		}
		if to == creditfacility.StatusACTIVE && d.State != deal.Funded {
			return nil, fault.Conflictf("The deal is %s; its line is open to draws while it is FUNDED.", d.State).
				With("status", "cannot be ACTIVE while the deal is %s", d.State)
		}
		if to == creditfacility.StatusCLOSED && !d.State.Live() {
			return nil, fault.Conflictf("The line goes with its deal until that is funded: withdraw the deal.").
				With("status", "cannot be CLOSED while the deal is %s", d.State)
		}
		return []input.Change{input.Set(creditfacility.FieldStatus, to)}, nil
	})
}

// RequestDraw asks for a draw on a line that is open. It takes its room at once, so that nothing that is asked for at the
// same moment can have it too; a draw of more than there is left is a conflict.
func (s CreditFacilities) RequestDraw(ctx context.Context, facilityID int, in DrawInput) (*ent.LocDraw, error) {
	problems := input.Check(in, input.ForCreate)
	if fee, ok := in.FeeAmount.Get(); ok && in.Amount.Given() && !fee.Less(in.Amount.Or(money.Zero)) {
		problems = input.MergeProblems(problems, []fault.Detail{{Path: "feeAmount", Message: "must be less than amount"}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(ctx context.Context, t *unit.Tx) (*ent.LocDraw, error) {
		d, line, err := lockFacility(ctx, t, facilityID)
		if err != nil {
			return nil, err
		}
		if err := openToDraws(d, line); err != nil {
			return nil, err
		}
		if amount := in.Amount.Or(money.Zero); line.AvailableRoom.Less(amount) {
			return nil, fault.Conflictf("The line has %s left to draw.", line.AvailableRoom).
				With("amount", "must be at most %s", line.AvailableRoom)
		}
		return RequestDraw(ctx, t, d, line, in, locdraw.StatusREQUESTED)
	})
}

func openToDraws(d *ent.Deal, line *ent.CreditFacility) error {
	if line.Status != creditfacility.StatusACTIVE || d.State != deal.Funded {
		return fault.Conflictf("The line is %s and its deal %s: nothing can be drawn.", line.Status, d.State).
			With("status", "must be ACTIVE, and the deal FUNDED")
	}
	return nil
}

// ApproveDraw approves a draw that somebody else asked for: see identity.FourEyes. It needs the permission draws.approve.
func (s CreditFacilities) ApproveDraw(ctx context.Context, id int) (*ent.LocDraw, error) {
	return s.judge(ctx, id, locdraw.StatusAPPROVED, nil)
}

// DeclineDraw declines a draw that is not paid out, which gives its room back. It needs the permission draws.approve.
func (s CreditFacilities) DeclineDraw(ctx context.Context, id int, reason string) (*ent.LocDraw, error) {
	if message := input.Violation(reason, "name"); message != "" {
		return nil, fault.Field("reason", "%s", message)
	}
	return s.judge(ctx, id, locdraw.StatusDECLINED, &reason)
}

func (s CreditFacilities) judge(ctx context.Context, id int, to locdraw.Status, reason *string) (*ent.LocDraw, error) {
	if _, err := unit.RequirePermission(ctx, auth.ApproveDraws); err != nil {
		return nil, err
	}
	return s.draw(ctx, id, func(ctx context.Context, t *unit.Tx, d *ent.Deal, line *ent.CreditFacility, draw *ent.LocDraw) (*ent.LocDraw, error) {
		if to == locdraw.StatusAPPROVED && draw.Status != to {
			if err := openToDraws(d, line); err != nil {
				return nil, err
			}
			requesters, err := identity.Requesters(ctx, t, draw)
			if err != nil {
				return nil, err
			}
			if err := identity.FourEyes(ctx, t, identity.DrawApproval, requesters...); err != nil {
				return nil, err
			}
		}
		return judgeDraw(ctx, t, d, line, draw, to, reason)
	})
}

// draw runs a write of a draw that is not its line's first: that one is what the deal funds, and follows the deal.
func (s CreditFacilities) draw(
	ctx context.Context, id int,
	work func(context.Context, *unit.Tx, *ent.Deal, *ent.CreditFacility, *ent.LocDraw) (*ent.LocDraw, error),
) (*ent.LocDraw, error) {
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(ctx context.Context, t *unit.Tx) (*ent.LocDraw, error) {
		d, line, draw, err := lockDraw(ctx, t, id)
		if err != nil {
			return nil, err
		}
		first, err := t.LocDraw.Query().Where(locdraw.FacilityID(line.ID)).Order(locdraw.ByID()).FirstID(ctx)
		if err != nil {
			return nil, err
		}
		if first == draw.ID {
			return nil, fault.Conflictf("The first draw of a line is what its deal funds: move the deal.").
				With("status", "follows the deal, which is %s", d.State)
		}
		return work(ctx, t, d, line, draw)
	})
}
