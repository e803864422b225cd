package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// RateWindow counts one caller's requests in the current window, in leases that replicas take. It belongs to no
// tenant, because unauthenticated addresses are counted too.
type RateWindow struct{ ent.Schema }

func (RateWindow) Fields() []ent.Field {
	return []ent.Field{
		field.String("caller").Unique().Comment("whose requests are counted, as internal/ratelimit names callers: key:7"),
		field.Time("began_at"),
		field.Int("granted").Comment("requests leased in the window"),
		field.JSON("held", map[string]int{}).Comment("the newest lease of each replica"),
	}
}

func (RateWindow) Indexes() []ent.Index { return []ent.Index{index.Fields("began_at")} }

// ChangeMark is a counter that increases with every change of records that processes may cache (keys, tenants),
// so that other processes notice by reading a single row.
type ChangeMark struct{ ent.Schema }

func (ChangeMark) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique(),
		field.Int64("version").Default(0),
	}
}

// JobLease lets one replica at a time run a periodic job.
type JobLease struct{ ent.Schema }

func (JobLease) Fields() []ent.Field {
	return []ent.Field{
		field.String("name").Unique(),
		field.String("holder"),
		field.Time("until"),
		field.Int64("fence").Default(0).Comment("moves with every new holder; a stale holder's writes are refused by it"),
	}
}

// AdminToken lets an operator call the admin services for every tenant. Only a hash of the token is stored.
type AdminToken struct{ ent.Schema }

func (AdminToken) Mixin() []ent.Mixin { return []ent.Mixin{created{}} }

func (AdminToken) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("name").MaxRuneLen(200).Immutable().Comment("what the audit trail calls the operator"),
			field.Bytes("token_hash").Unique().Immutable().Sensitive().Comment("SHA-256 of the token"),
			field.String("token_last4").Immutable(),
		},
		optTime("expires_at", "revoked_at"),
	)
}

// SecretKey is a fingerprint of a secret key that sealed rows of this database. The key itself is never stored.
// A process whose keys do not match the fingerprints refuses to start.
type SecretKey struct{ ent.Schema }

func (SecretKey) Mixin() []ent.Mixin { return []ent.Mixin{created{}} }

func (SecretKey) Fields() []ent.Field {
	return []ent.Field{
		field.String("key_id").Unique().Immutable().Comment("the id that each value sealed under the key carries"),
		field.Bytes("fingerprint").Immutable().Comment("derived from the key one way"),
		field.Time("retired_at").Optional().Nillable().Comment("when no sealed value was left under the key"),
	}
}
