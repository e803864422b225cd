package rest_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/webhook"
)

// The description has every kind of event; a real envelope of each, and the examples, match their schemas.
func TestEventsAreDescribed(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "events.test")
	d := describedBy(t, c)
	described := d.doc.In("webhooks")
	if len(described) != len(webhook.Catalogue) {
		t.Errorf("%d kinds of event are described, want %d", len(described), len(webhook.Catalogue))
	}
	examples := map[string]any{}
	for _, k := range c.Get(t, endpoints).List("events") {
		examples[k.Text("event")] = k["example"]
	}
	operationIDs := map[string]bool{}
	for _, k := range webhook.Catalogue {
		op := described.In(k.Event).In("post")
		media := op.In("requestBody").In("content").In("application/json")
		if op.Text("description") != k.Description || !strings.HasPrefix(op.Text("operationId"), "on") ||
			operationIDs[op.Text("operationId")] {
			t.Errorf("%s: %v", k.Event, op)
		}
		operationIDs[op.Text("operationId")] = true
		place := pointer("webhooks", k.Event, "post", "requestBody", "content", "application/json", "schema")
		sent := webhook.NewEnvelope(k.Event, webhook.Version, time.Now(), k.Example)
		for what, envelope := range map[string][]byte{
			"a real envelope": marshal(t, sent), "the example": marshal(t, media["example"]),
		} {
			if err := check(d.strict, place, envelope); err != nil {
				t.Errorf("%s: %s is not as described: %s: %v", k.Event, what, envelope, err)
			}
		}
		if !bytes.Equal(marshal(t, media.In("example")["data"]), marshal(t, examples[k.Event])) {
			t.Errorf("%s: the description and the catalogue have different examples", k.Event)
		}
		refusesChanged(t, d, k.Event, place, marshal(t, sent))
		headers := map[string]bool{}
		for _, p := range op.List("parameters") {
			if p.Text("in") != "header" || p.Text("description") == "" {
				t.Errorf("%s: header %v", k.Event, p)
			}
			headers[strings.ToLower(p.Text("name"))] = p["required"] == true
		}
		for _, name := range []string{
			"x-webhook-id", "x-webhook-event", "x-timestamp", "x-signature", "webhook-id", "webhook-timestamp",
			"webhook-signature",
		} {
			if !headers[name] {
				t.Errorf("%s: %s is not among the headers %v", k.Event, name, headers)
			}
		}
		if required, there := headers["x-signature-previous"]; !there || required || len(headers) != 8 {
			t.Errorf("%s: headers %v", k.Event, headers)
		}
	}
}

// refusesChanged checks that a schema is strict: an envelope that lacks a field, or has one of another type,
// fails.
func refusesChanged(t *testing.T, d *description, event, place string, envelope []byte) {
	t.Helper()
	for _, part := range []string{"", "data"} {
		var whole apptest.Object
		if err := json.Unmarshal(envelope, &whole); err != nil {
			t.Fatal(err)
		}
		object := whole
		if part != "" {
			object = whole.In(part)
		}
		for name, value := range object {
			delete(object, name)
			if check(d.strict, place, marshal(t, whole)) == nil {
				t.Errorf("%s: an envelope without %s %s is as described", event, part, name)
			}
			object[name] = []int{1}
			if check(d.strict, place, marshal(t, whole)) == nil {
				t.Errorf("%s: an envelope whose %s %s is an array is as described", event, part, name)
			}
			object[name] = value
		}
	}
}

// The responses of an endpoint's actions are as described; the other operations are tested with those of all
// resources.
func TestActionsOnAnEndpointAnswerAsDescribed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "actions.test")
		w := &witness{describedBy(t, c), map[string]bool{}}
		id, _ := seedEndpoint(t, c, nil)
		one := path(endpoints, id)
		w.do(t, c, "POST", one+"?action=rotate", nil, 200)
		w.do(t, c, "POST", one+"?action=test", nil, 202)
		w.do(t, c, "GET", one, nil, 200)
		w.do(t, c, "POST", one, nil, 400)
		w.do(t, c, "POST", path(endpoints, 987654321)+"?action=test", nil, 404)
		w.do(t, a.As(c.Host, a.Key(t, c.Host, "*:read").Token), "POST", one+"?action=rotate", nil, 403)
		w.do(t, a.As(c.Host, ""), "POST", one+"?action=rotate", nil, 401)
		w.do(t, c, "PATCH", one, apptest.Object{"isActive": false}, 200)
		w.do(t, c, "POST", one+"?action=test", nil, 409)
		keyed := c.With("Idempotency-Key", "k")
		w.do(t, keyed, "POST", one+"?action=rotate", nil, 200)
		w.do(t, keyed, "POST", one+"?action=rotate", nil, 200)
		w.do(t, keyed, "POST", one+"?action=rotate", "{}", 422)
	})
}
