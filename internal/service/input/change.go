// Package input defines what callers send: optional fields, the checks that field tags name, and the column
// changes that result from an input.
package input

// Set returns a change of a column to a value; nil means null.
func Set(column string, value any) Change { return Change{column, value} }
