package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// UCCFiling is a financing statement, or an amendment of one, that makes the funder's claim on the merchant's
// receivables public.
type UCCFiling struct{ ent.Schema }

func (UCCFiling) Mixin() []ent.Mixin { return resource() }

func (UCCFiling) Annotations() []schemaAnnotation { return table("ucc_filings") }

func (UCCFiling) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.String("provider").Comment("who files: a filing service, or MANUAL"),
			field.String("jurisdiction").Comment("two letters: the state where it is filed"),
			field.Enum("type").
				Values("UCC1", "UCC3_CONTINUATION", "UCC3_TERMINATION", "UCC3_AMENDMENT", "UCC3_ASSIGNMENT").
				Immutable(),
			field.Enum("status").Values("DRAFT", "SUBMITTED", "ACCEPTED", "REJECTED", "LAPSED", "TERMINATED").
				Default("DRAFT"),
			optDate("lapses_at"),
		},
		optTime("filed_at"),
		text("external_id", "file_number", "collateral", "rejection_reason"),
		settledReference("amends_id"),
	)
}

func (UCCFiling) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		settledSameKind("amends", "amendments", UCCFiling.Type), // the UCC-1 that a UCC-3 amends
	}
}

func (UCCFiling) Indexes() []ent.Index {
	return append(sorted("filed_at", "lapses_at"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "status", "id"),
		index.Fields("tenant_id", "amends_id"),
		index.Fields("tenant_id", "provider", "external_id").Unique())
}
