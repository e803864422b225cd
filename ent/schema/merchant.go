package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Merchant is a business that is or was funded, or has applied for funding.
type Merchant struct{ ent.Schema }

func (Merchant) Mixin() []ent.Mixin { return resource() }

func (Merchant) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("legal_name").MaxRuneLen(200),
			optDate("started_on"),
			optAmount("annual_revenue"),
			field.String("federal_id_digits").Optional().Nillable().
				Comment("the nine digits of federal_id, by which merchants are matched"),
		},
		text("dba_name", "reference_id", "federal_id", "industry", "email", "phone", "website",
			"address_line1", "address_line2", "city", "state", "postal_code",
			"business_type", "state_of_incorporation", "naics_code", "sic_code",
			"external_source", "external_ref"),
		flags("home_based", "e_commerce"),
		reference("merchant_status_id"),
	)
}

func (Merchant) Edges() []ent.Edge {
	return []ent.Edge{
		toOne("merchant_status", MerchantStatus.Type),
		edge.From("contacts", MerchantContact.Type).Ref("merchant"),
		edge.From("deals", Deal.Type).Ref("merchant"),
	}
}

func (Merchant) Indexes() []ent.Index {
	return append(sorted("legal_name", "dba_name"),
		index.Fields("tenant_id", "federal_id_digits"),
		index.Fields("tenant_id", "external_source", "external_ref").Unique())
}

// MerchantContact is a person at a merchant: an owner, a guarantor, whoever answers the phone.
type MerchantContact struct{ ent.Schema }

func (MerchantContact) Mixin() []ent.Mixin { return record() }

func (MerchantContact) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("merchant_id").Immutable(),
			field.String("first_name").MaxRuneLen(200),
			field.String("last_name").MaxRuneLen(200),
			field.Bytes("ssn").Optional().Sensitive().Comment("sealed under the secret key"),
			field.String("ssn_last4").Optional().Nillable().MaxRuneLen(4),
			optRate("ownership_pct"),
		},
		text("email", "phone", "title"),
		flags("is_guarantor", "is_primary"),
	)
}

func (MerchantContact) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("merchant", Merchant.Type).Unique().Required().Immutable().Field("merchant_id").
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

func (MerchantContact) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "merchant_id")}
}

// MerchantStatus is a tenant-defined label for merchants.
type MerchantStatus struct{ ent.Schema }

func (MerchantStatus) Mixin() []ent.Mixin { return record() }

func (MerchantStatus) Annotations() []schemaAnnotation { return table("merchant_statuses") }

func (MerchantStatus) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").MaxRuneLen(200),
		field.Int("position").Default(0),
		field.Bool("is_active").Default(true),
	}
}

func (MerchantStatus) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "name").Unique()}
}
