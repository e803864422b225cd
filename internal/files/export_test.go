package files

import (
	"context"
	"io"
)

// Limits for reading an archive.
const (
	MaxEntries  = maxEntries
	MaxParts    = maxParts
	MaxExamined = maxExamined
)

// CheckDocument checks that a file is a word processor's document.
func CheckDocument(ctx context.Context, file io.ReaderAt, size int64) error {
	return officeOf(mainDocument)(ctx, file, size)
}
