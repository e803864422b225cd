package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
)

// secrets opens the secret key: the given one or, on SQLite, the one in a file beside the database, which is
// created for a database without sealed values.
func (c *cli) secrets(ctx context.Context, s *store.Store) (*secret.Box, error) {
	encoded, from := c.SecretKey, "PAYDOWN_SECRET_KEY"
	if encoded == "" {
		path, ok := store.SQLitePath(c.DB)
		if !ok {
			return nil, errors.New("PostgreSQL needs a secret key: set PAYDOWN_SECRET_KEY to base64 of 32 random bytes, " +
				"the same for every process. Create one with: openssl rand -base64 32")
		}
		from = path + ".key"
		var err error
		if encoded, err = keyFile(ctx, s, from); err != nil {
			return nil, err
		}
	}
	box, err := secret.Open(encoded)
	if err != nil {
		return nil, fmt.Errorf("%s: %w. Create one with: openssl rand -base64 32", from, err)
	}
	return box, nil
}

// keyFile reads the key from a file that only its owner may read. It creates a missing file, unless the
// database has already used a key: values sealed under that one could never be opened with another.
func keyFile(ctx context.Context, s *store.Store, path string) (string, error) {
	raw, err := os.ReadFile(path) //nolint:gosec // the path is the operator's own
	if err == nil {
		return strings.TrimSpace(string(raw)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the secret key: %w", err)
	}
	sealed, err := service.KeysOf(ctx, s)
	if err != nil {
		return "", err
	}
	if len(sealed) > 0 {
		return "", fmt.Errorf("the secret key of this database is missing: restore its file %s (key %s), "+
			"or set PAYDOWN_SECRET_KEY to its content. If it is lost for good, see: paydown secrets give-up --help",
			path, strings.Join(sealed, ", "))
	}
	return makeKeyFile(path)
}

// makeKeyFile creates the file. Two processes that start at the same time agree on one key, because creating
// the link fails if the file exists.
func makeKeyFile(path string) (string, error) {
	fresh := fmt.Sprintf("%s.%d", path, os.Getpid())
	if err := os.WriteFile(fresh, []byte(secret.NewKey()+"\n"), 0o600); err != nil {
		return "", fmt.Errorf("create the secret key: %w", err)
	}
	defer func() { _ = os.Remove(fresh) }()
	if err := os.Link(fresh, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", fmt.Errorf("create the secret key: %w", err)
	}
	raw, err := os.ReadFile(path) //nolint:gosec // the path is the operator's own
	return strings.TrimSpace(string(raw)), err
}
