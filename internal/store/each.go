package store

import (
	entsql "entgo.io/ent/dialect/sql"
)

// FirstOfEach is a predicate: of the tenant's records that belong to one of the owners, as the column says, the first n
// of each, by id. It reads an index of (tenant, column, id) and nothing else.
func FirstOfEach(tenant int, column string, owners []int, n int) func(*entsql.Selector) {
	return func(s *entsql.Selector) {
		d := entsql.Dialect(s.Dialect())
		records := d.Table(s.TableName())
		ranked := d.Select(records.C("id")).
			AppendSelectExprAs(entsql.RowNumber().PartitionBy(records.C(column)).OrderBy(records.C("id")), "place").
			From(records).
			Where(entsql.And(entsql.EQ(records.C("tenant_id"), tenant), entsql.InInts(records.C(column), owners...))).
			As("ranked")
		s.Where(entsql.In(s.C("id"), d.Select(ranked.C("id")).From(ranked).Where(entsql.LTE(ranked.C("place"), n))))
	}
}
