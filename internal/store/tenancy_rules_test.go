package store_test

import (
	"context"
	"database/sql"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/lead"
	"paydown/internal/auth"
	"paydown/internal/store"
)

func TestActorIsRequired(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		nobody := map[string]context.Context{
			"no actor":  t.Context(),
			"no tenant": auth.With(t.Context(), &auth.Actor{Kind: auth.BySystem, Scopes: auth.AllScopes()}),
		}
		for name, ctx := range nobody {
			for _, k := range ownedKinds(t) {
				id := w.a.rows[k.Name]
				for _, method := range []string{"All", "IDs", "First", "Only", "Count", "Exist"} {
					_, err := result(call(k.query(s.Reader()).v, method, ctx))
					wantError(t, k.Name+": "+method+" with "+name, err)
				}
				_, err := k.get(ctx, s.Reader(), id)
				wantError(t, k.Name+": Get with "+name, err)
				_, err = result(call(call(k.query(s.Reader()).v, "Select", "id")[0], "Ints", ctx))
				wantError(t, k.Name+": Select with "+name, err)

				for way, write := range writesOf(k, id) {
					err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error { return write(ctx, tx.Client) })
					wantError(t, k.Name+": "+way+" with "+name, err)
				}
			}
			err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Has(ctx, ent.TypeLead, w.a.rows[ent.TypeLead])
				return err
			})
			wantError(t, "Has with "+name, err)
		}
	})
}

func wantError(t *testing.T, what string, err error) {
	t.Helper()
	if !errors.Is(err, auth.ErrNoActor) {
		t.Errorf("%s: %v", what, err)
	}
}

// writesOf are all ways to write records of a kind.
func writesOf(k kind, id int) map[string]func(context.Context, *ent.Client) error {
	run := func(b builder, method string, ctx context.Context) error {
		out := call(b.v, method, ctx)
		err, _ := reflect.TypeAssert[error](out[len(out)-1])
		return err
	}
	return map[string]func(context.Context, *ent.Client) error{
		"Create": func(ctx context.Context, c *ent.Client) error { return run(k.create(c), "Save", ctx) },
		"CreateBulk": func(ctx context.Context, c *ent.Client) error {
			return run(k.builder(c, "CreateBulk", k.create(c).v.Interface()), "Save", ctx)
		},
		"Update":      func(ctx context.Context, c *ent.Client) error { return run(k.update(c), "Save", ctx) },
		"UpdateOneID": func(ctx context.Context, c *ent.Client) error { return run(k.updateOneID(c, id), "Save", ctx) },
		"Delete":      func(ctx context.Context, c *ent.Client) error { return run(k.delete(c), "Exec", ctx) },
		"DeleteOneID": func(ctx context.Context, c *ent.Client) error { return run(k.deleteOneID(c, id), "Exec", ctx) },
	}
}

func TestWritesNeedATransaction(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		for _, k := range kinds() {
			id := w.a.rows[k.Name]
			for way, write := range writesOf(k, id) {
				err := write(w.a.ctx, s.Reader())
				if err == nil || !strings.Contains(err.Error(), "outside of a transaction") {
					t.Errorf("%s: %s: %v", k.Name, way, err)
				}
			}
		}
	})
}

