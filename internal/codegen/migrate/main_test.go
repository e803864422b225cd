package main

import (
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"paydown/internal/store"
)

func TestMigrationsLeadToTheSchema(t *testing.T) {
	t.Parallel()
	texts := map[string]string{}
	if err := compare(t.Context(), texts, true); err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		if text != "" {
			t.Errorf("%s: the migrations do not lead to ent/schema; run `make migration name=…`. It lacks:\n%s", name, text)
		}
	}
}

func TestBothDatabasesHaveTheSameMigrations(t *testing.T) {
	t.Parallel()
	names := func(dir string) string {
		files, err := filepath.Glob("../../store/migrations/" + dir + "/*")
		if err != nil || len(files) == 0 {
			t.Fatalf("no migrations of %s: %v", dir, err)
		}
		for i, f := range files {
			files[i] = filepath.Base(f)
		}
		return strings.Join(files, " ")
	}
	if p, s := names("postgres"), names("sqlite"); p != s {
		t.Errorf("they differ:\npostgres: %s\nsqlite:   %s", p, s)
	}
}

// A table that SQLite rebuilds would lose its triggers, which keep the ledger append-only.
func TestRebuiltTablesKeepTheirTriggers(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	dbURL := "sqlite:" + filepath.Join(t.TempDir(), "paydown.db")
	s, err := store.Open(dbURL, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.Migrate(ctx)
	if err := errors.Join(err, s.Close()); err != nil {
		t.Fatal(err)
	}
	path, _ := store.SQLitePath(dbURL)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	before := triggers(t, db)
	if _, err := db.ExecContext(ctx, `ALTER TABLE postings ADD COLUMN gone text`); err != nil {
		t.Fatal(err)
	}
	text, err := diff(ctx, dbURL)
	if err != nil || !strings.Contains(text, "DROP TABLE `postings`") {
		t.Fatalf("no rebuild: %v\n%s", err, text)
	}
	if _, err := db.ExecContext(ctx, text); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if after := triggers(t, db); after != before {
		t.Errorf("before: %s\nafter:  %s", before, after)
	}
	if text, err := diff(ctx, dbURL); err != nil || text != "" {
		t.Errorf("still different: %v\n%s", err, text)
	}
}

func triggers(t *testing.T, db *sql.DB) string {
	t.Helper()
	var names string
	const query = `SELECT group_concat(name || sql, ' ')
		FROM (SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name)`
	err := db.QueryRowContext(t.Context(), query).Scan(&names)
	if err != nil {
		t.Fatal(err)
	}
	return names
}
