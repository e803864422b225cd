package webhook

import (
	"paydown/internal/money"
	"paydown/internal/payment"
)

// Payload is what an envelope holds as data. There is one type for each kind of event, and its tags are what the API
// description says of it. Names of states and statuses are text here, since the packages that know their rules rank
// beside this one; the enum tags list them, and a test holds the lists against those packages.
type Payload interface{ Event() string }

// The payloads. Every field is always there; one without a value is null.
type (
	// DealCreated belongs to deal.created.
	DealCreated struct {
		DealID       int           `json:"dealId"`
		DealNumber   string        `json:"dealNumber" doc:"The number that people know the deal by"`
		MerchantID   int           `json:"merchantId"`
		State        string        `json:"state" enum:"INCEPTION,SUBMITTED,PREFUNDED,FUNDED,DEFAULTED,CLOSED,RENEWED,WITHDRAWN"`
		ProductType  string        `json:"productType" enum:"MCA,FACTORING,TERM_LOAN,LOC,SBA,EQUIPMENT"`
		FundedAmount *money.Amount `json:"fundedAmount" doc:"Dollars; null while the deal is not priced"`
	}
	// DealStateChanged belongs to deal.state_changed.
	DealStateChanged struct {
		DealID     int    `json:"dealId"`
		DealNumber string `json:"dealNumber" doc:"The number that people know the deal by"`
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
		Source       *string `json:"source" doc:"Where the lead came from, in the tenant's own words"`
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
		From         string `json:"from" doc:"Code of the pipeline status it left"`
		To           string `json:"to" doc:"Code of the pipeline status it is in now"`
	}
	// PaymentPaid belongs to payment.paid.
	PaymentPaid struct {
		PaymentID int             `json:"paymentId"`
		DealID    int             `json:"dealId"`
		Amount    money.Amount    `json:"amount" doc:"Dollars"`
		Source    *payment.Source `json:"source" doc:"How it was marked paid: STAFF, API, PROCESSOR or SYSTEM. The payment's own source is what made it"`
	}
	// PaymentBounced belongs to payment.bounced.
	PaymentBounced struct {
		PaymentID  int          `json:"paymentId"`
		DealID     int          `json:"dealId"`
		Amount     money.Amount `json:"amount" doc:"Dollars"`
		ReturnCode *string      `json:"returnCode" doc:"NACHA return reason code, such as R01; null where it is not known"`
		Reason     *string      `json:"reason" doc:"What the code stands for, in words"`
	}
	// EsignSigned belongs to esign.signed.
	EsignSigned struct {
		SignatureRequestID int    `json:"signatureRequestId"`
		DealID             *int   `json:"dealId" doc:"Null where the document belongs to no deal"`
		SignerEmail        string `json:"signerEmail"`
	}
	// EsignCompleted belongs to esign.completed.
	EsignCompleted struct {
		SignatureRequestID int    `json:"signatureRequestId"`
		DealID             *int   `json:"dealId" doc:"Null where the document belongs to no deal"`
		DocumentID         int    `json:"documentId" doc:"The signed document as it was filed"`
		DocumentURL        string `json:"documentUrl" doc:"Opens that document: a link of the signer's system or, where the file was uploaded, {base_url}/documents/{id}, which a key with deals:read may GET"`
	}
	// EsignDeclined belongs to esign.declined.
	EsignDeclined struct {
		SignatureRequestID int     `json:"signatureRequestId"`
		DealID             *int    `json:"dealId" doc:"Null where the document belongs to no deal"`
		SignerEmail        string  `json:"signerEmail"`
		Reason             *string `json:"reason" doc:"In the signer's words; null where none was given"`
	}
	// Test belongs to webhook.test.
	Test struct {
		EndpointID int    `json:"endpointId"`
		Message    string `json:"message"`
	}
)

// Event is the kind of event that the payload belongs to.
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
