package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/store"
)

// onBoth runs a test on a new, migrated database of each kind; db opens the same database directly.
func onBoth(t *testing.T, test func(t *testing.T, s *store.Store, db *sql.DB)) {
	t.Helper()
	for name, url := range map[string]func(testing.TB) string{
		"SQLite": apptest.SQLiteURL, "PostgreSQL": apptest.MigratedPostgres,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, db := migrated(t, url(t))
			test(t, s, db)
		})
	}
}

// world is two tenants, each with a record of every kind.
type world struct {
	s    *store.Store
	db   *sql.DB
	a, b *owner
}

// owner is one of them.
type owner struct {
	id   int
	ctx  context.Context
	rows map[string]int // id of a record, by the name of its kind
	made *int           // values so far, so that no two are alike

	claims int // the tenant that its records are made for, if that were up to it
}

func newWorld(t *testing.T, s *store.Store, db *sql.DB) *world {
	t.Helper()
	w := &world{s: s, db: db}
	made := 0
	w.a, w.b = newOwner(t, s, "a.test", &made), newOwner(t, s, "b.test", &made)
	w.a.makeAll(t, s)
	w.b.makeAll(t, s)
	return w
}

func (o *owner) makeAll(t *testing.T, s *store.Store) {
	t.Helper()
	err := s.Write(o.ctx, func(ctx context.Context, tx *store.Tx) error {
		for _, k := range ownedKinds(t) {
			if _, err := o.row(ctx, tx, k); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func newOwner(t *testing.T, s *store.Store, host string, made *int) *owner {
	t.Helper()
	o := &owner{rows: map[string]int{}, made: made}
	err := s.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
		tenant, err := tx.Tenant.Create().SetName(host).SetHost(host).Save(ctx)
		if err == nil {
			o.id = tenant.ID
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	o.ctx = auth.AsSystem(t.Context(), o.id, time.UTC, "test")
	return o
}

// row returns the owner's record of a kind; the first call creates it, with the records it requires.
func (o *owner) row(ctx context.Context, tx *store.Tx, k kind) (int, error) {
	if id, ok := o.rows[k.Name]; ok {
		return id, nil
	}
	if k.Name == ent.TypePosting { // comes with its journal
		_, err := o.row(ctx, tx, kindOf(ent.TypeJournal))
		return o.rows[k.Name], err
	}
	b := k.create(tx.Client)
	if err := o.fill(ctx, tx, k, b); err != nil {
		return 0, err
	}
	if o.claims != 0 {
		call(b.v, "SetTenantID", o.claims)
	}
	entity, err := b.save(ctx)
	if err != nil {
		return 0, fmt.Errorf("make %s: %w", k.Name, err)
	}
	o.rows[k.Name] = idOf(entity)
	if k.Name == ent.TypeJournal {
		err = o.postings(ctx, tx, entity.Interface().(*ent.Journal))
	}
	return idOf(entity), err
}

// postings adds the two postings that balance a journal.
func (o *owner) postings(ctx context.Context, tx *store.Tx, j *ent.Journal) error {
	for _, amount := range []string{"1.00", "-1.00"} {
		p, err := tx.Posting.Create().
			SetJournalID(j.ID).
			SetAccount("1000").
			SetKind(j.Kind).
			SetAmount(money.Must(amount)).
			Save(ctx)
		if err != nil {
			return fmt.Errorf("make a posting: %w", err)
		}
		o.rows[ent.TypePosting] = p.ID
	}
	return nil
}

// fill sets every required field of a record: columns of every type, and the edges to its parents.
func (o *owner) fill(ctx context.Context, tx *store.Tx, k kind, b builder) error {
	m := b.mutation()
	for _, c := range k.columns() {
		if c.Nullable || c.Default != nil || c.Name == "id" || c.Name == "tenant_id" {
			continue
		}
		var value any
		if parent, ok := k.parent(c.Name); ok {
			id, err := o.row(ctx, tx, parent)
			if err != nil {
				return err
			}
			value = id
		} else {
			value = o.value(k, c)
		}
		if err := m.SetField(c.Name, value); err != nil {
			return fmt.Errorf("fill %s: %w", k.Name, err)
		}
	}
	return nil
}

// value returns a value that the column accepts, and that no other call returns if the type has enough values.
func (o *owner) value(k kind, c *schema.Column) any {
	*o.made++
	n := *o.made
	as := func(v any) any { // of the type that the record's field has
		if goType := k.goType(c.Name); goType != nil {
			return reflect.ValueOf(v).Convert(goType).Interface()
		}
		return v // a field that is kept out of JSON is a plain string or bytes
	}
	switch c.Type {
	case field.TypeEnum:
		return as(c.Enums[n%len(c.Enums)])
	case field.TypeString:
		return as(strconv.Itoa(n))
	case field.TypeBytes:
		return []byte(strconv.Itoa(n))
	case field.TypeInt:
		if k.Name == ent.TypeJournal && c.Name == "line_count" {
			return 2
		}
		return n
	case field.TypeInt64:
		return int64(n)
	case field.TypeBool:
		return true
	case field.TypeTime:
		return time.Date(2026, time.January, 5, 15, 0, n, 0, time.UTC)
	default: // JSON and the types of this module
	}
	switch goType := k.goType(c.Name); goType {
	case reflect.TypeFor[money.Amount]():
		return money.Cents(int64(n))
	case reflect.TypeFor[money.Rate]():
		return money.MustRate(strconv.Itoa(n))
	case reflect.TypeFor[civil.Date]():
		return civil.Of(2026, time.January, n)
	case reflect.TypeFor[json.RawMessage]():
		return json.RawMessage(fmt.Sprintf(`{"n":%d}`, n))
	case nil: // JSON that is kept out of JSON is a list of hashes
		return []string{strconv.Itoa(n)}
	default:
		return reflect.MakeSlice(goType, 0, 0).Interface()
	}
}
