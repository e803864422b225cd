package service

import (
	"context"
	"reflect"

	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/store"
)

// Row is a row of a RowReader's columns. It is valid only while its visitor runs.
type Row = store.Row

// RowPage describes a page whose rows were visited.
type RowPage = list.RowPage

// RowReader reads the records of a list as rows of some of their columns. It selects the same records, for the same
// callers, as the list and the lookup by id do.
type RowReader[E any] struct {
	service    *Service
	projection *list.Projection[E]
}

// NewRowReader returns a reader of the columns, which must include the list's sort fields.
func NewRowReader[E any](s *Service, l *Listing[E], columns []string) *RowReader[E] {
	return &RowReader[E]{s, l.Project(columns)}
}

// Page visits the rows of the requested page.
func (r *RowReader[E]) Page(ctx context.Context, req ListRequest, visit func(Row) error) (RowPage, error) {
	return r.projection.VisitPage(ctx, r.service.core, req, visit)
}

// ColumnsOf returns the types of a record's columns, as Go fields.
func ColumnsOf[E any]() map[string]reflect.Type {
	columns := map[string]reflect.Type{}
	record := reflect.TypeFor[E]()
	for name, index := range input.ColumnsIn(record) {
		columns[name] = record.FieldByIndex(index).Type
	}
	return columns
}

// One visits the row with the id. noun names the record in a not_found error.
func (r *RowReader[E]) One(ctx context.Context, noun string, id int, visit func(Row) error) error {
	return r.projection.VisitOne(ctx, r.service.core, noun, id, visit)
}
