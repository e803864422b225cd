package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/payment"
)

// CollectionHold stops ACH debits of a deal until its cause is cured. It is active while released_at is null.
// A deal has at most one active hold per reason.
type CollectionHold struct{ ent.Schema }

func (CollectionHold) Mixin() []ent.Mixin { return record() }

func (CollectionHold) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("deal_id").Immutable(),
			field.Enum("reason").GoType(payment.HoldReason("")).Immutable(),
			field.String("code").Optional().Nillable().Immutable().Comment("NACHA return code that caused it"),
			field.String("note").Optional().Nillable().Immutable().Comment("why staff placed it"),
			field.Time("since").Immutable(),
			field.Time("until").Optional().Nillable().Comment("when it ends by itself; null: once it is released"),
			field.Time("released_at").Optional().Nillable(),
			field.String("release_note").Optional().Nillable().Comment("how its cause was cured"),
			field.String("released_by").Optional().Nillable().Comment("who released it, as the audit trail names them"),
		},
		settledReference("payment_id"),
		reference("bank_account_token_id", "released_by_user_id"),
	)
}

func (CollectionHold) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		settled("payment", Payment.Type),                   // the returned payment that caused it
		toOne("bank_account_token", BankAccountToken.Type), // the account that was debited, or the one that cured it
		toOne("released_by_user", User.Type),
	}
}

func (CollectionHold) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "deal_id", "reason").Unique().
			Annotations(entsql.IndexWhere("released_at IS NULL")).StorageKey("collectionhold_standing"),
	}
}
