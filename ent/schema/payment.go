package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/money"
	"paydown/internal/payment"
)

// Payment is money that is due, in transit, received, returned or cancelled on a deal.
type Payment struct{ ent.Schema }

func (Payment) Mixin() []ent.Mixin { return resource() }

func (Payment) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.Enum("type").GoType(payment.Type("")),
			field.Enum("status").GoType(payment.Status("")).Default(string(payment.Pending)),
			amount("amount"),
			field.Enum("direction").GoType(payment.Direction("")).Optional().Nillable(),
			field.Enum("source").GoType(payment.Source("")).Optional().Nillable(),
			field.Enum("method").GoType(payment.Method("")).Optional().Nillable(),
			field.Int("episode").Default(0).
				Comment("how often the payment has been paid; each episode posts once and is reversed at most once"),
			field.Other("planned_amount", money.Amount{}).SchemaType(amountColumn).Optional().Nillable().Immutable().
				Comment("what the schedule of the funding asked for, whatever becomes of the payment"),
			optDate("scheduled_date"),
			optDate("cleared_date"),
		},
		text("external_transfer_id", "reference_id", "note"),
		optTime("initiated_at", "returned_at"),
		reference("account_id", "syndicator_id", "bounce_code_id", "bank_account_token_id", "loc_draw_id", "made_up_by_id"),
		settledReference("fee_for_id"),
		reference("payoff_id"),
	)
}

func (Payment) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		toOne("account", Account.Type),
		toOne("syndicator", Syndicator.Type),
		toOne("bounce_code", BounceCode.Type),
		toOne("bank_account_token", BankAccountToken.Type),
		toOne("loc_draw", LocDraw.Type),
		sameKind("made_up_by", "makes_up_for", Payment.Type),
		settledSameKind("fee_for", "fees", Payment.Type), // the returned payment that the fee is charged for
		sameKind("payoff", "paid_off", Payment.Type),     // the early payoff that granted the discount or paid the fee
	}
}

func (Payment) Indexes() []ent.Index {
	return append(sorted("amount", "status", "scheduled_date", "cleared_date"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "type", "id"),
		index.Fields("tenant_id", "external_transfer_id"),
		index.Fields("tenant_id", "fee_for_id"),
		index.Fields("tenant_id", "payoff_id"),
		index.Fields("tenant_id", "made_up_by_id").Unique())
}
