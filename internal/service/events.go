package service

import (
	"paydown/ent/lead"
	"paydown/internal/deal"
	"paydown/internal/money"
	"paydown/internal/payment"
)

// The event kinds that the main records emit.
const (
	DealCreated       = "deal.created"
	DealStateChanged  = "deal.state_changed"
	MerchantCreated   = "merchant.created"
	LeadCreated       = "lead.created"
	LeadStatusChanged = "lead.status_changed"
	PaymentPaid       = "payment.paid"
	PaymentBounced    = "payment.bounced"
)

// The payloads: what an envelope's data holds.
type (
	// DealCreatedData belongs to deal.created.
	DealCreatedData struct {
		DealID       int           `json:"dealId"`
		DealNumber   string        `json:"dealNumber"`
		MerchantID   int           `json:"merchantId"`
		State        deal.State    `json:"state"`
		ProductType  deal.Product  `json:"productType"`
		FundedAmount *money.Amount `json:"fundedAmount"`
	}
	// DealStateChangedData belongs to deal.state_changed.
	DealStateChangedData struct {
		DealID     int          `json:"dealId"`
		DealNumber string       `json:"dealNumber"`
		From       deal.State   `json:"from"`
		To         deal.State   `json:"to"`
		Trigger    deal.Trigger `json:"trigger"`
	}
	// MerchantCreatedData belongs to merchant.created.
	MerchantCreatedData struct {
		MerchantID int    `json:"merchantId"`
		LegalName  string `json:"legalName"`
	}
	// LeadCreatedData belongs to lead.created.
	LeadCreatedData struct {
		LeadID       int         `json:"leadId"`
		BusinessName string      `json:"businessName"`
		Status       lead.Status `json:"status"`
		Source       *string     `json:"source"`
	}
	// LeadStatusChangedData belongs to lead.status_changed.
	LeadStatusChangedData struct {
		LeadID int         `json:"leadId"`
		From   lead.Status `json:"from"`
		To     lead.Status `json:"to"`
	}
	// PaymentPaidData belongs to payment.paid.
	PaymentPaidData struct {
		PaymentID int             `json:"paymentId"`
		DealID    int             `json:"dealId"`
		Amount    money.Amount    `json:"amount"`
		Source    *payment.Source `json:"source"`
	}
	// PaymentBouncedData belongs to payment.bounced.
	PaymentBouncedData struct {
		PaymentID  int          `json:"paymentId"`
		DealID     int          `json:"dealId"`
		Amount     money.Amount `json:"amount"`
		ReturnCode *string      `json:"returnCode"`
		Reason     *string      `json:"reason"`
	}
)
