package store

import (
	"database/sql/driver"
	"fmt"
	"strings"
	"time"
	"unicode"

	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"modernc.org/sqlite"
)

// sqliteDriver knows what SQLite does not: the small letters of any alphabet (its own lower() knows those of English), and
// the day that a time falls on in a time zone.
var sqliteDriver = func() *sqlite.Driver {
	d := &sqlite.Driver{}
	d.MustRegisterDeterministicScalarFunction("fold", 1,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			if text, ok := args[0].(string); ok {
				return fold(text), nil
			}
			return args[0], nil
		})
	d.MustRegisterDeterministicScalarFunction("local_day", 2,
		func(_ *sqlite.FunctionContext, args []driver.Value) (driver.Value, error) {
			return localDay(args[0], args[1])
		})
	return d
}()

// localDay is the day, as YYYY-MM-DD, that a stored time falls on in a time zone; null where there is no time.
func localDay(at, zone driver.Value) (driver.Value, error) {
	if at == nil {
		return nil, nil
	}
	text, ok := at.(string)
	name, named := zone.(string)
	if !ok || !named {
		return nil, fmt.Errorf("local_day takes two texts, not %T and %T", at, zone)
	}
	location, err := time.LoadLocation(name)
	if err != nil {
		return nil, err
	}
	moment, err := time.Parse("2006-01-02 15:04:05.999999999-07:00", text)
	if err != nil {
		return nil, err
	}
	return moment.In(location).Format(time.DateOnly), nil
}

// fold makes texts equal that differ in case alone, in any alphabet. PostgreSQL has a function of this name that does
// the same, from a table in a migration: what its own lower() does depends on how the server was set up.
func fold(text string) string { return strings.Map(foldRune, text) }

// foldRune is the one letter that stands for all of its cases: the least of them, and for the letters of English the
// small one.
func foldRune(r rune) rune {
	least := r
	for other := unicode.SimpleFold(r); other != r; other = unicode.SimpleFold(other) {
		least = min(least, other)
	}
	if 'A' <= least && least <= 'Z' {
		return least + ('a' - 'A')
	}
	return least
}

// Contains is a predicate: the column holds the text, to the letter but for their case.
func Contains(s *entsql.Selector, column, text string) *entsql.Predicate {
	position := "instr"
	if s.Dialect() == dialect.Postgres {
		position = "strpos"
	}
	return entsql.P(func(b *entsql.Builder) {
		b.WriteString(position + "(fold(").Ident(s.C(column)).WriteString("), ").Arg(fold(text)).WriteString(") > 0")
	})
}
