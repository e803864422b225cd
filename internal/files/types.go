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

// kind is an accepted file type: its name extensions, its media type, and the media types that its content may
// be detected as.
type kind struct {
	extensions []string
	media      string
	looks      []string // besides media
	// holds is a further check of the content, or nil; its error is ErrType if the check fails.
	holds func(ctx context.Context, file io.ReaderAt, size int64) error
}

// kinds are the accepted types. Types that a browser or an Office program would execute are not accepted.
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

// Taken returns the extensions of accepted files: ".pdf" …
func Taken() []string {
	var all []string
	for _, k := range kinds {
		all = append(all, k.extensions...)
	}
	return all
}

// typeOf returns the type that a name claims.
func typeOf(name string) (kind, bool) {
	end := strings.ToLower(path.Ext(name))
	i := slices.IndexFunc(kinds, func(k kind) bool { return slices.Contains(k.extensions, end) })
	if i < 0 {
		return kind{}, false
	}
	return kinds[i], true
}

// inspected is how much of a file is inspected, in bytes: Office archives reveal their type late.
const inspected = 1 << 20

// fits returns nil if the content of a file matches the kind, and otherwise ErrType or the context's error.
func (k kind) fits(ctx context.Context, path string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	mimetype.SetLimit(inspected)
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
	file, err := os.Open(path) //nolint:gosec // a file of the spool
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

// beginsAsPDF requires the PDF header at the start of the file, as ISO 32000-2, 7.5.2 does, after an optional
// byte order mark and white space, which some programs write. PDF readers search the first 1024 bytes for it,
// and what precedes it there could be a page with script.
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
