package webhook

import (
	"paydown/internal/money"
	"paydown/internal/payment"
)

// Payload is the data of an envelope. There is one type per kind of event; its tags document it in the API
// description. States and statuses are strings here, because the packages that define them have the same rank
// as this one. The enum tags list them, and a test checks the lists against those packages.
type Payload interface{ Event() string }

// The payloads. Every field is always present; one without a value is null.
type (
	// DealCreated belongs to deal.created.
	DealCreated struct {
		DealID       int           `json:"dealId"`
		DealNumber   string        `json:"dealNumber" doc:"The deal number shown to people"`
		MerchantID   int           `json:"merchantId"`
		State        string        `json:"state" enum:"INCEPTION,SUBMITTED,PREFUNDED,FUNDED,DEFAULTED,CLOSED,RENEWED,WITHDRAWN"`
		ProductType  string        `json:"productType" enum:"MCA,FACTORING,TERM_LOAN,LOC,SBA,EQUIPMENT"`
		FundedAmount *money.Amount `json:"fundedAmount" doc:"Dollars; null until the deal is priced"`
	}
	// DealStateChanged belongs to deal.state_changed.
	DealStateChanged struct {
		DealID     int    `json:"dealId"`
		DealNumber string `json:"dealNumber" doc:"The deal number shown to people"`
		From       string `json:"from" enum:"INCEPTION,SUBMITTED,PREFUNDED,FUNDED,DEFAULTED,CLOSED,RENEWED,WITHDRAWN"`
		To         string `json:"to" enum:"INCEPTION,SUBMITTED,PREFUNDED,FUNDED,DEFAULTED,CLOSED,RENEWED,WITHDRAWN"`
		Trigger    string `json:"trigger" enum:"API,STAFF,AUTOMATION,EARLY_PAYOFF" doc:"What moved the deal"`
	}
	// MerchantCreated belongs to merchant.created.
	MerchantCreated struct {
		MerchantID int    `json:"merchantId"`
		LegalName  string `json:"legalName"`
	}
	// LeadCreated belongs to lead.created.
	LeadCreated struct {
		LeadID       int     `json:"leadId"`
		BusinessName string  `json:"businessName"`
		Status       string  `json:"status" enum:"NEW,CONTACTED,QUALIFIED,CONVERTED,DEAD"`
		Source       *string `json:"source" doc:"Source of the lead, as the company names it"`
	}
	// LeadStatusChanged belongs to lead.status_changed.
	LeadStatusChanged struct {
		LeadID int    `json:"leadId"`
		From   string `json:"from" enum:"NEW,CONTACTED,QUALIFIED,CONVERTED,DEAD"`
		To     string `json:"to" enum:"NEW,CONTACTED,QUALIFIED,CONVERTED,DEAD"`
	}
	// SubmissionStatusChanged belongs to submission.status_changed.
	SubmissionStatusChanged struct {
		SubmissionID int    `json:"submissionId"`
		DealID       int    `json:"dealId"`
		FunderID     int    `json:"funderId"`
		From         string `json:"from" doc:"Code of the previous pipeline status"`
		To           string `json:"to" doc:"Code of the new pipeline status"`
	}
	// PaymentPaid belongs to payment.paid.
	PaymentPaid struct {
		PaymentID int             `json:"paymentId"`
		DealID    int             `json:"dealId"`
		Amount    money.Amount    `json:"amount" doc:"Dollars"`
		Source    *payment.Source `json:"source" doc:"How it was marked paid: STAFF, API, PROCESSOR or SYSTEM. The payment's own source is what created it"`
	}
	// PaymentBounced belongs to payment.bounced.
	PaymentBounced struct {
		PaymentID  int          `json:"paymentId"`
		DealID     int          `json:"dealId"`
		Amount     money.Amount `json:"amount" doc:"Dollars"`
		ReturnCode *string      `json:"returnCode" doc:"Nacha return reason code, such as R01; null if unknown"`
		Reason     *string      `json:"reason" doc:"Meaning of the code"`
	}
	// EsignSigned belongs to esign.signed.
	EsignSigned struct {
		SignatureRequestID int    `json:"signatureRequestId"`
		DealID             *int   `json:"dealId" doc:"Null if the document belongs to no deal"`
		SignerEmail        string `json:"signerEmail"`
	}
	// EsignCompleted belongs to esign.completed.
	EsignCompleted struct {
		SignatureRequestID int    `json:"signatureRequestId"`
		DealID             *int   `json:"dealId" doc:"Null if the document belongs to no deal"`
		DocumentID         int    `json:"documentId" doc:"The filed, signed document"`
		DocumentURL        string `json:"documentUrl" doc:"Link to that document: a link of the e-signature provider or, if the file was uploaded, {base_url}/documents/{id}, which a key with deals:read may GET"`
	}
	// EsignDeclined belongs to esign.declined.
	EsignDeclined struct {
		SignatureRequestID int     `json:"signatureRequestId"`
		DealID             *int    `json:"dealId" doc:"Null if the document belongs to no deal"`
		SignerEmail        string  `json:"signerEmail"`
		Reason             *string `json:"reason" doc:"In the signer's words; null if none was given"`
	}
	// Test belongs to webhook.test.
	Test struct {
		EndpointID int    `json:"endpointId"`
		Message    string `json:"message"`
	}
)

// Event returns the kind of event of the payload.
func (DealCreated) Event() string             { return "deal.created" }
func (DealStateChanged) Event() string        { return "deal.state_changed" }
func (MerchantCreated) Event() string         { return "merchant.created" }
func (LeadCreated) Event() string             { return "lead.created" }
func (LeadStatusChanged) Event() string       { return "lead.status_changed" }
func (SubmissionStatusChanged) Event() string { return "submission.status_changed" }
func (PaymentPaid) Event() string             { return "payment.paid" }
func (PaymentBounced) Event() string          { return "payment.bounced" }
func (EsignSigned) Event() string             { return "esign.signed" }
func (EsignCompleted) Event() string          { return "esign.completed" }
func (EsignDeclined) Event() string           { return "esign.declined" }
func (Test) Event() string                    { return "webhook.test" }
