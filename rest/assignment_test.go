package rest_test

import (
	"context"
	"encoding/base64"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/go-openapi/inflect"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/store"
)

// A field that a caller may not set is refused by name, alone or among others, and nothing of the body is
// stored. Tried are: every field that an operation returns but does not accept, every column of the record, and
// names attackers often try.
func TestReadOnlyFieldsAreRejected(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		s := newStage(t, a)
		for route, item := range s.doc.In("paths") {
			for method := range item.(map[string]any) {
				op := s.doc.In("paths").In(route).In(method)
				if op["requestBody"] == nil {
					continue
				}
				x := &trial{stage: s, route: route, method: strings.ToUpper(method), op: op, f: fixtures[baseOf(route)]}
				t.Run(x.method+" "+route, x.assigns)
			}
		}
	})
}

func (x *trial) assigns(t *testing.T) {
	c := x.mine.Client
	x.good, x.address = x.f.change, x.at(0)
	if x.method == "POST" && x.f.body != nil {
		x.good = x.f.body(t, x.mine)
	}
	readable := strings.Contains(x.route, "{id}") && x.doc.In("paths").In(x.route)["get"] != nil
	var before string
	if strings.Contains(x.route, "{id}") {
		x.address = x.at(x.mine.record(t, baseOf(x.route)))
		if readable && x.f.make != nil {
			before = string(x.mine.Do(t, "GET", x.address, nil).Body)
		}
	}
	address := x.address
	if q := x.requiredQuery(); q != "" {
		address += "?" + q
	}
	forbidden := x.forbidden()
	trailBefore := trail(t, x.app, c.Host)
	all := maps.Clone(x.good)
	if all == nil {
		all = apptest.Object{}
	}
	for _, name := range forbidden {
		body := merged(maps.Clone(merged(apptest.Object{}, x.good)), apptest.Object{name: 1})
		all[name] = "x"
		messages := c.Do(t, x.method, address, body).Problem(t, 400, "validation_error")
		if len(messages) != 1 || messages[name] != "unknown field" {
			t.Errorf("%s names %v", name, messages)
		}
	}
	messages := c.Do(t, x.method, address, all).Problem(t, 400, "validation_error")
	if got := slices.Sorted(maps.Keys(messages)); !slices.Equal(got, forbidden) {
		t.Errorf("all at once: names %v, want %v", got, forbidden)
	}
	if after := trail(t, x.app, c.Host); after != trailBefore {
		t.Errorf("audit entries and events: %v, before %v", after, trailBefore)
	}
	if before != "" {
		if after := string(x.mine.Do(t, "GET", x.address, nil).Body); after != before {
			t.Errorf("the record was %s and is %s", before, after)
		}
	}
}

// requiredQuery are the required query parameters of an operation.
func (x *trial) requiredQuery() string {
	for _, p := range x.op.List("parameters") {
		if values, ok := p.In("schema")["enum"].([]any); ok && p["required"] == true && p.Text("in") == "query" {
			return query(p.Text("name"), values[0].(string))[1:]
		}
	}
	return ""
}

// forbidden are the names that the operation's body must not contain, in order.
func (x *trial) forbidden() []string {
	names := map[string]bool{}
	for _, name := range []string{
		"id", "tenantId", "tenant_id", "tenant", "createdAt", "created_at", "updatedAt", "createdBy", "createdById",
		"deletedAt", "dealNumber", "state", "fundedAt", "defaultedAt", "isRenewal", "keyId", "actorId", "version", "ssn",
		"ssnLast4", "contacts", "payments", "merchant", "episode", "role", "scopes", "isAdmin",
	} {
		names[name] = true
	}
	for status, response := range x.op.In("responses") {
		if status[0] != '2' {
			continue
		}
		schema := apptest.Object(response.(map[string]any)).In("content").In("application/json").In("schema")
		for _, property := range x.resolved(schema).In("properties") {
			for name := range x.resolved(property.(map[string]any)).In("properties") {
				names[name] = true
			}
		}
	}
	if kind := listKinds[baseOf(x.route)]; kind != "" {
		for _, c := range apptest.TableOf(kind).Columns {
			names[c.Name], names[inflect.CamelizeDownFirst(c.Name)] = true, true
		}
	}
	for name := range x.bodySchema().In("properties") {
		delete(names, name)
	}
	return slices.Sorted(maps.Keys(names))
}

