package graph_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
)

// These tests walk the schema, so that no field can be forgotten.

// kindOf returns the kind of record that a type of the schema shows, or that an argument or an input field
// refers to.
func kindOf(name string) string {
	switch name {
	case "Iso", "isoId":
		return ent.TypeISO
	case "LedgerEntry":
		return ent.TypeJournal
	case "UccFiling":
		return ent.TypeUCCFiling
	case "ApiKey", "IssuedApiKey":
		return ent.TypeAPIKey
	case "IssuedWebhookEndpoint", "endpointId":
		return ent.TypeWebhookEndpoint
	case "amendsId":
		return ent.TypeUCCFiling
	case "fundedLenderId", "inceptionLenderId":
		return ent.TypeFunder
	case "underwriterId", "ownerId", "assignedToId", "delegatedToId":
		return ent.TypeUser
	case "statusId":
		return ent.TypeSubmissionStatus
	case "facilityId":
		return ent.TypeCreditFacility
	case "renewalId":
		return ent.TypeRenewalOpportunity
	case "madeUpById":
		return ent.TypePayment
	}
	if kind, ok := strings.CutSuffix(name, "Id"); ok {
		name = strings.ToUpper(kind[:1]) + kind[1:]
	}
	return name
}

// skip reports fields that the caller of the operations does not select: a key cannot, or only staff do.
func (w *walker) skip(f *ast.FieldDefinition) bool {
	return strings.HasPrefix(f.Name, "__") || f.Name == "viewer" || forStaff(f) != w.staff
}

func forStaff(f *ast.FieldDefinition) bool {
	kind, _ := guards(f)
	return kind == "permission" || kind == "staff"
}

// nobody refers to nonexistent records.
var nobody = &walker{id: func(string, string) string { return "987654321" }}

// operation is the kind of operation of a root's fields.
func operation(root *ast.Definition) string { return strings.ToLower(root.Name) }

// walker writes operations from the schema.
type walker struct {
	// id is the value of an argument or a field that refers to a record, in GraphQL.
	id func(name, kind string) string
	// staff generates the operations that only staff may run, instead of those that keys may run.
	staff bool
	// also is an optional field to add to inputs.
	also string
}

// call formats a root field with every required argument, and with the ids of its own record.
func (w *walker) call(f *ast.FieldDefinition) string {
	var args []string
	for _, a := range f.Arguments {
		switch {
		case a.Name == "id":
			of := f.Type.Name()
			if of == "ID" { // deleteLead
				of = strings.TrimPrefix(f.Name, "delete")
			}
			args = append(args, "id: "+w.id("id", w.recordOf(f, of)))
		case a.Name == "ids":
			args = append(args, "ids: ["+w.id("id", w.recordOf(f, f.Type.Name()))+"]")
		case a.Type.NonNull && (a.DefaultValue == nil || a.Name == "input"):
			args = append(args, a.Name+": "+w.value(a.Name, a.Type))
		}
	}
	text := f.Name
	if len(args) > 0 {
		text += "(" + strings.Join(args, ", ") + ")"
	}
	return text + selection(f.Type.Name(), 2)
}

// recordsOf are the kinds of the records whose ids root fields accept that return something else.
var recordsOf = map[string]string{
	"testWebhookEndpoint": ent.TypeWebhookEndpoint, "resetUserPassword": ent.TypeUser, "endUserSessions": ent.TypeUser,
	"convertApplication": ent.TypeApplicationSubmission, "convertLead": ent.TypeLead,
}

// recordOf is the kind of record that a root field's id refers to.
func (*walker) recordOf(f *ast.FieldDefinition, of string) string {
	if kind, ok := recordsOf[f.Name]; ok {
		return kind
	}
	return kindOf(of)
}

