package inbound

import (
	"context"
	"strings"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/merchant"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// InboundFile is an event for the file of a deal or a merchant, for staff to read: a credit report, a
// disclosure made elsewhere, news of a lawsuit. It names the deal or merchant; the rest is kept as received.
type InboundFile struct {
	DealID     input.Opt[int]    `json:"dealId" check:"gte=1" column:"-" doc:"The deal it is about"`
	MerchantID input.Opt[int]    `json:"merchantId" check:"gte=1" column:"-" doc:"The merchant it is about; with a dealId, that deal's"`
	EIN        input.Opt[string] `json:"ein" check:"ein" column:"-" doc:"The merchant's EIN, if neither id is given" example:"98-7654321"`
}

// applyFile finds the deal or merchant that the payload names.
func applyFile(ctx context.Context, t *unit.Tx, p input.Payload) (inboundOutcome, error) {
	in, err := input.FromPayload(p, func(in InboundFile) []fault.Detail {
		if in.DealID.Given() || in.MerchantID.Given() || in.EIN.Given() {
			return nil
		}
		return []fault.Detail{{
			Path: "dealId", Message: "is required, or merchantId or ein",
		}}
	})
	if err != nil {
		return inboundOutcome{}, err
	}
	if err := t.Require(ctx, unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()},
		unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}); err != nil {
		return inboundOutcome{}, err
	}
	switch {
	case in.DealID.Given():
		d, err := t.Deal.Query().Where(entdeal.ID(in.DealID.Or(0))).Only(ctx)
		if err != nil {
			return inboundOutcome{}, err
		}
		if in.MerchantID.Given() && in.MerchantID.Or(0) != d.MerchantID {
			return inboundOutcome{}, fault.Field("merchantId", "must be the merchant of the deal")
		}
		return inboundOutcome{dealID: &d.ID, merchantID: &d.MerchantID}, nil
	case in.MerchantID.Given():
		return inboundOutcome{merchantID: in.MerchantID.Ptr()}, nil
	}
	digits := strings.ReplaceAll(in.EIN.Or(""), "-", "")
	m, err := t.Merchant.Query().Where(merchant.FederalIDDigits(digits)).Order(merchant.ByID(unit.Descending())).First(ctx)
	if ent.IsNotFound(err) {
		return inboundOutcome{}, fault.UnknownReference(fault.Detail{Path: "ein", Message: "no merchant has this EIN"})
	}
	if err != nil {
		return inboundOutcome{}, err
	}
	return inboundOutcome{merchantID: &m.ID}, nil
}
