package files

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// kind is a type of files that is taken: the ends of its names, its media type, and what its bytes may look like.
type kind struct {
	ends  []string
	media string
	looks []string // besides media
	// holds is what more is asked of the file, nil for nothing; the error is ErrType where it does not hold.
	holds func(ctx context.Context, file io.ReaderAt, size int64) error
}

// kinds are the types that are taken. What a browser or an office program would run is not among them.
var kinds = []kind{
	{[]string{".pdf"}, "application/pdf", nil, beginsAsPDF},
	{[]string{".png"}, "image/png", nil, nil},
	{[]string{".jpg", ".jpeg"}, "image/jpeg", nil, nil},
	{[]string{".heic"}, "image/heic", []string{"image/heif", "image/heic-sequence", "image/heif-sequence"}, nil},
	{[]string{".csv"}, "text/csv", []string{"text/plain", "text/tab-separated-values"}, nil},
	{[]string{".txt"}, "text/plain", []string{"text/csv", "text/tab-separated-values"}, nil},
	{
		[]string{".xlsx"},
		"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
		[]string{"application/zip"},
		officeOf(mainWorkbook),
	},
	{
		[]string{".docx"},
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document",
		[]string{"application/zip"},
		officeOf(mainDocument),
	},
}

// Taken are the ends of the names of files that are taken: ".pdf" …
func Taken() []string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.ends...)
	}
	return all
}

// typeOf is what a name says that a file is.
func typeOf(name string) (kind, bool) {
	end := strings.ToLower(path.Ext(name))
	i := slices.IndexFunc(kinds, func(k kind) bool { return slices.Contains(k.ends, end) })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}

// looked is how much of a file is looked at, in bytes: an archive of an office program says late what it is.
const looked = 1 << 20

// fits is nil where the bytes of a file are of the kind, and otherwise ErrType, or that the context has ended.
func (k kind) fits(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	mimetype.SetLimit(looked)
	found, err := mimetype.DetectFile(path)
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	if !found.Is(k.media) && !slices.ContainsFunc(k.looks, found.Is) {
		return ErrType
	}
	if k.holds == nil {
		return nil
	}
	file, err := os.Open(path) //nolint:gosec // a spool of ours
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("files: %w", err)
	}
	return k.holds(ctx, file, info.Size())
}

// beginsAsPDF wants the header of a PDF to be the first thing in the file, as ISO 32000-2, 7.5.2 demands, but for white space
// and a byte order mark, which some programs put before it. Readers look for it in the first 1024 bytes, where what
// stands before it could be a page with script.
func beginsAsPDF(_ context.Context, file io.ReaderAt, size int64) error {
	const header, blank, mark = "%PDF-", "\x00\t\n\f\r ", "\ufeff"
	head := make([]byte, 1024)
	n, err := io.ReadFull(io.NewSectionReader(file, 0, size), head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("files: %w", err)
	}
	if strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(string(head[:n]), mark), blank), header) {
		return nil
	}
	return ErrType
}