// value returns a value that an input accepts.
func (w *walker) value(name string, t *ast.Type) string {
	if t.Elem != nil {
		return "[" + w.value(name, t.Elem) + "]"
	}
	switch d := schema.Types[t.NamedType]; d.Kind { //nolint:exhaustive // scalars follow, and inputs are nothing else
	case ast.Enum:
		return d.EnumValues[0].Name
	case ast.InputObject:
		var fields []string
		for _, f := range d.Fields {
			if f.Type.NonNull || f.Name == w.also {
				fields = append(fields, f.Name+": "+w.value(f.Name, f.Type))
			}
		}
		return "{" + strings.Join(fields, ", ") + "}"
	}
	switch t.NamedType {
	case "ID":
		return w.id(name, kindOf(name))
	case "Money", "Rate":
		return `"5.00"`
	case "Int":
		return "1"
	case "Boolean":
		return "true"
	case "Date":
		return `"2026-01-05"`
	case "DateTime":
		return `"2026-01-05T14:30:00Z"`
	default:
		if sample := samples[name]; sample != "" {
			return sample
		}
		return `"*"`
	}
}

// samples are valid values of text and JSON fields with a format, by field name.
var samples = map[string]string{
	"url": `"https://hooks.example.com/paydown"`, "email": `"dana@harbor.example"`, "payload": `{n: 1}`,
	"routingNumber": `"021000021"`, "accountNumber": `"123456789"`,
}

// selection selects all scalars of a type and, in the first levels, of the objects that need no scope of their
// own.
func selection(name string, levels int) string {
	d := schema.Types[name]
	if d.Kind != ast.Object {
		return ""
	}
	fields := []string{"__typename"}
	for _, f := range d.Fields {
		kind, _ := guards(f)
		switch of := schema.Types[f.Type.Name()]; {
		case strings.HasPrefix(f.Name, "__"), kind != "":
		case of.Kind != ast.Object:
			fields = append(fields, f.Name)
		case levels > 0 && f.Name != "edges":
			fields = append(fields, f.Name+selection(of.Name, levels-1))
		}
	}
	return " { " + strings.Join(fields, " ") + " }"
}

// roots are the operations of the schema, each a document with one root field.
func roots(t *testing.T, w *walker, each func(f *ast.FieldDefinition, document string)) {
	t.Helper()
	n := 0
	for _, definition := range []*ast.Definition{schema.Query, schema.Mutation} {
		for _, f := range definition.Fields {
			if !w.skip(f) { // not a test left out: the walker's caller may not ask for this field, see skip
				n++
				each(f, operation(definition)+" { "+w.call(f)+" }")
			}
		}
	}
	if least := map[bool]int{false: 60, true: 15}[w.staff]; n < least {
		t.Errorf("only %d root fields", n)
	}
}

func TestRootFieldsRequireScopes(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "scopes.test")
	keys := map[string]*apptest.Client{"*:read": a.As(c.Host, a.Key(t, c.Host, "*:read").Token)}
	for _, resource := range auth.Resources {
		for _, scope := range []auth.Scope{auth.Read(resource), auth.Write(resource)} {
			keys[string(scope)] = a.As(c.Host, a.Key(t, c.Host, string(scope)).Token)
		}
	}
	roots(t, nobody, func(f *ast.FieldDefinition, document string) {
		_, needs := guards(f)
		resource, verb, _ := strings.Cut(needs, ":")
		for held, key := range keys {
			may := held == needs || verb == "read" && (held == resource+":write" || held == "*:read")
			answer := key.Ask(t, document, nil)
			if may && len(answer.Errors) > 0 && answer.Errors[0].In("extensions")["code"] == "forbidden" {
				t.Errorf("%s with %s: %v", document, held, answer.Errors)
			}
			if !may {
				answer.Refused(t, "forbidden")
				if _, there := answer.Data[f.Name]; !there || answer.Data[f.Name] != nil {
					t.Errorf("%s with %s: %v", document, held, answer.Data)
				}
			}
		}
	})
}

// No key sees fields for staff, whatever its scopes.
func TestStaffFieldsAreHiddenFromKeys(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "staff.test")
	for _, definition := range []*ast.Definition{schema.Query, schema.Mutation} {
		for _, f := range definition.Fields {
			if forStaff(f) {
				c.Ask(t, operation(definition)+" { "+nobody.call(f)+" }", nil).Refused(t, "forbidden")
			}
		}
	}
}

