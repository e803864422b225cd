// Package files stores files under keys: in a directory, or in a bucket of any S3-compatible store. A file is
// received completely and checked before it is stored, so that no partial file is ever stored.
package files

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// DefaultLimit is the default size limit of a file, in bytes.
const DefaultLimit = 25 << 20

// Errors of a received or requested file.
var (
	ErrTooLarge = errors.New("files: the file is larger than the limit")
	ErrEmpty    = errors.New("files: the file is empty")
	// ErrType means that the type is not accepted, or that the content does not match the name.
	ErrType = errors.New("files: the file type is not accepted")
	// ErrCut means that the file could not be read to its end.
	ErrCut     = errors.New("files: the upload is incomplete")
	ErrMissing = errors.New("files: no such file")
)

// Store stores files.
type Store struct {
	backend
	limit int64
	name  string
}

// backend is where the files are stored. Keys are those of NewKey.
type backend interface {
	// spool is the directory for receiving files; "" means the system's.
	spool() string
	// keep moves the spooled file at path to the key. The spooled file may be gone afterwards.
	keep(ctx context.Context, key, path string, size int64, media string) error
	open(ctx context.Context, key string) (io.ReadCloser, error)
	size(ctx context.Context, key string) (int64, error)
	remove(ctx context.Context, key string) error
	// keptBefore calls visit with the keys of files that were stored before an instant, in batches.
	keptBefore(ctx context.Context, at time.Time, visit func(keys []string) error) error
}

// Open opens the store at an address: a directory, which is created if necessary, or
// s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, of which only the bucket is required. The credentials
// of a bucket come from the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or from the machine's
// role, never from the address. limit is the size limit of a file, in bytes.
func Open(address string, limit int64) (*Store, error) {
	if limit <= 0 {
		return nil, errors.New("files: the limit must be more than 0 bytes")
	}
	if strings.HasPrefix(address, "s3://") {
		b, err := openBucket(address)
		if err != nil {
			return nil, fmt.Errorf("files: %w", err)
		}
		return &Store{b, limit, "s3://" + b.bucket}, nil
	}
	d, err := openDirectory(address)
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	return &Store{d, limit, address}, nil
}

// String returns the address of the store, for logs.
func (s *Store) String() string { return s.name }

// Limit returns the size limit of a file, in bytes.
func (s *Store) Limit() int64 { return s.limit }

var keyForm = regexp.MustCompile(`^[0-9]{1,19}/[A-Z2-7]{26}$`)

// NewKey returns an unguessable key for a tenant's file.
func NewKey(tenantID int) string { return fmt.Sprintf("%d/%s", tenantID, rand.Text()) }

// Received is a file that was received completely and is not stored yet. It must be kept or discarded.
type Received struct {
	Size      int64
	SHA256    [sha256.Size]byte
	MediaType string
	path      string
}

// Receive receives a file, whose name says what type it claims to be. Errors: ErrTooLarge, ErrEmpty, ErrType,
// ErrCut with the reason, the context's, and I/O errors.
func (s *Store) Receive(ctx context.Context, name string, body io.Reader) (*Received, error) {
	claimed, ok := typeOf(name)
	if !ok {
		return nil, ErrType
	}
	file, err := os.CreateTemp(s.spool(), spooled+"*")
	if err != nil {
		return nil, fmt.Errorf("files: %w", err)
	}
	in := &Received{path: file.Name(), MediaType: claimed.media}
	if err = errors.Join(in.fill(file, body, s.limit), file.Close()); err == nil {
		err = claimed.fits(ctx, in.path)
	}
	if err != nil {
		in.Discard()
		return nil, err
	}
	return in, nil
}

// fill copies the file and flushes it to disk.
func (in *Received) fill(file *os.File, body io.Reader, limit int64) error {
	hash, source := sha256.New(), &reader{r: io.LimitReader(body, limit+1)}
	n, err := io.Copy(io.MultiWriter(file, hash), source)
	switch {
	case source.err != nil:
		return fmt.Errorf("%w: %w", ErrCut, source.err)
	case err != nil:
		return fmt.Errorf("files: %w", err)
	case n > limit:
		return ErrTooLarge
	case n == 0:
		return ErrEmpty
	}
	in.Size = n
	hash.Sum(in.SHA256[:0])
	return file.Sync()
}

// reader records its error, because io.Copy does not distinguish read errors from write errors.
type reader struct {
	r   io.Reader
	err error
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.r.Read(p)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return n, err
}

// Discard removes the file, unless it was kept.
func (in *Received) Discard() { _ = os.Remove(in.path) }

// Keep stores the received file under a new key from NewKey.
func (s *Store) Keep(ctx context.Context, key string, in *Received) error {
	return s.at(key, "keep", func() error { return s.keep(ctx, key, in.path, in.Size, in.MediaType) })
}

// Open opens the file under a key; the error is ErrMissing if there is none.
func (s *Store) Open(ctx context.Context, key string) (file io.ReadCloser, err error) {
	err = s.at(key, "open", func() error { file, err = s.open(ctx, key); return err })
	return file, err
}

// Size returns the size of the file under a key in bytes; the error is ErrMissing if there is none.
func (s *Store) Size(ctx context.Context, key string) (n int64, err error) {
	err = s.at(key, "look for", func() error { n, err = s.size(ctx, key); return err })
	return n, err
}

// Remove removes the file under a key. It is no error if there is none.
func (s *Store) Remove(ctx context.Context, key string) error {
	return s.at(key, "remove", func() error { return s.remove(ctx, key) })
}

// KeptBefore calls visit with the keys of all files that were stored before an instant, in batches.
func (s *Store) KeptBefore(ctx context.Context, at time.Time, visit func(keys []string) error) error {
	return s.keptBefore(ctx, at, visit)
}

// spooled is the name prefix of files that are being received.
const spooled = "paydown-incoming-"

// Tidy removes incomplete files that processes that ended had begun to receive before an instant.
func (s *Store) Tidy(before time.Time) error {
	folder := s.spool()
	if folder == "" {
		folder = os.TempDir()
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	for _, entry := range entries {
		info, err := entry.Info()
		if err == nil && strings.HasPrefix(entry.Name(), spooled) && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // another process may have removed it
		}
	}
	return nil
}

// at runs do for the file under a key. An invalid key is ErrMissing, wherever it came from.
func (s *Store) at(key, what string, do func() error) error {
	err := ErrMissing
	if keyForm.MatchString(key) {
		err = do()
	}
	if err == nil || errors.Is(err, ErrMissing) {
		return err
	}
	return fmt.Errorf("files: %s %s: %w", what, key, err)
}
