package main

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
	_ "github.com/lib/pq"  // the driver "postgres"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"paydown/ent/migrate"
	"paydown/internal/store"
)

// diff returns the statements that turn the tables of a database into those of ent/schema; "" where they are the same.
func diff(ctx context.Context, dbURL string) (text string, err error) {
	name, driver, source := dialect.Postgres, "postgres", dbURL
	if path, ok := store.SQLitePath(dbURL); ok {
		name, driver, source = dialect.SQLite, "sqlite", path+"?_pragma=foreign_keys(1)"
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := tablesFor(name)
	if err != nil {
		return "", err
	}
	plan := &atlas.MemDir{}
	planner, err := schema.NewMigrate(entsql.OpenDB(name, db), schema.WithDir(plan),
		schema.WithFormatter(atlas.DefaultFormatter), schema.WithMigrationMode(schema.ModeInspect),
		schema.WithDropColumn(true), schema.WithDropIndex(true), schema.WithIndent("  "))
	if err != nil {
		return "", err
	}
	if err := planner.NamedDiff(ctx, "next", tables...); err != nil {
		return "", err
	}
	files, err := plan.Files()
	if err != nil || len(files) == 0 {
		return "", err
	}
	text = string(files[0].Bytes())
	if name == dialect.SQLite {
		return withTriggers(ctx, db, text)
	}
	return text, nil
}

// tablesFor are the tables of ent/schema as a database is to keep them. What PostgreSQL would decide by itself is decided
// here, so that both databases give the same answers: text compares by its bytes, whatever collation the server was set
// up with (and no upgrade of a locale can spoil an index), and JSON is text that stays as it was written: jsonb would put
// keys into an order of its own and write numbers anew, and json cannot be told apart by the SELECT DISTINCT with which
// Ent follows edges.
func tablesFor(name string) ([]*schema.Table, error) {
	if name != dialect.Postgres {
		return migrate.Tables, nil
	}
	tables, err := schema.CopyTables(migrate.Tables)
	if err != nil {
		return nil, err
	}
	for _, table := range tables {
		for _, column := range table.Columns {
			switch column.Type {
			case field.TypeString, field.TypeEnum:
				column.Collation = "C"
			case field.TypeJSON:
				column.SchemaType, column.Collation = map[string]string{dialect.Postgres: "text"}, "C"
			default: // the same everywhere
			}
		}
	}
	return tables, nil
}

var dropped = regexp.MustCompile("DROP TABLE `(\\w+)`")

// withTriggers makes the triggers of every table that the statements rebuild anew: SQLite drops them with the old one.
func withTriggers(ctx context.Context, db *sql.DB, text string) (string, error) {
	var b strings.Builder
	b.WriteString(text)
	for _, match := range dropped.FindAllStringSubmatch(text, -1) {
		var creates sql.NullString
		err := db.QueryRowContext(ctx, `SELECT group_concat(sql, char(59, 10)) FROM
			(SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? ORDER BY rowid)`, match[1]).Scan(&creates)
		if err != nil {
			return "", err
		}
		if creates.Valid {
			b.WriteString("-- Create the triggers of \"" + match[1] + "\", which went with the old table\n" + creates.String + ";\n")
		}
	}
	return b.String(), nil
}
