package rest

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/middleware"
	"paydown/internal/money"
	"paydown/internal/service"
)

// This file describes operations for /api/openapi.json. The description is derived from the same descriptors
// that the operations run on, so the two cannot drift apart.

const jsonMedia = "application/json"

// document adds what every operation has: security, scope, headers, and the errors that any call can return.
func (a *API) document(op *huma.Operation, scope auth.Scope) {
	for status, response := range op.Responses { // the success response
		op.DefaultStatus, _ = strconv.Atoi(status)
		response.Headers = headerRefs(everyHeader...)
		if op.Method == http.MethodPost {
			response.Headers = headerRefs(append(everyHeader, "Idempotency-Replayed")...)
		}
	}
	statuses := []int{
		http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound,
		http.StatusTooManyRequests, http.StatusInternalServerError, http.StatusServiceUnavailable,
	}
	if op.Method != http.MethodGet {
		statuses = append(statuses, http.StatusConflict)
	}
	if op.RequestBody != nil {
		statuses = append(statuses,
			http.StatusUnprocessableEntity, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType)
	} else if op.Method == http.MethodPost {
		statuses = append(statuses, http.StatusUnprocessableEntity) // an Idempotency-Key reused for another request
	}
	for _, status := range statuses {
		op.Responses[strconv.Itoa(status)] = &huma.Response{Ref: "#/components/responses/" + problemName(status)}
	}
	op.Security = []map[string][]string{{"apiKey": {}}}
	if scope != "" {
		op.Description = strings.TrimSpace(op.Description + "\n\nScope: `" + string(scope) + "`.")
		op.Extensions = map[string]any{"x-scope": string(scope)}
	}
}

// problemText describes the errors that operations share.
var problemText = map[int]string{
	http.StatusBadRequest:            "The request is malformed or invalid",
	http.StatusUnauthorized:          "The key is missing, invalid or expired",
	http.StatusForbidden:             "The key may not do this, or not from this address",
	http.StatusNotFound:              "No such record, or no company on this host",
	http.StatusConflict:              "The record's state does not allow it",
	http.StatusRequestEntityTooLarge: "The body is too large",
	http.StatusUnsupportedMediaType:  "The body is not declared as JSON",
	http.StatusUnprocessableEntity: "The body refers to a record that does not exist, " +
		"or the Idempotency-Key was used with another body",
	http.StatusTooManyRequests:     "Too many requests; wait for Retry-After seconds",
	http.StatusInternalServerError: "An internal error",
	http.StatusServiceUnavailable:  "The service is temporarily unavailable; wait for Retry-After seconds",
}

// problemName returns the error's name among the components.
func problemName(status int) string { return strings.ReplaceAll(http.StatusText(status), " ", "") }

// problemResponses describes the errors, once for all operations.
func (a *API) problemResponses() map[string]*huma.Response {
	schema := a.schemas.Schema(reflect.TypeFor[middleware.Problem](), true, "")
	own := map[int]string{
		http.StatusUnauthorized: "WWW-Authenticate", http.StatusConflict: "Retry-After",
		http.StatusTooManyRequests: "Retry-After", http.StatusServiceUnavailable: "Retry-After",
	}
	responses := map[string]*huma.Response{}
	for status, text := range problemText {
		headers := headerRefs(everyHeader...)
		if name, ok := own[status]; ok {
			headers = headerRefs(append(everyHeader, name)...)
		}
		responses[problemName(status)] = &huma.Response{
			Description: text, Headers: headers,
			Content: map[string]*huma.MediaType{jsonMedia: {Schema: schema, Example: problemExample(status)}},
		}
	}
	return responses
}

