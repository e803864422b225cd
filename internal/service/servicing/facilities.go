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

// CreditFacilities is the aggregate of credit facilities.
type CreditFacilities struct{ core *unit.Core }

// CreditFacilityListing describes the list of credit facilities.
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

// List returns a page of credit facilities with their draws.
func (s CreditFacilities) List(ctx context.Context, req list.Request) (*list.Page[ent.CreditFacility], error) {
	return list.Read(ctx, s.core, CreditFacilityListing, req,
		s.core.Store.Reader().CreditFacility.Query().WithDraws(func(q *ent.LocDrawQuery) { q.Order(locdraw.ByID()) }))
}

// People returns the members of staff who requested or approved draws, by id. The scope to read credit
// facilities suffices, whatever scope led to the draw.
func (s CreditFacilities) People(ctx context.Context, _ auth.Scope, ids []int) (map[int]*ent.User, error) {
	return list.ByIDs(ctx, auth.Read("credit-facilities"), ids, s.core.Store.Reader().User.Query())
}

// NewCreditFacility is the input for creating a credit facility.
type NewCreditFacility struct {
	DealID      input.Opt[int]          `json:"dealId" check:"gte=1" need:"create" column:"-" doc:"Priced deal with product LOC; its funded amount is the first draw"`
	CreditLimit input.Opt[money.Amount] `json:"creditLimit" check:"gt=0" need:"create" doc:"Maximum unpaid principal at any time"`
	FactorRate  input.Opt[money.Rate]   `json:"factorRate" check:"gte=1000000,lte=2500000" doc:"Factor rate of draws; default: the deal's"`
	RequestedBy input.Opt[string]       `json:"requestedBy" check:"text" column:"-" doc:"Who requests the first draw"`
}

// CreditFacilityUpdate is the input for updating a credit facility.
type CreditFacilityUpdate struct {
	CreditLimit input.Opt[money.Amount] `json:"creditLimit" check:"gt=0" need:"value" doc:"Maximum unpaid principal at any time"`
	FactorRate  input.Opt[money.Rate]   `json:"factorRate" check:"gte=1000000,lte=2500000" doc:"Factor rate of draws requested from now on"`
}

// DrawInput is the input for requesting a draw.
type DrawInput struct {
	Amount      input.Opt[money.Amount] `json:"amount" check:"gt=0" need:"create" doc:"Amount to advance, before the fee"`
	FeeAmount   input.Opt[money.Amount] `json:"feeAmount" check:"gte=0" doc:"Fee withheld from the amount"`
	RequestedBy input.Opt[string]       `json:"requestedBy" check:"text" doc:"Who requests the draw"`
}

// Create opens the credit facility of a priced LOC deal that has none. The first draw is the deal's own funding
// and follows the deal. Further draws are possible while the deal is FUNDED.
func (s CreditFacilities) Create(ctx context.Context, in NewCreditFacility) (*ent.CreditFacility, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.CreditFacility, error) {
		if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}); err != nil {
			return nil, err
		}
		d, err := books.LockDeal(ctx, t, in.DealID.Or(0))
		if err != nil {
			return nil, err
		}
		facility, err := openFacility(ctx, t, d, in.CreditLimit.Or(money.Zero), in.FactorRate.Ptr(), in.RequestedBy.Ptr())
		if err != nil {
			return nil, err
		}
		t.Record("creditFacility.create", "creditFacility", facility.ID, &d.ID, nil, facility)
		return facility, nil
	})
}

// Update changes a facility's limit or factor rate. A limit below the amount that is drawn or requested is a
// conflict.
func (s CreditFacilities) Update(ctx context.Context, id int, in CreditFacilityUpdate) (*ent.CreditFacility, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.change(ctx, id, func(
		ctx context.Context, t *unit.Tx, _ *ent.Deal, facility *ent.CreditFacility,
	) ([]input.Change, error) {
		changes := input.ChangesOf(in, facility, t.Zone())
		limit := in.CreditLimit.Or(facility.CreditLimit)
		used := facility.CreditLimit.Sub(facility.AvailableRoom)
		if limit.Less(used) {
			return nil, fault.Conflictf("%s of the credit facility is drawn or requested.", used).
				With("creditLimit", "must be at least %s, the amount drawn or requested", used)
		}
		if !limit.Equal(facility.CreditLimit) {
			changes = append(changes, input.Set(creditfacility.FieldAvailableRoom, limit.Sub(used)))
		}
		return changes, nil
	})
}

// Suspend blocks further draws until the facility is resumed.
func (s CreditFacilities) Suspend(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return s.move(ctx, id, creditfacility.StatusSUSPENDED)
}

// Resume allows draws again. The deal must be FUNDED.
func (s CreditFacilities) Resume(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return s.move(ctx, id, creditfacility.StatusACTIVE)
}

// CloseLine closes a facility for good: paid-out draws are still collected, other open draws become DECLINED.
func (s CreditFacilities) CloseLine(ctx context.Context, id int) (*ent.CreditFacility, error) {
	return s.move(ctx, id, creditfacility.StatusCLOSED)
}

// change locks a facility and its deal and stores the columns that the callback returns.
func (s CreditFacilities) change(
	ctx context.Context, id int,
	work func(context.Context, *unit.Tx, *ent.Deal, *ent.CreditFacility) ([]input.Change, error),
) (*ent.CreditFacility, error) {
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.CreditFacility, error) {
		d, before, err := lockFacility(ctx, t, id)
		if err != nil {
			return nil, err
		}
		changes, err := work(ctx, t, d, before)
		if err != nil || len(changes) == 0 {
			return before, err
		}
		after, err := saveFacility(ctx, t, before, changes)
		if err != nil {
			return nil, err
		}
		if after, err = syncFacility(ctx, t, d, after); err != nil {
			return nil, err
		}
		t.Record("creditFacility.update", "creditFacility", id, &d.ID, before, after)
		return after, nil
	})
}

