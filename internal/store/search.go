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

// sqliteDriver adds two functions to SQLite: case folding for every alphabet (its lower() only knows English),
// and the day of a time in a time zone.
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

// localDay returns the day, as YYYY-MM-DD, of a stored time in a time zone; null for null.
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

// fold makes texts equal that differ only in case, in any alphabet. PostgreSQL has a function of this name that
// does the same, from a table in a migration, because its lower() depends on the server's configuration.
func fold(text string) string { return strings.Map(foldRune, text) }

// foldRune returns the representative of all cases of a letter: the smallest code point, and for English
// letters the lower-case one.
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

// Contains is a predicate: the column contains the text, ignoring case.
func Contains(s *entsql.Selector, column, text string) *entsql.Predicate {
	position := "instr"
	if s.Dialect() == dialect.Postgres {
		position = "strpos"
	}
	return entsql.P(func(b *entsql.Builder) {
		b.WriteString(position + "(fold(").Ident(s.C(column)).WriteString("), ").Arg(fold(text)).WriteString(") > 0")
	})
}
