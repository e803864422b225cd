package graph_test

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"paydown/graph"
	"paydown/graph/exec"
	"paydown/internal/apptest"
	"paydown/internal/middleware"
	"paydown/internal/service"
	"paydown/rest"
)

// The schema is compared with REST's description, which is derived from the views, inputs and list descriptors
// that the operations use. GraphQL has everything in REST under the same name.

var schema = exec.NewExecutableSchema(exec.Config{}).Schema()

// described is REST's description.
func described(t *testing.T) apptest.Object {
	t.Helper()
	var doc apptest.Object
	err := json.Unmarshal(rest.New(middleware.Config{Service: service.New(service.Config{})}).Description(), &doc)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// lists are REST's lists by record name: the operations, with references to parameters resolved.
func lists(t *testing.T, doc apptest.Object) map[string]apptest.Object {
	t.Helper()
	found := map[string]apptest.Object{}
	for _, item := range doc.In("paths") {
		get := apptest.Object(item.(map[string]any)).In("get")
		content := get.In("responses").In("200").In("content").In("application/json").In("schema")
		if record, ok := strings.CutSuffix(content.Text("$ref"), "Page"); ok {
			found[strings.TrimPrefix(record, "#/components/schemas/")] = get
		}
	}
	if len(found) < 17 {
		t.Fatalf("only %d lists are described", len(found))
	}
	return found
}

func TestListsMatchREST(t *testing.T) {
	for record, list := range lists(t, described(t)) {
		var filters []string
		var sorts []string
		for _, p := range list.List("parameters") {
			switch name := p.Text("name"); name {
			case "limit", "cursor", "expand", "fields":
			case "sort":
				for _, value := range p.In("schema")["enum"].([]any) {
					if !strings.Contains(value.(string), ":") {
						sorts = append(sorts, graph.SortField(value.(string)))
					}
				}
			default:
				filters = append(filters, name)
			}
		}
		same(t, record+"Filter", names(schema.Types[record+"Filter"].Fields), filters)
		var values []string
		for _, v := range schema.Types[record+"SortField"].EnumValues {
			values = append(values, v.Name)
		}
		same(t, record+"SortField", values, sorts)
	}
}

// Lists that only GraphQL has.
func TestGraphQLOnlyLists(t *testing.T) {
	takes(t, "StatementAnalysis", service.AnalysisListing)
	takes(t, "Approval", service.ApprovalListing)
	takes(t, "Note", service.NoteListing)
	takes(t, "WebhookDelivery", service.WebhookDeliveryListing)
	takes(t, "LedgerEntry", service.JournalListing)
	takes(t, "AuditEntry", service.AuditListing)
	takes(t, "User", service.UserListing)
	takes(t, "InboundEvent", service.InboundListing)
	takes(t, "Notification", service.NotificationListing)
	takes(t, "SignatureRequest", service.SignatureRequestListing)
	takes(t, "Document", service.DocumentListing)
	takes(t, "PayoutItem", service.PayoutItemListing)
}

func takes[E any](t *testing.T, record string, l *service.Listing[E]) {
	t.Helper()
	filters := []string{"ids", "createdSince", "createdBefore", "updatedSince"}
	if len(l.Search) > 0 {
		filters = append(filters, "q")
	}
	for _, f := range l.Filters {
		filters = append(filters, f.Name)
	}
	same(t, record+"Filter", names(schema.Types[record+"Filter"].Fields), filters)
	var sorts, values []string
	for _, s := range l.SortNames() {
		sorts = append(sorts, graph.SortField(s))
	}
	for _, v := range schema.Types[record+"SortField"].EnumValues {
		values = append(values, v.Name)
	}
	same(t, record+"SortField", values, sorts)
}

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s has %v, want %v", what, got, want)
	}
}

func names(fields ast.FieldList) []string {
	var all []string
	for _, f := range fields {
		if !strings.HasPrefix(f.Name, "__") {
			all = append(all, f.Name)
		}
	}
	return all
}

