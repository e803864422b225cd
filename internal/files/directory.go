package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// directory stores files in a directory: one folder per tenant and one file per key. Nothing outside of it can
// be accessed.
type directory struct {
	root     *os.Root
	incoming string
}

const (
	incoming = "incoming"
	// batch is how many keys are visited at a time.
	batch = 500
)

func openDirectory(name string) (*directory, error) {
	if err := os.MkdirAll(name, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if err := root.MkdirAll(incoming, 0o700); err != nil {
		return nil, err
	}
	return &directory{root, filepath.Join(name, incoming)}, nil
}

func (d *directory) spool() string { return d.incoming }

func (d *directory) keep(_ context.Context, key, from string, _ int64, _ string) error {
	folder := path.Dir(key)
	if err := d.root.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	if err := d.root.Rename(path.Join(incoming, filepath.Base(from)), key); err != nil {
		return err
	}
	return errors.Join(d.sync(folder), d.sync("."))
}

// sync flushes the entries of a folder to disk.
func (d *directory) sync(folder string) error {
	f, err := d.root.Open(folder)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

func (d *directory) open(_ context.Context, key string) (io.ReadCloser, error) {
	f, err := d.root.Open(key)
	if err != nil {
		return nil, found(err)
	}
	return f, nil
}

func (d *directory) size(_ context.Context, key string) (int64, error) {
	info, err := d.root.Stat(key)
	if err != nil {
		return 0, found(err)
	}
	return info.Size(), nil
}

func (d *directory) remove(_ context.Context, key string) error {
	if err := found(d.root.Remove(key)); !errors.Is(err, ErrMissing) {
		return err
	}
	return nil
}

func found(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return ErrMissing
	}
	return err
}

func (d *directory) keptBefore(ctx context.Context, at time.Time, visit func([]string) error) error {
	var keys []string
	err := fs.WalkDir(d.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // stored or removed meanwhile
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil || !info.ModTime().Before(at) {
			return dismiss(err)
		}
		if keyForm.MatchString(name) {
			keys = append(keys, name)
		}
		if len(keys) < batch {
			return nil
		}
		full := keys
		keys = nil
		return visit(full)
	})
	if err != nil || len(keys) == 0 {
		return err
	}
	return visit(keys)
}

// dismiss ignores the error of a file that is gone.
func dismiss(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
