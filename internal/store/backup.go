package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Backup copies a SQLite database, as of one moment, to a new file while it is in use. If it fails, it leaves
// no file.
func (s *Store) Backup(ctx context.Context, path string) error {
	if s.IsPostgres() {
		return errors.New("backup only supports SQLite; for PostgreSQL use pg_dump or continuous archiving")
	}
	// Created first, readable by its owner only, because the data is confidential.
	const flags = os.O_CREATE | os.O_EXCL | os.O_WRONLY
	file, err := os.OpenFile(path, flags, 0o600) //nolint:gosec // the path is the operator's own
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%s already exists", path)
	}
	if err != nil {
		return fmt.Errorf("create the copy: %w", err)
	}
	err = file.Close()
	if err == nil {
		// The read-only connections would refuse it, although it only writes the copy.
		_, err = s.pools.writer.ExecContext(ctx, `VACUUM INTO ?`, path)
	}
	if err != nil {
		return errors.Join(fmt.Errorf("copy the database: %w", err), os.Remove(path))
	}
	return nil
}
