package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/commissionoffer"
	"paydown/ent/iso"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/pricing"
	"paydown/internal/service/input"
	"paydown/internal/service/underwriting"
	"paydown/internal/service/unit"
)

// PricingOf is what the terms of a deal are derived from besides themselves, were the fields changed so: the day, the
// merchant's revenue, and the commission that its broker is promised. A commission offer that the deal names comes before
// the broker's own rule. before is the record as it is, or one that holds nothing yet.
func PricingOf(ctx context.Context, t *unit.Tx, before *ent.Deal, f DealFields) (pricing.Context, error) {
	from := pricing.Context{Today: t.Today(), Renewal: before.IsRenewal}
	var err error
	if before.ID != 0 {
		if from.MonthlyRevenue, err = underwriting.MonthlyRevenue(ctx, t, before.ID); err != nil {
			return from, err
		}
	}
	isoID := named(f.ISOID, before.IsoID)
	if id := named(f.CommissionOfferID, before.CommissionOfferID); id != nil {
		offer, err := t.CommissionOffer.Query().Where(commissionoffer.ID(*id)).Only(ctx)
		switch {
		case ent.IsNotFound(err): // the write refuses it
		case err != nil:
			return from, err
		case misfitOf(offer, isoID, f.ProductType.Or(before.ProductType)) == "":
			from.CommissionRule = pricing.NewCommissionRule(offer.CommissionBasis, offer.CommissionValue)
			from.BuyRate = offer.BuyRate
			return from, nil
		}
	}
	if isoID == nil {
		return from, nil
	}
	broker, err := t.ISO.Query().Where(iso.ID(*isoID)).Only(ctx)
	if ent.IsNotFound(err) { // the write refuses it
		return from, nil
	}
	if err != nil {
		return from, err
	}
	from.CommissionRule, _ = pricing.ParseCommissionRule(broker.CommissionRule, "commissionRule")
	return from, nil
}

// named is what a column holds after a change: the record's own value where the change does not name it.
func named[T any](change input.Opt[T], before *T) *T {
	if change.Absent() {
		return before
	}
	return change.Ptr()
}

// misfitOf says why a commission offer is not for a deal of a broker and a product, or "".
func misfitOf(offer *ent.CommissionOffer, isoID *int, product deal.Product) string {
	if product == "" {
		product = deal.MCA
	}
	switch {
	case offer.IsoID != nil && (isoID == nil || *isoID != *offer.IsoID):
		return "is for another ISO"
	case offer.ProductType != nil && *offer.ProductType != product:
		return "is for another product"
	default:
		return ""
	}
}

// offerFits refuses to put a commission offer on a deal that it is not for, or on a day on which it is not promised. One
// that a deal has already may end; it was promised while it lasted.
func offerFits(ctx context.Context, t *unit.Tx, before *ent.Deal, f DealFields) error {
	id, given := f.CommissionOfferID.Get()
	if !given || before.CommissionOfferID != nil && *before.CommissionOfferID == id {
		return nil
	}
	offer, err := t.CommissionOffer.Query().Where(commissionoffer.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	misfit := misfitOf(offer, named(f.ISOID, before.IsoID), f.ProductType.Or(before.ProductType))
	switch today := t.Today(); {
	case misfit != "":
	case !offer.IsActive:
		misfit = "is not active"
	case offer.ValidFrom != nil && today.Before(*offer.ValidFrom), offer.ValidTo != nil && today.After(*offer.ValidTo):
		misfit = "is not valid today"
	default:
		return nil
	}
	return fault.Field("commissionOfferId", "%s", misfit)
}
