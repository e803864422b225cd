package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	entsql "entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/store"
)

func TestTenantsDoNotSeeEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		for _, k := range ownedKinds(t) {
			t.Run(k.Name, func(t *testing.T) { w.checkQueries(t, k) })
		}
	})
}

// checkQueries checks that b finds its own records of a kind by every kind of query, and a's by none.
func (w *world) checkQueries(t *testing.T, k kind) {
	ctx, client := w.b.ctx, w.s.Reader()
	foreign, own := w.a.rows[k.Name], w.b.rows[k.Name]
	if foreign == 0 || own == 0 || foreign == own {
		t.Fatalf("a has record %d and b %d", foreign, own)
	}
	if _, err := k.get(ctx, client, foreign); !ent.IsNotFound(err) {
		t.Errorf("Get: %v", err)
	}
	if entity, err := k.get(ctx, client, own); err != nil || idOf(entity) != own {
		t.Errorf("Get of its own: %v", err)
	}
	for _, method := range []string{"FirstID", "OnlyID", "First", "Only"} {
		if _, err := result(call(k.query(client).where(foreign).v, method, ctx)); !ent.IsNotFound(err) {
			t.Errorf("%s: %v", method, err)
		}
	}
	// The result of a query of everything, and of one for the id of a's record.
	for id, want := range map[int][]int{0: w.ids(t, k, w.b), foreign: nil} {
		query := func() builder {
			if id == 0 {
				return k.query(client)
			}
			return k.query(client).where(id)
		}
		if got, err := query().ids(ctx); err != nil || !sameIDs(got, want) {
			t.Errorf("All finds %v, want %v: %v", got, want, err)
		}
		got, err := result(call(query().v, "IDs", ctx))
		if err != nil || !sameIDs(got.Interface().([]int), want) {
			t.Errorf("IDs finds %v, want %v: %v", got, want, err)
		}
		if n, err := result(call(query().v, "Count", ctx)); err != nil || int(n.Int()) != len(want) {
			t.Errorf("Count is %v, want %d: %v", n, len(want), err)
		}
		if found, err := result(call(query().v, "Exist", ctx)); err != nil || found.Bool() != (len(want) > 0) {
			t.Errorf("Exist is %v: %v", found, err)
		}
		picked := call(query().v, "Select", "id")[0]
		if ids, err := result(call(picked, "Ints", ctx)); err != nil || !sameIDs(ids.Interface().([]int), want) {
			t.Errorf("Select finds %v, want %v: %v", ids, want, err)
		}
	}
}

func TestTenantsDoNotChangeEachOther(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		for _, k := range ownedKinds(t) {
			t.Run(k.Name, func(t *testing.T) {
				before := w.dump(t, k, w.a)
				w.checkUpdates(t, k)
				w.checkDeletes(t, k)
				if after := w.dump(t, k, w.a); after != before {
					t.Errorf("a has\n%s\nand had\n%s", after, before)
				}
			})
		}
	})
}

// checkUpdates tries to change a's record as b, in every way. It commits despite errors.
func (w *world) checkUpdates(t *testing.T, k kind) {
	foreign := w.a.rows[k.Name]
	entity, err := k.get(w.a.ctx, w.s.Reader(), foreign)
	if err != nil {
		t.Fatal(err)
	}
	for name, one := range map[string]func(*store.Tx) builder{
		"UpdateOneID": func(tx *store.Tx) builder { return k.updateOneID(tx.Client, foreign) },
		"UpdateOne":   func(tx *store.Tx) builder { return k.builder(tx.Client, "UpdateOne", entity.Interface()) },
	} {
		for _, change := range []bool{false, true} {
			err := w.write(t, w.b, func(ctx context.Context, tx *store.Tx) error {
				b := one(tx)
				if change {
					w.b.change(t, k, b)
				}
				_, err := b.save(ctx)
				return err
			})
			if !ent.IsNotFound(err) && !appendOnly(err) {
				t.Errorf("%s, with changes %t: %v", name, change, err)
			}
		}
	}
	for name, want := range map[string]int{"Update of one": 0, "Update of all": len(w.ids(t, k, w.b))} {
		var n int
		err := w.write(t, w.b, func(ctx context.Context, tx *store.Tx) (err error) {
			b := k.update(tx.Client)
			if want == 0 {
				b = b.where(foreign)
			}
			w.b.change(t, k, b)
			n, err = b.count(ctx, "Save")
			return err
		})
		// A kind without mutable fields is not written at all.
		if n != want && n != 0 || err != nil && !appendOnly(err) {
			t.Errorf("%s: %d records, want %d: %v", name, n, want, err)
		}
	}
}

