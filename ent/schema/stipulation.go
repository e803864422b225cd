package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/deal"
)

// Stipulation is a document or a proof that a deal needs before it can fund.
type Stipulation struct{ ent.Schema }

func (Stipulation) Mixin() []ent.Mixin { return record() }

func (Stipulation) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.String("code").Immutable(),
			field.String("title").MaxRuneLen(200),
			field.Enum("status").GoType(deal.StipulationStatus("")).Default(string(deal.StipRequested)),
			field.Bool("required").Default(true),
			field.Bool("waivable").Default(false),
			field.Int("months").Optional().Nillable().Comment("of bank statements"),
			field.Int("position").Default(0),
		},
		text("waived_reason", "rejected_reason"),
		optTime("received_at", "approved_at", "waived_at"),
		reference("approved_by_id", "waived_by_id", "document_id"),
	)
}

func (Stipulation) Edges() []ent.Edge {
	return []ent.Edge{
		partOf("deal", Deal.Type),
		toOne("approved_by", User.Type),
		toOne("waived_by", User.Type),
		toOne("document", Document.Type),
	}
}

func (Stipulation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "code").Unique(),
		index.Fields("tenant_id", "status", "id"),
	}
}

// StipulationTemplate is a cell of the stipulation matrix: a default stipulation of new deals of a product.
type StipulationTemplate struct{ ent.Schema }

func (StipulationTemplate) Mixin() []ent.Mixin { return record() }

func (StipulationTemplate) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("product").GoType(deal.Product("")).Immutable(),
		field.String("code").Immutable(),
		field.String("title").MaxRuneLen(200),
		field.Enum("requirement").GoType(deal.Requirement("")),
		field.Int("months").Optional().Nillable().Comment("of bank statements"),
		field.Int("position").Default(0),
	}
}

func (StipulationTemplate) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "product", "code").Unique()}
}

// FundingOverride is a member of staff's decision that a soft funding block does not stop a deal. It is valid
// until one of the deal's terms changes, and never again, even if the terms change back.
type FundingOverride struct{ ent.Schema }

func (FundingOverride) Mixin() []ent.Mixin { return fact() }

func (FundingOverride) Fields() []ent.Field {
	return []ent.Field{
		field.Int("deal_id").Immutable(),
		field.String("block_code").GoType(deal.BlockCode("")).Immutable(),
		field.String("reason").MaxRuneLen(10_000).Immutable(),
		field.Int("user_id").Immutable(),
		field.Bytes("terms_hash").Immutable().Comment("SHA-256 of the terms it was given for, as of a disclosure"),
		field.Time("voided_at").Optional().Nillable().Comment("when a term changed"),
	}
}

func (FundingOverride) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		parent("user", User.Type),
	}
}

func (FundingOverride) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "block_code").Unique().
			Annotations(entsql.IndexWhere("voided_at IS NULL")).StorageKey("fundingoverride_standing"),
	}
}
