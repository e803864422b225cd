package store

import (
	"context"

	entsql "entgo.io/ent/dialect/sql"
)

// FirstOfEach is a predicate for the first n of the tenant's records of each owner in the column, by id. It
// reads only an index of (tenant, column, id).
func FirstOfEach(tenant int, column string, owners []int, n int) func(*entsql.Selector) {
	return LeadersOfEach(tenant, column, owners, n, func(*entsql.Selector) {}, Order{Column: "id"})
}

// Order is an order of records: by a column and then by id, both in the same direction, nulls last.
type Order struct {
	Column   string
	Desc     bool
	Nullable bool
}

// LeadersOfEach is FirstOfEach in another order, and of the records that narrow selects.
func LeadersOfEach(
	tenant int, column string, owners []int, n int, narrow func(*entsql.Selector), order Order,
) func(*entsql.Selector) {
	return func(s *entsql.Selector) {
		d := entsql.Dialect(s.Dialect())
		records := d.Table(s.TableName())
		place := entsql.RowNumber().PartitionBy(records.C(column)).OrderExpr(order.terms(records)...)
		all := d.Select(records.C("id")).AppendSelectExprAs(place, "place").From(records).
			Where(entsql.And(entsql.EQ(records.C("tenant_id"), tenant), entsql.InInts(records.C(column), owners...)))
		narrow(all)
		ranked := all.As("ranked")
		s.Where(entsql.In(s.C("id"), d.Select(ranked.C("id")).From(ranked).Where(entsql.LTE(ranked.C("place"), n))))
	}
}

func (o Order) terms(records *entsql.SelectTable) []entsql.Querier {
	direction := " ASC"
	if o.Desc {
		direction = " DESC"
	}
	term := func(column, suffix string) entsql.Querier {
		return entsql.ExprFunc(func(b *entsql.Builder) { b.Ident(records.C(column)).WriteString(suffix) })
	}
	var terms []entsql.Querier
	if o.Nullable {
		terms = append(terms, term(o.Column, " IS NULL"))
	}
	if o.Column != "id" {
		terms = append(terms, term(o.Column, direction))
	}
	return append(terms, term("id", direction))
}

// CountOfEach counts the tenant's records of a table by owner in the column, of the records that narrow
// selects. The map omits owners without any.
func (s *Store) CountOfEach(
	ctx context.Context, tenant int, table, column string, owners []int, narrow func(*entsql.Selector),
) (map[int]int, error) {
	d := entsql.Dialect(s.dialect)
	records := d.Table(table)
	selector := d.Select(records.C(column), entsql.Count("*")).From(records).
		Where(entsql.And(entsql.EQ(records.C("tenant_id"), tenant), entsql.InInts(records.C(column), owners...)))
	narrow(selector)
	query, args := selector.GroupBy(records.C(column)).Query()
	if err := selector.Err(); err != nil {
		return nil, err
	}
	rows, err := s.pools.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	counts := map[int]int{}
	for rows.Next() {
		var owner, n int
		if err := rows.Scan(&owner, &n); err != nil {
			return nil, err
		}
		counts[owner] = n
	}
	return counts, rows.Err()
}

// By sorts a query's records.
func (o Order) By(s *entsql.Selector) {
	direction := entsql.Asc
	if o.Desc {
		direction = entsql.Desc
	}
	if o.Nullable {
		s.OrderExpr(entsql.ExprFunc(func(b *entsql.Builder) { b.Ident(s.C(o.Column)).WriteString(" IS NULL") }))
	}
	if o.Column != "id" {
		s.OrderBy(direction(s.C(o.Column)))
	}
	s.OrderBy(direction(s.C("id")))
}
