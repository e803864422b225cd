package rest

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// extraMember is a member of a response in addition to its record or page: {"webhookEndpoint": {…}, "secret": "…"}. T
// is the type that the response is rendered from. A nil extraMember adds nothing.
type extraMember[T any] struct {
	name   string // of the schema of the whole response
	key    string
	schema *huma.Schema
	of     func(T) any
	// shownOnce marks a secret: an answer stored for an Idempotency-Key is then encrypted.
	shownOnce bool
}

// join adds the member to a response, which must be a non-empty JSON object.
func (b *extraMember[T]) join(reply []byte, of T) ([]byte, error) {
	if b == nil {
		return reply, nil
	}
	value, err := json.Marshal(b.of(of))
	if err != nil {
		return nil, err
	}
	return slices.Concat(reply[:len(reply)-1], []byte(`,"`+b.key+`":`), value, []byte(`}`)), nil
}

// describe adds the member to the response's schema.
func (b *extraMember[T]) describe(a *API, responses map[string]*huma.Response) {
	if b == nil {
		return
	}
	for _, response := range responses {
		media := response.Content[jsonMedia]
		reply := *a.schemas.SchemaFromRef(media.Schema.Ref)
		reply.Properties = maps.Clone(reply.Properties)
		reply.Properties[b.key] = b.schema
		reply.Required = append(slices.Clone(reply.Required), b.key)
		media.Schema = a.named(b.name, &reply)
	}
}

func (b *extraMember[T]) isShownOnce() bool { return b != nil && b.shownOnce }
