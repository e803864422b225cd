package rest

import (
	"paydown/ent"
	"paydown/ent/renewalopportunity"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// RenewalOpportunityView is a deal that may be renewed, on the wire.
type RenewalOpportunityView struct {
	ID            int                       `json:"id"`
	PriorDealID   int                       `json:"priorDealId"`
	MerchantID    int                       `json:"merchantId"`
	Status        renewalopportunity.Status `json:"status"`
	PaidDownPct   string                    `json:"paidDownPct" example:"52.50"`
	Outstanding   string                    `json:"outstanding" doc:"Dollars, two decimals" example:"12500.00"`
	RenewalDealID *int                      `json:"renewalDealId"`
	CreatedAt     string                    `json:"createdAt" format:"date-time"`
	UpdatedAt     string                    `json:"updatedAt" format:"date-time"`
	PriorDeal     *DealView                 `json:"priorDeal,omitempty" doc:"Always included"`
}

func renewalOpportunityView(r *ent.RenewalOpportunity) RenewalOpportunityView {
	v := RenewalOpportunityView{
		ID:            r.ID,
		PriorDealID:   r.PriorDealID,
		MerchantID:    r.MerchantID,
		Status:        r.Status,
		PaidDownPct:   r.PaidDownPct.String(),
		Outstanding:   r.Outstanding.String(),
		RenewalDealID: r.RenewalDealID,
		CreatedAt:     stamp(r.CreatedAt),
		UpdatedAt:     stamp(r.UpdatedAt),
	}
	if r.Edges.PriorDeal != nil {
		one := dealView(r.Edges.PriorDeal)
		v.PriorDeal = &one
	}
	return v
}

func (a *API) renewals() {
	r := resource[ent.RenewalOpportunity, RenewalOpportunityView]{
		path: "/api/v1/renewals", tag: "Renewals", plural: "renewals", noun: "renewal",
		read: auth.Read("renewals"), view: renewalOpportunityView,
	}
	list(a, r, service.RenewalListing, a.service.Renewals.List)
}
