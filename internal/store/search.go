package store

import (
	"database/sql/driver"
	"strings"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"modernc.org/sqlite"
)

// sqliteDriver knows what SQLite does not: the small letters of any alphabet. Its own lower() knows those of English.
var sqliteDriver = func() *sqlite.Driver {
	d := &sqlite.Driver{}
	d.MustRegisterDeterministicScalarFunction("fold", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if text, ok := args[0].(string); ok {
				return strings.ToLower(text), nil
			}
			return args[0], nil
		})
	return d
}()

var likeLiterally = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// Contains is a predicate: the column holds the text, to the letter but for their case.
func Contains(s *entsql.Selector, column, text string) *entsql.Predicate {
	if s.Dialect() == dialect.Postgres {
		return entsql.P(func(b *entsql.Builder) {
			b.Ident(s.C(column)).WriteString(" ILIKE ").Arg("%" + likeLiterally.Replace(text) + "%")
		})
	}
	return entsql.P(func(b *entsql.Builder) {
		b.WriteString("instr(fold(").Ident(s.C(column)).WriteString("), ").Arg(strings.ToLower(text)).WriteString(") > 0")
	})
}
