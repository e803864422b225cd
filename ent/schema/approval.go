package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/deal"
)

// Approval is a funder's offer on a submission, and the merchant's counter to it.
type Approval struct{ ent.Schema }

func (Approval) Mixin() []ent.Mixin { return record() }

func (Approval) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("submission_id").Immutable(),
			field.Int("deal_id").Immutable().Comment("that of the submission"),
			field.Enum("state").GoType(deal.OfferState("")).Default(string(deal.OfferDraft)),
			// The token opens the public offer page. It is looked up by its hash. The token itself is stored sealed,
			// because staff may send the same link again, and is cleared when the offer ends. The hash then still lets
			// the page say what became of the offer, and nothing else.
			field.Bytes("share_token").Optional().Sensitive().Comment("sealed under the secret key"),
			field.Bytes("share_token_hash").Optional().Unique().Sensitive().Comment("SHA-256 of the token"),
			field.Bool("counter_accepted").Optional().Nillable().Comment("null until the counter is answered"),
		},
		optAmounts("funded_amount", "payback_amount", "epo_discount", "counter_amount"),
		optRates("factor_rate", "bank_fee_percent", "counter_factor", "counter_bank_fee_percent"),
		optInt("term_days", "counter_term_days"),
		text("notes", "counter_note", "declined_reason"),
		text("accepted_by", "accepted_from"), // from the public page: the name entered, and the address of the visitor
		optTime("offer_sent_at", "accepted_at", "expires_at", "counter_at", "counter_resolved_at"),
	)
}

func (Approval) Edges() []ent.Edge {
	return []ent.Edge{parent("submission", Submission.Type), parent("deal", Deal.Type)}
}

func (Approval) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "submission_id", "id"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "state", "expires_at"),
		// A deal has at most one accepted offer. An offer that ends loses its acceptance time.
		index.Fields("tenant_id", "deal_id").Unique().
			Annotations(entsql.IndexWhere("accepted_at IS NOT NULL")).StorageKey("approval_accepted"),
		// Offers with a link that may have to end, across tenants.
		index.Fields("expires_at").
			Annotations(entsql.IndexWhere("share_token IS NOT NULL")).StorageKey("approval_shared"),
	}
}
