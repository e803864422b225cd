package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"paydown/ent"
	"paydown/ent/webhookdelivery"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

// WebhookEndpointView is an endpoint on the wire. Only creation and rotation return its signing secret.
type WebhookEndpointView struct {
	ID              int      `json:"id"`
	URL             string   `json:"url" format:"uri" example:"https://hooks.example.com/paydown"`
	Events          []string `json:"events" nullable:"false" doc:"Kinds of events to deliver; * means all"`
	IsActive        bool     `json:"isActive" doc:"Whether events are delivered to it"`
	FailureStreak   int      `json:"failureStreak" doc:"Consecutive failed deliveries; 20 pause the endpoint"`
	DisabledAt      *string  `json:"disabledAt" format:"date-time" doc:"When it was paused after too many failures; null if it was not, or if it was turned off manually"`
	DisabledReason  *string  `json:"disabledReason" doc:"Why it was paused"`
	LastDeliveredAt *string  `json:"lastDeliveredAt" format:"date-time"`
	CreatedAt       string   `json:"createdAt" format:"date-time"`
}

func webhookEndpointView(e *ent.WebhookEndpoint) WebhookEndpointView {
	return WebhookEndpointView{
		ID: e.ID, URL: e.URL, Events: e.Events, IsActive: e.IsActive, FailureStreak: e.FailureStreak,
		DisabledAt: optStamp(e.DisabledAt), DisabledReason: e.DisabledReason,
		LastDeliveredAt: optStamp(e.LastDeliveredAt), CreatedAt: stamp(e.CreatedAt),
	}
}

// WebhookDeliveryView is one event on its way to one endpoint, on the wire.
type WebhookDeliveryView struct {
	ID              int                    `json:"id"`
	EndpointID      int                    `json:"endpointId"`
	Event           string                 `json:"event" example:"payment.paid"`
	Payload         json.RawMessage        `json:"payload" doc:"The envelope that is sent"`
	Status          webhookdelivery.Status `json:"status" doc:"FAILED once all retries are spent"`
	Attempts        int                    `json:"attempts" doc:"Attempts so far"`
	ResponseStatus  *int                   `json:"responseStatus" doc:"HTTP status of the last attempt; null if there was no response"`
	Error           *string                `json:"error" doc:"Why the last attempt failed: dns, blocked_address, connection, tls, timeout, too_large, status or endpoint_inactive; null if it did not"`
	DurationMS      *int                   `json:"durationMs" doc:"Duration of the last attempt in milliseconds, from the DNS lookup"`
	ResponseSnippet *string                `json:"responseSnippet" doc:"The first 1 KiB of the response's body, as text"`
	DeliveredAt     *string                `json:"deliveredAt" format:"date-time"`
	CreatedAt       string                 `json:"createdAt" format:"date-time"`
	UpdatedAt       string                 `json:"updatedAt" format:"date-time"`
}

func webhookDeliveryView(d *ent.WebhookDelivery) WebhookDeliveryView {
	return WebhookDeliveryView{
		ID: d.ID, EndpointID: d.EndpointID, Event: d.Event, Payload: d.Payload, Status: d.Status, Attempts: d.Attempts,
		ResponseStatus: d.ResponseStatus, Error: d.Error, DurationMS: d.DurationMs, ResponseSnippet: d.ResponseSnippet,
		DeliveredAt: optStamp(d.DeliveredAt), CreatedAt: stamp(d.CreatedAt), UpdatedAt: stamp(d.UpdatedAt),
	}
}

// EventKind is an entry of the event catalogue.
type EventKind struct {
	Event       string `json:"event" doc:"Name of the event, in envelopes and in an endpoint's events" example:"payment.paid"`
	Description string `json:"description" doc:"When it is emitted"`
	Version     int    `json:"version" doc:"Version of the envelope and payload"`
	Example     any    `json:"example" doc:"Example of the payload (the envelope's data)"`
}

// catalogue lists the kinds of events, the same for every tenant.
var catalogue = func() []EventKind {
	kinds := make([]EventKind, len(webhook.Catalogue))
	for i, k := range webhook.Catalogue {
		kinds[i] = EventKind{k.Event, k.Description, webhook.Version, k.Example}
	}
	return kinds
}()

