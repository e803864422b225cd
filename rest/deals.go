package rest

import (
	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/service"
	"paydown/internal/underwriting"
)

// DealView is a deal on the wire.
type DealView struct {
	ID                  int                    `json:"id"`
	DealNumber          string                 `json:"dealNumber" example:"D-000001"`
	ReferenceID         *string                `json:"referenceId"`
	ProductType         deal.Product           `json:"productType"`
	State               deal.State             `json:"state"`
	MerchantID          int                    `json:"merchantId"`
	ISOID               *int                   `json:"isoId"`
	FundedLenderID      *int                   `json:"fundedLenderId"`
	InceptionLenderID   *int                   `json:"inceptionLenderId"`
	UnderwriterID       *int                   `json:"underwriterId"`
	CommissionOfferID   *int                   `json:"commissionOfferId"`
	RenewedFromDealID   *int                   `json:"renewedFromDealId"`
	FactorRate          *string                `json:"factorRate" example:"1.30"`
	BuyRate             *string                `json:"buyRate" example:"1.20"`
	SpecifiedPercentage *string                `json:"specifiedPercentage" doc:"Percent of revenue" example:"12.50"`
	FundedAmount        *string                `json:"fundedAmount" doc:"Dollars, two decimals" example:"50000.00"`
	PaybackAmount       *string                `json:"paybackAmount" doc:"Dollars, two decimals" example:"65000.00"`
	BankFeeBasis        *pricing.Basis         `json:"bankFeeBasis"`
	BankFeeValue        *string                `json:"bankFeeValue" example:"3.00"`
	ApplicationFee      *string                `json:"applicationFee" example:"0.00"`
	WireFee             *string                `json:"wireFee" example:"50.00"`
	DefaultSurcharge    *string                `json:"defaultSurcharge" example:"2500.00"`
	EPOFactorRate       *string                `json:"epoFactorRate" example:"1.20"`
	EPOWindowDays       *int                   `json:"epoWindowDays"`
	EPOCommissionBasis  *string                `json:"epoCommissionBasis"`
	EPOCommissionValue  *string                `json:"epoCommissionValue"`
	PaymentAmount       *string                `json:"paymentAmount" example:"515.88"`
	CommissionBasis     *pricing.Basis         `json:"commissionBasis"`
	CommissionValue     *string                `json:"commissionValue" example:"10.00"`
	RenewalPayoffAmount *string                `json:"renewalPayoffAmount"`
	TermDays            *int                   `json:"termDays"`
	Position            *int                   `json:"position"`
	CollectionDay       *int                   `json:"collectionDay"`
	NumberOfPayments    *int                   `json:"numberOfPayments"`
	UWScore             *int                   `json:"uwScore"`
	UWScoreCategory     *underwriting.Category `json:"uwScoreCategory"`
	CollectionFrequency *schedule.Frequency    `json:"collectionFrequency"`
	CollectionSchedule  schedule.Rule          `json:"collectionSchedule"`
	FirstPaymentDate    *string                `json:"firstPaymentDate" format:"date"`
	PayoffDate          *string                `json:"payoffDate" format:"date"`
	FundedAt            *string                `json:"fundedAt" format:"date-time"`
	DefaultedAt         *string                `json:"defaultedAt" format:"date-time"`
	IsRenewal           bool                   `json:"isRenewal"`
	ExternalSource      *string                `json:"externalSource"`
	ExternalRef         *string                `json:"externalRef"`
	CreatedAt           string                 `json:"createdAt" format:"date-time"`
	UpdatedAt           string                 `json:"updatedAt" format:"date-time"`
	Merchant            *MerchantView          `json:"merchant,omitempty" doc:"Only if expanded"`
	ISO                 *IsoView               `json:"iso,omitempty" doc:"Only if expanded and the deal has one"`
	Payments            *[]PaymentView         `json:"payments,omitempty" nullable:"false" doc:"Only if expanded: the first payments by id. A response holds at most 10000, divided evenly among the deals of the page (200 each if limit is 50). For all of them use GET /api/v1/payments?dealId="`
	Submissions         *[]SubmissionView      `json:"submissions,omitempty" nullable:"false" doc:"Only if expanded"`
}

func dealView(d *ent.Deal) DealView {
	v := DealView{
		ID: d.ID, DealNumber: d.DealNumber, ReferenceID: d.ReferenceID, ProductType: d.ProductType, State: d.State,
		MerchantID: d.MerchantID, ISOID: d.IsoID, FundedLenderID: d.FundedLenderID,
		InceptionLenderID: d.InceptionLenderID, UnderwriterID: d.UnderwriterID, CommissionOfferID: d.CommissionOfferID,
		RenewedFromDealID: d.RenewedFromDealID, FactorRate: optRate(d.FactorRate), BuyRate: optRate(d.BuyRate),
		SpecifiedPercentage: optRate(d.SpecifiedPercentage), FundedAmount: optAmount(d.FundedAmount),
		PaybackAmount: optAmount(d.PaybackAmount), BankFeeBasis: d.BankFeeBasis, BankFeeValue: optRate(d.BankFeeValue),
		ApplicationFee: optAmount(d.ApplicationFee), WireFee: optAmount(d.WireFee),
		DefaultSurcharge: optAmount(d.DefaultSurcharge), EPOFactorRate: optRate(d.EpoFactorRate),
		EPOWindowDays: d.EpoWindowDays, EPOCommissionBasis: d.EpoCommissionBasis,
		EPOCommissionValue: optRate(d.EpoCommissionValue), PaymentAmount: optAmount(d.PaymentAmount),
		CommissionBasis: d.CommissionBasis, CommissionValue: optRate(d.CommissionValue),
		RenewalPayoffAmount: optAmount(d.RenewalPayoffAmount), TermDays: d.TermDays, Position: d.Position,
		CollectionDay: d.CollectionDay, NumberOfPayments: d.NumberOfPayments, UWScore: d.UwScore,
		UWScoreCategory: d.UwScoreCategory, CollectionFrequency: d.CollectionFrequency,
		CollectionSchedule: d.CollectionSchedule, FirstPaymentDate: optDate(d.FirstPaymentDate),
		PayoffDate: optDate(d.PayoffDate), FundedAt: optStamp(d.FundedAt), DefaultedAt: optStamp(d.DefaultedAt),
		IsRenewal: d.IsRenewal, ExternalSource: d.ExternalSource, ExternalRef: d.ExternalRef,
		CreatedAt: stamp(d.CreatedAt), UpdatedAt: stamp(d.UpdatedAt),
	}
	if d.Edges.Merchant != nil {
		m := merchantView(d.Edges.Merchant)
		v.Merchant = &m
	}
	if d.Edges.Iso != nil {
		i := isoView(d.Edges.Iso)
		v.ISO = &i
	}
	if d.Edges.Payments != nil {
		v.Payments = viewAll(d.Edges.Payments, paymentView)
	}
	if submissions, err := d.Edges.SubmissionsOrErr(); err == nil {
		v.Submissions = viewAll(submissions, submissionView)
	}
	return v
}

func (a *API) deals() {
	r := resource[ent.Deal, DealView]{
		path: "/api/v1/deals", tag: "Deals", plural: "deals", singular: "deal", noun: "deal",
		read: auth.Read("deals"), write: auth.Write("deals"), view: dealView,
		rows: rowsOf[ent.Deal, DealView](a, service.DealListing),
	}
	s := a.service.Deals
	list(a, r, service.DealListing, s.List)
	create(a, r, s.Create)
	getExpanding(a, r, service.DealExpands, s.Get)
	update(a, r, s.Update)
	remove(a, r, s.Delete)
}
