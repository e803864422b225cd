package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/commissionoffer"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// CommissionOffers is the aggregate of commissions that brokers can be promised on a deal.
type CommissionOffers struct{ core *unit.Core }

// CommissionOfferInput is the input for creating or updating a commission offer.
type CommissionOfferInput struct {
	Name            input.Opt[string]        `json:"name" check:"name" need:"create"`
	ISOID           input.Opt[int]           `json:"isoId" check:"gte=1" doc:"Broker the offer is for; default: all of them"`
	ProductType     input.Opt[deal.Product]  `json:"productType" doc:"Product the offer is for; default: any"`
	CommissionBasis input.Opt[pricing.Basis] `json:"commissionBasis" need:"create" doc:"Unit of commissionValue"`
	CommissionValue input.Opt[money.Rate]    `json:"commissionValue" check:"gte=0" need:"create"`
	BuyRate         input.Opt[money.Rate]    `json:"buyRate" check:"gte=1000000,lte=2500000" doc:"Factor rate at which the broker buys"`
	ValidFrom       input.Opt[civil.Date]    `json:"validFrom" doc:"First day on which the offer is valid"`
	ValidTo         input.Opt[civil.Date]    `json:"validTo" doc:"Last day on which the offer is valid"`
	IsActive        input.Opt[bool]          `json:"isActive" need:"value" doc:"Default: true"`
	Notes           input.Opt[string]        `json:"notes" check:"notes"`
}

// List returns all commission offers, ordered by name.
func (s CommissionOffers) List(ctx context.Context) ([]*ent.CommissionOffer, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("isos")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().CommissionOffer.Query().Order(commissionoffer.ByName(), commissionoffer.ByID()).All(ctx)
}

// ByIDs returns the existing commission offers among ids, by id.
func (s CommissionOffers) ByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.CommissionOffer, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().CommissionOffer.Query())
}

// Create creates a commission offer.
func (s CommissionOffers) Create(ctx context.Context, in CommissionOfferInput) (*ent.CommissionOffer, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("isos"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.CommissionOffer, error) {
		if err := t.Require(ctx, unit.Reference{Path: "isoId", Record: "ISO", ID: in.ISOID.Ptr()}); err != nil {
			return nil, err
		}
		if err := in.check(); err != nil {
			return nil, err
		}
		create := t.CommissionOffer.Create()
		row, err := unit.Create(ctx, t, "commissionOffer", in, create.Mutation(), create.Save)
		return row, err
	})
}

// Update changes a commission offer. To retire one, set it inactive.
func (s CommissionOffers) Update(ctx context.Context, id int, in CommissionOfferInput) (*ent.CommissionOffer, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("isos"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.CommissionOffer, error) {
		before, err := t.CommissionOffer.Query().Where(commissionoffer.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "commission offer")
		}
		if err := t.Require(ctx, unit.Reference{Path: "isoId", Record: "ISO", ID: in.ISOID.Ptr()}); err != nil {
			return nil, err
		}
		if err := in.check(); err != nil {
			return nil, err
		}
		update := t.CommissionOffer.Update().Where(commissionoffer.ID(id))
		row, err := unit.Update(ctx, t, "commissionOffer", id, before, in, update.Mutation(), update.Save)
		return row, err
	})
}

// check rejects a percentage above 100 and dates in the wrong order. It checks only fields that the input sets.
func (in CommissionOfferInput) check() error {
	var problems []fault.Detail
	if value, ok := in.CommissionValue.Get(); ok && value.Cmp(money.MustRate("100")) > 0 &&
		(in.CommissionBasis.Or("") == pricing.PercentOfFunded || in.CommissionBasis.Or("") == pricing.PercentOfPayback) {
		problems = append(problems, fault.Detail{Path: "commissionValue", Message: "must be at most 100 percent"})
	}
	from, hasFrom := in.ValidFrom.Get()
	if to, ok := in.ValidTo.Get(); ok && hasFrom && to.Before(from) {
		problems = append(problems, fault.Detail{Path: "validTo", Message: "must not be before validFrom"})
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}
