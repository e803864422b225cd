package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// User is a member of the tenant's staff.
type User struct{ ent.Schema }

func (User) Mixin() []ent.Mixin { return record() }

func (User) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("email").Comment("lower case"),
			field.String("name").MaxRuneLen(200),
			field.String("password_hash").Optional().Nillable().Sensitive().
				Comment("a slow, salted hash with its parameters; null until a password is set"),
			field.Bytes("totp_secret").Optional().Sensitive().
				Comment("what second-factor codes are made of, sealed under the secret key; active once confirmed"),
			field.Int64("totp_last_step").Optional().Nillable().Comment("the last code that was used; none works twice"),
			field.JSON("recovery_hashes", []string{}).Optional().Sensitive().
				Comment("SHA-256 of the recovery codes that are left, in hex"),
			field.Int("role_id"),
			field.Bool("is_active").Default(true),
			field.String("last_login_network").Optional().Nillable().Comment("where the last sign-in that succeeded came from"),
		},
		optTime("totp_confirmed_at", "password_changed_at", "last_login_at"),
	)
}

func (User) Edges() []ent.Edge { return []ent.Edge{current("role", Role.Type)} }

func (User) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "email").Unique(),
		index.Fields("tenant_id", "role_id"),
	}
}

// Role is a named set of permissions. Default roles have a code, which never changes.
type Role struct{ ent.Schema }

func (Role) Mixin() []ent.Mixin { return record() }

func (Role) Fields() []ent.Field {
	return []ent.Field{
		field.String("code").Optional().Nillable().Immutable().
			Comment("admin, underwriter …; null where the tenant made it"),
		field.String("name").MaxRuneLen(200),
		field.JSON("permissions", []string{}),
	}
}

func (Role) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "name").Unique(),
		index.Fields("tenant_id", "code").Unique(),
	}
}

// Notification tells a member of staff about something that needs attention, also by mail if a mail server is
// configured when it is created. A worker that sends it moves mail_next_at past the end of its attempt and
// counts the attempt; later writes of a worker whose attempt was counted past are rejected.
type Notification struct{ ent.Schema }

func (Notification) Mixin() []ent.Mixin { return fact() }

func (Notification) Fields() []ent.Field {
	return []ent.Field{
		field.Int("user_id").Immutable(),
		field.String("kind").Immutable().Comment("what happened: webhook.paused"),
		field.String("title").MaxRuneLen(200).Immutable(),
		field.String("body").Optional().Nillable().Immutable(),
		field.String("entity").Optional().Nillable().Immutable().Comment("singular name of the record it is about"),
		field.Int("entity_id").Optional().Nillable().Immutable(),
		field.Time("read_at").Optional().Nillable(),
		field.Enum("mail_state").Values("NONE", "DUE", "SENT", "GIVEN_UP").Default("NONE").
			Comment("NONE where no mail server was configured"),
		field.Int("mail_attempts").Default(0),
		field.Time("mail_next_at").Optional().Nillable().Comment("null once it is over"),
		field.String("mail_error").Optional().Nillable().Comment("why the last attempt failed: a code of internal/mail"),
	}
}

func (Notification) Edges() []ent.Edge { return []ent.Edge{partOf("user", User.Type)} }

func (Notification) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "user_id", "id"),
		index.Fields("tenant_id", "user_id", "read_at"),
		// Notifications past their retention, oldest first, across tenants.
		index.Fields("read_at").Annotations(entsql.IndexWhere("read_at IS NOT NULL")).StorageKey("notification_read"),
		index.Fields("created_at").Annotations(entsql.IndexWhere("read_at IS NULL")).StorageKey("notification_unread"),
		// The mail queue, across tenants.
		index.Fields("mail_next_at", "id").
			Annotations(entsql.IndexWhere("mail_next_at IS NOT NULL")).StorageKey("notification_mail_due"),
	}
}

// AccountAccess records that a person could act as a member of staff: created the account, changed its role or
// address, or saw a token for it. For a while the two cannot approve each other's work (four eyes).
type AccountAccess struct{ ent.Schema }

func (AccountAccess) Mixin() []ent.Mixin { return fact() }

func (AccountAccess) Annotations() []schemaAnnotation { return table("account_accesses") }

func (AccountAccess) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("user_id").Immutable().Comment("whose account it is"),
			field.Int("opened_by_id").Immutable().Comment("who had access to it"),
			field.Enum("kind").Values("CREATED", "CHANGED", "TOKEN_SHOWN").Immutable(),
			field.String("lifted_by").Optional().Nillable().Comment("the operator who lifted it"),
		},
		optTime("lifted_at"),
	)
}

func (AccountAccess) Edges() []ent.Edge {
	return []ent.Edge{parent("user", User.Type), parent("opened_by", User.Type)}
}

func (AccountAccess) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "user_id", "created_at"),
		index.Fields("tenant_id", "opened_by_id", "created_at"),
	}
}
