package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// RenewalOpportunity is a funded deal that is paid down enough to be renewed.
type RenewalOpportunity struct{ ent.Schema }

func (RenewalOpportunity) Mixin() []ent.Mixin { return resource() }

func (RenewalOpportunity) Annotations() []schemaAnnotation { return table("renewal_opportunities") }

func (RenewalOpportunity) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("prior_deal_id").Immutable(),
			field.Int("merchant_id").Immutable(),
			field.Enum("status").Values("ELIGIBLE", "CONTACTED", "RENEWED", "DISMISSED").Default("ELIGIBLE"),
			rate("paid_down_pct"),
			amount("outstanding"),
			field.Time("closed_at").Optional().Nillable().Comment("when it became RENEWED or DISMISSED"),
		},
		text("dismissed_reason"),
		reference("renewal_deal_id"),
	)
}

func (RenewalOpportunity) Edges() []ent.Edge {
	return []ent.Edge{
		parent("prior_deal", Deal.Type),
		parent("merchant", Merchant.Type),
		toOne("renewal_deal", Deal.Type),
	}
}

func (RenewalOpportunity) Indexes() []ent.Index {
	return append(sorted("paid_down_pct", "outstanding"),
		// One open opportunity per deal, however many scans run.
		index.Fields("tenant_id", "prior_deal_id").Unique().
			Annotations(entsql.IndexWhere("closed_at IS NULL")).StorageKey("renewalopportunity_open"),
		index.Fields("tenant_id", "status", "id"),
		index.Fields("tenant_id", "merchant_id"),
		index.Fields("tenant_id", "renewal_deal_id"))
}