// isGraphQLOnly are schemas of REST that GraphQL has in another form or not at all: envelopes of records and
// responses, a key's own description, and event payloads.
func isGraphQLOnly(name string) bool {
	for _, end := range []string{
		"Page", "Envelope", "Problem", "Detail", "Deleted", "Whoami", "Tenant", "RateLimit", "InboundReceipt",
		"InboundStatements",
		"InboundFile", "Event", "EventType", "EventKind", "Data", "WithSecret", "WithDeliveries",
	} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return false
}

func TestTypesMatchREST(t *testing.T) {
	compared := 0
	for name, s := range described(t).In("components").In("schemas") {
		if isGraphQLOnly(name) {
			continue
		}
		described := apptest.Object(s.(map[string]any))
		definition := schema.Types[name]
		if definition == nil {
			t.Errorf("the graph has no %s", name)
			continue
		}
		compared++
		if values, ok := described["enum"].([]any); ok {
			var got, want []string
			for _, v := range definition.EnumValues {
				got = append(got, v.Name)
			}
			for _, v := range values {
				want = append(want, v.(string))
			}
			same(t, name, got, want)
			continue
		}
		required, _ := described["required"].([]any)
		for property, p := range described.In("properties") {
			field := definition.Fields.ForName(property)
			if field == nil {
				t.Errorf("%s has no %s", name, property)
				continue
			}
			want := typeOf(property, p.(map[string]any))
			exact := want == "String" &&
				slices.Contains([]string{"Money", "Rate"}, field.Type.Name()) // which REST shows as text
			if got := field.Type.Name(); want != "" && got != want && !exact {
				t.Errorf("%s.%s is %s, want %s", name, property, got, want)
			}
			if definition.Kind == ast.InputObject && field.Type.NonNull != slices.Contains(required, any(property)) {
				t.Errorf("%s.%s must be there: %t", name, property, field.Type.NonNull)
			}
			if definition.Kind == ast.Object && want != "" && want != "JSON" &&
				field.Type.NonNull != slices.Contains(required, any(property)) {
				t.Errorf("%s.%s is never null: %t", name, property, field.Type.NonNull)
			}
		}
		if definition.Kind == ast.InputObject {
			of := slices.DeleteFunc(names(definition.Fields), func(field string) bool { return onlyForStaff(definition, field) })
			same(t, name, of, slices.Collect(maps.Keys(described.In("properties"))))
		}
	}
	if compared < 70 {
		t.Errorf("only %d schemas are compared", compared)
	}
}

// onlyForStaff reports whether the description of an input field says that only staff set it, so that REST does
// not have it.
func onlyForStaff(input *ast.Definition, field string) bool {
	return strings.HasSuffix(input.Fields.ForName(field).Description, "Staff only")
}

// The descriptions about staff match the rules of the services.
func TestStaffFieldsAreDocumented(t *testing.T) {
	for input, in := range map[string]any{
		"NewLead": service.LeadInput{}, "UpdateLead": service.LeadInput{},
		"NewMerchant": service.MerchantInput{}, "UpdateMerchant": service.MerchantInput{},
		"NewDeal": service.NewDeal{}, "UpdateDeal": service.DealUpdate{},
		"NewIso": service.ISOInput{}, "UpdateIso": service.ISOInput{},
	} {
		var got, want []string
		for _, f := range schema.Types[input].Fields {
			if onlyForStaff(schema.Types[input], f.Name) {
				got = append(got, f.Name)
			}
		}
		for _, f := range service.InputFields(reflect.TypeOf(in)) {
			if f.Staff {
				want = append(want, f.Name)
			}
		}
		same(t, "for staff in "+input, got, want)
	}
}

