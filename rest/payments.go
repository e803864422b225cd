package rest

import (
	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/payment"
	"paydown/internal/service"
)

// PaymentView is a payment on the wire.
type PaymentView struct {
	ID                 int                `json:"id"`
	DealID             int                `json:"dealId"`
	Type               payment.Type       `json:"type"`
	Status             payment.Status     `json:"status"`
	Amount             string             `json:"amount" doc:"Dollars, two decimals" example:"515.88"`
	ScheduledDate      *string            `json:"scheduledDate" format:"date"`
	ClearedDate        *string            `json:"clearedDate" format:"date"`
	AccountID          *int               `json:"accountId"`
	SyndicatorID       *int               `json:"syndicatorId"`
	BounceCodeID       *int               `json:"bounceCodeId"`
	Direction          *payment.Direction `json:"direction"`
	ExternalTransferID *string            `json:"externalTransferId"`
	ReferenceID        *string            `json:"referenceId"`
	Note               *string            `json:"note"`
	Source             *payment.Source    `json:"source"`
	Method             *payment.Method    `json:"method"`
	BankAccountTokenID *int               `json:"bankAccountTokenId"`
	InitiatedAt        *string            `json:"initiatedAt" format:"date-time"`
	ReturnedAt         *string            `json:"returnedAt" format:"date-time"`
	LocDrawID          *int               `json:"locDrawId"`
	MadeUpByID         *int               `json:"madeUpById"`
	CreatedAt          string             `json:"createdAt" format:"date-time"`
	UpdatedAt          string             `json:"updatedAt" format:"date-time"`
	Deal               *DealView          `json:"deal,omitempty" doc:"Only if expanded"`
}

func paymentView(p *ent.Payment) PaymentView {
	v := PaymentView{
		ID: p.ID, DealID: p.DealID, Type: p.Type, Status: p.Status, Amount: p.Amount.String(),
		ScheduledDate: optDate(p.ScheduledDate), ClearedDate: optDate(p.ClearedDate), AccountID: p.AccountID,
		SyndicatorID: p.SyndicatorID, BounceCodeID: p.BounceCodeID, Direction: p.Direction,
		ExternalTransferID: p.ExternalTransferID, ReferenceID: p.ReferenceID, Note: p.Note, Source: p.Source,
		Method: p.Method, BankAccountTokenID: p.BankAccountTokenID, InitiatedAt: optStamp(p.InitiatedAt),
		ReturnedAt: optStamp(p.ReturnedAt), LocDrawID: p.LocDrawID, MadeUpByID: p.MadeUpByID,
		CreatedAt: stamp(p.CreatedAt), UpdatedAt: stamp(p.UpdatedAt),
	}
	if p.Edges.Deal != nil {
		d := dealView(p.Edges.Deal)
		v.Deal = &d
	}
	return v
}

func (a *API) payments() {
	r := resource[ent.Payment, PaymentView]{
		path: "/api/v1/payments", tag: "Payments", plural: "payments", singular: "payment", noun: "payment",
		read: auth.Read("payments"), write: auth.Write("payments"), view: paymentView,
		rows: rowsOf[ent.Payment, PaymentView](a, service.PaymentListing),
	}
	s := a.service.Payments
	list(a, r, service.PaymentListing, s.List)
	create(a, r, s.Create)
	getExpanding(a, r, service.PaymentExpands, s.Get)
	update(a, r, s.Update)
}
