package rest

import (
	"bytes"
	"context"
	_ "embed" // what a sender should know
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"paydown/internal/fault"
	"paydown/internal/gate"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// inboundRoute is where a company's own systems deliver their events.
const (
	inboundPath  = "/api/webhooks/inbound/{source}"
	inboundRoute = http.MethodPost + " " + inboundPath
)

// inboundRateLimit is how many signed events a company may send in a minute. It is generous: a processor tells of a
// whole day's payments at once.
const inboundRateLimit = 1200

// InboundReceipt acknowledges an event.
type InboundReceipt struct {
	Received  bool   `json:"received" doc:"Always true" example:"true"`
	Duplicate bool   `json:"duplicate" doc:"Whether the event had come before; then nothing was done this time"`
	ID        string `json:"id" doc:"What the sender calls the event" example:"evt_20260107_0042"`
}

func (a *API) inbound() {
	op := huma.Operation{
		Method: http.MethodPost, Path: inboundPath, OperationID: "receiveInboundEvent", Tags: []string{"Inbound webhooks"},
		Summary: "Deliver an event of one of the company's own systems", Description: inboundText,
		Parameters: inboundParameters(), RequestBody: a.inboundBody(), Responses: a.inboundResponses(),
	}
	a.handle(op, "", a.receiveInbound)
	registered := a.registered(op.Method, op.Path)
	registered.Security = []map[string][]string{} // no key: the signature says who it is
	for _, status := range []int{http.StatusConflict, http.StatusUnprocessableEntity} {
		delete(registered.Responses, strconv.Itoa(status)) // what cannot be applied is acknowledged all the same
	}
	for status, text := range map[int]string{
		http.StatusUnauthorized: "The signature is missing or wrong, or its timestamp is more than five minutes off",
		http.StatusForbidden:    "The company has no inboundWebhookSecret",
		http.StatusNotFound:     "No company at this host",
	} {
		registered.Responses[strconv.Itoa(status)] = a.inboundProblem(status, text)
	}
}

// receiveInbound judges the signature before anything else of the request. Events that are signed well are counted by
// their company alone. All others are counted by address, apart from what else comes from there: however many of them
// come, they keep no event that is signed well from being taken.
func (a *API) receiveInbound(w http.ResponseWriter, r *http.Request) error {
	in := gate.Of(r.Context())
	source := r.PathValue("source")
	ctx, body, err := a.signedBody(w, r, in, source)
	if fault.Is(err, fault.Unavailable) {
		return err // says nothing about the signature
	}
	if err != nil {
		return in.Sender.Refuse(w, r, err)
	}
	in.Sender.Forgive()
	if in.Decision, err = a.gate.Take(w, r, ratelimit.Known("inbound", in.Tenant.ID), inboundRateLimit); err != nil {
		return err
	}
	if err := wellFormed(w, r, body); err != nil {
		return err
	}
	receipt, err := a.service.Inbound.Receive(ctx, source, body)
	if err != nil {
		return err
	}
	status := http.StatusAccepted
	if receipt.Duplicate {
		status = http.StatusOK
	}
	gate.WriteJSON(w, status, InboundReceipt{Received: true, Duplicate: receipt.Duplicate, ID: receipt.ID})
	return nil
}

// signedBody reads the body and returns it with the context of its sender, whom the signature names. A stranger costs
// little: what could not be signed well is not read, no more bytes are held at a time than unverifiedBodies, and for an
// address that has used up its wrong signatures no more than suspectBodies. Its bodies have to be read nevertheless,
// since nothing else tells which of them are signed well.
func (a *API) signedBody(
	w http.ResponseWriter, r *http.Request, in *gate.Passage, source string,
) (context.Context, []byte, error) {
	inbound := a.service.Inbound
	timestamp, signature := r.Header.Get(webhook.HeaderTimestamp), r.Header.Get(webhook.HeaderSignature)
	if err := inbound.Plausible(in.Tenant, timestamp, signature); err != nil {
		return nil, nil, err
	}
	limit := inboundLimit(source)
	if r.ContentLength > limit {
		return nil, nil, tooLarge(limit)
	}
	room := &a.unverified
	if in.Sender.Count(w, r) != nil {
		room = &a.suspect
	}
	body, release, err := room.read(w, r, limit)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	ctx, err := inbound.Authenticate(r.Context(), in.Tenant, source, timestamp, signature, body, in.RequestID)
	return ctx, body, err
}

// inboundLimit is how large a body of the source may be, in bytes.
func inboundLimit(source string) int64 {
	if source == "bank-statements" {
		return maxAnalysisBody
	}
	return maxBody
}

// wellFormed judges a body that is not taken apart here: a JSON object that both databases can hold and every reader
// reads the same.
func wellFormed(w http.ResponseWriter, r *http.Request, body []byte) error {
	if err := noParameters(r); err != nil {
		return err
	}
	if err := declaredJSON(w, r); err != nil {
		return err
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return fault.Field("body", "is required")
	}
	_, problems, err := scan(body)
	if err == nil && len(problems) > 0 {
		err = fault.Invalid(problems...)
	}
	return err
}

// inboundText is what a sender should know.
//
//go:embed inbound.md
var inboundText string

func inboundParameters() []*huma.Param {
	one, most := 1, 64
	header := func(name, text, pattern, example string) *huma.Param {
		return &huma.Param{
			Name: name, In: "header", Required: true, Description: text,
			Schema: &huma.Schema{Type: huma.TypeString, Pattern: pattern, Examples: []any{example}},
		}
	}
	return []*huma.Param{
		{
			Name: "source", In: "path", Required: true, Description: "Which system the event comes from",
			Schema: &huma.Schema{
				Type: huma.TypeString, MinLength: &one, MaxLength: &most, Pattern: "^[a-z0-9-]{1,64}$",
				Examples: []any{"processor"},
			},
		},
		header(webhook.HeaderTimestamp, "When the body was signed, in seconds since 1970", `^\d+$`, "1767778200"),
		header(webhook.HeaderSignature, "Hex of HMAC-SHA256 over timestamp, full stop and body", "^[0-9A-Fa-f]{64}$",
			"f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8"),
	}
}

// inboundBodies are the payloads of the known sources, by the name of their schema.
var inboundBodies = map[string]reflect.Type{
	"InboundStatements":     reflect.TypeFor[service.TargetedAnalysis](),
	"InboundProcessorEvent": reflect.TypeFor[service.ProcessorEvent](),
	"InboundESignEvent":     reflect.TypeFor[service.ESignEvent](),
	"InboundFile":           reflect.TypeFor[service.InboundFile](),
}

// inboundBody describes the payloads of the known sources, and that any other object will do elsewhere.
func (a *API) inboundBody() *huma.RequestBody {
	payloads := &huma.Schema{}
	for _, name := range slices.Sorted(maps.Keys(inboundBodies)) {
		body := a.requestBody(name, inboundBodies[name], service.ForCreate)
		schema := a.schemas.Map()[name]
		schema.AdditionalProperties = true
		schema.Properties["eventId"] = eventIDSchema("The sender's own name for the event; once for each source in 30 days")
		schema.Properties["id"] = eventIDSchema("In place of eventId")
		payloads.AnyOf = append(payloads.AnyOf, body.Content[jsonMedia].Schema)
	}
	payloads.AnyOf = append(payloads.AnyOf, &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true, Description: "What any other source sends",
	})
	return &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{jsonMedia: {
		Schema: payloads, Example: map[string]any{
			"eventId": "evt_20260107_0042", "type": string(service.PaymentReturned), "externalTransferId": "tr_8841",
			"returnCode": "R01", "occurredAt": "2026-01-07T09:30:00Z",
		},
	}}}
}

func eventIDSchema(text string) *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Description: text, Examples: []any{"evt_20260107_0042"}}
}

func (a *API) inboundResponses() map[string]*huma.Response {
	schema := a.schemas.Schema(reflect.TypeFor[InboundReceipt](), true, "")
	responses := answer("Kept, and applied where its source is known", http.StatusAccepted, schema)
	maps.Copy(responses, answer("Came before; nothing was done", http.StatusOK, schema))
	return responses
}

// inboundProblem is an error that means something else here than where a key is shown.
func (a *API) inboundProblem(status int, text string) *huma.Response {
	problem := *a.problemResponses()[problemName(status)]
	problem.Description = text
	example := problemExample(status)
	example.Error = text + "."
	media := *problem.Content[jsonMedia]
	media.Example = example
	problem.Content = map[string]*huma.MediaType{jsonMedia: &media}
	return &problem
}
