package store_test

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"testing"

	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"

	"paydown/ent"
	"paydown/ent/migrate"
)

// kind is one kind of record, with the code that Ent generates for it.
type kind struct {
	ent.Record
	table *schema.Table
}

// shared are the kinds that belong to no tenant; every other one must.
var shared = []string{
	ent.TypeTenant,
	ent.TypeChangeMark,
	ent.TypeJobLease,
	ent.TypeLoginThrottle,
	ent.TypeAdminToken,
	ent.TypeRateWindow,
	ent.TypeSecretKey,
}

func kindOf(name string) kind {
	k := kind{Record: ent.Records[name]}
	for _, table := range migrate.Tables {
		if table.Name == k.Table {
			k.table = table
		}
	}
	return k
}

// kinds are all of them.
func kinds() []kind {
	var all []kind
	for _, name := range slices.Sorted(maps.Keys(ent.Records)) {
		all = append(all, kindOf(name))
	}
	return all
}

// ownedKinds are those that belong to tenants.
func ownedKinds(t *testing.T) []kind {
	t.Helper()
	var owned []kind
	for _, k := range kinds() {
		if k.Owned == slices.Contains(shared, k.Name) {
			t.Fatalf("%s: is it a tenant's? Its schema and this test differ", k.Name)
		}
		if k.Owned {
			owned = append(owned, k)
		}
	}
	if len(migrate.Tables) != len(ent.Records) || len(owned)+len(shared) != len(ent.Records) {
		t.Fatalf(
			"%d kinds of records, %d tables, %d kinds that are tenants'", len(ent.Records), len(migrate.Tables), len(owned),
		)
	}
	return owned
}

// The client describes enumerations like the schema, because the server does not contain the schema.
func TestRecordsKnowTheirEnumerations(t *testing.T) {
	for _, k := range kinds() {
		for _, column := range k.columns() {
			if !slices.Equal(k.Enums[column.Name], column.Enums) {
				t.Errorf("%s.%s is one of %v, and of %v in the schema", k.Table, column.Name, k.Enums[column.Name], column.Enums)
			}
		}
	}
}

func (k kind) columns() []*schema.Column { return k.table.Columns }

// parent is the kind that a column refers to.
func (k kind) parent(column string) (kind, bool) {
	for edge, c := range k.Columns {
		if c == column {
			return kindOf(k.Targets[edge]), true
		}
	}
	return kind{}, false
}

// goType is the type of the record's field for a column; nil if the field is not in JSON.
func (k kind) goType(column string) reflect.Type {
	client, _ := reflect.TypeFor[ent.Client]().FieldByName(k.Name)
	create, _ := client.Type.MethodByName("Create")
	save, _ := create.Type.Out(0).MethodByName("Save")
	entity := save.Type.Out(0).Elem()
	for f := range entity.Fields() {
		if name := f.Tag.Get("json"); name == column+",omitempty" || name == column {
			if f.Type.Kind() == reflect.Pointer {
				return f.Type.Elem()
			}
			return f.Type
		}
	}
	return nil
}

// builder is Ent's generated builder for creating, updating, deleting or querying records of a kind.
type builder struct{ v reflect.Value }

func (k kind) client(c *ent.Client) reflect.Value {
	return reflect.ValueOf(c).Elem().FieldByName(k.Name)
}

func (k kind) builder(c *ent.Client, method string, args ...any) builder {
	return builder{call(k.client(c), method, args...)[0]}
}

func (k kind) create(c *ent.Client) builder { return k.builder(c, "Create") }
func (k kind) query(c *ent.Client) builder  { return k.builder(c, "Query") }
func (k kind) update(c *ent.Client) builder { return k.builder(c, "Update") }
func (k kind) delete(c *ent.Client) builder { return k.builder(c, "Delete") }

func (k kind) updateOneID(c *ent.Client, id int) builder { return k.builder(c, "UpdateOneID", id) }
func (k kind) deleteOneID(c *ent.Client, id int) builder { return k.builder(c, "DeleteOneID", id) }

// get returns the record with an id, as a pointer.
func (k kind) get(ctx context.Context, c *ent.Client, id int) (reflect.Value, error) {
	return result(call(k.client(c), "Get", ctx, id))
}

// where restricts a builder to one id.
func (b builder) where(id int) builder {
	return b.filter(func(s *entsql.Selector) { s.Where(entsql.EQ(s.C("id"), id)) })
}

func (b builder) filter(p func(*entsql.Selector)) builder {
	method := b.v.MethodByName("Where")
	return builder{method.Call([]reflect.Value{reflect.ValueOf(p).Convert(method.Type().In(0).Elem())})[0]}
}

func (b builder) mutation() ent.Mutation {
	return call(b.v, "Mutation")[0].Interface().(ent.Mutation)
}

func (b builder) save(ctx context.Context) (reflect.Value, error) {
	return result(call(b.v, "Save", ctx))
}

// count runs a bulk update or delete, and returns the number of records.
func (b builder) count(ctx context.Context, method string) (int, error) {
	v, err := result(call(b.v, method, ctx))
	return int(v.Int()), err
}

// ids returns the ids of all records that a query finds.
func (b builder) ids(ctx context.Context) ([]int, error) {
	all, err := result(call(b.v, "All", ctx))
	return idsOf(all), err
}

func idOf(entity reflect.Value) int { return int(entity.Elem().FieldByName("ID").Int()) }

// idsOf are the ids in *ent.X or []*ent.X.
func idsOf(v reflect.Value) []int {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		return []int{idOf(v)}
	}
	var ids []int
	for i := range v.Len() {
		ids = append(ids, idOf(v.Index(i)))
	}
	return ids
}

// call calls a method by its name.
func call(on reflect.Value, method string, args ...any) []reflect.Value {
	m := on.MethodByName(method)
	if !m.IsValid() {
		panic(on.Type().String() + " has no method " + method)
	}
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		in[i] = reflect.ValueOf(arg)
	}
	return m.Call(in)
}

// result splits a value from its error.
func result(out []reflect.Value) (reflect.Value, error) {
	err, _ := reflect.TypeAssert[error](out[1])
	return out[0], err
}
