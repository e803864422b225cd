package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/deal"
	"paydown/internal/pricing"
	"paydown/internal/schedule"
	"paydown/internal/underwriting"
)

// Deal is one financing of a merchant.
type Deal struct{ ent.Schema }

func (Deal) Mixin() []ent.Mixin { return resource() }

func (Deal) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("deal_number").Immutable(),
			field.String("reference_id").Optional().Nillable(),
			field.Enum("product_type").GoType(deal.Product("")).Default(string(deal.MCA)),
			field.Enum("state").GoType(deal.State("")).Default(string(deal.Inception)),
			field.Int("merchant_id").Immutable(),
			field.Enum("bank_fee_basis").GoType(pricing.Basis("")).Optional().Nillable(),
			field.Enum("commission_basis").GoType(pricing.Basis("")).Optional().Nillable(),
			field.String("epo_commission_basis").Optional().Nillable(),
			field.Enum("collection_frequency").GoType(schedule.Frequency("")).Optional().Nillable(),
			field.Enum("collection_schedule").GoType(schedule.Rule("")).Default(string(schedule.BankingDays)),
			field.Enum("uw_score_category").GoType(underwriting.Category("")).Optional().Nillable(),
			optDate("first_payment_date"),
			optDate("payoff_date"),
			field.Bool("is_renewal").Default(false),
			field.JSON("derived_fields", []string{}).Optional().
				Comment("terms that were worked out rather than given; a later change works them out again"),
		},
		optAmounts("funded_amount", "payback_amount", "application_fee", "wire_fee", "default_surcharge",
			"payment_amount", "renewal_payoff_amount"),
		optRates("factor_rate", "buy_rate", "specified_percentage", "bank_fee_value", "epo_factor_rate",
			"epo_commission_value", "commission_value"),
		optInt("term_days", "position", "epo_window_days", "collection_day", "number_of_payments", "uw_score"),
		optTime("funded_at", "defaulted_at"),
		text("external_source", "external_ref"),
		reference("iso_id", "funded_lender_id", "inception_lender_id", "underwriter_id", "commission_offer_id",
			"renewed_from_deal_id"),
	)
}

func (Deal) Edges() []ent.Edge {
	return []ent.Edge{
		parent("merchant", Merchant.Type),
		toOne("iso", ISO.Type),
		toOne("funded_lender", Funder.Type),
		toOne("inception_lender", Funder.Type),
		toOne("underwriter", User.Type),
		toOne("commission_offer", CommissionOffer.Type),
		sameKind("renewed_from_deal", "renewals", Deal.Type),
		edge.From("payments", Payment.Type).Ref("deal"),
		edge.From("submissions", Submission.Type).Ref("deal"),
	}
}

func (Deal) Indexes() []ent.Index {
	return append(sorted("state", "funded_amount", "payback_amount", "funded_at", "first_payment_date"),
		index.Fields("tenant_id", "deal_number").Unique(),
		index.Fields("tenant_id", "merchant_id"),
		index.Fields("tenant_id", "iso_id"),
		index.Fields("tenant_id", "renewed_from_deal_id"),
		index.Fields("tenant_id", "external_source", "external_ref").Unique())
}
