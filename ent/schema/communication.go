package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Communication is a call or a text message with a merchant.
type Communication struct{ ent.Schema }

func (Communication) Mixin() []ent.Mixin { return resource() }

func (Communication) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Enum("channel").Values("CALL", "SMS").Immutable(),
			field.Enum("direction").Values("INBOUND", "OUTBOUND").Immutable(),
			field.Time("occurred_at"),
		},
		text("from_addr", "to_addr", "body", "recording_url"),
		optInt("duration_sec"),
		reference("merchant_id", "deal_id", "disposition_reason_id", "user_id"),
	)
}

func (Communication) Edges() []ent.Edge {
	return []ent.Edge{
		toOne("merchant", Merchant.Type),
		toOne("deal", Deal.Type),
		toOne("disposition_reason", DispositionReason.Type),
		toOne("user", User.Type),
	}
}

func (Communication) Indexes() []ent.Index {
	return append(sorted("occurred_at"),
		index.Fields("tenant_id", "merchant_id", "id"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "channel", "id"))
}

// DispositionReason is the outcome of a call: no answer, call back, not interested.
type DispositionReason struct{ ent.Schema }

func (DispositionReason) Mixin() []ent.Mixin { return record() }

func (DispositionReason) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").Immutable(),
		field.String("name").MaxRuneLen(200),
		field.Int("position").Default(0),
		field.Bool("is_active").Default(true),
	}
}

func (DispositionReason) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "code").Unique()}
}

// Note is a note of a member of staff on a lead, merchant, deal or submission. It is deleted with its subject.
type Note struct{ ent.Schema }

func (Note) Mixin() []ent.Mixin { return record() }

func (Note) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("body").MaxRuneLen(10_000),
			field.Bool("is_pinned").Default(false),
		},
		settledReference("lead_id", "merchant_id", "deal_id", "submission_id", "author_id"),
	)
}

func (Note) Edges() []ent.Edge {
	return []ent.Edge{
		about("lead", Lead.Type),
		about("merchant", Merchant.Type),
		about("deal", Deal.Type),
		about("submission", Submission.Type),
		settled("author", User.Type),
	}
}

func (Note) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "lead_id", "id"),
		index.Fields("tenant_id", "merchant_id", "id"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "submission_id", "id"),
	}
}
