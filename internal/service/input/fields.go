package input

import (
	"github.com/go-openapi/inflect"
)

// FieldName turns a column into its name on the wire: cleared_date is clearedDate.
func FieldName(column string) string { return inflect.CamelizeDownFirst(column) }
