package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// WebhookEndpoint is an address of the tenant that receives events. It is off while is_active is false;
// disabled_at distinguishes a pause after too many failures from being turned off.
type WebhookEndpoint struct{ ent.Schema }

func (WebhookEndpoint) Mixin() []ent.Mixin { return []ent.Mixin{owned{}, created{}, listedOnce{}} }

func (WebhookEndpoint) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("url"),
			field.JSON("events", []string{}).Comment("the kinds it wants, or * alone for all"),
			field.Bool("is_active").Default(true),
			field.Int("failure_streak").Default(0).Comment("failed deliveries since the last that arrived"),
			field.Int("events_after").Default(0).Immutable().
				Comment("id of the latest outbox event when it was made: it hears of none up to there"),
			field.Bytes("secret").Sensitive().Comment("sealed under the secret key"),
			field.Bytes("previous_secret").Optional().Sensitive().
				Comment("sealed under the secret key; signs as well until it expires"),
		},
		optTime("previous_secret_expires_at", "disabled_at", "last_delivered_at"),
		text("disabled_reason"),
	)
}

func (WebhookEndpoint) Edges() []ent.Edge {
	return []ent.Edge{edge.From("deliveries", WebhookDelivery.Type).Ref("endpoint")}
}

// WebhookDelivery is one event on its way to one endpoint. A worker that claims it holds it until locked_until.
// The fence increases with every claim, and writes under an older fence are rejected. Rows are kept for 30
// days.
type WebhookDelivery struct{ ent.Schema }

func (WebhookDelivery) Mixin() []ent.Mixin { return record() }

func (WebhookDelivery) Annotations() []schemaAnnotation { return table("webhook_deliveries") }

func (WebhookDelivery) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Int("endpoint_id").Immutable(),
			field.String("message_id").Unique().Immutable().Comment("the envelope's id"),
			field.String("event").Immutable(),
			field.JSON("payload", json.RawMessage{}).Immutable().Comment("the whole envelope"),
			field.Enum("status").Values("PENDING", "DELIVERED", "FAILED").Default("PENDING"),
			field.Int("attempts").Default(0),
			field.Time("next_attempt_at").Optional().Nillable().
				Comment("from when a worker may claim it: the next try, or the end of the claim that holds it; " +
					"null once it is over"),
			field.Time("locked_until").Optional().Nillable().Comment("the end of the claim that holds it; null where none does"),
			field.Int64("fence").Default(0),
			// Neither of these is a foreign key: old events and deliveries are removed independently.
			field.Int("outbox_event_id").Optional().Nillable().Immutable().Comment("null where somebody sent a test"),
			field.Int("redelivery_of_id").Optional().Nillable().Immutable().Comment("the delivery this one repeats"),
		},
		optInt("response_status", "duration_ms"),
		text("error", "response_snippet"),
		optTime("delivered_at"),
	)
}

func (WebhookDelivery) Edges() []ent.Edge {
	return []ent.Edge{
		partOf("endpoint", WebhookEndpoint.Type),
		edge.From("tries", DeliveryAttempt.Type).Ref("delivery"),
	}
}

func (WebhookDelivery) Indexes() []ent.Index {
	return []ent.Index{
		// However often an event is fanned out, an endpoint gets it once.
		index.Fields("tenant_id", "outbox_event_id", "endpoint_id").Unique().
			Annotations(entsql.IndexWhere("redelivery_of_id IS NULL")).StorageKey("webhookdelivery_fan_out"),
		index.Fields("endpoint_id", "id"), // also used by the database to delete an endpoint's deliveries
		// The queue: the endpoints with waiting deliveries, and the deliveries of each in the order in which they are
		// due.
		index.Fields("endpoint_id", "next_attempt_at", "id").
			Annotations(entsql.IndexWhere("next_attempt_at IS NOT NULL")).StorageKey("webhookdelivery_due"),
		index.Fields("created_at"),
		// To find the deliveries that have been repeated.
		index.Fields("tenant_id", "redelivery_of_id").
			Annotations(entsql.IndexWhere("redelivery_of_id IS NOT NULL")).StorageKey("webhookdelivery_repeats"),
	}
}

// DeliveryAttempt is one attempt to send a delivery, with its response.
type DeliveryAttempt struct{ ent.Schema }

func (DeliveryAttempt) Mixin() []ent.Mixin { return fact() }

