package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"paydown/ent"
	"paydown/internal/store"
)

// Every edge of every kind of record is set to another tenant's record and to a nonexistent one, by every kind
// of write. Refused writes are committed all the same: a refusal must not depend on a rollback.
func TestEdgesStayInsideTheTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		before := map[string]string{}
		for _, k := range ownedKinds(t) {
			before[k.Name] = w.dump(t, k, w.a) + w.dump(t, k, w.b)
		}
		for _, k := range ownedKinds(t) {
			t.Run(k.Name, func(t *testing.T) { w.checkEdges(t, k) })
		}
		for _, k := range ownedKinds(t) {
			if after := w.dump(t, k, w.a) + w.dump(t, k, w.b); after != before[k.Name] {
				t.Errorf("%s is now\n%s\nand was\n%s", k.Name, after, before[k.Name])
			}
		}
	})
}

func (w *world) checkEdges(t *testing.T, k kind) {
	ways := map[string]func(*ent.Client) builder{
		"Create":      k.create,
		"UpdateOneID": func(c *ent.Client) builder { return k.updateOneID(c, w.b.rows[k.Name]) },
		"Update":      func(c *ent.Client) builder { return k.update(c).where(w.b.rows[k.Name]) },
	}
	covered := map[string]bool{}
	for way, begin := range ways {
		for _, setter := range edgeSetters(begin(w.s.Reader())) {
			edge := setter.edge
			target, ok := k.Targets[edge]
			if !ok {
				t.Fatalf("%s of %s sets the edge %q, which is not known", setter.method, way, edge)
			}
			if edge == "tenant" {
				covered[edge] = true // see TestTenantOfARecordIsTheActors
				continue
			}
			for _, id := range []int{w.a.rows[target], 1 << 30} {
				err := w.write(t, w.b, func(ctx context.Context, tx *store.Tx) error {
					b := begin(tx.Client)
					if way == "Create" {
						if err := w.b.fill(ctx, tx, k, b); err != nil {
							return err
						}
					}
					call(b.v, setter.method, id)
					out := call(b.v, "Save", ctx)
					err, _ := reflect.TypeAssert[error](out[1])
					return err
				})
				foreign, ok := errors.AsType[*store.ForeignError](err)
				if !ok || foreign.Record != k.Name || foreign.Edge != edge {
					t.Errorf("%s, %s(%d): %v", way, setter.method, id, err)
				}
			}
			if way == "Create" {
				covered[edge] = true
			}
		}
	}
	for edge := range k.Targets {
		if !covered[edge] {
			t.Errorf("the edge %s is not tried", edge)
		}
	}
}

// edgeSetter is a method that points an edge at a record, by its id.
type edgeSetter struct{ method, edge string }

// edgeSetters are those of a builder. Which edge one is about shows in the mutation after a call.
func edgeSetters(b builder) []edgeSetter {
	var setters []edgeSetter
	for i := range b.v.NumMethod() {
		name := b.v.Type().Method(i).Name
		one := strings.HasPrefix(name, "Set") && strings.HasSuffix(name, "ID") && !strings.HasPrefix(name, "SetNillable")
		many := strings.HasPrefix(name, "Add") && strings.HasSuffix(name, "IDs")
		in := b.v.Method(i).Type()
		if !one && !many || in.NumIn() != 1 || (one && in.In(0).Kind() != reflect.Int) {
			continue
		}
		m := b.mutation()
		known := m.AddedEdges()
		call(b.v, name, 1)
		for _, edge := range m.AddedEdges() {
			if !slices.Contains(known, edge) {
				setters = append(setters, edgeSetter{name, edge})
			}
		}
	}
	return setters
}

// An update of another tenant's record that would only move edges: b assigns its own records to a's, and
// removes a's from theirs.
func TestEdgesOfForeignRecordsStay(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		w.linkInside(t)
		for _, k := range ownedKinds(t) {
			for _, setter := range edgeSetters(k.updateOneID(s.Reader(), 1)) {
				target := kindOf(k.Targets[setter.edge])
				before := w.dump(t, target, w.a) + w.dump(t, target, w.b) + w.dump(t, k, w.a)
				for name, change := range w.changesOfEdge(k, setter) {
					err := w.write(t, w.b, func(ctx context.Context, tx *store.Tx) error {
						b := k.updateOneID(tx.Client, w.a.rows[k.Name])
						if !change(b) {
							return &ent.NotFoundError{}
						}
						_, err := b.save(ctx)
						return err
					})
					if !ent.IsNotFound(err) && !appendOnly(err) {
						t.Errorf("%s of %s, %s: %v", setter.edge, k.Name, name, err)
					}
				}
				if after := w.dump(t, target, w.a) + w.dump(t, target, w.b) + w.dump(t, k, w.a); after != before {
					t.Errorf("%s of %s: there is\n%s\nand was\n%s", setter.edge, k.Name, after, before)
				}
			}
		}
	})
}

