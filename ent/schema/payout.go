package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// PayoutBatch is a batch of payouts: commissions to ISOs, or shares to syndicators. Its creator cannot approve
// it.
type PayoutBatch struct{ ent.Schema }

func (PayoutBatch) Mixin() []ent.Mixin { return resource() }

func (PayoutBatch) Annotations() []schemaAnnotation { return table("payout_batches") }

func (PayoutBatch) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Enum("kind").Values("COMMISSION", "PARTICIPATION").Immutable(),
			date("period_from"),
			date("period_to"),
			field.Enum("status").Values("DRAFT", "APPROVED", "PAID", "PARTIAL").Default("DRAFT"),
		},
		optTime("approved_at", "paid_at"),
		reference("created_by_user_id", "approved_by_user_id"),
	)
}

func (PayoutBatch) Edges() []ent.Edge {
	return []ent.Edge{
		toOne("created_by_user", User.Type),
		toOne("approved_by_user", User.Type),
		edge.From("items", PayoutItem.Type).Ref("batch"),
	}
}

func (PayoutBatch) Indexes() []ent.Index {
	return append(sorted("period_from", "period_to"),
		index.Fields("tenant_id", "kind", "status", "id"),
		index.Fields("tenant_id", "status", "id"))
}

// PayoutItem is one item of a batch: an ISO's or referrer's commission on a deal, or a syndicator's share of
// one cleared payment. The amount is negative if it takes back a share that was paid out.
type PayoutItem struct{ ent.Schema }

func (PayoutItem) Mixin() []ent.Mixin { return []ent.Mixin{owned{}, created{}} }

func (PayoutItem) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("batch_id").Immutable(),
			amount("amount"),
			field.Enum("status").Values("PENDING", "PAID", "HELD", "FAILED", "CANCELLED", "CLAWED_BACK").Default("PENDING"),
			optAmount("clawback_amount"),
			field.Int("episode").Optional().Nillable().Immutable().
				Comment("the paid episode of the collected payment that is shared out"),
			field.String("held_reason").Optional().Nillable().
				Comment("why staff hold it back, or why its transfer failed; null where the product holds it back"),
		},
		text("clawback_note"),
		optTime("clawback_risk_at", "clawed_back_at"),
		[]ent.Field{
			field.Time("carried_at").Optional().Nillable().
				Comment("when it was left to the payee's next batch, which has an item of its own for it"),
		},
		reference("iso_id", "referrer_id", "syndicator_id", "deal_id", "payment_id"),
		settledReference("collected_payment_id", "reverses_id", "carried_from_id"),
	)
}

func (PayoutItem) Edges() []ent.Edge {
	return []ent.Edge{
		parent("batch", PayoutBatch.Type),
		toOne("iso", ISO.Type),
		toOne("referrer", Referrer.Type),
		toOne("syndicator", Syndicator.Type),
		toOne("deal", Deal.Type),
		toOne("payment", Payment.Type),             // that paid the item out
		settled("collected_payment", Payment.Type), // the merchant's payment, of which this is a share
		settledSameKind(
			"reverses", "reversals", PayoutItem.Type,
		), // the item paid out on a payment that was returned later
		settledSameKind(
			"carried_from", "carried_to", PayoutItem.Type,
		), // the item of an earlier batch that was carried to this one
	}
}

func (PayoutItem) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "batch_id", "id"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "iso_id", "status"),
		index.Fields("tenant_id", "syndicator_id", "status"),
		index.Fields("tenant_id", "payment_id"),
		// One share per payment, paid episode and syndicator, and one item that takes it back.
		index.Fields("tenant_id", "collected_payment_id", "episode", "syndicator_id").Unique().
			Annotations(entsql.IndexWhere("((reverses_id IS NULL) AND (carried_from_id IS NULL))")).
			StorageKey("payoutitem_collected_share"),
		index.Fields("tenant_id", "reverses_id").Unique().
			Annotations(entsql.IndexWhere("carried_from_id IS NULL")).StorageKey("payoutitem_reversal"),
		index.Fields("tenant_id", "carried_from_id").Unique(),
	}
}