// A field that leads to another record needs the scope of that record; its own record is shown without it.
func TestNestedFieldsRequireScopes(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "nested.test")
	rows, tried := apptest.NewRows(a, c.Host), 0
	for _, root := range schema.Query.Fields {
		record, ok := strings.CutSuffix(root.Type.Name(), "Connection")
		if !ok || forStaff(root) {
			continue
		}
		rows.One(t, kindOf(record))
		_, own := guards(root)
		key := a.As(c.Host, a.Key(t, c.Host, own).Token)
		for _, f := range schema.Types[record].Fields {
			_, needs := guards(f)
			if needs == "" {
				continue
			}
			tried++
			answer := key.Ask(t, "{ "+root.Name+"(first: 1) { nodes { id "+f.Name+selection(f.Type.Name(), 1)+" } } }", nil)
			nodes := answer.Data.In(root.Name).List("nodes")
			if len(nodes) != 1 || nodes[0].Text("id") == "" {
				t.Fatalf("%s.%s: %v %v", record, f.Name, answer.Data, answer.Errors)
			}
			if needs != own {
				answer.Refused(t, "forbidden")
			} else if len(answer.Errors) > 0 {
				t.Errorf("%s.%s with %s: %v", record, f.Name, own, answer.Errors)
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d fields", tried)
	}
}

// Nothing of another tenant is seen or changed, whichever argument or input refers to it.
func TestOtherTenantsRecordsAreNotFound(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		mine, theirs := a.Client(t, "mine.test"), a.Client(t, "theirs.test")
		foreign := apptest.NewRows(a, theirs.Host)
		their := map[bool]*apptest.Client{false: theirs, true: a.Staff(t, theirs.Host, "admin")}
		for staff, caller := range map[bool]*apptest.Client{false: mine, true: a.Staff(t, mine.Host, "admin")} {
			w := &walker{staff: staff, id: func(_, kind string) string { return fmt.Sprint(foreign.One(t, kind)) }}
			roots(t, w, func(f *ast.FieldDefinition, document string) {
				answer := caller.Ask(t, document, nil)
				names := f.Arguments.ForName("id") != nil ||
					strings.Contains(document, "Id:") || strings.Contains(document, "ids:")
				missing := []any{"not_found", "invalid_reference"}
				switch {
				case names && (len(answer.Errors) != 1 ||
					!slices.Contains(missing, answer.Errors[0].In("extensions")["code"])):
					t.Errorf("%s: %v %v", document, answer.Data, answer.Errors)
				case strings.HasSuffix(f.Type.Name(), "Connection"):
					w.filters(t, caller, f)
				}
			})
		}
		// Their records are unchanged.
		for _, root := range schema.Query.Fields {
			record, ok := strings.CutSuffix(root.Type.Name(), "Connection")
			if kind, _ := guards(root); kind == "staff" { // each member's own
				continue
			}
			if ok &&
				their[forStaff(root)].Graph(t, "{ "+root.Name+" { totalCount } }", nil).In(root.Name).Int("totalCount") == 0 {
				t.Errorf("theirs has no %s", record)
			}
		}
	})
}

// A write of one's own record cannot refer to another tenant's.
func TestInputsRejectOtherTenantsRecords(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		mine, theirs := a.Client(t, "mine.test"), a.Client(t, "theirs.test")
		own, foreign, tried := apptest.NewRows(a, mine.Host), apptest.NewRows(a, theirs.Host), 0
		callers := map[bool]*apptest.Client{false: mine, true: a.Staff(t, mine.Host, "admin")}
		for _, f := range schema.Mutation.Fields {
			input := f.Arguments.ForName("input")
			if input == nil {
				continue
			}
			for _, field := range schema.Types[input.Type.Name()].Fields {
				if field.Type.Name() != "ID" {
					continue
				}
				tried++
				w := &walker{also: field.Name, id: func(name, kind string) string {
					if name == field.Name {
						return fmt.Sprint(foreign.One(t, kind))
					}
					return fmt.Sprint(own.One(t, kind))
				}}
				document := "mutation { " + w.call(f) + " }"
				byStaff := forStaff(f) || onlyForStaff(schema.Types[input.Type.Name()], field.Name)
				answer := callers[byStaff].Ask(t, document, nil)
				if messages := answer.Refused(t, "invalid_reference"); len(messages) != 1 || messages[field.Name] == "" {
					t.Errorf("%s: %v", document, messages)
				}
			}
		}
		if tried < 15 {
			t.Errorf("only %d fields", tried)
		}
	})
}

