package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Document is a file about a deal or a merchant. Its bytes are in the file store, or with a third party at a
// URL, such as an e-signature provider. The record never changes.
type Document struct{ ent.Schema }

func (Document) Mixin() []ent.Mixin { return fact() }

func (Document) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200).Immutable(),
			field.String("kind").Immutable().Comment("code of the stipulation it answers, or CONTRACT, DISCLOSURE, OTHER"),
			field.String("media_type").Immutable(),
			field.Int64("size").NonNegative().Optional().Nillable().Immutable().Comment("bytes; null where they are not here"),
			field.Bytes("sha256").Optional().Immutable().Comment("null where the bytes are not here"),
			field.String("storage_key").
				Optional().
				Nillable().
				Immutable().
				Comment("in the file store; null where the bytes are not here"),
			field.String("url").
				Optional().
				Nillable().
				Immutable().
				Comment("where somebody else keeps it; null where the bytes are here"),
		},
		settledReference("deal_id", "merchant_id", "uploaded_by_id"),
	)
}

func (Document) Edges() []ent.Edge {
	return []ent.Edge{
		settled("deal", Deal.Type),
		settled("merchant", Merchant.Type),
		settled("uploaded_by", User.Type),
	}
}

func (Document) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "storage_key").Unique(),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "merchant_id", "id"),
	}
}

// SignatureRequest is a document sent out for signature. It is complete when every signer has signed, and ends
// when one declines.
type SignatureRequest struct{ ent.Schema }

func (SignatureRequest) Mixin() []ent.Mixin { return record() }

func (SignatureRequest) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("title").MaxRuneLen(200),
			field.Enum("kind").Values("CONTRACT", "DISCLOSURE", "OTHER").Immutable(),
			field.Enum("status").Values("DRAFT", "SENT", "COMPLETED", "DECLINED", "VOID", "EXPIRED").Default("DRAFT"),
			field.Bytes("terms_hash").Optional().Comment("SHA-256 of the deal's terms as the document was sent with them"),
		},
		text("provider", "external_id", "declined_reason"),
		optTime("sent_at", "expires_at", "completed_at", "declined_at"),
		settledReference("deal_id"),
		reference("document_id", "signed_document_id"),
	)
}

func (SignatureRequest) Edges() []ent.Edge {
	return []ent.Edge{
		settled("deal", Deal.Type),
		toOne("document", Document.Type),        // to be signed
		toOne("signed_document", Document.Type), // filed when complete
		edge.From("signers", Signer.Type).Ref("signature_request"),
	}
}

func (SignatureRequest) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "provider", "external_id").Unique(),
	}
}

// Signer is a person whose signature a document needs.
type Signer struct{ ent.Schema }

func (Signer) Mixin() []ent.Mixin { return record() }

func (Signer) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("signature_request_id").Immutable(),
			field.Int("position").Immutable().Comment("in the order of signing"),
			field.String("name").MaxRuneLen(200),
			field.String("email"),
			field.Enum("status").Values("PENDING", "VIEWED", "SIGNED", "DECLINED").Default("PENDING"),
		},
		text("title", "declined_reason"),
		optTime("viewed_at", "signed_at", "declined_at"),
	)
}

func (Signer) Edges() []ent.Edge {
	return []ent.Edge{partOf("signature_request", SignatureRequest.Type)}
}

func (Signer) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "signature_request_id", "position").Unique()}
}
