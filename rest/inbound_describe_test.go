package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// The one signed operation is described like the others, except for the key.
func TestInboundDescription(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "inbound.test")
	s := a.Sender(t, c.Host)
	const route = inbound + "{source}"
	d := describedBy(t, c)
	op := c.Get(t, "/api/openapi.json").In("paths").In(route).In("post")
	if security, ok := op["security"].([]any); !ok || len(security) != 0 {
		t.Errorf("security is %v, want none", op["security"])
	}
	var parameters []string
	for _, p := range op.List("parameters") {
		if p["required"] != true || p.Text("description") == "" {
			t.Errorf("parameter %v", p)
		}
		parameters = append(parameters, p.Text("in")+" "+p.Text("name"))
	}
	sameTexts(t, "the parameters are", parameters, []string{"path source", "header X-Timestamp", "header X-Signature"})
	var statuses []string
	for status := range op.In("responses") {
		statuses = append(statuses, status)
	}
	sameTexts(t, "it responds", statuses, strings.Fields("200 202 400 401 403 404 413 415 429 500 503"))
	for source := range strings.FieldsSeq("bank-statements processor esign credit-profiles disclosures legal-updates") {
		if !strings.Contains(op.Text("description"), "`"+source+"`") {
			t.Errorf("%s is not described", source)
		}
	}
	bodies := op.In("requestBody").In("content").In("application/json")
	place := []string{"paths", route, "post", "requestBody", "content", "application/json"}
	if err := check(d.strict, pointer(append(place, "schema")...), marshal(t, bodies["example"])); err != nil {
		t.Errorf("the example %v is none: %v", bodies["example"], err)
	}
	if n := len(bodies.In("schema").List("anyOf")); n != 5 {
		t.Errorf("%d forms of payloads are described", n)
	}
	for name := range c.Get(t, "/api/openapi.json").In("components").In("schemas") {
		if strings.HasPrefix(name, "Inbound") {
			if _, err := d.strict.Compile(pointer("components", "schemas", name)); err != nil {
				t.Errorf("schema %s: %v", name, err)
			}
		}
	}
	example := marshal(t, bodies["example"])
	secretless := a.As(a.Tenant(t, "without.test"), "")
	for status, answer := range map[int]*apptest.Answer{
		202: s.Send(t, "processor", string(example)),
		200: s.Send(t, "processor", string(example)),
		400: s.Send(t, "processor", "{}"),
		401: a.As(c.Host, "").Do(t, "POST", inbound+"processor", string(example)),
		403: secretless.Do(t, "POST", inbound+"processor", string(example)),
		404: a.As("nobody.test", "").Do(t, "POST", inbound+"processor", string(example)),
		413: s.Send(t, "processor", strings.Repeat(" ", 1<<20+1)),
		415: s.Sign("{}").With("Content-Type", "text/plain").Do(t, "POST", inbound+"processor", "{}"),
	} {
		if answer.Status != status && answer.Status != 200 && answer.Status != 202 {
			t.Errorf("status %d, want %d: %s", answer.Status, status, answer.Body)
		}
		response, at := op.In("responses").In(fmt.Sprint(answer.Status)), append([]string{}, place[:3]...)
		at = append(at, "responses", fmt.Sprint(answer.Status))
		if ref := response.Text("$ref"); ref != "" {
			at = []string{"components", "responses", strings.TrimPrefix(ref, "#/components/responses/")}
		} else if example := response.In("content").In("application/json")["example"]; example == nil {
			t.Errorf("%d has no example", answer.Status)
		} else if err := check(
			d.strict, pointer(append(at, "content", "application/json", "schema")...), marshal(t, example),
		); err != nil {
			t.Errorf("the example of %d: %v", answer.Status, err)
		}
		if err := check(d.strict, pointer(append(at, "content", "application/json", "schema")...), answer.Body); err != nil {
			t.Errorf("%d %s: %v", answer.Status, answer.Body, err)
		}
	}
}
