package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// APIKey lets an integrator call the public API. Only a hash of the token is stored.
type APIKey struct{ ent.Schema }

func (APIKey) Mixin() []ent.Mixin { return record() }

func (APIKey) Annotations() []schemaAnnotation { return table("api_keys") }

func (APIKey) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200),
			field.String("purpose").Optional().Nillable(),
			field.Enum("kind").Values("LIVE", "TEST").Immutable(),
			field.JSON("scopes", []string{}),
			field.JSON("legacy_flags", []string{}).Optional().
				Comment("permission flags of a key that pre-dates scopes; gone once the key is edited"),
			field.JSON("ip_allow_list", []string{}).Optional(),
			field.Int("rate_limit").Default(120).NonNegative().Comment("requests in 60 s; 0 means none"),
			field.Bytes("token_hash").Unique().Immutable().Sensitive().Comment("SHA-256 of the token"),
			field.String("token_last4").Immutable(),
			field.Int("lineage_id").Optional().Nillable().
				Comment("first key of a chain of rotations; null on that key itself"),
			field.Int("replaced_by_id").Optional().Nillable().Comment("the key that a rotation issued for this one"),
			field.Int64("call_count").Default(0),
			field.String("last_used_address").Optional().Nillable(),
		},
		optTime("expires_at", "retires_at", "revoked_at", "last_used_at"),
	)
}

func (APIKey) Edges() []ent.Edge {
	return []ent.Edge{
		sameKind("lineage", "rotations", APIKey.Type),
		sameKind("replaced_by", "replaces", APIKey.Type),
	}
}

func (APIKey) Indexes() []ent.Index { return []ent.Index{index.Fields("tenant_id", "name")} }
