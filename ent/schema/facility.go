package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// CreditFacility is the line of credit of an LOC deal.
type CreditFacility struct{ ent.Schema }

func (CreditFacility) Mixin() []ent.Mixin { return resource() }

func (CreditFacility) Annotations() []schemaAnnotation { return table("credit_facilities") }

func (CreditFacility) Fields() []ent.Field {
	return []ent.Field{
		field.Int("deal_id").Immutable(),
		amount("credit_limit"),
		amount("available_room"),
		optRate("factor_rate"),
		field.Enum("status").Values("ACTIVE", "SUSPENDED", "CLOSED").Default("ACTIVE"),
	}
}

func (CreditFacility) Edges() []ent.Edge {
	return []ent.Edge{
		parent("deal", Deal.Type),
		edge.From("draws", LocDraw.Type).Ref("facility"),
	}
}

func (CreditFacility) Indexes() []ent.Index {
	return append(sorted("credit_limit", "available_room"),
		index.Fields("tenant_id", "deal_id").Unique(),
		index.Fields("tenant_id", "status", "id"))
}

// LocDraw is one draw on a credit facility. The facility's row is locked while a draw is requested or changes
// its status, so that two concurrent draws cannot overdraw it.
type LocDraw struct{ ent.Schema }

func (LocDraw) Mixin() []ent.Mixin { return record() }

func (LocDraw) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("facility_id").Immutable(),
			amount("amount"),
			field.Enum("status").Values("REQUESTED", "APPROVED", "FUNDED", "REPAID", "DECLINED").Default("REQUESTED"),
		},
		optAmounts("fee_amount", "payback_amount"),
		text("requested_by", "declined_reason"),
		optTime("funded_at"),
		reference("requested_by_user_id", "approved_by_user_id"),
	)
}

func (LocDraw) Edges() []ent.Edge {
	return []ent.Edge{
		parent("facility", CreditFacility.Type),
		toOne("requested_by_user", User.Type),
		toOne("approved_by_user", User.Type),
	}
}

func (LocDraw) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "facility_id", "id")}
}
