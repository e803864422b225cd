package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Backup copies a SQLite database, as it is at one moment, to a new file while others go on using it. Where it fails,
// there is no file.
func (s *Store) Backup(ctx context.Context, path string) error {
	if s.IsPostgres() {
		return errors.New("backup copies a SQLite database; for PostgreSQL use pg_dump or its continuous archiving")
	}
	// Made first, and for its owner alone: what is copied into it was told in confidence.
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) //nolint:gosec // the path is the operator's own
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s exists already", path)
	}
	if err != nil {
		return fmt.Errorf("make the copy: %w", err)
	}
	err = file.Close()
	if err == nil {
		// The connections that only read refuse it, although all that it writes is the copy.
		_, err = s.pools.writer.ExecContext(ctx, `VACUUM INTO ?`, path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("copy the database: %w", err), os.Remove(path))
	}
	return nil
}
