package input

import (
	"github.com/go-openapi/inflect"
)

// FieldName returns a column's name in the API: cleared_date becomes clearedDate.
func FieldName(column string) string { return inflect.CamelizeDownFirst(column) }
