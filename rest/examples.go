package rest

import (
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

	"paydown/internal/fault"
	"paydown/internal/middleware"
)

// addExamples adds an example to every body in the description. It builds the examples from the schemas, so
// they always match.
func (a *API) addExamples(doc *huma.OpenAPI) {
	x := exampleBuilder{schemas: a.schemas, borrowed: map[string]any{}}
	for _, name := range slices.Sorted(maps.Keys(a.schemas.Map())) {
		schema := a.schemas.Map()[name]
		if !isInput(schema) {
			continue
		}
		for field, property := range schema.Properties {
			if len(property.Examples) > 0 && x.borrowed[field] == nil {
				x.borrowed[field] = property.Examples[0]
			}
		}
	}
	for _, item := range doc.Paths {
		for _, op := range operationsOf(item) {
			if op.RequestBody != nil {
				x.fill(op.RequestBody.Content)
			}
			for status, response := range op.Responses {
				if code, _ := strconv.Atoi(status); code < http.StatusBadRequest {
					x.fill(response.Content)
				}
			}
		}
	}
}

// isInput reports whether callers send the schema rather than receive it: only inputs are closed.
func isInput(schema *huma.Schema) bool { return schema.AdditionalProperties == false }

func operationsOf(item *huma.PathItem) []*huma.Operation {
	all := []*huma.Operation{item.Get, item.Post, item.Patch, item.Delete}
	return slices.DeleteFunc(all, func(op *huma.Operation) bool { return op == nil })
}

type exampleBuilder struct {
	schemas  huma.Registry
	borrowed map[string]any // by field: the examples of inputs, reused for records that return the field
}

func (x exampleBuilder) fill(content map[string]*huma.MediaType) {
	for _, media := range content {
		if media.Example == nil {
			media.Example = x.of("", media.Schema)
		}
	}
}

// of builds an example of a schema; name is the field it is for.
func (x exampleBuilder) of(name string, s *huma.Schema) any {
	s = x.resolved(s)
	borrowed, lent := x.borrowed[name]
	switch {
	case len(s.Examples) > 0:
		return s.Examples[0]
	case len(s.Enum) > 0:
		return s.Enum[0]
	case len(s.AnyOf) > 0:
		return x.of(name, s.AnyOf[0])
	case lent && s.Type == huma.TypeString:
		return borrowed
	case s.Nullable:
		return nil
	case s.Type == huma.TypeObject && len(s.Properties) > 0:
		return x.object(s)
	case s.Type == huma.TypeArray && s.Items.Ref != "":
		return []any{x.of(name, s.Items)}
	case s.Type == huma.TypeArray:
		return []any{}
	case s.Type == huma.TypeInteger:
		return 1
	case s.Type == huma.TypeBoolean:
		return false
	case s.Format == "date-time":
		return "2026-01-05T14:30:00.000Z"
	case s.Format == "date":
		return "2026-01-05"
	case s.Type == huma.TypeString:
		return name
	default: // an object whose form is not defined here
		return map[string]any{}
	}
}

// object omits a record's relations and an input's optional fields without examples.
func (x exampleBuilder) object(s *huma.Schema) map[string]any {
	example := map[string]any{}
	for name, property := range s.Properties {
		required := slices.Contains(s.Required, name)
		hasExample := len(property.Examples) > 0 || x.isEnum(property)
		if required || (isInput(s) && hasExample) || (!isInput(s) && !x.isRelation(property)) {
			example[name] = x.of(name, property)
		}
	}
	return example
}

func (x exampleBuilder) isRelation(s *huma.Schema) bool {
	return (s.Ref != "" && !x.isEnum(s)) || (s.Items != nil && s.Items.Ref != "")
}

// isEnum reports whether the schema is a closed set of values, or such a set or null.
func (x exampleBuilder) isEnum(s *huma.Schema) bool {
	if len(s.AnyOf) > 0 {
		s = s.AnyOf[0]
	}
	return len(x.resolved(s).Enum) > 0
}

func (x exampleBuilder) resolved(s *huma.Schema) *huma.Schema {
	if s.Ref != "" {
		return x.schemas.SchemaFromRef(s.Ref)
	}
	return s
}

const exampleRequestID = "req_5VJZ3WQK7D2N6XH4TBRCYFMPAL"

// problemExample is an error of the status, as a caller sees it.
func problemExample(status int) middleware.Problem {
	example := problemExamples[status]
	if example.Error == "" {
		example.Error = fault.Invalid(example.Details...).Message
	}
	example.RequestID = exampleRequestID
	return example
}

var problemExamples = map[int]middleware.Problem{
	http.StatusBadRequest: {
		Code: fault.Validation,
		Details: []fault.Detail{
			{Path: "amount", Message: "must be a decimal string with at most 12 digits before and 2 after the point"},
		},
	},
	http.StatusUnauthorized:          {Error: "The API key is missing, invalid or expired.", Code: fault.Unauthorized},
	http.StatusForbidden:             {Error: "This operation needs the scope deals:write.", Code: fault.Forbidden},
	http.StatusNotFound:              {Error: "No such deal.", Code: fault.NotFound},
	http.StatusConflict:              {Error: "A deal in CLOSED cannot move to SUBMITTED.", Code: fault.Conflict},
	http.StatusRequestEntityTooLarge: {Error: "The body is larger than 1048576 bytes.", Code: fault.PayloadTooLarge},
	http.StatusUnsupportedMediaType: {
		Error: "The body must be JSON: send Content-Type: application/json.", Code: fault.UnsupportedMediaType,
	},
	http.StatusUnprocessableEntity: {
		Error: "The request refers to a record that does not exist.", Code: fault.InvalidReference,
		Details: []fault.Detail{{Path: "merchantId", Message: "no such record"}},
	},
	http.StatusTooManyRequests:     {Error: "Too many requests: at most 120 in 60 seconds.", Code: fault.RateLimited},
	http.StatusInternalServerError: {Error: middleware.InternalMessage, Code: fault.Internal},
	http.StatusServiceUnavailable: {
		Error: "The service is temporarily unavailable. Please try again.", Code: fault.Unavailable,
	},
}
