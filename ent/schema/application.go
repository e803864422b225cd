package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Form is an application form that the tenant publishes on the web.
type Form struct{ ent.Schema }

func (Form) Mixin() []ent.Mixin { return record() }

func (Form) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxRuneLen(200),
		field.String("slug").Comment("its name in the address of its page"),
		field.JSON("fields", json.RawMessage{}).Comment("what it asks, in order"),
		field.Bool("is_active").Default(true),
	}
}

func (Form) Indexes() []ent.Index { return []ent.Index{index.Fields("tenant_id", "slug").Unique()} }

// ApplicationSubmission is a filled-in form.
type ApplicationSubmission struct{ ent.Schema }

func (ApplicationSubmission) Mixin() []ent.Mixin { return resource() }

func (ApplicationSubmission) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("form_id").Immutable(),
			field.JSON("payload", json.RawMessage{}).Immutable(),
			field.Enum("status").Values("RECEIVED", "REVIEWED", "CONVERTED", "SPAM").Default("RECEIVED"),
			field.String("ip").Optional().Nillable().Immutable(),
			field.Bytes("ticket").Optional().Immutable().Sensitive().
				Comment("of the page that it was filled in on, which takes one application; null where there was no page"),
		},
		reference("lead_id"),
	)
}

func (ApplicationSubmission) Edges() []ent.Edge {
	return []ent.Edge{
		parent("form", Form.Type),
		// A lead may be deleted; its application stays.
		edge.To("lead", Lead.Type).Unique().Field("lead_id").Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

func (ApplicationSubmission) Indexes() []ent.Index {
	return append(sorted("status"),
		index.Fields("tenant_id", "form_id", "id"),
		index.Fields("tenant_id", "ticket").Unique(),
		index.Fields("tenant_id", "lead_id"))
}
