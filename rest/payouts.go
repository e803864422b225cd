package rest

import (
	"paydown/ent"
	"paydown/ent/payoutbatch"
	"paydown/ent/payoutitem"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// PayoutBatchView is a payout batch on the wire.
type PayoutBatchView struct {
	ID              int                `json:"id"`
	Kind            payoutbatch.Kind   `json:"kind"`
	PeriodFrom      string             `json:"periodFrom" format:"date"`
	PeriodTo        string             `json:"periodTo" format:"date"`
	Status          payoutbatch.Status `json:"status"`
	CreatedByUserID *int               `json:"createdByUserId"`
	CreatedAt       string             `json:"createdAt" format:"date-time"`
	UpdatedAt       string             `json:"updatedAt" format:"date-time"`
	Items           *[]PayoutItemView  `json:"items,omitempty" nullable:"false" doc:"Always included"`
}

func payoutBatchView(r *ent.PayoutBatch) PayoutBatchView {
	v := PayoutBatchView{
		ID:              r.ID,
		Kind:            r.Kind,
		PeriodFrom:      r.PeriodFrom.String(),
		PeriodTo:        r.PeriodTo.String(),
		Status:          r.Status,
		CreatedByUserID: r.CreatedByUserID,
		CreatedAt:       stamp(r.CreatedAt),
		UpdatedAt:       stamp(r.UpdatedAt),
	}
	if all, err := r.Edges.ItemsOrErr(); err == nil {
		v.Items = viewAll(all, payoutItemView)
	}
	return v
}

// PayoutItemView is one line of a batch.
type PayoutItemView struct {
	ID             int               `json:"id"`
	BatchID        int               `json:"batchId"`
	ISOID          *int              `json:"isoId"`
	ReferrerID     *int              `json:"referrerId"`
	SyndicatorID   *int              `json:"syndicatorId"`
	DealID         *int              `json:"dealId"`
	Amount         string            `json:"amount" doc:"Dollars, two decimals; negative if a share is taken back" example:"5000.00"`
	PaymentID      *int              `json:"paymentId" doc:"Payment that paid it out"`
	Status         payoutitem.Status `json:"status"`
	ClawbackRiskAt *string           `json:"clawbackRiskAt" format:"date-time" doc:"A default before then claws the commission back"`
	ClawedBackAt   *string           `json:"clawedBackAt" format:"date-time"`
	ClawbackNote   *string           `json:"clawbackNote"`
	ClawbackAmount *string           `json:"clawbackAmount" doc:"Dollars, two decimals" example:"5000.00"`
	CreatedAt      string            `json:"createdAt" format:"date-time"`
}

func payoutItemView(i *ent.PayoutItem) PayoutItemView {
	return PayoutItemView{
		ID: i.ID, BatchID: i.BatchID, ISOID: i.IsoID, ReferrerID: i.ReferrerID, SyndicatorID: i.SyndicatorID,
		DealID: i.DealID, Amount: i.Amount.String(), PaymentID: i.PaymentID, Status: i.Status,
		ClawbackRiskAt: optStamp(i.ClawbackRiskAt), ClawedBackAt: optStamp(i.ClawedBackAt),
		ClawbackNote: i.ClawbackNote, ClawbackAmount: optAmount(i.ClawbackAmount), CreatedAt: stamp(i.CreatedAt),
	}
}

func (a *API) payouts() {
	r := resource[ent.PayoutBatch, PayoutBatchView]{
		path: "/api/v1/payouts", tag: "Payouts", plural: "payouts", noun: "payout",
		read: auth.Read("payouts"), view: payoutBatchView,
	}
	list(a, r, service.PayoutListing, a.service.Payouts.List)
}