// resolved follows a reference to a schema.
func (x *trial) resolved(schema apptest.Object) apptest.Object {
	if ref := schema.Text("$ref"); ref != "" {
		return x.doc.In("components").In("schemas").In(strings.TrimPrefix(ref, "#/components/schemas/"))
	}
	return schema
}

// Of a social security number only the last four digits are visible, and only in contacts: the full number is
// never in a response, the audit trail, an event or the log.
func TestOnlyLastFourOfSSNAreShown(t *testing.T) {
	const whole, digits, last4 = "078-05-1120", "078051120", "1120"
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := newOwner(t, a, "ssn.test")
		merchant, lead := o.record(t, "/merchants"), seedLead(t, o.Client, nil)
		contact := apptest.Values{
			"merchant_id": merchant, "ssn": []byte(whole), "ssn_last4": last4, "is_primary": true,
		}
		o.rows.Write(t, func(ctx context.Context, tx *store.Tx) error {
			_, err := o.rows.Add(ctx, tx, ent.TypeMerchantContact, contact)
			return err
		})
		for _, more := range []string{digits, whole, "51120"} { // there is no room for more
			contact["ssn_last4"] = more
			err := a.Store.Write(a.Operator(t, o.Host), func(ctx context.Context, tx *store.Tx) error {
				_, err := o.rows.Add(ctx, tx, ent.TypeMerchantContact, contact)
				return err
			})
			if err == nil {
				t.Errorf("%s was stored as the last four digits", more)
			}
		}
		deal := seedDeal(t, o.Client, merchant, nil)
		said := []byte(nil)
		for _, r := range []struct {
			method, path string
			body         any
		}{
			{"GET", path("/merchants", merchant), nil},
			{"GET", "/merchants", nil},
			{"GET", path("/deals", deal) + "?expand=merchant", nil},
			{"PATCH", path("/merchants", merchant), apptest.Object{"dbaName": "Harbor"}},
			{"POST", "/merchants", apptest.Object{"legalName": "x", "ssn": whole}},
			{"PATCH", path("/merchants", merchant), apptest.Object{
				"ssn":      digits,
				"contacts": []apptest.Object{{"ssn": whole}},
			}},
			{"PATCH", path("/merchants", merchant), apptest.Object{"ssnLast4": last4}},
			{"POST", "/leads", apptest.Object{"businessName": "x", "ssn": whole}},
			{"PATCH", path("/leads", lead), apptest.Object{"ssn": whole}},
			{"GET", "/merchants?ssn=" + digits, nil},
			{"DELETE", path("/deals", deal), nil},
			{"DELETE", path("/merchants", merchant), nil},
		} {
			said = append(said, o.Do(t, r.method, r.path, r.body).Body...)
		}
		if !strings.Contains(string(said), `"ssnLast4":"`+last4+`"`) {
			t.Error("the contact does not show its four digits")
		}
		ctx := a.Operator(t, o.Host)
		entries, err := a.Store.Reader().AuditEntry.Query().All(ctx)
		if err != nil {
			t.Fatal(err)
		}
		events, err := a.Store.Reader().OutboxEvent.Query().All(ctx)
		if err != nil || len(entries) == 0 || len(events) == 0 {
			t.Fatalf("%d entries, %d events, %v", len(entries), len(events), err)
		}
		for where, text := range map[string]string{
			"an answer": string(said), "the audit trail": string(marshal(t, entries)), "an event": string(marshal(t, events)),
			"the log": a.Log.String(),
		} {
			for _, no := range []string{whole, digits, base64.StdEncoding.EncodeToString([]byte(whole))} {
				if strings.Contains(text, no) {
					t.Errorf("%s has the whole number, as %s", where, no)
				}
			}
		}
		for name, schema := range describedBy(t, o.Client).doc.In("components").In("schemas") {
			for field := range apptest.Object(schema.(map[string]any)).In("properties") {
				if strings.HasPrefix(strings.ToLower(field), "ssn") && field != "ssnLast4" {
					t.Errorf("%s has a field %s", name, field)
				}
			}
		}
	})
}
