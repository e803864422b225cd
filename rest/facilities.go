package rest

import (
	"paydown/ent"
	"paydown/ent/creditfacility"
	"paydown/ent/locdraw"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// CreditFacilityView is a credit facility on the wire.
type CreditFacilityView struct {
	ID            int                   `json:"id"`
	DealID        int                   `json:"dealId"`
	CreditLimit   string                `json:"creditLimit" doc:"Dollars, two decimals" example:"12500.00"`
	AvailableRoom string                `json:"availableRoom" doc:"Dollars, two decimals" example:"12500.00"`
	FactorRate    *string               `json:"factorRate" example:"1.15"`
	Status        creditfacility.Status `json:"status"`
	CreatedAt     string                `json:"createdAt" format:"date-time"`
	UpdatedAt     string                `json:"updatedAt" format:"date-time"`
	Draws         *[]LocDrawView        `json:"draws,omitempty" nullable:"false" doc:"Always included"`
}

func creditFacilityView(r *ent.CreditFacility) CreditFacilityView {
	v := CreditFacilityView{
		ID:            r.ID,
		DealID:        r.DealID,
		CreditLimit:   r.CreditLimit.String(),
		AvailableRoom: r.AvailableRoom.String(),
		FactorRate:    optRate(r.FactorRate),
		Status:        r.Status,
		CreatedAt:     stamp(r.CreatedAt),
		UpdatedAt:     stamp(r.UpdatedAt),
	}
	if all, err := r.Edges.DrawsOrErr(); err == nil {
		v.Draws = viewAll(all, locDrawView)
	}
	return v
}

// LocDrawView is a draw on a credit facility, on the wire.
type LocDrawView struct {
	ID            int            `json:"id"`
	FacilityID    int            `json:"facilityId"`
	Amount        string         `json:"amount" doc:"Dollars, two decimals" example:"10000.00"`
	FeeAmount     *string        `json:"feeAmount" doc:"Dollars, two decimals" example:"250.00"`
	PaybackAmount *string        `json:"paybackAmount" doc:"Dollars, two decimals" example:"11500.00"`
	Status        locdraw.Status `json:"status"`
	RequestedBy   *string        `json:"requestedBy"`
	FundedAt      *string        `json:"fundedAt" format:"date-time"`
	CreatedAt     string         `json:"createdAt" format:"date-time"`
	UpdatedAt     string         `json:"updatedAt" format:"date-time"`
}

func locDrawView(d *ent.LocDraw) LocDrawView {
	return LocDrawView{
		ID: d.ID, FacilityID: d.FacilityID, Amount: d.Amount.String(), FeeAmount: optAmount(d.FeeAmount),
		PaybackAmount: optAmount(d.PaybackAmount), Status: d.Status, RequestedBy: d.RequestedBy,
		FundedAt: optStamp(d.FundedAt), CreatedAt: stamp(d.CreatedAt), UpdatedAt: stamp(d.UpdatedAt),
	}
}

func (a *API) creditFacilities() {
	r := resource[ent.CreditFacility, CreditFacilityView]{
		path: "/api/v1/credit-facilities", tag: "Credit facilities", plural: "creditFacilities", noun: "credit facility",
		read: auth.Read("credit-facilities"), view: creditFacilityView,
	}
	list(a, r, service.CreditFacilityListing, a.service.CreditFacilities.List)
}