func (DeliveryAttempt) Fields() []ent.Field {
	return []ent.Field{
		field.Int("delivery_id").Immutable(),
		field.Int("number").Positive().Immutable().Comment("1 is the first try"),
		field.Int("response_status").Optional().Nillable().Immutable().Comment("null where no response came"),
		field.Int("duration_ms").Immutable(),
		field.String("error").Optional().Nillable().Immutable(),
		field.String("response_snippet").Optional().Nillable().Immutable(),
	}
}

func (DeliveryAttempt) Edges() []ent.Edge {
	return []ent.Edge{partOf("delivery", WebhookDelivery.Type)}
}

func (DeliveryAttempt) Indexes() []ent.Index {
	// It starts with the delivery, so that the database can find the attempts of a deleted one.
	return []ent.Index{index.Fields("delivery_id", "number").Unique()}
}

// WebhookRecovery is a job that sends failed deliveries again, in batches. Each batch moves the cursor in the
// transaction that creates its deliveries, so that a recovery repeats none twice, whichever process continues
// it.
type WebhookRecovery struct{ ent.Schema }

func (WebhookRecovery) Mixin() []ent.Mixin { return record() }

func (WebhookRecovery) Annotations() []schemaAnnotation { return table("webhook_recoveries") }

func (WebhookRecovery) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.Time("since").Optional().Nillable().Immutable().Comment("deliveries made before are left alone"),
			// Not a foreign key: the endpoint may be deleted before the job runs.
			field.Int("endpoint_id").Optional().Nillable().Immutable().Comment("only those to this endpoint"),
			field.String("event").Optional().Nillable().Immutable().Comment("only those of this kind of event"),
			field.Int("last_id").Immutable().Comment("id of the latest delivery when it was ordered: it goes up to there"),
			field.Int("cursor").Default(0).Comment("id of the latest delivery that was seen to"),
			field.Int("matched").Immutable().Comment("failed deliveries that were to be seen to when it was ordered"),
			field.Int("redelivered").Default(0),
			field.Int("skipped").Default(0).
				Comment("those that were repeated already, or whose endpoint is not active any more"),
			field.Enum("state").Values("RUNNING", "DONE", "CANCELLED").Default("RUNNING"),
			field.String("actor_kind").Immutable().Comment("who ordered it, as in the audit trail"),
			field.Int("actor_id").Optional().Nillable().Immutable(),
			field.String("actor_name").Immutable(),
			field.String("surface").Immutable(),
			field.String("request_id").Immutable(),
		},
		optTime("finished_at"),
	)
}

func (WebhookRecovery) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("id").Annotations(entsql.IndexWhere("finished_at IS NULL")).StorageKey("webhookrecovery_running"),
	}
}

// InboundEvent is an event from one of the tenant's own systems. It is kept whether or not it can be applied.
type InboundEvent struct{ ent.Schema }

func (InboundEvent) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (InboundEvent) Fields() []ent.Field {
	return join(
		[]ent.Field{
			field.String("source").Immutable(),
			field.String("external_id").Immutable().Comment("the sender's eventId or id"),
			field.Bytes("dedupe_key").Optional().
				Comment("SHA-256 of source and external_id; cleared after 30 days, when a repeat counts as new"),
			field.JSON("payload", json.RawMessage{}).Immutable(),
			field.Enum("state").Values("RECEIVED", "APPLIED", "FAILED").Default("RECEIVED").
				Comment("an event of an unknown source stays RECEIVED"),
			field.Time("received_at").Immutable(),
		},
		text("error"),
		optTime("applied_at"),
		reference("deal_id", "merchant_id"),
	)
}

func (InboundEvent) Edges() []ent.Edge {
	return []ent.Edge{
		toOne("deal", Deal.Type),
		toOne("merchant", Merchant.Type),
	}
}

func (InboundEvent) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "dedupe_key").Unique(),
		index.Fields("tenant_id", "state", "id"),
		index.Fields("tenant_id", "deal_id", "id"),
		index.Fields("tenant_id", "merchant_id", "id"),
		// Events whose repeats are still detected, oldest first, across tenants: for retention.
		index.Fields("received_at").
			Annotations(entsql.IndexWhere("dedupe_key IS NOT NULL")).StorageKey("inboundevent_remembered"),
	}
}
