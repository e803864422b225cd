// Package schema is the data model: fields, edges, indexes and enumerations of every record, and nothing else.
// Enumerations that a domain package uses are declared there; the others are declared with their record.
package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"entgo.io/ent/schema/mixin"
)

// owned marks a record as owned by one tenant. Package store confines every query and write of such a record to
// the actor's tenant, and sets the column. Unique indexes of an owned record start with tenant_id.
type owned struct{ mixin.Schema }

func (owned) Fields() []ent.Field {
	return []ent.Field{field.Int("tenant_id").Immutable()}
}

func (owned) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("tenant", Tenant.Type).Unique().Required().Immutable().Field("tenant_id").
			Annotations(entsql.OnDelete(entsql.Restrict)),
	}
}

// Annotations omits loaded edges from a record's JSON form, which the audit trail stores.
func (owned) Annotations() []schema.Annotation {
	return []schema.Annotation{edge.Annotation{StructTag: `json:"-"`}}
}

func (owned) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "id")}
}

// created is the time of creation, set by package store from the injected clock.
type created struct{ mixin.Schema }

func (created) Fields() []ent.Field {
	return []ent.Field{field.Time("created_at").Immutable().Default(time.Now)}
}

// updated is the time of the last change, set by package store from the injected clock.
type updated struct{ mixin.Schema }

func (updated) Fields() []ent.Field {
	return []ent.Field{field.Time("updated_at").Default(time.Now)}
}

// listed gives a resource of the public API the indexes for its common sort fields and date filters.
type listed struct{ mixin.Schema }

func (listed) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("tenant_id", "created_at", "id"),
		index.Fields("tenant_id", "updated_at", "id"),
	}
}

// listedOnce is listed for a resource that never changes and so has no updated_at.
type listedOnce struct{ mixin.Schema }

func (listedOnce) Indexes() []ent.Index {
	return []ent.Index{index.Fields("tenant_id", "created_at", "id")}
}

// resource is for most records: owned, created and updated, and listed by the public API.
func resource() []ent.Mixin { return []ent.Mixin{owned{}, created{}, updated{}, listed{}} }

// record is for an inner record: owned, created and updated, without a public list.
func record() []ent.Mixin { return []ent.Mixin{owned{}, created{}, updated{}} }

// fact is for an inner record that is written once: owned and created.
func fact() []ent.Mixin { return []ent.Mixin{owned{}, created{}} }

// table sets the table of a record whose plural the generator would get wrong.
type schemaAnnotation = schema.Annotation

func table(name string) []schemaAnnotation { return []schemaAnnotation{entsql.Table(name)} }

// sorted returns the indexes for the resource's own sort fields: the keyset (tenant, field, id).
func sorted(fields ...string) []ent.Index {
	var indexes []ent.Index
	for _, f := range fields {
		indexes = append(indexes, index.Fields("tenant_id", f, "id"))
	}
	return indexes
}
