package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"paydown/internal/deal"
	"paydown/internal/pricing"
)

// ISO is an independent sales organisation: a broker who brings deals for a commission.
type ISO struct{ ent.Schema }

func (ISO) Mixin() []ent.Mixin { return resource() }

func (ISO) Annotations() []schemaAnnotation { return table("isos") }

func (ISO) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200),
			field.Enum("type").Values("BROKER", "SUPER_BROKER", "REFERRAL").Default("BROKER"),
			field.Bool("is_active").Default(true),
			field.JSON("domains", []string{}).Default([]string{}).
				Comment("mail domains whose senders are taken to be the ISO"),
			field.JSON("email_addresses", []string{}).Default([]string{}),
		},
		text("email", "phone", "contact_name", "website", "notes",
			"address_line1", "address_line2", "city", "state", "postal_code",
			"ein", "entity_type", "signer_name", "signer_title", "iso_type"),
		flags("requires_1099"),
		object("commission_rule"),
		optTime("agreement_signed_at", "id_on_file_at", "voided_check_at", "w9_on_file_at"),
	)
}

func (ISO) Indexes() []ent.Index { return sorted("name") }

// CommissionOffer is a commission that ISOs may be promised on a deal: all of them, or one.
type CommissionOffer struct{ ent.Schema }

func (CommissionOffer) Mixin() []ent.Mixin { return record() }

func (CommissionOffer) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200),
			field.Enum("product_type").GoType(deal.Product("")).Optional().Nillable().Comment("null is any"),
			field.Enum("commission_basis").GoType(pricing.Basis("")),
			rate("commission_value"),
			optRate("buy_rate"),
			field.Bool("is_active").Default(true),
			optDate("valid_from"),
			optDate("valid_to"),
		},
		text("notes"),
		reference("iso_id"),
	)
}

func (CommissionOffer) Edges() []ent.Edge { return []ent.Edge{toOne("iso", ISO.Type)} }

func (CommissionOffer) Indexes() []ent.Index { return []ent.Index{index.Fields("tenant_id", "iso_id")} }

// Referrer is someone who is paid for an introduction without being an ISO.
type Referrer struct{ ent.Schema }

func (Referrer) Mixin() []ent.Mixin { return record() }

func (Referrer) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200),
			field.Bool("is_active").Default(true),
		},
		text("email", "phone", "ein", "notes"),
		flags("requires_1099"),
	)
}

func (Referrer) Indexes() []ent.Index { return []ent.Index{index.Fields("tenant_id", "name")} }
