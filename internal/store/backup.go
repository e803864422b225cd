package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Backup copies a SQLite database, as it is at one moment, to a new file while others go on using it.
func (s *Store) Backup(ctx context.Context, path string) error {
	if s.IsPostgres() {
		return errors.New("backup copies a SQLite database; for PostgreSQL use pg_dump or its continuous archiving")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s exists already", path)
	}
	if _, err := s.reader.ExecContext(ctx, `VACUUM INTO ?`, path); err != nil {
		return fmt.Errorf("copy the database: %w", err)
	}
	return os.Chmod(path, 0o600)
}
