// Package engine executes operations of the GraphQL schema. Each operation is compiled once into a plan: the selected
// fields of each type, and how to write them. Executing the plan writes the response into one buffer. Fields that a
// record already has are written directly; only fields with a resolver, a guard or arguments get a context.
//
// Errors and nulls follow the specification, as in gqlgen's own executor: an error makes its field null, and null in a
// field that must not be null makes the object around it null.
package engine

import "context"

// Type is an object type of the schema.
type Type struct {
	Name   string
	Fields []Field
}

func (t *Type) field(name string) *Field {
	for i := range t.Fields {
		if t.Fields[i].Name == name {
			return &t.Fields[i]
		}
	}
	panic("engine: " + t.Name + " has no field " + name) // validation has refused unknown fields
}

// Field is a field of an object type. It has Plain, Resolve or Stream. A function that writes a value returns false if
// it wrote nothing because the value is null.
type Field struct {
	Name    string
	NonNull bool
	// Of is the object type of the values, or "" for scalars and enums.
	Of string
	// Plain writes a value that the object has.
	Plain func(at *Place, obj any) bool
	// Computed says that Plain calls a method, which may panic.
	Computed bool
	// Resolve gets the value from a resolver and writes it with Done.
	Resolve func(c *Call, obj any) bool
	// Stream subscribes to events.
	Stream func(c *Call) (Events, error)
	// Args reads the arguments, of a field that has some.
	Args func(ctx context.Context, raw map[string]any) (map[string]any, error)
	// Guard refuses a caller before anything of the field is read.
	Guard func(c *Call) error
	// Waits says that Resolve may wait for a database. Such fields of one object may be resolved at the same time.
	Waits bool
	// Absent reports that there is nothing to wait for in this object: a reference to no record.
	Absent func(obj any) bool
}

// Events writes the next event of a subscription. It returns false if there are no more, or the context ended first.
type Events func(ctx context.Context, at *Place) (more, written bool)

// EventsOf returns the events of a channel.
func EventsOf[T any](events <-chan T, write func(*Place, T) bool) Events {
	return func(ctx context.Context, at *Place) (more, written bool) {
		select {
		case event, open := <-events:
			return open, open && write(at, event)
		case <-ctx.Done():
			return false, false
		}
	}
}
