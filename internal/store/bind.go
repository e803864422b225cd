package store

import (
	"regexp"

	"entgo.io/ent/dialect"
)

var numbered = regexp.MustCompile(`\$(\d+)`)

// bind replaces $1 by ?1 for SQLite, which would take $1 as a named argument.
func bind(name, query string) string {
	if name == dialect.SQLite {
		return numbered.ReplaceAllString(query, "?$1")
	}
	return query
}
