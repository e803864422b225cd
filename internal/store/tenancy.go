package store

import (
	"context"
	"fmt"
	"reflect"
	"time"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/ent/intercept"
	"paydown/internal/auth"
)

const tenantColumn = "tenant_id"

// scopeQueries confines every query of a tenant's records to the actor's tenant. It also covers eager loading
// and graph traversals, which run through the same client.
func scopeQueries(ctx context.Context, q ent.Query) error {
	iq, err := intercept.NewQuery(q)
	if err != nil {
		return err
	}
	if !ent.Records[iq.Type()].Owned || auth.SeesAllTenants(ctx) {
		return nil
	}
	tenant, err := tenantOf(ctx)
	if err != nil {
		return fmt.Errorf("query %s: %w", iq.Type(), err)
	}
	iq.WhereP(func(s *sql.Selector) { s.Where(sql.EQ(s.C(tenantColumn), tenant)) })
	return nil
}

func tenantOf(ctx context.Context) (int, error) {
	actor := auth.From(ctx)
	if actor == nil || actor.TenantID == 0 {
		return 0, auth.ErrNoActor
	}
	return actor.TenantID, nil
}

// rememberLoaded records which records a transaction has loaded through the scoped client, so that pointing an
// edge at one of them needs no further lookup.
func rememberLoaded(next ent.Querier) ent.Querier {
	return ent.QuerierFunc(func(ctx context.Context, q ent.Query) (ent.Value, error) {
		value, err := next.Query(ctx, q)
		if tx := fromContext(ctx); tx != nil && err == nil {
			tx.sawAll(ctx, value)
		}
		return value, err
	})
}

// mutation is implemented by every generated mutation; the generator has no interface for it.
type mutation interface {
	ent.Mutation
	WhereP(...func(*sql.Selector))
	ID() (id int, exists bool)
}

// scopeWrites confines every write of a tenant's record to the actor's tenant: a new row gets the tenant's id,
// an update or delete affects only the tenant's rows, and an edge may point only at them. It refuses writes
// outside of a transaction of this package, and sets the times of creation and change.
func (s *Store) scopeWrites(next ent.Mutator) ent.Mutator {
	return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
		tx := fromContext(ctx)
		if tx == nil {
			return nil, fmt.Errorf("write of %s outside of a transaction", m.Type())
		}
		if err := s.stamp(m, tx.at); err != nil {
			return nil, err
		}
		record := ent.Records[m.Type()]
		if record.Owned {
			if err := s.confine(ctx, m.(mutation)); err != nil {
				return nil, err
			}
			if err := checkOwn(ctx, tx, record, m.(mutation)); err != nil {
				return nil, err
			}
			if err := s.checkEdges(ctx, tx, record, m); err != nil {
				return nil, err
			}
		}
		value, err := next.Mutate(ctx, m)
		if err == nil && m.Op().Is(ent.OpCreate) {
			tx.sawAll(ctx, value)
		}
		return value, err
	})
}

func (s *Store) confine(ctx context.Context, m mutation) error {
	if auth.SeesAllTenants(ctx) {
		return nil // a worker sets the tenant of what it creates itself
	}
	tenant, err := tenantOf(ctx)
	if err != nil {
		return fmt.Errorf("write of %s: %w", m.Type(), err)
	}
	if m.Op().Is(ent.OpCreate) {
		return m.SetField(tenantColumn, tenant)
	}
	m.WhereP(func(sel *sql.Selector) { sel.Where(sql.EQ(sel.C(tenantColumn), tenant)) })
	return nil
}

// checkOwn confines the update of one record if no column changes: Ent then runs no statement that confine
// could narrow, moves edges to the record, and reads it back by id alone. A change of updated_at counts as a
// change of a column.
func checkOwn(ctx context.Context, tx *Tx, record ent.Record, m mutation) error {
	if !m.Op().Is(ent.OpUpdateOne) || record.Updated || auth.SeesAllTenants(ctx) {
		return nil
	}
	id, _ := m.ID()
	found, err := tx.Has(ctx, record.Name, id)
	if err == nil && !found {
		err = &ent.NotFoundError{}
	}
	if err != nil {
		return fmt.Errorf("update %s %d: %w", record.Name, id, err)
	}
	return nil
}

// stamp sets the times of creation and change to the instant of the transaction.
func (s *Store) stamp(m ent.Mutation, at time.Time) error {
	record := ent.Records[m.Type()]
	if m.Op().Is(ent.OpCreate) && record.Created {
		if err := m.SetField("created_at", at); err != nil {
			return err
		}
	}
	if record.Updated && !m.Op().Is(ent.OpDelete|ent.OpDeleteOne) {
		return m.SetField("updated_at", at)
	}
	return nil
}

// checkEdges loads what the mutation points at through the scoped client. A foreign key alone would accept
// another tenant's row.
func (s *Store) checkEdges(ctx context.Context, tx *Tx, record ent.Record, m ent.Mutation) error {
	if auth.SeesAllTenants(ctx) {
		return nil
	}
	for _, edge := range m.AddedEdges() {
		target := ent.Records[record.Targets[edge]]
		if !target.Owned {
			continue // the edge to the tenant itself, which confine has set
		}
		for _, value := range m.AddedIDs(edge) {
			id, ok := value.(int)
			if !ok {
				continue
			}
			found, err := tx.Has(ctx, target.Name, id)
			if err != nil {
				return fmt.Errorf("look up %s %d: %w", target.Name, id, err)
			}
			if !found {
				return &ForeignError{Record: record.Name, Edge: edge}
			}
		}
	}
	return nil
}

// ForeignError is returned for an edge to a record that does not exist or belongs to another tenant.
type ForeignError struct{ Record, Edge string }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("the %s of the %s is not a record of the tenant", e.Edge, e.Record)
}

// sawAll records the records in the result of a query or a create: *ent.X or []*ent.X. It skips results of
// queries across tenants, which may belong to any tenant.
func (tx *Tx) sawAll(ctx context.Context, value ent.Value) {
	tenant, err := tenantOf(ctx)
	if err != nil || auth.SeesAllTenants(ctx) {
		return
	}
	v := reflect.ValueOf(value)
	switch {
	case v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Pointer:
		for i := range v.Len() {
			tx.sawOne(tenant, v.Index(i))
		}
	case v.Kind() == reflect.Pointer:
		tx.sawOne(tenant, v)
	}
}

func (tx *Tx) sawOne(tenant int, v reflect.Value) {
	if v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return
	}
	if id := v.Elem().FieldByName("ID"); id.IsValid() && id.CanInt() {
		tx.see(tenant, v.Elem().Type().Name(), int(id.Int()))
	}
}
