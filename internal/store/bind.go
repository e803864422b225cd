package store

import (
	"regexp"

	"entgo.io/ent/dialect"
)

var numbered = regexp.MustCompile(`\$(\d+)`)

// bind turns $1 into ?1 for SQLite, whose $1 would be an argument with a name.
func bind(name, query string) string {
	if name == dialect.SQLite {
		return numbered.ReplaceAllString(query, "?$1")
	}
	return query
}
