package schema

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"paydown/internal/civil"
	"paydown/internal/money"
)

// The column types of exact values. On SQLite `decimal` has numeric affinity: values sort, compare and are
// returned exactly up to 15 significant digits, which suffices for both types.
var (
	amountColumn = map[string]string{dialect.Postgres: "numeric(14,2)", dialect.SQLite: "decimal(14,2)"}
	rateColumn   = map[string]string{dialect.Postgres: "numeric(15,6)", dialect.SQLite: "decimal(15,6)"}
	dateColumn   = map[string]string{dialect.Postgres: "date", dialect.SQLite: "date"}
)

// amount is a required sum of money, optAmount an optional one.
func amount(name string) ent.Field {
	return field.Other(name, money.Amount{}).SchemaType(amountColumn)
}

func optAmount(name string) ent.Field {
	return field.Other(name, money.Amount{}).SchemaType(amountColumn).Optional().Nillable()
}

// rate is a required factor, percentage or basis value, optRate an optional one.
func rate(name string) ent.Field {
	return field.Other(name, money.Rate{}).SchemaType(rateColumn)
}

func optRate(name string) ent.Field {
	return field.Other(name, money.Rate{}).SchemaType(rateColumn).Optional().Nillable()
}

// date is a required calendar day, optDate an optional one.
func date(name string) ent.Field {
	return field.Other(name, civil.Date{}).SchemaType(dateColumn)
}

func optDate(name string) ent.Field {
	return field.Other(name, civil.Date{}).SchemaType(dateColumn).Optional().Nillable()
}

// text is an optional string of any length that the service allows (500 characters by default).
func text(names ...string) []ent.Field {
	return each(names, func(n string) ent.Field { return field.String(n).Optional().Nillable() })
}

// optInt, optTime, optAmounts, optRates and flags declare several optional columns of one kind.
func optInt(names ...string) []ent.Field {
	return each(names, func(n string) ent.Field { return field.Int(n).Optional().Nillable() })
}

func optTime(names ...string) []ent.Field {
	return each(names, func(n string) ent.Field { return field.Time(n).Optional().Nillable() })
}

func optAmounts(names ...string) []ent.Field { return each(names, optAmount) }

func optRates(names ...string) []ent.Field { return each(names, optRate) }

func flags(names ...string) []ent.Field {
	return each(names, func(n string) ent.Field { return field.Bool(n).Default(false) })
}

// object is an optional JSON value whose content the product does not query.
func object(names ...string) []ent.Field {
	return each(names, func(n string) ent.Field { return field.JSON(n, json.RawMessage{}).Optional() })
}

// reference is an optional id of another record, with its edge (see toOne).
func reference(names ...string) []ent.Field { return optInt(names...) }

func each(names []string, column func(string) ent.Field) []ent.Field {
	fields := make([]ent.Field, 0, len(names))
	for _, n := range names {
		fields = append(fields, column(n))
	}
	return fields
}

// join concatenates groups of fields.
func join(groups ...[]ent.Field) []ent.Field {
	var all []ent.Field
	for _, g := range groups {
		all = append(all, g...)
	}
	return all
}

// toOne is the edge of an optional reference: the column `name`_id points at one record of the given type. A
// referenced record cannot be deleted; the service answers 409 before the database would refuse.
func toOne(name string, target any) ent.Edge {
	return edge.To(name, target).Unique().Field(name + "_id").Annotations(entsql.OnDelete(entsql.Restrict))
}

// parent is the edge of a required reference that never changes.
func parent(name string, target any) ent.Edge {
	return edge.To(name, target).Unique().Required().Immutable().Field(name + "_id").
		Annotations(entsql.OnDelete(entsql.Restrict))
}
