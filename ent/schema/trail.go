package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// AuditEntry is the record of one write: who did what to which record, its state before and after, and what
// else changed with it.
type AuditEntry struct{ ent.Schema }

func (AuditEntry) Mixin() []ent.Mixin { return fact() }

func (AuditEntry) Annotations() []schemaAnnotation { return table("audit_entries") }

func (AuditEntry) Fields() []ent.Field {
	return []ent.Field{
		field.String("actor_kind").Immutable().Comment("KEY, USER, MERCHANT, SYSTEM or OPERATOR"),
		field.Int("actor_id").Optional().Nillable().Immutable().Comment("id of the key or user"),
		field.String("actor_name").Immutable(),
		field.String("surface").
			Immutable().
			Comment("REST, GRAPHQL, RPC, CLI, INBOUND, SIGN_IN, OFFER_PAGE, APPLICATION_PAGE or SYSTEM"),
		field.String("action").Immutable().Comment("record and verb: deal.update"),
		field.String("entity").Immutable().Comment("singular name of the record: deal"),
		field.Int("entity_id").Immutable(),
		field.Int("deal_id").Optional().Nillable().Immutable().Comment("the deal it concerns, for that deal's history"),
		field.String("request_id").Immutable(),
		field.JSON("before", json.RawMessage{}).Optional().Immutable(),
		field.JSON("after", json.RawMessage{}).Optional().Immutable(),
		field.JSON("effects", json.RawMessage{}).Optional().Immutable().
			Comment("other records the write made or changed: [{entity, ids, change}]"),
	}
}

func (AuditEntry) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "entity", "entity_id", "id"),
		index.Fields("tenant_id", "deal_id", "id"),
	}
}

// OutboxEvent is an event for webhook endpoints. It is written in the transaction of the write that caused it.
type OutboxEvent struct{ ent.Schema }

func (OutboxEvent) Mixin() []ent.Mixin { return []ent.Mixin{owned{}} }

func (OutboxEvent) Fields() []ent.Field {
	return []ent.Field{
		field.String("event").Immutable(),
		field.Int("version").Default(1).Immutable(),
		field.Time("occurred_at").Immutable(),
		field.JSON("data", json.RawMessage{}).Immutable(),
		field.String("entity").Immutable(),
		field.Int("entity_id").Immutable(),
		field.Time("fanned_out_at").Optional().Nillable().Comment("when its deliveries were made; null while it waits"),
	}
}

func (OutboxEvent) Indexes() []ent.Index {
	return []ent.Index{
		// Events to be fanned out: to find the tenants that have some, and each tenant's in order.
		index.Fields("tenant_id", "id").
			Annotations(entsql.IndexWhere("fanned_out_at IS NULL")).
			StorageKey("outboxevent_waiting"),
		index.Fields("tenant_id", "entity", "entity_id", "id"),
	}
}

// IdempotencyRecord is the stored answer to a POST with an Idempotency-Key, committed with the write.
type IdempotencyRecord struct{ ent.Schema }

func (IdempotencyRecord) Mixin() []ent.Mixin { return fact() }

func (IdempotencyRecord) Fields() []ent.Field {
	return []ent.Field{
		field.Bytes("claim").Immutable().Comment("SHA-256 of key lineage, method, path, query and Idempotency-Key"),
		field.Bytes("body_hash").Immutable().Comment("SHA-256 of the request body's exact bytes"),
		field.Int("status").Immutable(),
		field.Bytes("body").Immutable().Comment("the answer's body"),
		field.Bool("sealed").Default(false).Immutable().
			Comment("the body holds a one-time secret and is encrypted under the secret key"),
	}
}

func (IdempotencyRecord) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "claim").Unique(),
		index.Fields("created_at"),
	}
}
