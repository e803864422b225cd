package webhook

import (
	"slices"

	"paydown/internal/money"
	"paydown/internal/payment"
)

// Version is the version of every envelope and payload. It is raised only for changes that break receivers.
const Version = 1

// AllEvents stands for every kind of event, including future ones.
const AllEvents = "*"

// Kind is a kind of event that endpoints may subscribe to.
type Kind struct {
	Event       string
	Description string
	// Example is a valid payload of the kind's type.
	Example Payload
}

// Catalogue lists every kind of event.
var Catalogue = []Kind{
	kind("A deal was created, by staff, the API, a portal or email.",
		DealCreated{1042, "D-001042", 311, "INCEPTION", "MCA", &fifty}),
	kind("A deal moved to a new state, by staff, the API, automation or an early payoff.",
		DealStateChanged{1042, "D-001042", "PREFUNDED", "FUNDED", "API"}),
	kind("A merchant was created.",
		MerchantCreated{311, "Harbor Street Bakery LLC"}),
	kind("A lead was created.",
		LeadCreated{87, "Harbor Street Bakery LLC", "NEW", new("website")}),
	kind("A lead's status changed.",
		LeadStatusChanged{87, "NEW", "CONTACTED"}),
	kind("A submission moved to another status of the pipeline.",
		SubmissionStatusChanged{2204, 1042, 6, "UNDER_REVIEW", "OFFER_RECEIVED"}),
	kind("A payment was marked as paid: by staff, by the processor or through the API.",
		PaymentPaid{50121, 1042, installment, new(payment.FromProcessor)}),
	kind("A payment was returned by the bank.",
		PaymentBounced{50121, 1042, installment, new("R01"), new("Insufficient Funds")}),
	kind("One party signed a document that was sent for signature.",
		EsignSigned{731, new(1042), "owner@harborstreet.example"}),
	kind("Every party signed; the signed document is filed.",
		EsignCompleted{731, new(1042), 918, "https://funding.example.com/documents/918"}),
	kind("A signer declined, which ends the signature request.",
		EsignDeclined{731, new(1042), "owner@harborstreet.example", new("The payment is higher than agreed.")}),
	kind("A test of the endpoint was requested. It is sent to that endpoint regardless of its events.",
		Test{12, TestMessage}),
}

// TestMessage is the message of a test delivery.
const TestMessage = "This is a test delivery. Nothing has happened."

var (
	fifty       = money.Must("50000.00")
	installment = money.Must("515.88")
)

func kind(description string, example Payload) Kind {
	return Kind{Event: example.Event(), Description: description, Example: example}
}

// Known reports whether the catalogue has that kind of event.
func Known(event string) bool {
	return slices.ContainsFunc(Catalogue, func(k Kind) bool { return k.Event == event })
}

// Events returns the names of all kinds of events, in the order of the catalogue.
func Events() []string {
	names := make([]string, len(Catalogue))
	for i, k := range Catalogue {
		names[i] = k.Event
	}
	return names
}

// Wants reports whether an endpoint with those events receives this kind.
func Wants(events []string, event string) bool {
	return slices.Contains(events, AllEvents) || slices.Contains(events, event)
}
