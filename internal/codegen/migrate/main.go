// Command migrate writes the next migration of both databases: the difference between the existing migrations,
// replayed into empty databases, and ent/schema. Run it in the root of the module, with the Ent client
// generated; `make migration name=NAME` does. It uses the PostgreSQL server of PAYDOWN_TEST_POSTGRES_URL or a
// temporary private one.
//
// Review the result before committing it: the command does not know the existing rows. A new required column,
// for example, needs a value for them; a renamed column appears as one dropped and one added.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"

	"paydown/internal/store"
)

const root = "internal/store/migrations"

// order is the kind of migration to write.
type order struct {
	name  string
	first bool
	empty bool
}

func main() {
	log.SetFlags(0)
	var o order
	flag.StringVar(&o.name, "name", "", "what the migration does, as add_deal_color")
	flag.BoolVar(
		&o.first, "first", false, "rewrite 0001 instead, from nothing to ent/schema: before the first release only",
	)
	flag.BoolVar(&o.empty, "empty", false, "write empty files instead, to be filled manually with triggers or data")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o)
	stop()
	if err != nil {
		log.Fatalf("migrate: %v", err)
	}
}

var namePattern = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

func run(ctx context.Context, o order) error {
	if o.first {
		o.name = "schema"
	}
	if !namePattern.MatchString(o.name) {
		return errors.New("the name of the migration must consist of a-z, 0-9 and _, such as add_deal_color")
	}
	file, err := nextFile(o)
	if err != nil {
		return err
	}
	texts := map[string]string{"postgres": "-- To be written.\n", "sqlite": "-- To be written.\n"}
	if !o.empty {
		if err := compare(ctx, texts, !o.first); err != nil {
			return err
		}
		if texts["postgres"] == "" && texts["sqlite"] == "" {
			log.Print("The migrations already match ent/schema: nothing to write.")
			return nil
		}
	}
	for dir, text := range texts {
		if text == "" {
			text = "-- Nothing changes on this database.\n"
		}
		path := filepath.Join(root, dir, file)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // a source file, readable by everybody
			return err
		}
		fmt.Println(path)
	}
	return nil
}

// nextFile returns the name of the file to write: both databases have the same migrations.
func nextFile(o order) (string, error) {
	number := 1
	if !o.first {
		files, err := filepath.Glob(filepath.Join(root, "postgres", "*.sql"))
		if err != nil {
			return "", err
		}
		number = len(files) + 1
	}
	return fmt.Sprintf("%04d_%s.sql", number, o.name), nil
}

// compare fills in what each database needs.
func compare(ctx context.Context, texts map[string]string, replay bool) error {
	dir, err := os.MkdirTemp("", "paydown-migrate-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	texts["sqlite"], err = difference(ctx, "sqlite:"+filepath.Join(dir, "empty.db"), replay)
	if err != nil {
		return fmt.Errorf("SQLite: %w", err)
	}
	err = withPostgres(ctx, func(dbURL string) error {
		texts["postgres"], err = difference(ctx, dbURL, replay)
		return err
	})
	if err != nil {
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	return nil
}

// difference returns the difference between the migrations and ent/schema: it replays the migrations into the
// empty database at dbURL, with the code that applies them in production.
func difference(ctx context.Context, dbURL string, replay bool) (string, error) {
	if replay {
		s, err := store.Open(dbURL, nil)
		if err != nil {
			return "", err
		}
		_, err = s.Migrate(ctx)
		if err := errors.Join(err, s.Close()); err != nil {
			return "", err
		}
	}
	text, err := diff(ctx, dbURL)
	return strings.TrimLeft(text, "\n"), err
}