func (w *world) checkDeletes(t *testing.T, k kind) {
	foreign := w.a.rows[k.Name]
	err := w.write(t, w.b, func(ctx context.Context, tx *store.Tx) error {
		err, _ := reflect.TypeAssert[error](call(k.deleteOneID(tx.Client, foreign).v, "Exec", ctx)[0])
		return err
	})
	if !ent.IsNotFound(err) && !appendOnly(err) {
		t.Errorf("DeleteOneID: %v", err)
	}
	n := 0
	err = w.write(t, w.b, func(ctx context.Context, tx *store.Tx) (err error) {
		n, err = k.delete(tx.Client).where(foreign).count(ctx, "Exec")
		return err
	})
	if n != 0 || err != nil && !appendOnly(err) {
		t.Errorf("Delete of one: %d records, %v", n, err)
	}
	// All of b's are deleted, unless referenced, and then restored.
	want, undo := len(w.ids(t, k, w.a)), errors.New("undo")
	err = w.s.Write(w.b.ctx, func(ctx context.Context, tx *store.Tx) error {
		if _, err := k.delete(tx.Client).count(ctx, "Exec"); err != nil {
			return err
		}
		left, err := result(call(k.query(tx.Client).v, "Count", auth.With(ctx, auth.From(w.a.ctx))))
		if err != nil || int(left.Int()) != want {
			t.Errorf("Delete of all: a has %d records left of %d: %v", left.Int(), want, err)
		}
		return undo
	})
	if !errors.Is(err, undo) && !appendOnly(err) && !ent.IsConstraintError(err) {
		t.Errorf("Delete of all: %v", err)
	}
}

func TestTenantOfARecordIsTheActors(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		liar := newOwner(t, s, "c.test", w.a.made)
		liar.claims = w.a.id
		before := map[string]string{}
		for _, k := range ownedKinds(t) {
			before[k.Name] = w.dump(t, k, w.a)
		}
		liar.makeAll(t, s)
		for _, k := range ownedKinds(t) {
			if w.dump(t, k, w.a) != before[k.Name] || !slices.Contains(w.ids(t, k, liar), liar.rows[k.Name]) {
				t.Errorf("%s is made in another tenant", k.Name)
			}
			err := w.write(t, w.a, func(ctx context.Context, tx *store.Tx) error {
				b := k.updateOneID(tx.Client, w.a.rows[k.Name])
				if err := b.mutation().SetField("tenant_id", w.b.id); err != nil {
					return err
				}
				_, err := b.save(ctx)
				return err
			})
			if err != nil && !appendOnly(err) || !slices.Contains(w.ids(t, k, w.a), w.a.rows[k.Name]) {
				t.Errorf("%s changes its tenant: %v", k.Name, err)
			}
		}
	})
}

// change sets every column of an update, also immutable ones.
func (o *owner) change(t *testing.T, k kind, b builder) {
	t.Helper()
	for _, c := range k.columns() {
		if _, isParent := k.parent(c.Name); isParent || c.Name == "id" {
			continue
		}
		if err := b.mutation().SetField(c.Name, o.value(k, c)); err != nil {
			t.Fatal(err)
		}
	}
}

// write commits the work even if it returned an error, which is returned as well. If that error made the
// database abort the transaction, write rolls back.
func (w *world) write(t *testing.T, as *owner, work func(context.Context, *store.Tx) error) error {
	t.Helper()
	var err error
	commitErr := w.s.Write(as.ctx, func(ctx context.Context, tx *store.Tx) error {
		if err = work(ctx, tx); appendOnly(err) {
			return err
		}
		return nil
	})
	if commitErr != nil && !appendOnly(commitErr) {
		t.Errorf("commit after %v: %v", err, commitErr)
	}
	return err
}

// appendOnly is the database's error for changes of the ledger or the audit trail. PostgreSQL returns it even
// if no row would change.
func appendOnly(err error) bool { return err != nil && strings.Contains(err.Error(), "append only") }

// ids are all of an owner's records of a kind.
func (w *world) ids(t *testing.T, k kind, o *owner) []int {
	t.Helper()
	rows, err := w.db.QueryContext(t.Context(), fmt.Sprintf(`SELECT id FROM %s WHERE tenant_id = %d`, k.Table, o.id))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var ids []int
	if err := errors.Join(entsql.ScanSlice(rows, &ids), rows.Err()); err != nil {
		t.Fatal(err)
	}
	return ids
}

// dump is the content of all an owner's records of a kind, read directly.
func (w *world) dump(t *testing.T, k kind, o *owner) string {
	t.Helper()
	rows, err := w.db.QueryContext(
		t.Context(), fmt.Sprintf(`SELECT * FROM %s WHERE tenant_id = %d ORDER BY id`, k.Table, o.id),
	)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var text strings.Builder
	for rows.Next() {
		row := make([]any, len(k.columns()))
		into := make([]any, len(row))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&text, row...)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func sameIDs(a, b []int) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}
