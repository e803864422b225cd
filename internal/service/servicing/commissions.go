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

// PricingOf returns what pricing needs besides the deal's own terms, with the changes in f applied: today's
// date, the merchant's revenue and the commission promised to the broker. The deal's commission offer takes
// precedence over the broker's own rule. before is the stored deal, or an empty one for a new deal.
func PricingOf(ctx context.Context, t *unit.Tx, before *ent.Deal, f DealFields) (pricing.Context, error) {
	from := pricing.Context{Today: t.Today(), Renewal: before.IsRenewal}
	var err error
	if before.ID != 0 {
		if from.MonthlyRevenue, err = underwriting.MonthlyRevenue(ctx, t, before.ID); err != nil {
			return from, err
		}
	}
	isoID := valueAfter(f.ISOID, before.IsoID)
	if id := valueAfter(f.CommissionOfferID, before.CommissionOfferID); id != nil {
		offer, err := t.CommissionOffer.Query().Where(commissionoffer.ID(*id)).Only(ctx)
		switch {
		case ent.IsNotFound(err): // the write rejects the unknown id
		case err != nil:
			return from, err
		case offerMismatch(offer, isoID, f.ProductType.Or(before.ProductType)) == "":
			from.CommissionRule = pricing.NewCommissionRule(offer.CommissionBasis, offer.CommissionValue)
			from.BuyRate = offer.BuyRate
			return from, nil
		}
	}
	if isoID == nil {
		return from, nil
	}
	broker, err := t.ISO.Query().Where(iso.ID(*isoID)).Only(ctx)
	if ent.IsNotFound(err) { // the write rejects the unknown id
		return from, nil
	}
	if err != nil {
		return from, err
	}
	from.CommissionRule, _ = pricing.ParseCommissionRule(broker.CommissionRule, "commissionRule")
	return from, nil
}

// valueAfter returns a column's value after a change: the stored value if the change does not set the column.
func valueAfter[T any](change input.Opt[T], before *T) *T {
	if change.Absent() {
		return before
	}
	return change.Ptr()
}

// offerMismatch says why a commission offer does not apply to the broker and product of a deal; "" if it
// applies.
func offerMismatch(offer *ent.CommissionOffer, isoID *int, product deal.Product) string {
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

// checkCommissionOffer rejects a commission offer that does not apply to the deal or is not valid today. An
// offer that the deal already has may expire: it was valid when it was promised.
func checkCommissionOffer(ctx context.Context, t *unit.Tx, before *ent.Deal, f DealFields) error {
	id, given := f.CommissionOfferID.Get()
	if !given || before.CommissionOfferID != nil && *before.CommissionOfferID == id {
		return nil
	}
	offer, err := t.CommissionOffer.Query().Where(commissionoffer.ID(id)).Only(ctx)
	if err != nil {
		return err
	}
	mismatch := offerMismatch(offer, valueAfter(f.ISOID, before.IsoID), f.ProductType.Or(before.ProductType))
	switch today := t.Today(); {
	case mismatch != "":
	case !offer.IsActive:
		mismatch = "is not active"
	case offer.ValidFrom != nil && today.Before(*offer.ValidFrom), offer.ValidTo != nil && today.After(*offer.ValidTo):
		mismatch = "is not valid today"
	default:
		return nil
	}
	return fault.Field("commissionOfferId", "%s", mismatch)
}
