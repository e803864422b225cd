package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"paydown/internal/files"
	"paydown/internal/mail"
	"paydown/internal/server"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

const defaultDB = store.DefaultURL

// app is an open installation.
type app struct {
	*service.Service
	serving

	store *store.Store
	log   *slog.Logger
}

// serving is the equipment of a process that delivers webhooks and sends mail; other commands have none of it.
type serving struct {
	sender     *webhook.Sender
	deliveries *server.DeliveryMetrics
	mail       *mail.Server // nil if not configured
	files      *files.Store // nil if no files are stored or the command needs none
	history    bool         // see service.Config
	// anyKeys opens a database although secret keys are missing, for commands that inspect or fix that.
	anyKeys bool
}

// open opens the database and the service. It creates and migrates the embedded database as needed; PostgreSQL
// must have been migrated with `paydown migrate`.
func (c *cli) open(ctx context.Context) (*app, error) { return c.openWith(ctx, time.Now, serving{}) }

// openToServe opens everything for a process that delivers webhooks and sends mail.
func (c *cli) openToServe(ctx context.Context) (*app, error) {
	guard, err := c.Serve.guard()
	if err != nil {
		return nil, err
	}
	mailServer, err := c.Serve.mail()
	if err != nil {
		return nil, err
	}
	kept, err := c.files()
	if err != nil {
		return nil, err
	}
	return c.openWith(ctx, time.Now, serving{
		files: kept, sender: webhook.NewSender(webhook.SenderConfig{Guard: guard}),
		deliveries: server.NewDeliveryMetrics(), mail: mailServer,
	})
}

// openExisting is like open, but refuses to create a database.
func (c *cli) openExisting(ctx context.Context) (*app, error) {
	if err := c.exists(); err != nil {
		return nil, err
	}
	return c.open(ctx)
}

// openToVerify is openExisting for a command that also reads the files of documents.
func (c *cli) openToVerify(ctx context.Context) (*app, error) {
	if err := c.exists(); err != nil {
		return nil, err
	}
	kept, err := c.files()
	if err != nil {
		return nil, err
	}
	return c.openWith(ctx, time.Now, serving{files: kept, anyKeys: true})
}

// openWithAnyKeys is openExisting, even if secret keys are missing.
func (c *cli) openWithAnyKeys(ctx context.Context) (*app, error) {
	if err := c.exists(); err != nil {
		return nil, err
	}
	return c.openWith(ctx, time.Now, serving{anyKeys: true})
}

// exists refuses a missing SQLite database, so that a mistyped name does not create an empty one.
func (c *cli) exists() error {
	path, ok := store.SQLitePath(c.DB)
	if !ok {
		return nil
	}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist) || (err == nil && info.Size() == 0):
		return fmt.Errorf("no database at %s", path)
	case err != nil:
		return fmt.Errorf("open the database: %w", err)
	}
	return nil
}

// openHistory is open for a command that creates past records with its own clock.
func (c *cli) openHistory(ctx context.Context, clock func() time.Time) (*app, error) {
	return c.openWith(ctx, clock, serving{history: true})
}

func (c *cli) openWith(ctx context.Context, clock func() time.Time, with serving) (*app, error) {
	log := c.logger()
	s, err := store.Open(c.DB, clock)
	if err != nil {
		return nil, err
	}
	a, err := c.prepare(ctx, s, clock, log, with)
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return a, nil
}

func (c *cli) prepare(
	ctx context.Context, s *store.Store, clock func() time.Time, log *slog.Logger, with serving,
) (*app, error) {
	if s.IsPostgres() {
		if err := s.CheckMigrated(ctx); err != nil {
			return nil, fmt.Errorf("open the database: %w", err)
		}
	} else if _, err := s.Migrate(ctx); err != nil {
		return nil, fmt.Errorf("migrate the database: %w", err)
	}
	box, err := c.secrets(ctx, s)
	if err != nil {
		return nil, err
	}
	guard, err := c.Serve.guard()
	if err != nil {
		return nil, err
	}
	cfg := service.Config{
		Store: s, Secrets: box, Log: log, Now: clock, Webhooks: guard, Sender: with.sender, Mail: with.mail,
		Files:   with.files,
		History: with.history,
	}
	if with.deliveries != nil { // a nil pointer in the interface would not be nil
		cfg.Observer = with.deliveries
	}
	a := &app{Service: service.New(cfg), serving: with, store: s, log: log}
	if with.anyKeys {
		return a, nil
	}
	if err := a.SecretKeys.Admit(ctx); err != nil {
		return nil, fmt.Errorf("secret key: %w", err)
	}
	return a, nil
}

// close closes the connections. Nothing is buffered that it could lose.
func (a *app) close() {
	if a.sender != nil {
		a.sender.Close()
	}
	_ = a.store.Close()
}

// files opens the file store; nil if none is configured.
func (c *cli) files() (*files.Store, error) {
	place := c.Files
	if place == "" {
		path, ok := store.SQLitePath(c.DB)
		if !ok {
			return nil, nil //nolint:nilnil // there is none
		}
		place = filepath.Join(filepath.Dir(path), "files")
	}
	if c.FileLimit < 1 || c.FileLimit > maxFileLimit {
		return nil, fmt.Errorf("--file-limit must be 1 to %d", maxFileLimit)
	}
	kept, err := files.Open(place, int64(c.FileLimit)<<20)
	if err != nil {
		return nil, fmt.Errorf("--files: %w", err)
	}
	return kept, nil
}

// maxFileLimit is in MB. A larger file could take longer than the upload timeout.
const maxFileLimit = 100

// openStore opens only the database, migrated or not.
func (c *cli) openStore() (*store.Store, error) { return store.Open(c.DB, nil) }
