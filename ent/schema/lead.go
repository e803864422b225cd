package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Lead is a business that might want funding.
type Lead struct{ ent.Schema }

func (Lead) Mixin() []ent.Mixin { return resource() }

func (Lead) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("business_name").MaxRuneLen(200),
			field.Enum("status").Values("NEW", "CONTACTED", "QUALIFIED", "CONVERTED", "DEAD").Default("NEW"),
			optAmount("requested_amount"),
		},
		text("dba_name", "contact_name", "email", "phone", "source", "notes"),
		optTime("next_action_at"),
		reference("owner_id", "merchant_id"),
	)
}

func (Lead) Edges() []ent.Edge {
	return []ent.Edge{
		toOne("owner", User.Type),
		// The merchant that it became. The merchant may be deleted; the lead stays.
		edge.To("merchant", Merchant.Type).Unique().Field("merchant_id").Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (Lead) Indexes() []ent.Index {
	return append(sorted("business_name", "status", "next_action_at", "requested_amount"),
		index.Fields("tenant_id", "source", "id"),
		index.Fields("tenant_id", "merchant_id"))
}
