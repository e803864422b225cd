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
	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// inboundRoute receives events from a company's own systems.
const (
	inboundPath  = "/api/webhooks/inbound/{source}"
	inboundRoute = http.MethodPost + " " + inboundPath
)

// inboundRateLimit is how many signed events a company may send in a minute. It is generous because a processor
// reports a whole day's payments at once.
const inboundRateLimit = 1200

// InboundReceipt acknowledges an event.
type InboundReceipt struct {
	Received  bool   `json:"received" doc:"Always true" example:"true"`
	Duplicate bool   `json:"duplicate" doc:"True if the event was received before; it is not applied again"`
	ID        string `json:"id" doc:"The sender's id of the event" example:"evt_20260107_0042"`
}

func (a *API) inbound() {
	op := huma.Operation{
		Method: http.MethodPost, Path: inboundPath, OperationID: "receiveInboundEvent", Tags: []string{"Inbound webhooks"},
		Summary: "Deliver an event from one of the company's own systems", Description: inboundText,
		Parameters: inboundParameters(), RequestBody: a.inboundBody(), Responses: a.inboundResponses(),
	}
	a.handle(op, "", a.receiveInbound)
	registered := a.registered(op.Method, op.Path)
	registered.Security = []map[string][]string{} // no key: the signature identifies the sender
	for _, status := range []int{http.StatusConflict, http.StatusUnprocessableEntity} {
		delete(registered.Responses, strconv.Itoa(status)) // an event that cannot be applied is acknowledged too
	}
	for status, text := range map[int]string{
		http.StatusUnauthorized: "The signature is missing or wrong, or its timestamp is off by more than five minutes",
		http.StatusForbidden:    "The company has no inboundWebhookSecret",
		http.StatusNotFound:     "No company on this host",
	} {
		registered.Responses[strconv.Itoa(status)] = a.inboundProblem(status, text)
	}
}

// receiveInbound checks the signature first. Correctly signed events count toward the limit of their company
// only. All others count by address, separately from the address's other requests: no number of them keeps a
// correctly signed event from being accepted.
func (a *API) receiveInbound(w http.ResponseWriter, r *http.Request) error {
	in := middleware.FromContext(r.Context())
	source := r.PathValue("source")
	ctx, body, err := a.signedBody(w, r, in, source)
	if fault.Is(err, fault.Unavailable) {
		return err // says nothing about the signature
	}
	if err != nil {
		return in.Sender.Refuse(w, r, err)
	}
	in.Sender.Forgive()
	if in.Decision, err = a.chain.Take(w, r, ratelimit.Known("inbound", in.Tenant.ID), inboundRateLimit); err != nil {
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
	middleware.WriteJSON(w, status, InboundReceipt{Received: true, Duplicate: receipt.Duplicate, ID: receipt.ID})
	return nil
}

// signedBody reads the body and returns it with the context of the sender that signed it. Unauthenticated
// requests are cheap: a body whose headers cannot be valid is not read, at most unverifiedBodies bytes are held
// at a time, and at most suspectBodies for addresses that have used up their allowance of wrong signatures.
// Their bodies must still be read, because nothing else tells which are signed correctly.
func (a *API) signedBody(
	w http.ResponseWriter, r *http.Request, in *middleware.RequestInfo, source string,
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

// inboundLimit returns the size limit of a source's bodies, in bytes.
func inboundLimit(source string) int64 {
	if source == "bank-statements" {
		return maxAnalysisBody
	}
	return maxBody
}

// wellFormed checks a body that is stored as it is: it must be a JSON object that both databases can hold and
// that every reader reads the same way.
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

// inboundText documents inbound webhooks for senders.
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
			Name: "source", In: "path", Required: true, Description: "System that the event comes from",
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

// inboundBodies are the payloads of the known sources, by schema name.
var inboundBodies = map[string]reflect.Type{
	"InboundStatements":     reflect.TypeFor[service.TargetedAnalysis](),
	"InboundProcessorEvent": reflect.TypeFor[service.ProcessorEvent](),
	"InboundESignEvent":     reflect.TypeFor[service.ESignEvent](),
	"InboundFile":           reflect.TypeFor[service.InboundFile](),
}

// inboundBody describes the payloads of the known sources; other sources may send any object.
func (a *API) inboundBody() *huma.RequestBody {
	payloads := &huma.Schema{}
	for _, name := range slices.Sorted(maps.Keys(inboundBodies)) {
		body := a.requestBody(name, inboundBodies[name], service.ForCreate)
		schema := a.schemas.Map()[name]
		schema.AdditionalProperties = true
		schema.Properties["eventId"] = eventIDSchema("The sender's id of the event; must be unique per source within 30 days")
		schema.Properties["id"] = eventIDSchema("Alternative to eventId")
		payloads.AnyOf = append(payloads.AnyOf, body.Content[jsonMedia].Schema)
	}
	payloads.AnyOf = append(payloads.AnyOf, &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true, Description: "Payload of any other source",
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
	responses := answer("Accepted: stored, and applied if the source is known", http.StatusAccepted, schema)
	maps.Copy(responses, answer("Received before; not applied again", http.StatusOK, schema))
	return responses
}

// inboundProblem describes an error that means something else here than on operations with an API key.
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
