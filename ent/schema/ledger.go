package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/civil"
	"paydown/internal/ledger"
)

// Account is a ledger account of the tenant's chart.
type Account struct{ ent.Schema }

func (Account) Mixin() []ent.Mixin { return fact() }

func (Account) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").Immutable(),
		field.String("name").MaxRuneLen(200),
		field.String("type").Immutable().Comment("asset, liability, income or expense"),
	}
}

func (Account) Indexes() []ent.Index { return []ent.Index{index.Fields("tenant_id", "code").Unique()} }

// Journal is one balanced entry of the ledger. Journals and their postings are written once: the database
// refuses to change or delete them, and refuses a journal whose postings do not sum to zero.
type Journal struct{ ent.Schema }

func (Journal) Mixin() []ent.Mixin { return fact() }

func (Journal) Fields() []ent.Field {
	return []ent.Field{
		field.Enum("kind").GoType(ledger.Kind("")).Immutable(),
		field.String("memo").Optional().Nillable().Immutable(),
		field.Int("line_count").Min(2).Immutable().Comment("postings the entry has; the database holds it to that"),
		field.Int("deal_id").Optional().Nillable().Immutable(),
		field.Int("payment_id").Optional().Nillable().Immutable(),
		field.Int("episode").Optional().Nillable().Immutable().
			Comment("the paid episode of the payment that this entry posts"),
		field.Int("reverses_id").Optional().Nillable().Immutable(),
		field.Int("revision").Default(0).Immutable().
			Comment("how often the episode was booked again because its day was corrected"),
		field.Int("disbursement_id").Optional().Nillable().Immutable().
			Comment("the transfer whose failure or repetition the entry books"),
		field.Int("payout_item_id").Optional().Nillable().Immutable().
			Comment("the commission that the entry pays, claws back or nets"),
		field.Time("occurred_at").Immutable().Comment("when the entry was recorded"),
		field.Other("effective_date", civil.Date{}).SchemaType(dateColumn).Immutable().
			Comment("the day the entry counts for, in the company's time zone; never after the day it was recorded"),
	}
}

func (Journal) Edges() []ent.Edge {
	return []ent.Edge{
		settled("disbursement", Disbursement.Type),
		settled("payout_item", PayoutItem.Type),
		edge.To("deal", Deal.Type).Unique().Immutable().Field("deal_id").Annotations(entsql.OnDelete(entsql.Restrict)),
		edge.To("payment", Payment.Type).Unique().Immutable().Field("payment_id").
			Annotations(entsql.OnDelete(entsql.Restrict)),
		settledSameKind("reverses", "reversals", Journal.Type),
		edge.From("postings", Posting.Type).Ref("journal"),
	}
}

func (Journal) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "effective_date"),
		index.Fields("tenant_id", "disbursement_id"),
		index.Fields("tenant_id", "payout_item_id"),
		// One posting of each kind per payment, paid episode and revision of its day, however often and however
		// concurrently it is requested.
		index.Fields("tenant_id", "payment_id", "episode", "revision", "kind").Unique().
			Annotations(entsql.IndexWhere("reverses_id IS NULL")).StorageKey("journal_payment_episode"),
		index.Fields("tenant_id", "reverses_id").Unique(),
	}
}

// Posting is one line of a journal: a debit if the amount is positive, a credit if it is negative.
type Posting struct{ ent.Schema }

func (Posting) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (Posting) Fields() []ent.Field {
	return []ent.Field{
		field.Int("journal_id").Immutable(),
		field.String("account").Immutable().Comment("code of the account"),
		field.Enum("kind").GoType(ledger.Kind("")).Immutable().
			Comment("of the journal, repeated so that a deal's balances are one sum over one table"),
		amount("amount"),
		field.Int("deal_id").Optional().Nillable().Immutable(),
		field.Int("syndicator_id").Optional().Nillable().Immutable(),
		field.Int("iso_id").Optional().Nillable().Immutable().Comment("whose commission it is; on 1210 and 2200"),
		field.Int("payment_id").Optional().Nillable().Immutable(),
	}
}

func (Posting) Edges() []ent.Edge {
	return []ent.Edge{
		parent("journal", Journal.Type),
		edge.To("deal", Deal.Type).Unique().Immutable().Field("deal_id").Annotations(entsql.OnDelete(entsql.Restrict)),
		edge.To("syndicator", Syndicator.Type).Unique().Immutable().Field("syndicator_id").
			Annotations(entsql.OnDelete(entsql.Restrict)),
		settled("iso", ISO.Type),
		edge.To("payment", Payment.Type).Unique().Immutable().Field("payment_id").
			Annotations(entsql.OnDelete(entsql.Restrict)),
	}
}

func (Posting) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "journal_id"),
		index.Fields("tenant_id", "deal_id", "account"),
		index.Fields("tenant_id", "syndicator_id", "account"),
		index.Fields("tenant_id", "iso_id", "account"),
		index.Fields("tenant_id", "account"),
	}
}