// changesOfEdge are the possible changes of an edge; each reports false if the builder does not have it.
func (w *world) changesOfEdge(k kind, setter edgeSetter) map[string]func(builder) bool {
	target := k.Targets[setter.edge]
	undo := "Clear" + strings.TrimSuffix(strings.TrimPrefix(setter.method, "Set"), "ID")
	remove := "Remove" + strings.TrimPrefix(setter.method, "Add")
	if strings.HasPrefix(setter.method, "Add") {
		undo = "Clear" + goName(setter.edge)
	}
	optional := func(method string, args ...any) func(builder) bool {
		return func(b builder) bool {
			if !b.v.MethodByName(method).IsValid() {
				return false
			}
			call(b.v, method, args...)
			return true
		}
	}
	return map[string]func(builder) bool{
		"add":    optional(setter.method, w.b.rows[target]),
		"remove": optional(remove, w.a.rows[target]),
		"undo":   optional(undo),
	}
}

// If a record wrongly refers to another tenant's, no query follows it.
func TestEdgesAreNotFollowedOutOfTheTenant(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		vandal := unguarded(t, s, db)
		for _, k := range ownedKinds(t) {
			for edge, column := range k.Columns {
				if edge != "tenant" {
					vandal(
						fmt.Sprintf(`UPDATE %s SET %s = %d WHERE id = %d`, k.Table, column, w.a.rows[k.Targets[edge]], w.b.rows[k.Name]),
					)
				}
			}
		}
		for _, k := range ownedKinds(t) {
			for _, edge := range slices.Sorted(maps.Keys(k.Targets)) {
				if edge == "tenant" {
					continue
				}
				// b's records refer to a's, so a's seem to be referred to by b's.
				o, other := w.b, w.a
				if _, own := k.Columns[edge]; !own {
					o, other = w.a, w.b
				}
				w.checkTraversal(t, k, edge, o, other)
			}
		}
	})
}

// checkTraversal loads an edge with an owner's record, which is the client's only way to follow it.
func (w *world) checkTraversal(t *testing.T, k kind, edge string, o, other *owner) {
	t.Helper()
	name := goName(edge)
	loaded, err := result(call(call(k.query(w.s.Reader()).where(o.rows[k.Name]).v, "With"+name)[0], "Only", o.ctx))
	if err != nil {
		t.Fatalf("%s of %s: %v", edge, k.Name, err)
	}
	foreign := w.ids(t, kindOf(k.Targets[edge]), other)
	for _, id := range idsOf(loaded.Elem().FieldByName("Edges").FieldByName(name)) {
		if slices.Contains(foreign, id) {
			t.Errorf("%s of %s reaches %d of the other tenant", edge, k.Name, id)
		}
	}
}

// linkInside sets every edge of both tenants' records to the tenant's own records, unless it already is.
func (w *world) linkInside(t *testing.T) {
	t.Helper()
	vandal := unguarded(t, w.s, w.db)
	for _, o := range []*owner{w.a, w.b} {
		for _, k := range ownedKinds(t) {
			for edge, column := range k.Columns {
				if edge != "tenant" {
					vandal(
						fmt.Sprintf(`UPDATE %s SET %s = %d WHERE id = %d`, k.Table, column, o.rows[k.Targets[edge]], o.rows[k.Name]),
					)
				}
			}
		}
	}
}

// unguarded runs SQL with triggers and foreign keys off: on SQLite permanently, on PostgreSQL for these
// statements only.
func unguarded(t *testing.T, s *store.Store, db *sql.DB) func(query string) {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	run := func(query string) {
		t.Helper()
		if _, err := conn.ExecContext(t.Context(), query); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
	}
	if s.IsPostgres() {
		run(`SET session_replication_role = replica`)
		return run
	}
	run(`PRAGMA foreign_keys = off`)
	var triggers string
	err = conn.QueryRowContext(
		t.Context(),
		`SELECT COALESCE(group_concat('DROP TRIGGER ' || name, ';'), '') FROM sqlite_master WHERE type = 'trigger'`,
	).Scan(&triggers)
	if err != nil {
		t.Fatal(err)
	}
	run(triggers)
	return run
}

// goName is the generated name of an edge: LocDraw of loc_draw.
func goName(edge string) string {
	var name strings.Builder
	for part := range strings.SplitSeq(edge, "_") {
		name.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return name.String()
}
