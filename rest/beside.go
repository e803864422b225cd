package rest

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/danielgtaylor/huma/v2"
)

// beside is what a reply holds next to its record or its page: {"webhookEndpoint": {…}, "secret": "…"}. T is what the
// reply is made of. A nil one adds nothing.
type beside[T any] struct {
	name   string // of the whole reply's schema
	key    string
	schema *huma.Schema
	of     func(T) any
	// shownOnce marks a secret: an answer that is kept for an Idempotency-Key is encrypted.
	shownOnce bool
}

// join adds it to a reply, which is a JSON object with something in it.
func (b *beside[T]) join(reply []byte, of T) ([]byte, error) {
	if b == nil {
		return reply, nil
	}
	value, err := json.Marshal(b.of(of))
	if err != nil {
		return nil, err
	}
	return slices.Concat(reply[:len(reply)-1], []byte(`,"`+b.key+`":`), value, []byte(`}`)), nil
}

// describe adds it to the description of the reply.
func (b *beside[T]) describe(a *API, responses map[string]*huma.Response) {
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

func (b *beside[T]) isShownOnce() bool { return b != nil && b.shownOnce }
