package rest

import (
	_ "embed" // how deliveries are made
	"reflect"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"paydown/internal/webhook"
)

// deliveries documents webhook deliveries for receivers.
//
//go:embed deliveries.md
var deliveries string

// describeWebhooks describes what webhook endpoints receive: each kind of event with its envelope, derived from
// the payload types.
func (a *API) describeWebhooks() map[string]*huma.PathItem {
	items := map[string]*huma.PathItem{}
	for _, k := range webhook.Catalogue {
		name := eventSchemaName(k.Event)
		media := &huma.MediaType{Schema: a.envelopeSchema(k, name), Example: exampleEnvelope(k)}
		items[k.Event] = &huma.PathItem{Post: &huma.Operation{
			OperationID: "on" + name, Tags: []string{"Webhook endpoints"}, Summary: k.Event, Description: k.Description,
			Parameters:  deliveryHeaders(k.Event),
			RequestBody: &huma.RequestBody{Required: true, Content: map[string]*huma.MediaType{jsonMedia: media}},
			Responses: map[string]*huma.Response{
				"2XX": {Description: "Received. Respond within 10 seconds and process the event afterwards"},
				"default": {Description: "Not received: retried after 15 seconds, 30 seconds, 1, 2 and 4 minutes.  " +
					"Redirects are not followed"},
			},
		}}
	}
	return items
}

// eventSchemaName converts deal.state_changed to DealStateChanged.
func eventSchemaName(event string) string {
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(event, func(r rune) bool { return r == '.' || r == '_' }) {
		b.WriteString(upperFirst(word))
	}
	return b.String()
}

// envelopeSchema is the schema of an envelope with one kind of event: DealStateChangedEvent, whose data is a
// DealStateChangedData.
func (a *API) envelopeSchema(k webhook.Kind, name string) *huma.Schema {
	envelope := object(nil, map[string]*huma.Schema{})
	for _, f := range reflect.VisibleFields(reflect.TypeFor[webhook.Envelope]()) {
		field, _ := nameOf(f)
		property := baseSchema(f.Type)
		if field == "data" {
			property = a.named(name+"Data", a.payloadSchema(reflect.TypeOf(k.Example)))
		}
		if field == "event" {
			property.Enum = []any{k.Event}
		}
		property.Description = f.Tag.Get("doc")
		if format := f.Tag.Get("format"); format != "" {
			property.Format = format
		}
		envelope.Properties[field] = property
		envelope.Required = append(envelope.Required, field)
	}
	return a.named(name+"Event", envelope)
}

// payloadSchema describes a payload by its type: all of its fields are always present.
func (a *API) payloadSchema(payload reflect.Type) *huma.Schema {
	schema := object(nil, map[string]*huma.Schema{})
	for _, f := range reflect.VisibleFields(payload) {
		name, _ := nameOf(f)
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		property := baseSchema(t)
		property.Nullable = f.Type.Kind() == reflect.Pointer
		property.Description = f.Tag.Get("doc")
		if values := f.Tag.Get("enum"); values != "" {
			property.Enum = anyStrings(strings.Split(values, ","))
		}
		if isEnum(t) {
			property = a.enumSchema(t, payload, property)
		}
		schema.Properties[name] = property
		schema.Required = append(schema.Required, name)
	}
	return schema
}

// deliveryHeaders describes the headers of a delivery.
func deliveryHeaders(event string) []*huma.Param {
	const signed = "1767623400"
	var params []*huma.Param
	for _, h := range []struct{ name, text, example string }{
		{webhook.HeaderID, "The envelope's id", exampleMessageID},
		{webhook.HeaderEvent, "The kind of event", event},
		{
			webhook.HeaderTimestamp, "When this attempt was signed, in seconds since 1970; " +
				"reject deliveries that are more than five minutes old", signed,
		},
		{
			webhook.HeaderSignature, "Hex of HMAC-SHA256 over X-Timestamp, a period and the raw body, " +
				"keyed with the endpoint's secret as it was shown. Compare in constant time",
			"5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
		},
		{
			webhook.HeaderSignaturePrevious, "The same, keyed with the previous secret; for 24 hours after a rotation",
			"6ffbb59b2300aae63f272406069a9788598b792a944a07aba816edb039989a39",
		},
		{webhook.HeaderStandardID, "The envelope's id, in the Standard Webhooks header", exampleMessageID},
		{webhook.HeaderStandardTimestamp, "X-Timestamp, in the Standard Webhooks header", signed},
		{
			webhook.HeaderStandardSignature, "Signatures according to Standard Webhooks: v1, and the base64 of " +
				"HMAC-SHA256 over \"id.timestamp.body\", keyed with the 32 bytes that the secret encodes. " +
				"After a rotation there are two, separated by a space",
			"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
		},
	} {
		params = append(params, &huma.Param{
			Name: h.name, In: "header", Description: h.text, Required: h.name != webhook.HeaderSignaturePrevious,
			Schema: &huma.Schema{Type: huma.TypeString}, Example: h.example,
		})
	}
	return params
}
