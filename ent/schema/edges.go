package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
)

// current is the edge of a required reference that may change, such as the status of a submission.
func current(name string, target any) ent.Edge {
	return edge.To(name, target).Unique().Required().Field(name + "_id").
		Annotations(entsql.OnDelete(entsql.Restrict))
}

// sameKind is the edge of an optional reference to a record of the same kind; back names the reverse edge.
// Without a reverse edge Ent would treat the edge as bidirectional and write both rows.
func sameKind(name, back string, target any) ent.Edge {
	return edge.To(back, target).Annotations(entsql.OnDelete(entsql.Restrict)).
		From(name).Unique().Field(name + "_id")
}

// settledSameKind is sameKind for a reference that is written once.
func settledSameKind(name, back string, target any) ent.Edge {
	return edge.To(back, target).Annotations(entsql.OnDelete(entsql.Restrict)).Immutable().
		From(name).Unique().Field(name + "_id").Immutable()
}

// settled is the edge of an optional reference that is written once; settledReference is its column.
func settled(name string, target any) ent.Edge {
	return edge.To(name, target).Unique().Immutable().Field(name + "_id").
		Annotations(entsql.OnDelete(entsql.Restrict))
}

func settledReference(names ...string) []ent.Field {
	return each(names, func(n string) ent.Field { return field.Int(n).Optional().Nillable().Immutable() })
}

// partOf is the edge of a record that is deleted with its parent.
func partOf(name string, target any) ent.Edge {
	return edge.To(name, target).Unique().Required().Immutable().Field(name + "_id").
		Annotations(entsql.OnDelete(entsql.Cascade))
}

// about is the edge of a record that may concern one of several others and is deleted with the one it concerns.
func about(name string, target any) ent.Edge {
	return edge.To(name, target).Unique().Immutable().Field(name + "_id").
		Annotations(entsql.OnDelete(entsql.Cascade))
}
