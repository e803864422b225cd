package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Funder is a funder that deals are submitted to. One of them is the tenant itself, its house funder.
type Funder struct{ ent.Schema }

func (Funder) Mixin() []ent.Mixin { return resource() }

func (Funder) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200),
			field.Bool("is_active").Default(true),
		},
		flags("is_house"),
		text("email", "phone", "contact_name", "website", "notes", "external_source", "external_ref"),
	)
}

func (Funder) Indexes() []ent.Index {
	return append(sorted("name"),
		// A tenant has one house funder.
		index.Fields("tenant_id").Unique().Annotations(entsql.IndexWhere("is_house")).StorageKey("funder_house"),
		index.Fields("tenant_id", "external_source", "external_ref").Unique())
}
