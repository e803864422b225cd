package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Disclosure is the commercial-financing disclosure that a state's law requires for a deal.
type Disclosure struct{ ent.Schema }

func (Disclosure) Mixin() []ent.Mixin { return resource() }

func (Disclosure) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.String("state").Immutable().Comment("two letters: whose law it follows"),
			field.JSON("computed", json.RawMessage{}),
			field.Bytes("inputs_hash").Comment("SHA-256 of the terms it shows; it is stale once they differ"),
			field.Enum("status").Values("DRAFT", "DELIVERED", "SIGNED", "SUPERSEDED").Default("DRAFT"),
		},
		optTime("delivered_at", "signed_at", "superseded_at"),
		reference("signature_request_id", "document_id"),
	)
}

func (Disclosure) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		toOne("signature_request", SignatureRequest.Type),
		toOne("document", Document.Type), // as delivered
	}
}

func (Disclosure) Indexes() []ent.Index {
	return append(sorted("state", "status"),
		index.Fields("tenant_id", "deal_id", "id"),
		// At most one disclosure per deal and state is current.
		index.Fields("tenant_id", "deal_id", "state").Unique().
			Annotations(entsql.IndexWhere("superseded_at IS NULL")).StorageKey("disclosure_in_force"),
		index.Fields("tenant_id", "signature_request_id"))
}