func (s CreditFacilities) move(ctx context.Context, id int, to creditfacility.Status) (*ent.CreditFacility, error) {
	return s.change(ctx, id, func(
		_ context.Context, _ *unit.Tx, d *ent.Deal, facility *ent.CreditFacility,
	) ([]input.Change, error) {
		if facility.Status == to {
			return nil, nil
		}
		if err := deal.Lines.Check("credit facility", string(facility.Status), string(to)); err != nil {
			return nil, err
		}
		if to == creditfacility.StatusACTIVE && d.State != deal.Funded {
			return nil, fault.Conflictf("The deal is %s; its credit facility allows draws only while it is FUNDED.", d.State).
				With("status", "cannot be ACTIVE while the deal is %s", d.State)
		}
		if to == creditfacility.StatusCLOSED && !d.State.Live() {
			return nil, fault.Conflictf("The credit facility follows its deal until the deal is funded: withdraw the deal.").
				With("status", "cannot be CLOSED while the deal is %s", d.State)
		}
		return []input.Change{input.Set(creditfacility.FieldStatus, to)}, nil
	})
}

// RequestDraw requests a draw on an active facility. The request reserves its room at once, so that a request
// made at the same time cannot use it too. A draw above the available room is a conflict.
func (s CreditFacilities) RequestDraw(ctx context.Context, facilityID int, in DrawInput) (*ent.LocDraw, error) {
	problems := input.Check(in, input.ForCreate)
	if fee, ok := in.FeeAmount.Get(); ok && in.Amount.Given() && !fee.Less(in.Amount.Or(money.Zero)) {
		problems = input.MergeProblems(problems, []fault.Detail{{Path: "feeAmount", Message: "must be less than amount"}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.LocDraw, error) {
		d, facility, err := lockFacility(ctx, t, facilityID)
		if err != nil {
			return nil, err
		}
		if err := openToDraws(d, facility); err != nil {
			return nil, err
		}
		if amount := in.Amount.Or(money.Zero); facility.AvailableRoom.Less(amount) {
			return nil, fault.Conflictf("The credit facility has %s available.", facility.AvailableRoom).
				With("amount", "must be at most %s", facility.AvailableRoom)
		}
		return requestDraw(ctx, t, d, facility, in)
	})
}

func openToDraws(d *ent.Deal, facility *ent.CreditFacility) error {
	if facility.Status != creditfacility.StatusACTIVE || d.State != deal.Funded {
		return fault.Conflictf(
			"The credit facility is %s and its deal %s: draws are not possible.", facility.Status, d.State).
			With("status", "must be ACTIVE, and the deal FUNDED")
	}
	return nil
}

// ApproveDraw approves a draw that someone else requested: see identity.FourEyes. It needs the permission
// draws.approve.
func (s CreditFacilities) ApproveDraw(ctx context.Context, id int) (*ent.LocDraw, error) {
	return s.review(ctx, id, locdraw.StatusAPPROVED, nil)
}

// DeclineDraw declines a draw that is not paid out and releases its room. It needs the permission
// draws.approve.
func (s CreditFacilities) DeclineDraw(ctx context.Context, id int, reason string) (*ent.LocDraw, error) {
	if message := input.Violation(reason, "name"); message != "" {
		return nil, fault.Field("reason", "%s", message)
	}
	return s.review(ctx, id, locdraw.StatusDECLINED, &reason)
}

func (s CreditFacilities) review(ctx context.Context, id int, to locdraw.Status, reason *string) (*ent.LocDraw, error) {
	if _, err := unit.RequirePermission(ctx, auth.ApproveDraws); err != nil {
		return nil, err
	}
	return s.draw(ctx, id, func(
		ctx context.Context, t *unit.Tx, d *ent.Deal, facility *ent.CreditFacility, draw *ent.LocDraw,
	) (*ent.LocDraw, error) {
		if to == locdraw.StatusAPPROVED && draw.Status != to {
			if err := openToDraws(d, facility); err != nil {
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
		return reviewDraw(ctx, t, d, facility, draw, to, reason)
	})
}

// draw runs a write on a draw. It rejects a facility's first draw, which is the deal's own funding and follows
// the deal.
func (s CreditFacilities) draw(
	ctx context.Context, id int,
	work func(context.Context, *unit.Tx, *ent.Deal, *ent.CreditFacility, *ent.LocDraw) (*ent.LocDraw, error),
) (*ent.LocDraw, error) {
	return unit.Write(ctx, s.core, auth.Write("credit-facilities"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.LocDraw, error) {
		d, facility, draw, err := lockDraw(ctx, t, id)
		if err != nil {
			return nil, err
		}
		first, err := t.LocDraw.Query().Where(locdraw.FacilityID(facility.ID)).Order(locdraw.ByID()).FirstID(ctx)
		if err != nil {
			return nil, err
		}
		if first == draw.ID {
			return nil, fault.Conflictf("The first draw of a credit facility is its deal's funding: move the deal instead.").
				With("status", "follows the deal, which is %s", d.State)
		}
		return work(ctx, t, d, facility, draw)
	})
}