// filters queries a list's records by each filter that refers to another record.
func (w *walker) filters(t *testing.T, c *apptest.Client, root *ast.FieldDefinition) {
	t.Helper()
	record := strings.TrimSuffix(root.Type.Name(), "Connection")
	for _, f := range schema.Types[record+"Filter"].Fields {
		if f.Type.Name() != "ID" || f.Name == "entityId" || f.Name == "actorId" { // those are of no one kind
			continue
		}
		kind := kindOf(f.Name)
		if f.Name == "ids" {
			kind = kindOf(record)
		}
		document := "{ " + root.Name + "(filter: {" + f.Name + ": " + w.id(f.Name, kind) + "}) { totalCount nodes { id } } }"
		if page := c.Graph(t, document, nil).In(root.Name); page.Int("totalCount") != 0 || len(page.List("nodes")) != 0 {
			t.Errorf("%s: %v", document, page)
		}
	}
}

// REST and GraphQL return the same values of a record.
func TestRecordsMatchREST(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "same.test")
		rows := apptest.NewRows(a, c.Host)
		for _, root := range schema.Query.Fields {
			if record, ok := strings.CutSuffix(root.Type.Name(), "Connection"); ok {
				rows.One(t, kindOf(record))
			}
		}
		doc := described(t)
		for path, item := range doc.In("paths") {
			get := apptest.Object(item.(map[string]any)).In("get")
			page := get.In("responses").In("200").In("content").In("application/json").In("schema").Text("$ref")
			record, ok := strings.CutSuffix(page[strings.LastIndex(page, "/")+1:], "Page")
			if !ok {
				continue
			}
			plural := ""
			for name, p := range doc.In("components").In("schemas").In(record + "Page").In("properties") {
				if items := apptest.Object(p.(map[string]any)).In("items"); strings.HasSuffix(items.Text("$ref"), "/"+record) {
					plural = name
				}
			}
			shown := c.Get(t, path).List(plural)
			nodes := c.Graph(t, "{ "+plural+" { nodes "+selection(record, 0)+" } }", nil).In(plural).List("nodes")
			if len(shown) == 0 || len(shown) != len(nodes) {
				t.Errorf("%s: %d in REST, %d in the graph", plural, len(shown), len(nodes))
				continue
			}
			for i, r := range shown {
				alike(t, record, r, nodes[i])
			}
		}
	})
}

// alike compares every value of a record except its relations, which have their own scopes.
func alike(t *testing.T, record string, rest, node apptest.Object) {
	t.Helper()
	compared := 0
	for name, want := range rest {
		got, ok := node[name]
		if !ok {
			continue
		}
		compared++
		if schema.Types[record].Fields.ForName(name).Type.Name() == "ID" && want != nil {
			want = fmt.Sprint(json.Number(fmt.Sprintf("%.0f", want)))
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s.%s is %v in REST and %v in the graph", record, name, want, got)
		}
	}
	if compared < len(node)-1 { // less __typename
		t.Errorf("%s: only %d of %d values are compared", record, compared, len(node))
	}
}

// Staff query with their session cookie, and see the fields for staff that their role permits.
func TestStaffQueryWithSession(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "staff.test")
		a.Key(t, host, "leads:read")
		ask := func(role, query string) apptest.Asked {
			t.Helper()
			email := strings.ToLower(role) + "@staff.test"
			a.Member(t, host, email, role)
			b := a.Browser(host)
			b.Login(t, email)
			body := b.Do(t, "POST", "/graphql", map[string]any{"query": query}).Want(t, 200)
			return apptest.Asked{Data: body.In("data"), Errors: body.List("errors")}
		}
		admin := ask(
			"admin", "{ apiKeys { name kind scopes ipAllowList } leads { totalCount } __schema { queryType { name } } }",
		)
		if keys := admin.Data.List("apiKeys"); len(admin.Errors) > 0 || len(keys) != 1 ||
			fmt.Sprint(keys[0]["scopes"]) != "[leads:read]" {
			t.Errorf("%v %v", admin.Data, admin.Errors)
		}
		ask("read-only", "{ apiKeys { name } }").Refused(t, "forbidden")
		ask("sales", "{ __schema { queryType { name } } }").Refused(t, "forbidden")
	})
}