func (a *API) webhookEndpoints() {
	const tag, path, noun = "Webhook endpoints", "/api/v1/webhook-endpoints", "webhook endpoint"
	s := a.service.WebhookEndpoints
	r := resource[ent.WebhookEndpoint, WebhookEndpointView]{
		path: path, tag: tag, plural: "webhookEndpoints", singular: "webhookEndpoint", noun: noun,
		read: auth.Read("webhooks"), write: auth.Write("webhooks"), view: webhookEndpointView,
		pageExtra: &extraMember[*service.Page[ent.WebhookEndpoint]]{
			name: "WebhookEndpointPage", key: "events", schema: a.catalogueSchema(),
			of: func(*service.Page[ent.WebhookEndpoint]) any { return catalogue },
		},
		recordExtra: &extraMember[*ent.WebhookEndpoint]{
			name: "WebhookEndpointWithDeliveries", key: "deliveries", schema: a.deliveriesSchema(),
			of: func(e *ent.WebhookEndpoint) any { return viewAll(e.Edges.Deliveries, webhookDeliveryView) },
		},
	}
	issued := resource[service.IssuedEndpoint, WebhookEndpointView]{
		path: path, tag: tag, plural: r.plural, singular: r.singular, noun: noun, read: r.read, write: r.write,
		view: func(i *service.IssuedEndpoint) WebhookEndpointView { return webhookEndpointView(i.WebhookEndpoint) },
		recordExtra: &extraMember[*service.IssuedEndpoint]{
			name: "WebhookEndpointWithSecret", key: "secret", schema: secretSchema(), shownOnce: true,
			of: func(i *service.IssuedEndpoint) any { return i.SigningSecret },
		},
	}
	list(a, r, service.WebhookEndpointListing, s.List)
	create(a, issued, s.Create)
	get(a, r, s.Get)
	update(a, r, s.Update)
	a.actOnEndpoint(issued)
	remove(a, r, s.Delete)
	for _, name := range []string{"NewWebhookEndpoint", "UpdateWebhookEndpoint"} {
		describeEvents(a.schemas.Map()[name].Properties)
	}
}

// actOnEndpoint registers POST on one endpoint: ?action=rotate creates a new secret, ?action=test a test
// delivery.
func (a *API) actOnEndpoint(issued resource[service.IssuedEndpoint, WebhookEndpointView]) {
	responses := a.singleResponse(http.StatusOK, issued.singular, reflect.TypeFor[WebhookEndpointView]())
	issued.recordExtra.describe(a, responses)
	responses["200"].Description = "action=rotate: the webhookEndpoint with its new signing secret"
	delivery := a.named("WebhookDeliveryEnvelope", object([]string{"delivery"}, map[string]*huma.Schema{
		"delivery": a.viewSchema(reflect.TypeFor[WebhookDeliveryView]()),
	}))
	maps.Copy(responses, answer("action=test: the queued delivery", http.StatusAccepted, delivery))
	action := queryParameter("action", "rotate: create a new signing secret. For 24 hours, deliveries are signed with "+
		"the old one as well. test: send a webhook.test event to this endpoint, which must be active",
		&huma.Schema{Type: huma.TypeString, Enum: []any{"rotate", "test"}})
	action.Required = true
	op := huma.Operation{
		Method: http.MethodPost, Path: issued.path + "/{id}", OperationID: "actOnWebhookEndpoint", Tags: []string{issued.tag},
		Summary:     "Rotate the signing secret of a webhook endpoint, or test it",
		Description: "This operation has no request body.",
		Parameters:  []*huma.Param{idParameter(issued.noun), action, idempotencyParameter()},
		Responses:   responses,
	}
	a.handle(op, issued.write, func(w http.ResponseWriter, req *http.Request) error {
		id, err := idOf(req)
		if err != nil {
			return err
		}
		params, err := parametersOf(req.URL.RawQuery)
		if err != nil {
			return err
		}
		wanted := params["action"]
		delete(params, "action")
		if err := refuseParameters(params); err != nil {
			return err
		}
		body, err := noBody(w, req)
		if err != nil {
			return err
		}
		switch wanted {
		case "rotate":
			return a.rotateSecret(w, req, body, id, issued)
		case "test":
			return a.testEndpoint(w, req, body, id)
		default:
			return fault.New(fault.BadRequest, "The parameter action must be rotate or test.").
				With("action", "must be one of rotate, test")
		}
	})
}

