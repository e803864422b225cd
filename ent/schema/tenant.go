package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Tenant is a funding company with its own host, or the sandbox of one. It is the root of ownership, and so the
// only business record without an owner.
type Tenant struct{ ent.Schema }

func (Tenant) Mixin() []ent.Mixin { return []ent.Mixin{created{}, updated{}} }

func (Tenant) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxRuneLen(200),
		field.String("host").Unique().Comment("lower case, without port"),
		field.String("time_zone").Default("America/New_York").
			Comment("IANA name; decides what today is and when a date begins"),
		field.Bytes("inbound_webhook_secret").Optional().Sensitive().Comment("sealed under the secret key"),
		field.JSON("settings", map[string]string{}).Optional(),
		field.Int("last_deal_number").Default(0),
		field.Int("sandbox_of_id").Optional().Nillable(),
	}
}

func (Tenant) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("sandbox", Tenant.Type).Unique().Annotations(entsql.OnDelete(entsql.Restrict)).
			From("sandbox_of").Unique().Field("sandbox_of_id"),
	}
}

// FundingPolicy defines which funding blocks are on for a tenant. Policies are versioned: an edit creates a new
// row, and the highest version is current.
type FundingPolicy struct{ ent.Schema }

func (FundingPolicy) Mixin() []ent.Mixin { return fact() }

func (FundingPolicy) Annotations() []schemaAnnotation { return table("funding_policies") }

func (FundingPolicy) Fields() []ent.Field {
	return []ent.Field{
		field.Int("version").Positive(),
		field.String("profile").Comment("the profile it began as: integrator or full"),
		field.JSON("blocks", []string{}).Comment("codes of the blocks that are on"),
	}
}

func (FundingPolicy) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "version").Unique()}
}
