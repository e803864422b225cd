package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Lead is a business that might want financing.
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
		reference("owner_id"),
	)
}

func (Lead) Edges() []ent.Edge { return []ent.Edge{toOne("owner", User.Type)} }

func (Lead) Indexes() []ent.Index {
	return append(sorted("business_name", "status", "next_action_at", "requested_amount"),
		index.Fields("tenant_id", "source", "id"))
}