func (a *API) rotateSecret(
	w http.ResponseWriter, req *http.Request, body []byte, id int,
	issued resource[service.IssuedEndpoint, WebhookEndpointView],
) error {
	render := func(result any) (int, []byte, error) {
		made := result.(*service.IssuedEndpoint)
		raw, err := single(issued.singular, issued.view(made), nil)
		if err == nil {
			raw, err = issued.recordExtra.join(raw, made)
		}
		return http.StatusOK, raw, err
	}
	return a.answerOnce(w, req, body, true, render, func(ctx context.Context) (any, error) {
		return a.service.WebhookEndpoints.Rotate(ctx, id)
	})
}

func (a *API) testEndpoint(w http.ResponseWriter, req *http.Request, body []byte, id int) error {
	render := func(result any) (int, []byte, error) {
		raw, err := single("delivery", webhookDeliveryView(result.(*ent.WebhookDelivery)), nil)
		return http.StatusAccepted, raw, err
	}
	return a.answerOnce(w, req, body, false, render, func(ctx context.Context) (any, error) {
		return a.service.WebhookEndpoints.Test(ctx, id, webhook.Test{}.Event())
	})
}

// noBody reads the body of an operation that has none: clients that always send JSON may send {}.
func noBody(w http.ResponseWriter, req *http.Request) ([]byte, error) {
	if req.ContentLength == 0 {
		return nil, nil
	}
	if err := middleware.Unencoded(w, req); err != nil {
		return nil, err
	}
	body, err := rawBody(w, req, maxBody)
	if err != nil {
		return nil, err
	}
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && !bytes.Equal(trimmed, []byte("{}")) {
		return nil, fault.New(fault.BadRequest, "This operation accepts no body.")
	}
	return body, nil
}

func secretSchema() *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeString, Pattern: "^whsec_[A-Za-z0-9+/]{43}=$",
		Description: "Secret that deliveries are signed with. It is shown only once.",
		Examples:    []any{"whsec_V2hhdCBhIGxvdmVseSBkYXkgdG8gc2lnbiBldmVudHM="},
	}
}

func (a *API) catalogueSchema() *huma.Schema {
	ref := a.schemas.Schema(reflect.TypeFor[EventKind](), true, "")
	kind := a.schemas.SchemaFromRef(ref.Ref)
	kind.Properties["example"] = &huma.Schema{
		Type: huma.TypeObject, AdditionalProperties: true, Description: kind.Properties["example"].Description,
	}
	return &huma.Schema{
		Type: huma.TypeArray, Items: ref, Description: "Catalogue of all kinds of events",
		Examples: []any{catalogue},
	}
}

func (a *API) deliveriesSchema() *huma.Schema {
	ref := a.viewSchema(reflect.TypeFor[WebhookDeliveryView]())
	a.schemas.SchemaFromRef(ref.Ref).Properties["payload"].Examples = []any{exampleEnvelope(webhook.Catalogue[6])}
	return &huma.Schema{
		Type: huma.TypeArray, Items: ref, Description: "The latest 50 deliveries, newest first",
	}
}

// describeEvents adds the allowed values of an input's fields, which its checks know.
func describeEvents(properties map[string]*huma.Schema) {
	names, one := make([]any, 0, len(catalogue)+1), 1
	for _, k := range catalogue {
		names = append(names, k.Event)
	}
	events := properties["events"]
	events.Items = &huma.Schema{Type: huma.TypeString, Enum: append(names, webhook.AllEvents)}
	events.MinItems = &one
	events.Examples = []any{[]string{"deal.state_changed", "payment.paid", "payment.bounced"}}
	properties["url"].Format = "uri"
}

// exampleEnvelope is an envelope as a receiver may get it.
func exampleEnvelope(k webhook.Kind) webhook.Envelope {
	e := webhook.NewEnvelope(k.Event, webhook.Version, time.Date(2026, time.January, 5, 14, 30, 0, 0, time.UTC), k.Example)
	e.ID = exampleMessageID
	return e
}

const exampleMessageID = "msg_R4ZJ2MNCX7YB5QK3WVT6HDLPAE"
