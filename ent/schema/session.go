package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// Session is a signed-in browser of a member of staff. It ends when idle for too long, and at the latest at
// expires_at.
type Session struct{ ent.Schema }

func (Session) Mixin() []ent.Mixin { return []ent.Mixin{owned{}, created{}} }

func (Session) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("user_id").Immutable(),
			field.Bytes("token_hash").Unique().Immutable().Sensitive().Comment("SHA-256 of the cookie's token"),
			field.Bool("awaits_second_factor").Default(false).Immutable().
				Comment("the password was right, and nothing else is proven: it is good for the second step alone"),
			field.Time("idle_expires_at").Comment("moves on with use"),
			field.Time("expires_at").Immutable(),
			field.String("address").Optional().Nillable().Immutable(),
			field.String("user_agent").Optional().Nillable().Immutable(),
		},
		optTime("second_factor_at", "revoked_at"),
	)
}

func (Session) Edges() []ent.Edge { return []ent.Edge{partOf("user", User.Type)} }

func (Session) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "user_id"),
		index.Fields("expires_at"),
	}
}

// PasswordReset lets the holder of its token set a member's password, once. Only a hash of the token is stored.
type PasswordReset struct{ ent.Schema }

func (PasswordReset) Mixin() []ent.Mixin { return []ent.Mixin{owned{}, created{}} }

func (PasswordReset) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.Bytes("token_hash").Unique().Immutable().Sensitive().Comment("SHA-256 of the token"),
		field.Time("expires_at").Immutable(),
		field.Time("ended_at").Optional().Nillable().Comment("when it was used, or another took its place"),
	}
}

func (PasswordReset) Edges() []ent.Edge { return []ent.Edge{partOf("user", User.Type)} }

func (PasswordReset) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "user_id"),
		index.Fields("expires_at"),
	}
}

// LoginThrottle counts failed attempts to sign in: at one account, from one network, or both. It belongs to no
// tenant, because a network may try several.
type LoginThrottle struct{ ent.Schema }

func (LoginThrottle) Fields() []ent.Field {
	return []ent.Field{
		field.String("who").Unique().Comment("what is counted, under a keyed hash: nobody's address can be read from it"),
		field.Int("failures").Default(0).NonNegative(),
		field.Time("last_at").Comment("the last attempt that was judged"),
		field.Time("until").Comment("no attempt is judged before"),
	}
}

func (LoginThrottle) Indexes() []ent.Index { return []ent.Index{index.Fields("last_at")} }
