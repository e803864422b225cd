package apptest

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
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
	entmigrate "paydown/ent/migrate"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service"
	"paydown/internal/store"
)

// Rows creates records of a tenant directly in the database: of kinds, or in states, that no operation creates.
// A kind is the name of an Ent type.
type Rows struct {
	app     *App
	Host    string
	made    int
	Parents map[string]int // by kind, the record that new rows refer to where a reference is required
	// OneDeal makes new rows share one deal; otherwise each that needs a deal gets its own.
	OneDeal bool
}

// NewRows returns the Rows of a tenant.
func NewRows(a *App, host string) *Rows {
	return &Rows{app: a, Host: host, Parents: map[string]int{}}
}

// Values are columns with their values; nil leaves a column empty.
type Values map[string]any

// Write runs work in a transaction of the tenant.
func (r *Rows) Write(tb testing.TB, work func(ctx context.Context, tx *store.Tx) error) {
	tb.Helper()
	if err := r.app.Store.Write(r.app.Operator(tb, r.Host), work); err != nil {
		tb.Fatal(err)
	}
}

// One returns the tenant's record of a kind that tests refer to; the first call creates it.
func (r *Rows) One(tb testing.TB, kind string) int {
	tb.Helper()
	if id, ok := r.Parents[kind]; ok {
		return id
	}
	r.Write(tb, func(ctx context.Context, tx *store.Tx) error {
		id, err := r.Add(ctx, tx, kind, nil)
		r.Parents[kind] = id
		return err
	})
	return r.Parents[kind]
}

// alwaysThere are columns that are optional in the schema but always set by services, and columns that need a
// specific value.
var alwaysThere = map[string]Values{
	ent.TypeDecisionResult:   {"metrics": json.RawMessage(`{"n":1}`)},
	ent.TypeBankAccountToken: {"last4": "6789"},
}

// Add creates a record; required columns that are not given are filled.
func (r *Rows) Add(ctx context.Context, tx *store.Tx, kind string, given Values) (int, error) {
	b := call(clientOf(tx, kind), "Create")
	mutation := call(b, "Mutation").Interface().(ent.Mutation)
	full := maps.Clone(alwaysThere[kind])
	if full == nil {
		full = Values{}
	}
	maps.Copy(full, given)
	for _, c := range TableOf(kind).Columns {
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
	if kind == ent.TypeJournal {
		err = balance(ctx, tx, entity)
	}
	return entity, err
}

// balance adds the two postings without which the database refuses a ledger entry.
func balance(ctx context.Context, tx *store.Tx, journalID int) error {
	j, err := tx.Journal.Get(ctx, journalID)
	if err != nil {
		return err
	}
	line := func(amount string) *ent.PostingCreate {
		return tx.Posting.Create().SetJournalID(j.ID).SetAccount("1000").SetKind(j.Kind).SetAmount(money.Must(amount))
	}
	return tx.Posting.CreateBulk(line("1.00"), line("-1.00")).Exec(ctx)
}

// Change sets columns of a record.
func (r *Rows) Change(ctx context.Context, tx *store.Tx, kind string, id int, given Values) error {
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

// Drop deletes a record.
func (r *Rows) Drop(ctx context.Context, tx *store.Tx, kind string, id int) error {
	err, _ := reflect.TypeAssert[error](call(call(clientOf(tx, kind), "DeleteOneID", id), "Exec", ctx))
	return err
}

// needed returns a value for a required column: the record that it refers to, or any value of its type.
func (r *Rows) needed(ctx context.Context, tx *store.Tx, kind string, c *schema.Column) (any, error) {
	record := ent.Records[kind]
	for edge, column := range record.Columns {
		if column != c.Name {
			continue
		}
		parent := record.Targets[edge]
		if id, ok := r.Parents[parent]; ok && (parent != ent.TypeDeal || r.OneDeal) { // some records exist once per deal
			return id, nil
		}
		id, err := r.Add(ctx, tx, parent, nil)
		r.Parents[parent] = id
		return id, err
	}
	if kind == ent.TypeJournal && c.Name == "line_count" {
		return 2, nil
	}
	r.made++
	return sample(kind, c, r.made), nil
}

// sample returns the nth value of a column: samples differ if the type has enough values.
func sample(kind string, c *schema.Column, n int) any {
	t := TypeOf(kind, c.Name)
	if e, ok := reflect.TypeAssert[service.Enum](reflect.Zero(t)); ok {
		return e.Values()[n%len(e.Values())]
	}
	if len(c.Enums) > 0 {
		return c.Enums[n%len(c.Enums)]
	}
	if c.Name == "token_hash" { // unique across tenants, and of fixed length
		hash := sha256.Sum256([]byte(rand.Text()))
		return hash[:]
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

// fitting converts a value to the type of the record's field.
func fitting(kind, column string, value any) any {
	t := TypeOf(kind, column)
	if v := reflect.ValueOf(value); v.CanConvert(t) {
		return v.Convert(t).Interface()
	}
	return value
}

// TypeOf returns the type of the record's field for a column, or the column's type if the field is not in the
// JSON form.
func TypeOf(kind, column string) reflect.Type {
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
	if ColumnOf(kind, column).Type == field.TypeBytes {
		return reflect.TypeFor[[]byte]()
	}
	return reflect.TypeFor[string]()
}

// TableOf returns the table of a kind.
func TableOf(kind string) *schema.Table {
	i := slices.IndexFunc(entmigrate.Tables, func(t *schema.Table) bool { return t.Name == ent.Records[kind].Table })
	return entmigrate.Tables[i]
}

// ColumnOf returns a column of a kind.
func ColumnOf(kind, column string) *schema.Column {
	c, _ := TableOf(kind).Column(column)
	return c
}

func clientOf(tx *store.Tx, kind string) reflect.Value {
	return reflect.ValueOf(tx.Client).Elem().FieldByName(kind)
}

// call calls a method by name and returns its first result.
func call(on reflect.Value, method string, args ...any) reflect.Value {
	in := make([]reflect.Value, len(args))
	for i, arg := range args {
		in[i] = reflect.ValueOf(arg)
	}
	return on.MethodByName(method).Call(in)[0]
}

// saved saves a builder's record and returns the record's id.
func saved(ctx context.Context, builder reflect.Value) (int, error) {
	out := builder.MethodByName("Save").Call([]reflect.Value{reflect.ValueOf(ctx)})
	if err, failed := reflect.TypeAssert[error](out[1]); failed && err != nil {
		return 0, err
	}
	return int(out[0].Elem().FieldByName("ID").Int()), nil
}

// monday is the first of the sample times.
var monday = time.Date(2026, time.January, 5, 14, 0, 0, 0, time.UTC)