// everyHeader lists the headers of every response.
var everyHeader = []string{"X-Request-Id", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"}

func headerRefs(names ...string) map[string]*huma.Param {
	refs := map[string]*huma.Param{}
	for _, name := range names {
		refs[name] = &huma.Param{Ref: "#/components/headers/" + name}
	}
	return refs
}

// responseHeaders describes the headers of responses.
func responseHeaders() map[string]*huma.Header {
	header := func(text, t string) *huma.Header {
		return &huma.Header{Description: text, Schema: &huma.Schema{Type: t}}
	}
	return map[string]*huma.Header{
		"X-Request-Id":          header("Identifies this request; quote it to support", huma.TypeString),
		"X-RateLimit-Limit":     header("Requests allowed in 60 seconds; 2147483647 if there is no limit", huma.TypeInteger),
		"X-RateLimit-Remaining": header("Requests left in the window", huma.TypeInteger),
		"X-RateLimit-Reset":     header("Seconds until the window ends", huma.TypeInteger),
		"Retry-After":           header("Seconds to wait before retrying the request, if known", huma.TypeInteger),
		"WWW-Authenticate":      header("Asks for an API key as a bearer token", huma.TypeString),
		"Idempotency-Replayed": header(
			"true if this is the stored response to an earlier request with the same key", huma.TypeString),
	}
}

func anyStrings(values []string) []any {
	out := make([]any, len(values))
	for i, v := range values {
		out[i] = v
	}
	return out
}

func object(required []string, properties map[string]*huma.Schema) *huma.Schema {
	return &huma.Schema{Type: huma.TypeObject, Required: required, Properties: properties}
}

func answer(text string, status int, schema *huma.Schema) map[string]*huma.Response {
	return map[string]*huma.Response{strconv.Itoa(status): {
		Description: text, Content: map[string]*huma.MediaType{jsonMedia: {Schema: schema}},
	}}
}

// requestBody describes an input under its name in the contract.
func (a *API) requestBody(name string, input reflect.Type, mode service.Mode) *huma.RequestBody {
	schema := object(nil, map[string]*huma.Schema{})
	schema.AdditionalProperties = false
	for _, f := range service.PublicFields(input) {
		property := inputSchema(f)
		property.Nullable = f.Need == ""
		switch {
		case isEnum(f.Type):
			property = a.enumSchema(f.Type, input, property)
		case f.Check == "json":
			property = formSchema("json,null", property)
		}
		schema.Properties[f.Name] = property
		if mode == service.ForCreate && f.Need == "create" {
			schema.Required = append(schema.Required, f.Name)
		}
	}
	a.schemas.Map()[name] = schema
	return &huma.RequestBody{
		Required: true,
		Content: map[string]*huma.MediaType{
			jsonMedia: {Schema: &huma.Schema{Ref: schemaPrefix + name}},
		},
	}
}

// inputSchema describes one field of an input.
func inputSchema(f service.InputField) *huma.Schema {
	s := baseSchema(f.Type)
	s.Description = f.Tag.Get("doc")
	if example := f.Tag.Get("example"); example != "" {
		s.Examples = []any{exampleOf(s.Type, example)}
	}
	check := strings.Split(f.Check, ",")
	if s.Type == huma.TypeString && s.Enum == nil && s.Pattern == "" && s.Format == "" {
		rule, ok := service.Rules[check[0]]
		if !ok {
			rule = service.Rules["text"]
		}
		most := rule.Max
		s.MaxLength, s.Pattern, s.Format = &most, rule.Pattern, rule.Format
	}
	if s.Type == huma.TypeInteger {
		for _, c := range check {
			name, value, _ := strings.Cut(c, "=")
			bound, err := strconv.ParseFloat(value, 64)
			if err != nil {
				continue
			}
			switch name {
			case "gte":
				s.Minimum = &bound
			case "lte":
				s.Maximum = &bound
			}
		}
	}
	return s
}

func exampleOf(schemaType, text string) any {
	if schemaType == huma.TypeInteger {
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
	}
	return text
}

// baseSchema describes the JSON form of a value. A decimal is documented as a string only. Numbers are accepted
// too, but generators would turn "string or number" into a float.
func baseSchema(t reflect.Type) *huma.Schema {
	switch t {
	case reflect.TypeFor[money.Amount]():
		return &huma.Schema{Type: huma.TypeString, Pattern: money.AmountPattern}
	case reflect.TypeFor[money.Rate]():
		return &huma.Schema{Type: huma.TypeString, Pattern: money.RatePattern}
	case reflect.TypeFor[civil.Date]():
		return &huma.Schema{Type: huma.TypeString, Format: "date"}
	case reflect.TypeFor[civil.Moment]():
		return &huma.Schema{Type: huma.TypeString, Format: "date-time"}
	case reflect.TypeFor[json.RawMessage]():
		return &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
	case reflect.TypeFor[[]string]():
		return &huma.Schema{Type: huma.TypeArray, Items: &huma.Schema{Type: huma.TypeString}}
	}
	if e, ok := reflect.TypeAssert[service.Enum](reflect.Zero(t)); ok {
		return &huma.Schema{Type: huma.TypeString, Enum: anyStrings(e.Values())}
	}
	switch t.Kind() {
	case reflect.Bool:
		return &huma.Schema{Type: huma.TypeBoolean}
	case reflect.Int:
		return &huma.Schema{Type: huma.TypeInteger, Format: "int64"}
	default:
		return &huma.Schema{Type: huma.TypeString}
	}
}

func idParameter(noun string) *huma.Param {
	one := 1.0
	return &huma.Param{
		Name: "id", In: "path", Required: true, Description: "Id of the " + noun,
		Schema: &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &one},
	}
}