// A write on the reading client is refused in a transaction as well, at once: PostgreSQL would commit it
// whatever the transaction's outcome, and SQLite would deadlock.
func TestWritesKeepToTheTransaction(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		id := w.a.rows[ent.TypeLead]
		before := w.dump(t, kindOf(ent.TypeLead), w.a)
		for way, write := range map[string]func(context.Context, *ent.Client) error{
			"Create": func(ctx context.Context, c *ent.Client) error { return c.Lead.Create().SetBusinessName("x").Exec(ctx) },
			"CreateBulk": func(ctx context.Context, c *ent.Client) error {
				return c.Lead.CreateBulk(c.Lead.Create().SetBusinessName("x"), c.Lead.Create().SetBusinessName("y")).Exec(ctx)
			},
			"Update": func(ctx context.Context, c *ent.Client) error { return c.Lead.Update().SetBusinessName("x").Exec(ctx) },
			"UpdateOneID": func(ctx context.Context, c *ent.Client) error {
				return c.Lead.UpdateOneID(id).SetBusinessName("x").Exec(ctx)
			},
			"Delete": func(ctx context.Context, c *ent.Client) error {
				_, err := c.Lead.Delete().Where(lead.ID(id)).Exec(ctx)
				return err
			},
			"DeleteOneID": func(ctx context.Context, c *ent.Client) error { return c.Lead.DeleteOneID(id).Exec(ctx) },
			"an edge from the other side": func(ctx context.Context, c *ent.Client) error {
				return c.Deal.Update().AddPaymentIDs(w.a.rows[ent.TypePayment]).Exec(ctx)
			},
		} {
			err := s.Write(w.a.ctx, func(ctx context.Context, _ *store.Tx) error {
				ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
				defer cancel()
				if err := write(ctx, s.Reader()); err == nil || !strings.Contains(err.Error(), "outside of the transaction") {
					t.Errorf("%s: %v", way, err)
				}
				return nil
			})
			if err != nil {
				t.Errorf("%s: %v", way, err)
			}
		}
		if after := w.dump(t, kindOf(ent.TypeLead), w.a); after != before {
			t.Errorf("there is\n%s\nand was\n%s", after, before)
		}
	})
}

func TestAllTenantsOptsOut(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		all := auth.AllTenants(t.Context(), "test")
		for _, k := range ownedKinds(t) {
			ids, err := k.query(s.Reader()).ids(all)
			if err != nil || !slices.Contains(ids, w.a.rows[k.Name]) || !slices.Contains(ids, w.b.rows[k.Name]) {
				t.Errorf("%s: a worker sees %v of %d and %d: %v", k.Name, ids, w.a.rows[k.Name], w.b.rows[k.Name], err)
			}
		}
		err := s.Write(all, func(ctx context.Context, tx *store.Tx) error {
			if n, err := tx.Lead.Update().SetNotes("swept").Save(ctx); err != nil || n != 2 {
				t.Errorf("a worker changes %d leads, want both: %v", n, err)
			}
			// It sets the tenant of what it creates.
			if err := tx.Lead.Create().SetBusinessName("x").Exec(ctx); !ent.IsValidationError(err) {
				t.Errorf("a record of no tenant is made: %v", err)
			}
			made, err := tx.Lead.Create().SetBusinessName("x").SetTenantID(w.b.id).Save(ctx)
			if err != nil || made.TenantID != w.b.id {
				t.Errorf("made %v: %v", made, err)
			}
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// A worker that goes from tenant to tenant in one transaction: records read before give the next tenant no
// access.
func TestActorMayChangeInsideATransaction(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *store.Store, db *sql.DB) {
		w := newWorld(t, s, db)
		foreign := w.a.rows[ent.TypeMerchant]
		looks := map[string]func(context.Context, *store.Tx) error{
			"as the worker": func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Merchant.Get(auth.AllTenants(ctx, "test"), foreign)
				return err
			},
			"as its tenant": func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Merchant.Get(auth.With(ctx, auth.From(w.a.ctx)), foreign)
				return err
			},
			"by Has": func(ctx context.Context, tx *store.Tx) error {
				_, err := tx.Has(auth.With(ctx, auth.From(w.a.ctx)), ent.TypeMerchant, foreign)
				return err
			},
		}
		for name, look := range looks {
			err := s.Write(t.Context(), func(ctx context.Context, tx *store.Tx) error {
				if err := look(ctx, tx); err != nil {
					return err
				}
				ctx = auth.With(ctx, auth.From(w.b.ctx))
				if found, err := tx.Has(ctx, ent.TypeMerchant, foreign); found || err != nil {
					t.Errorf("seen %s: b has it: %v", name, err)
				}
				err := tx.MerchantContact.Create().SetFirstName("x").SetLastName("y").SetMerchantID(foreign).Exec(ctx)
				if _, ok := errors.AsType[*store.ForeignError](err); !ok {
					t.Errorf("seen %s: b points at it: %v", name, err)
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
		}
	})
}
