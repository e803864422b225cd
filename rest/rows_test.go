package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"paydown/ent"
	"paydown/ent/migrate"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service"
	"paydown/internal/store"
)

// rows makes records of a tenant behind the services: of kinds that no operation makes, or as none would make them. A
// kind is the name of an Ent type.
type rows struct {
	app     *apptest.App
	host    string
	made    int
	parents map[string]int // the record of a kind that new rows point at, where they must point at one
	oneDeal bool           // new rows share the deal; else each that needs one has its own
}

func newRows(a *apptest.App, host string) *rows {
	return &rows{app: a, host: host, parents: map[string]int{}}
}

// values are columns with what they are to hold; nil leaves a column empty.
type values map[string]any

// write opens a transaction of the tenant.
func (r *rows) write(tb testing.TB, work func(ctx context.Context, tx *store.Tx) error) {
	tb.Helper()
	behind(tb, r.app, r.host, work)
}

// one is the tenant's record of a kind that tests refer to; the first call makes it.
func (r *rows) one(tb testing.TB, kind string) int {
	tb.Helper()
	if id, ok := r.parents[kind]; ok {
		return id
	}
	r.write(tb, func(ctx context.Context, tx *store.Tx) error {
		id, err := r.add(ctx, tx, kind, nil)
		r.parents[kind] = id
		return err
	})
	return r.parents[kind]
}

// alwaysThere are columns that the schema lets be empty and no service leaves so.
var alwaysThere = map[string]values{ent.TypeDecisionResult: {"metrics": json.RawMessage(`{"n":1}`)}}

// add makes a record; columns that have to hold something and are not given are filled.
func (r *rows) add(ctx context.Context, tx *store.Tx, kind string, given values) (int, error) {
	b := call(clientOf(tx, kind), "Create")
	mutation := call(b, "Mutation").Interface().(ent.Mutation)
	full := maps.Clone(alwaysThere[kind])
	if full == nil {
		full = values{}
	}
	maps.Copy(full, given)
	for _, c := range tableOf(kind).Columns {
		value, ok := full[c.Name]
		switch {
		case ok && value == nil, c.Name == "id", c.Name == "tenant_id", !ok && (c.Nullable || c.Default != nil):
			continue
		case !ok:
			var err error
			if value, err = r.needed(ctx, tx, kind, c); err != nil {
				return 0, err
			}
		}
		if err := mutation.SetField(c.Name, fitting(kind, c.Name, value)); err != nil {
			return 0, fmt.Errorf("%s.%s: %w", kind, c.Name, err)
		}
	}
	entity, err := saved(ctx, b)
	if err != nil {
		return 0, fmt.Errorf("make %s: %w", kind, err)
	}
	return entity, nil
}

// change sets columns of a record.
func (r *rows) change(ctx context.Context, tx *store.Tx, kind string, id int, given values) error {
	b := call(clientOf(tx, kind), "UpdateOneID", id)
	mutation := call(b, "Mutation").Interface().(ent.Mutation)
	for column, value := range given {
		var err error
		if value == nil {
			err = mutation.ClearField(column)
		} else {
			err = mutation.SetField(column, fitting(kind, column, value))
		}
		if err != nil {
			return fmt.Errorf("%s.%s: %w", kind, column, err)
		}
	}
	_, err := saved(ctx, b)
	return err
}

// drop deletes a record.
func (r *rows) drop(ctx context.Context, tx *store.Tx, kind string, id int) error {
	err, _ := reflect.TypeAssert[error](call(call(clientOf(tx, kind), "DeleteOneID", id), "Exec", ctx))
	return err
}

// needed is a value for a column that must hold one: the record that it points at, or anything of its type.
func (r *rows) needed(ctx context.Context, tx *store.Tx, kind string, c *schema.Column) (any, error) {
	record := ent.Records[kind]
	for edge, column := range record.Columns {
		if column != c.Name {
			continue
		}
		parent := record.Targets[edge]
		if id, ok := r.parents[parent]; ok && (parent != ent.TypeDeal || r.oneDeal) { // of some records a deal has but one
			return id, nil
		}
		id, err := r.add(ctx, tx, parent, nil)
		r.parents[parent] = id
		return id, err
	}
	r.made++
	return sample(kind, c, r.made), nil
}

// sample is the nth value of a column: samples of different numbers differ where the type has enough values.
func sample(kind string, c *schema.Column, n int) any {
	t := goTypeOf(kind, c.Name)
	if e, ok := reflect.TypeAssert[service.Enum](reflect.Zero(t)); ok {
		return e.Values()[n%len(e.Values())]
	}
	if len(c.Enums) > 0 {
		return c.Enums[n%len(c.Enums)]
	}
	switch t {
	case reflect.TypeFor[money.Amount]():
		return money.Cents(int64(n) * 1001)
	case reflect.TypeFor[money.Rate]():
		return money.MustRate(strconv.Itoa(n))
	case reflect.TypeFor[civil.Date]():
		return civil.Must("2026-01-01").AddDays(n)
	case reflect.TypeFor[json.RawMessage]():
		return json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))
	case reflect.TypeFor[time.Time]():
		return monday.Add(time.Duration(n) * 1001 * time.Millisecond)
	}
	switch t.Kind() {
	case reflect.Bool:
		return n%2 == 1
	case reflect.Int, reflect.Int64:
		return n
	case reflect.Slice:
		return reflect.MakeSlice(t, 0, 0).Interface()
	default:
		return fmt.Sprintf("%s %d", strings.ReplaceAll(c.Name, "_", " "), n)
	}
}

// fitting is a value as the type that the record's field has.
func fitting(kind, column string, value any) any {
	t := goTypeOf(kind, column)
	if v := reflect.ValueOf(value); v.CanConvert(t) {
		return v.Convert(t).Interface()
	}
	return value
}

// goTypeOf is the type of the record's field that holds a column; of one that is kept out of JSON, that of the column.
func goTypeOf(kind, column string) reflect.Type {
	client, _ := reflect.TypeFor[store.Tx]().FieldByName(kind)
	create, _ := client.Type.MethodByName("Create")
	save, _ := create.Type.Out(0).MethodByName("Save")
	for f := range save.Type.Out(0).Elem().Fields() {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != column {
			continue
		}
		if f.Type.Kind() == reflect.Pointer {
			return f.Type.Elem()
		}
		return f.Type
	}
	if columnOf(kind, column).Type == field.TypeBytes {
		return reflect.TypeFor[[]byte]()
	}
	return reflect.TypeFor[string]()
}

func tableOf(kind string) *schema.Table {
	i := slices.IndexFunc(migrate.Tables, func(t *schema.Table) bool { return t.Name == ent.Records[kind].Table })
	return migrate.Tables[i]
}

func columnOf(kind, column string) *schema.Column {
	c, _ := tableOf(kind).Column(column)
	return c
}

func clientOf(tx *store.Tx, kind string) reflect.Value {
	return reflect.ValueOf(tx.Client).Elem().FieldByName(kind)
}

// call calls a method by its name and returns its first result.
func call(on reflect.Value, method string, args ...any) reflect.Value {
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		in[i] = reflect.ValueOf(arg)
	}
	return on.MethodByName(method).Call(in)[0]
}

// saved saves what a builder holds and returns the record's id.
func saved(ctx context.Context, builder reflect.Value) (int, error) {
	out := builder.MethodByName("Save").Call([]reflect.Value{reflect.ValueOf(ctx)})
	if err, failed := reflect.TypeAssert[error](out[1]); failed && err != nil {
		return 0, err
	}
	return int(out[0].Elem().FieldByName("ID").Int()), nil
}