// typeOf returns the GraphQL type of a property of REST; "" if it belongs to another record.
func typeOf(name string, p apptest.Object) string {
	kinds, _ := p["type"].([]any)
	if kind, ok := p["type"].(string); ok {
		kinds = []any{kind}
	}
	switch {
	case p["$ref"] != nil || p["anyOf"] != nil && len(p.List("anyOf")) == 2:
		ref := p.Text("$ref")
		for _, one := range p.List("anyOf") {
			if one["$ref"] != nil {
				ref = one.Text("$ref")
			}
		}
		name := ref[strings.LastIndex(ref, "/")+1:]
		if d := schema.Types[name]; d != nil && d.Kind == ast.Enum {
			return name
		}
		return ""
	case len(kinds) == 0 || slices.Contains(kinds, any("object")):
		return "JSON"
	case slices.Contains(kinds, any("array")):
		if p.In("items")["$ref"] != nil {
			return ""
		}
		return "String"
	case slices.Contains(kinds, any("boolean")):
		return "Boolean"
	case slices.Contains(kinds, any("integer")):
		if name == "id" || strings.HasSuffix(name, "Id") {
			return "ID"
		}
		return "Int"
	case p["format"] == "date":
		return "Date"
	case p["format"] == "date-time":
		return "DateTime"
	default:
		return "String"
	}
}

// guards returns the scope or permission of a field; a field for all staff needs neither.
func guards(f *ast.FieldDefinition) (kind, needs string) {
	if f.Directives.ForName("staff") != nil {
		return "staff", ""
	}
	for _, kind := range []string{"scope", "permission"} {
		if d := f.Directives.ForName(kind); d != nil {
			return kind, d.Arguments.ForName("needs").Value.Raw
		}
	}
	return "", ""
}

// A field that may be refused is nullable, or the error would remove its siblings; and every root field needs a
// scope or permission.
func TestGuardedFieldsAreNullable(t *testing.T) {
	for name, definition := range schema.Types {
		if definition.Kind != ast.Object || strings.HasPrefix(name, "__") {
			continue
		}
		root := definition == schema.Query || definition == schema.Mutation
		for _, f := range definition.Fields {
			if strings.HasPrefix(f.Name, "__") {
				continue
			}
			kind, _ := guards(f)
			if root && kind == "" && f.Name != "viewer" { // about whom everybody may ask
				t.Errorf("%s.%s needs nothing", name, f.Name)
			}
			if kind != "" && f.Type.NonNull {
				t.Errorf("%s.%s cannot be null", name, f.Name)
			}
			if f.Arguments.ForName("first") != nil && !strings.HasSuffix(f.Type.Name(), "Connection") {
				t.Errorf("%s.%s is paged and no connection", name, f.Name)
			}
		}
	}
}

// GraphQL has every relation that REST's lists can expand, under the same scope.
func TestExpandsAreFields(t *testing.T) {
	for record, expands := range map[string][]service.Expand{
		"Deal": service.DealExpands, "Payment": service.PaymentExpands, "Submission": service.SubmissionListing.Expands,
		"RenewalOpportunity": service.RenewalListing.Expands, "CreditFacility": service.CreditFacilityListing.Expands,
		"PayoutBatch": service.PayoutListing.Expands, "ApplicationSubmission": service.ApplicationListing.Expands,
	} {
		for _, e := range expands {
			field := schema.Types[record].Fields.ForName(e.Name)
			if field == nil {
				t.Errorf("%s has no %s", record, e.Name)
				continue
			}
			if _, needs := guards(field); needs != string(e.Scope) {
				t.Errorf("%s.%s needs %s, want %s", record, e.Name, needs, e.Scope)
			}
		}
	}
}

// A follower of a deal gets events only about records that they may read.
func TestDealHistoryRequiresRecordScopes(t *testing.T) {
	seen := 0
	for _, f := range schema.Query.Fields {
		kind, needs := guards(f)
		record := schema.Types[f.Type.Name()]
		if kind != "scope" || f.Arguments.ForName("id") == nil || record.Fields.ForName("deal") == nil {
			continue
		}
		seen++
		entity := strings.ToLower(record.Name[:1]) + record.Name[1:]
		if reported := service.HistoryScope(entity); string(reported) != needs {
			t.Errorf("%s takes %s, and being told of one %s: see entityScopes", f.Name, needs, reported)
		}
	}
	if seen < 10 {
		t.Errorf("only %d kinds of records belong to a deal", seen)
	}
}
