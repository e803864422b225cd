package store_test

import (
	"testing"
	"unicode"
	"unicode/utf8"

	"paydown/internal/apptest"
	"paydown/internal/store"
)

// PostgreSQL folds by a table in a migration. If this fails after an update of Go, Unicode has new letters: add
// a migration with the updated function.
func TestDatabasesFoldAlike(t *testing.T) {
	t.Parallel()
	_, db := migrated(t, apptest.MigratedPostgres(t))
	const last = 0x1ffff // no letter beyond has cases
	rows, err := db.QueryContext(
		t.Context(),
		`SELECT chr(i), fold(chr(i)), fold('aB' || chr(i)) FROM generate_series(1, $1) i
		WHERE i NOT BETWEEN 55296 AND 57343`,
		last,
	)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	seen, changed := 0, 0
	for rows.Next() {
		var letter, alone, among string
		if err := rows.Scan(&letter, &alone, &among); err != nil {
			t.Fatal(err)
		}
		if want := store.Fold(letter); alone != want || among != "ab"+want {
			t.Errorf("%U folds to %q and %q, want %q", []rune(letter), alone, among, want)
		}
		if seen++; alone != letter {
			changed++
		}
	}
	if err := rows.Err(); err != nil || seen < 129_000 || changed < 1300 {
		t.Errorf("%d letters, of which %d have another form: %v", seen, changed, err)
	}
	for r := rune(last + 1); r <= unicode.MaxRune; r++ {
		if store.Fold(string(r)) != string(r) {
			t.Fatalf("%U has cases", r)
		}
	}
}

func TestFoldingJoinsTheCasesOfALetter(t *testing.T) {
	for _, same := range [][]string{
		{"É", "é"},
		{"Σ", "σ", "ς"},
		{"K", "k", "\u212a"},
		{"S", "s", "ſ"},
		{"Ж", "ж"},
		{"ß", "ẞ"},
		{"Ǆ", "ǅ", "ǆ"},
		{"Ꭰ", "ꭰ"},
		{"𐐀", "𐐨"},
	} {
		for _, letter := range same {
			if store.Fold(letter) != store.Fold(same[0]) {
				t.Errorf("%s and %s are told apart", letter, same[0])
			}
		}
	}
	for _, r := range "i ı İ e é ss ß 1 _ % 日" {
		if utf8.RuneCountInString(store.Fold(string(r))) != 1 {
			t.Errorf("%c changes its length", r)
		}
	}
	for i, a := range []string{"i", "ı", "İ", "e", "é", "日"} {
		for j, b := range []string{"i", "ı", "İ", "e", "é", "日"} {
			if (store.Fold(a) == store.Fold(b)) != (i == j) {
				t.Errorf("%s and %s are one", a, b)
			}
		}
	}
}

// Every text of ent/schema, and every JSON value.
func TestPostgresIgnoresLocale(t *testing.T) {
	t.Parallel()
	_, db := migrated(t, apptest.MigratedPostgres(t))
	rows, err := db.QueryContext(
		t.Context(),
		`SELECT table_name || '.' || column_name, udt_name, COALESCE(collation_name, '')
		FROM information_schema.columns WHERE table_schema = current_schema() AND table_name <> 'schema_migrations'`,
	)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	texts := 0
	for rows.Next() {
		var column, kind, collation string
		if err := rows.Scan(&column, &kind, &collation); err != nil {
			t.Fatal(err)
		}
		switch kind {
		case "varchar", "text", "bpchar", "citext":
			if texts++; collation != "C" {
				t.Errorf("%s is in the order of %q", column, collation)
			}
		case "json", "jsonb":
			t.Errorf("%s is %s: documents are kept as text, as they were written", column, kind)
		}
	}
	if err := rows.Err(); err != nil || texts < 130 {
		t.Errorf("%d texts: %v", texts, err)
	}
}
