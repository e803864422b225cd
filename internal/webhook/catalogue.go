package webhook

import (
	"slices"

	"paydown/internal/money"
	"paydown/internal/payment"
)

// Version is that of every envelope and payload. It is raised only where receivers would break.
const Version = 1

// AllEvents stands for every kind of event, those to come among them.
const AllEvents = "*"

// Kind is a kind of event that endpoints may ask for.
type Kind struct {
	Event       string
	Description string
	// Example is a payload as it may be sent; its type is that of the real ones.
	Example Payload
}

// Catalogue is every kind of event there is.
var Catalogue = []Kind{
	kind("A deal was created, by whatever means: staff, the API, a portal or e-mail.",
		DealCreated{1042, "D-001042", 311, "INCEPTION", "MCA", &fifty}),
	kind("A deal moved to a new state, by whatever path: staff, the API, automation or an early payoff.",
		DealStateChanged{1042, "D-001042", "PREFUNDED", "FUNDED", "API"}),
	kind("A merchant was created.",
		MerchantCreated{311, "Harbor Street Bakery LLC"}),
	kind("A lead was created.",
		LeadCreated{87, "Harbor Street Bakery LLC", "NEW", new("website")}),
	kind("A lead's status changed.",
		LeadStatusChanged{87, "NEW", "CONTACTED"}),
	kind("A funder's submission moved to another status of the pipeline.",
		SubmissionStatusChanged{2204, 1042, 6, "UNDER_REVIEW", "OFFER_RECEIVED"}),
	kind("A payment was marked as paid: by staff, by the processor or through the API.",
		PaymentPaid{50121, 1042, instalment, new(payment.FromProcessor)}),
	kind("A payment was returned by the bank.",
		PaymentBounced{50121, 1042, instalment, new("R01"), new("Insufficient Funds")}),
	kind("One party signed a document that was sent for signature.",
		EsignSigned{731, new(1042), "owner@harborstreet.example"}),
	kind("Every party signed; the signed document is filed.",
		EsignCompleted{731, new(1042), 918, "https://funding.example.com/documents/918"}),
	kind("A signer declined, which ends the request for signatures.",
		EsignDeclined{731, new(1042), "owner@harborstreet.example", new("The payment is higher than agreed.")}),
	kind("Somebody asked for a test of the endpoint. It is sent to that endpoint whatever events it wants.",
		Test{12, TestMessage}),
}

// TestMessage is what a test delivery says.
const TestMessage = "This is a test delivery. Nothing has happened."

var (
	fifty      = money.Must("50000.00")
	instalment = money.Must("515.88")
)

func kind(description string, example Payload) Kind {
	return Kind{Event: example.Event(), Description: description, Example: example}
}

// Known reports whether an endpoint may ask for that kind of event by name.
func Known(event string) bool {
	return slices.ContainsFunc(Catalogue, func(k Kind) bool { return k.Event == event })
}

// Events are the names of all kinds of event, in the order of the catalogue.
func Events() []string {
	names := make([]string, len(Catalogue))
	for i, k := range Catalogue {
		names[i] = k.Event
	}
	return names
}

// Wants reports whether an endpoint that asked for those events hears of this kind.
func Wants(events []string, event string) bool {
	return slices.Contains(events, AllEvents) || slices.Contains(events, event)
}
