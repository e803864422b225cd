package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// syndicationTerms are the terms agreed between the tenant and a syndicator. A participation copies them, so
// that later changes do not affect funded deals.
func syndicationTerms() []ent.Field {
	return []ent.Field{
		field.Enum("management_fee_basis").Values("PERCENT_OF_PARTICIPATION", "PERCENT_OF_COLLECTIONS").
			Optional().Nillable(),
		optRate("management_fee_percent"),
		field.Enum("caf_recognition").Values("UPFRONT", "AS_COLLECTED").Default("UPFRONT").
			Comment("when the house takes its charges, the commission share and the management fee"),
		field.Enum("profit_accrual").Values("PRO_RATA", "COST_FIRST").Default("PRO_RATA").
			Comment("whether each dollar collected carries profit, or only those after the cost is back"),
		optRate("profit_split_percent"),
		field.Bool("participates_in_bank_fee").Optional().Nillable(),
		field.Bool("fronts_commission").Default(false),
		field.Bool("loss_protected").Default(false).Comment("the house bears the syndicator's part of a loss"),
	}
}

// Syndicator is an investor who buys shares of deals. A syndicator's wallet and what the syndicator is owed are
// the balances of the ledger's accounts 2120 and 2110, and are not stored anywhere else.
type Syndicator struct{ ent.Schema }

func (Syndicator) Mixin() []ent.Mixin { return resource() }

func (Syndicator) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200),
			field.Bool("is_active").Default(true),
			optAmount("max_per_deal"),
		},
		syndicationTerms(),
		flags("requires_1099", "is_house"),
		text("reference_id", "email", "phone", "contact_name", "website", "notes", "distribution_frequency",
			"external_source", "external_ref"),
		reference("portfolio_id"),
	)
}

func (Syndicator) Edges() []ent.Edge { return []ent.Edge{toOne("portfolio", Portfolio.Type)} }

func (Syndicator) Indexes() []ent.Index {
	return append(sorted("name"),
		index.Fields("tenant_id", "portfolio_id"),
		index.Fields("tenant_id", "external_source", "external_ref").Unique())
}

// Portfolio groups syndicators whose money is managed together.
type Portfolio struct{ ent.Schema }

func (Portfolio) Mixin() []ent.Mixin { return record() }

func (Portfolio) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200),
			field.Bool("is_active").Default(true),
		},
		text("notes"),
	)
}

func (Portfolio) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "name").Unique()}
}

// Participation is a syndicator's share of one deal, on the terms at the time it was created.
type Participation struct{ ent.Schema }

func (Participation) Mixin() []ent.Mixin { return record() }

func (Participation) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.Int("syndicator_id").Immutable(),
			rate("percent"),
			amount("amount"),
			field.Time("funded_at").Optional().Nillable().Comment("when it became money; it is a plan until then"),
		},
		syndicationTerms(),
	)
}

func (Participation) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		parent("syndicator", Syndicator.Type),
	}
}

func (Participation) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "syndicator_id").Unique(),
		index.Fields("tenant_id", "syndicator_id"),
	}
}
