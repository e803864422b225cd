// Package files keeps files under keys: in a directory, or in a bucket of any S3-compatible store. A file is received
// whole, and judged, before it is kept, so that what is kept is never half of something.
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

// DefaultLimit is how large a file may be unless told otherwise, in bytes.
const DefaultLimit = 25 << 20

// What may be wrong with a file that comes in, or with one that is asked for.
var (
	ErrTooLarge = errors.New("files: the file is larger than the limit")
	ErrEmpty    = errors.New("files: the file is empty")
	// ErrType says that files of the kind are not taken, or that the file is not what its name says.
	ErrType = errors.New("files: the file is of no type that is taken")
	// ErrCut says that the file could not be read to its end.
	ErrCut     = errors.New("files: the file did not come in whole")
	ErrMissing = errors.New("files: there is no such file")
)

// Store keeps files.
type Store struct {
	backend
	limit int64
	name  string
}

// backend is where the files lie. Keys are those of NewKey.
type backend interface {
	// spool is the directory in which files are received; "" for the system's own.
	spool() string
	// keep moves what lies in the spool at path under the key. The file may be gone afterwards.
	keep(ctx context.Context, key, path string, size int64, media string) error
	open(ctx context.Context, key string) (io.ReadCloser, error)
	size(ctx context.Context, key string) (int64, error)
	remove(ctx context.Context, key string) error
	// keptBefore calls visit with the keys of files that were kept before an instant, some at a time.
	keptBefore(ctx context.Context, at time.Time, visit func(keys []string) error) error
}

// Open opens the store at an address: a directory, which is made where there is none, or
// s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION, of which all but the bucket may be left out. What opens a bucket
// is in the environment, as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or with the machine, and never in the address.
// limit is how large a file may be, in bytes.
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

// String is where the files lie, for logs.
func (s *Store) String() string { return s.name }

// Limit is how large a file may be, in bytes.
func (s *Store) Limit() int64 { return s.limit }

var keyForm = regexp.MustCompile(`^[0-9]{1,19}/[A-Z2-7]{26}$`)

// NewKey is a key for a file of a tenant's, which nobody can guess.
func NewKey(tenantID int) string { return fmt.Sprintf("%d/%s", tenantID, rand.Text()) }

// Received is a file that has come in whole and is not kept yet. It must be kept or discarded.
type Received struct {
	Size      int64
	SHA256    [sha256.Size]byte
	MediaType string
	path      string
}

// Receive takes a file in, of which the name says what type it claims to be. Errors: ErrTooLarge, ErrEmpty, ErrType, ErrCut
// with the reason, that the context has ended, and those of the machine.
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

// fill copies the file, and has it on the disk when it returns.
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

// reader remembers that it failed, which io.Copy does not tell from a failure to write.
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

// Discard forgets the file. It does nothing to one that was kept.
func (in *Received) Discard() { _ = os.Remove(in.path) }

// Keep keeps what was received under a key of NewKey, under which there is nothing yet.
func (s *Store) Keep(ctx context.Context, key string, in *Received) error {
	return s.at(key, "keep", func() error { return s.keep(ctx, key, in.path, in.Size, in.MediaType) })
}

// Open reads the file under a key; the error is ErrMissing where there is none.
func (s *Store) Open(ctx context.Context, key string) (file io.ReadCloser, err error) {
	err = s.at(key, "open", func() error { file, err = s.open(ctx, key); return err })
	return file, err
}

// Size is how many bytes the file under a key has; the error is ErrMissing where there is none.
func (s *Store) Size(ctx context.Context, key string) (n int64, err error) {
	err = s.at(key, "look for", func() error { n, err = s.size(ctx, key); return err })
	return n, err
}

// Remove forgets the file under a key. That there is none is no error.
func (s *Store) Remove(ctx context.Context, key string) error {
	return s.at(key, "remove", func() error { return s.remove(ctx, key) })
}

// KeptBefore calls visit with the keys of all files that were kept before an instant, some at a time.
func (s *Store) KeptBefore(ctx context.Context, at time.Time, visit func(keys []string) error) error {
	return s.keptBefore(ctx, at, visit)
}

// spooled is what the names of files begin with that are coming in.
const spooled = "paydown-incoming-"

// Tidy removes what began to come in before an instant and was left by a process that ended.
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
		if info, err := entry.Info(); err == nil && strings.HasPrefix(entry.Name(), spooled) && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(folder, entry.Name())) // another process may have done so
		}
	}
	return nil
}

// at does something with the file under a key. What is no key leads nowhere, whoever stored it.
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
