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

// diff returns the statements that change the tables of a database to those of ent/schema; "" if they are the
// same.
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

// tablesFor returns the tables of ent/schema for a database. They fix what PostgreSQL would decide by itself,
// so that both databases give the same answers. Text compares by its bytes, whatever collation the server has,
// so no locale upgrade can corrupt an index. JSON is stored as text, unchanged: jsonb would reorder keys and
// rewrite numbers, and json does not support the SELECT DISTINCT that Ent uses to follow edges.
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

// withTriggers creates the triggers of every rebuilt table again: SQLite drops them with the old table.
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
			b.WriteString(
				"-- Create the triggers of \"" + match[1] + "\", which went with the old table\n" + creates.String + ";\n",
			)
		}
	}
	return b.String(), nil
}
