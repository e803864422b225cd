package rest

import (
	"encoding/json"
	"net/http"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"paydown/internal/service"
)

// This file builds the named schemas of the description, because generators name their types after them: a
// record is Lead, a list of them LeadPage, a single one LeadEnvelope, the values of its status LeadStatus.

const schemaPrefix = "#/components/schemas/"

// named adds a schema to the components and returns a reference to it.
func (a *API) named(name string, schema *huma.Schema) *huma.Schema {
	a.schemas.Map()[name] = schema
	return &huma.Schema{Ref: schemaPrefix + name}
}

func (a *API) listResponse(plural string, view reflect.Type) map[string]*huma.Response {
	page := object([]string{plural, "count", "hasMore"}, map[string]*huma.Schema{
		plural:    {Type: huma.TypeArray, Items: a.viewSchema(view)},
		"count":   {Type: huma.TypeInteger, Description: "Records on this page"},
		"hasMore": {Type: huma.TypeBoolean, Description: "Whether another page follows"},
		"nextCursor": {
			Type: huma.TypeString, Nullable: true, Description: "Cursor of the next page; null on the last page",
		},
	})
	return answer("A page of "+plural, http.StatusOK, a.named(schemaName(view)+"Page", page))
}

func (a *API) singleResponse(status int, singular string, view reflect.Type) map[string]*huma.Response {
	envelope := object([]string{singular}, map[string]*huma.Schema{singular: a.viewSchema(view)})
	return answer("The "+singular, status, a.named(schemaName(view)+"Envelope", envelope))
}

func (a *API) deleteResponse() map[string]*huma.Response {
	return answer("Deleted", http.StatusOK, a.schemas.Schema(reflect.TypeFor[Deleted](), true, ""))
}

// schemaName returns the name of a view's schema: Lead for LeadView.
func schemaName(view reflect.Type) string { return strings.TrimSuffix(view.Name(), "View") }

// viewSchema returns a reference to a view's schema. Columns that are never null are required. The others are
// present too, unless `fields` omits them.
func (a *API) viewSchema(view reflect.Type) *huma.Schema {
	ref := a.schemas.Schema(view, true, "")
	if a.shaped[view] {
		return ref
	}
	a.shaped[view] = true
	schema := a.schemas.SchemaFromRef(ref.Ref)
	schema.Required = nil
	for _, f := range reflect.VisibleFields(view) {
		name, relation := nameOf(f)
		property := schema.Properties[name]
		if property == nil {
			continue
		}
		t := f.Type
		for t.Kind() == reflect.Pointer || (relation && t.Kind() == reflect.Slice) {
			t = t.Elem()
		}
		if relation {
			if strings.HasSuffix(t.Name(), "View") {
				a.viewSchema(t)
			}
			continue
		}
		switch {
		case isEnum(t) && property.Type == huma.TypeString:
			schema.Properties[name] = a.enumSchema(t, view, property)
		case t == reflect.TypeFor[json.RawMessage]():
			property = formSchema(f.Tag.Get("form"), property)
			schema.Properties[name] = property
		}
		if !property.Nullable && property.AnyOf == nil {
			schema.Required = append(schema.Required, name)
		}
	}
	slices.Sort(schema.Required)
	return ref
}

// formSchema describes a value whose content the tenant defines: an object ("object"), an object or null
// ("object,null"), an array or an object or null ("json,null"), or any value ("").
func formSchema(form string, property *huma.Schema) *huma.Schema {
	entry := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	schema := &huma.Schema{}
	switch form {
	case "object":
		*schema = *entry
	case "object,null":
		*schema = *entry
		schema.Nullable = true
	case "json,null":
		schema.AnyOf = []*huma.Schema{{Type: huma.TypeArray, Items: entry}, entry, {Type: "null"}}
	}
	schema.Description, schema.Examples = property.Description, property.Examples
	return schema
}

func isEnum(t reflect.Type) bool { return t.Implements(reflect.TypeFor[service.Enum]()) }

// enumSchema replaces a property that has a closed set of values by a reference to that set.
func (a *API) enumSchema(t, owner reflect.Type, property *huma.Schema) *huma.Schema {
	values, _ := reflect.TypeAssert[service.Enum](reflect.Zero(t))
	name := enumName(t, owner)
	ref := a.named(name, &huma.Schema{Type: huma.TypeString, Enum: anyStrings(values.Values())})
	if property.Nullable {
		ref = &huma.Schema{AnyOf: []*huma.Schema{ref, {Type: "null"}}}
	}
	ref.Description, ref.Examples, ref.Default = property.Description, property.Examples, property.Default
	return ref
}

// enumName names an enum by its package and its type: payment.Status is PaymentStatus. Ent's package names are
// all lower case; for them the owner, which has the field, gives the capitalization: creditfacility.Status is
// CreditFacilityStatus.
func enumName(t, owner reflect.Type) string {
	record := path.Base(t.PkgPath())
	if path.Base(path.Dir(t.PkgPath())) == "service" {
		record = "service" // the description does not show how the service is divided
	}
	if name := schemaName(owner); strings.EqualFold(name, record) {
		return name + t.Name()
	}
	return upperFirst(record) + t.Name()
}

// nameEnums makes parameters that filter by a column with a closed set of values refer to that set.
func (a *API) nameEnums(params []*huma.Param, view reflect.Type) []*huma.Param {
	for _, f := range reflect.VisibleFields(view) {
		t := f.Type
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if !isEnum(t) {
			continue
		}
		name, _ := nameOf(f)
		values, _ := reflect.TypeAssert[service.Enum](reflect.Zero(t))
		for _, p := range params {
			if p.Name == name && slices.Equal(p.Schema.Enum, anyStrings(values.Values())) {
				p.Schema = a.enumSchema(t, view, &huma.Schema{})
			}
		}
	}
	return params
}
