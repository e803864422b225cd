// Package input is what callers send: optional fields, the checks that their tags name, and the changes of columns that
// follow from an input.
package input

// Set is the change of a column to a value; nil is null.
func Set(column string, value any) Change { return Change{column, value} }
