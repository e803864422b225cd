package store

import "entgo.io/ent/dialect"

// bind replaces $1 by ?1 for SQLite, which would take $1 as a named argument.
func bind(name, query string) string {
	if name != dialect.SQLite {
		return query
	}
	bound := []byte(query)
	for i := range len(bound) - 1 {
		if next := bound[i+1]; bound[i] == '$' && next >= '0' && next <= '9' {
			bound[i] = '?'
		}
	}
	return string(bound)
}
