package list

import (
	"entgo.io/ent/dialect/sql"

	"paydown/internal/service/unit"
)

// Position is where a page ended, for tests.
type Position = position

// BindingOf is what a cursor is good for, for tests.
var BindingOf = bindingOf

// FormatCursor and ParsePosition write and read cursors, for tests.
func FormatCursor(c *unit.Core, q interface{ bound() []byte }, p position) string {
	return formatCursor(c, q, p)
}

func ParsePosition[E any](c *unit.Core, q *Query[E], text string) (*position, error) {
	return parsePosition(c, q, text)
}

// After is the position that the query goes on from, for tests.
func (q *Query[E]) After() *Position { return q.after }

// Conditions are those of the filters, for tests.
func (q *Query[E]) Conditions() []func(*sql.Selector) { return q.conditions }