func idempotencyParameter() *huma.Param {
	one, most := 1, 255
	return &huma.Param{
		Name: "Idempotency-Key", In: "header",
		Description: "Identifies this request. If it is sent again within 24 hours with the same key and body, " +
			"it is not run again: the response is the stored one, with Idempotency-Replayed: true",
		Schema: &huma.Schema{Type: huma.TypeString, MinLength: &one, MaxLength: &most},
	}
}

func queryParameter(name, text string, schema *huma.Schema) *huma.Param {
	return &huma.Param{Name: name, In: "query", Description: text, Schema: schema}
}

func fieldsParameter(columns []string) *huma.Param {
	return queryParameter("fields", "Columns to return, separated by commas; id is always included. Columns: "+
		strings.Join(columns, ", "), &huma.Schema{Type: huma.TypeString})
}

func expandParameter(expands []service.Expand) *huma.Param {
	names := make([]string, len(expands))
	for i, e := range expands {
		names[i] = e.Name + " (" + string(e.Scope) + ")"
	}
	return queryParameter("expand", "Relations to include, separated by commas, each under its own scope: "+
		strings.Join(names, ", "), &huma.Schema{Type: huma.TypeString})
}

func singleParameters(expands []service.Expand, columns []string) []*huma.Param {
	params := []*huma.Param{fieldsParameter(columns)}
	if len(expands) > 0 {
		params = append(params, expandParameter(expands))
	}
	return params
}

// listParameters documents a list's parameters from its descriptor.
func listParameters[E any](l *service.Listing[E], columns []string) []*huma.Param {
	low, high := 1.0, float64(service.MaxLimit)
	sorts := make([]any, 0)
	for _, name := range l.SortNames() {
		sorts = append(sorts, name, name+":asc", name+":desc")
	}
	params := []*huma.Param{
		queryParameter("limit", "Records per page", &huma.Schema{
			Type: huma.TypeInteger, Minimum: &low, Maximum: &high, Default: service.DefaultLimit,
		}),
		queryParameter("cursor", "nextCursor of the previous page; the other parameters must be unchanged",
			&huma.Schema{Type: huma.TypeString}),
		queryParameter("sort", "Field and direction; records without a value come last. Ties are ordered by id",
			&huma.Schema{Type: huma.TypeString, Enum: sorts, Default: "id:asc"}),
		fieldsParameter(columns),
		queryParameter("ids", "Only these records: up to 200 ids, separated by commas", &huma.Schema{Type: huma.TypeString}),
		queryParameter("createdSince", "Only records created at or after this date or timestamp", momentSchema()),
		queryParameter("createdBefore", "Only records created before this date or timestamp", momentSchema()),
		queryParameter("updatedSince", "Only records updated at or after this date or timestamp", momentSchema()),
	}
	if len(l.Expands) > 0 {
		params = append(params, expandParameter(l.Expands))
	}
	if len(l.Search) > 0 {
		params = append(params, queryParameter("q", "Text to search for, case-insensitively, in "+
			strings.Join(wireNames(l.Search), ", "), &huma.Schema{Type: huma.TypeString}))
	}
	for _, f := range l.Filters {
		params = append(params, queryParameter(f.Name, f.Doc, filterSchema(f)))
	}
	return params
}

func momentSchema() *huma.Schema {
	return &huma.Schema{Type: huma.TypeString, Examples: []any{"2026-01-31", "2026-01-31T09:30:00Z"}}
}

func filterSchema(f service.Filter) *huma.Schema {
	switch f.Kind {
	case service.IsEnum:
		return &huma.Schema{Type: huma.TypeString, Enum: anyStrings(f.Values)}
	case service.IsID, service.IsInteger:
		one := 1.0
		return &huma.Schema{Type: huma.TypeInteger, Format: "int64", Minimum: &one}
	case service.IsDate:
		return momentSchema()
	default:
		return &huma.Schema{Type: huma.TypeString}
	}
}

// wireNames converts column names to names on the wire: legal_name becomes legalName.
func wireNames(columns []string) []string {
	names := slices.Clone(columns)
	for i, c := range names {
		parts := strings.Split(c, "_")
		for j := 1; j < len(parts); j++ {
			parts[j] = upperFirst(parts[j])
		}
		names[i] = strings.Join(parts, "")
	}
	return names
}

func upperFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
