package files

import (
	"archive/zip"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"unicode"
)

// An Office document is a zip archive whose content list says what each part is (ECMA-376, part 2, 10.1.2).
const (
	contentsPart = "[Content_Types].xml"
	// maxContents limits the content list, in uncompressed bytes: a small archive can expand to a great deal.
	maxContents = 1 << 20
	// maxEntries and maxParts limit the entries of an archive and of its content list.
	maxEntries, maxParts = 10_000, 10_000
	// maxExamined limits how many bytes of an archive are read: its directory and its content list. A directory
	// entry takes at least 46 bytes, so this also limits how many entries are in memory before they can be
	// counted.
	maxExamined = 2 << 20

	mainDocument = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
	mainWorkbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
)

// errExamined means that more than maxExamined bytes of an archive would have to be read.
var errExamined = errors.New("files: the archive is too complex")

// officeOf returns the check of an Office document: one of the existing parts in its content list must have the
// type main. Documents with macros have another type. The work is bounded whatever the archive contains.
func officeOf(main string) func(context.Context, io.ReaderAt, int64) error {
	return func(ctx context.Context, file io.ReaderAt, size int64) error {
		archive, err := zip.NewReader(&examined{ctx, file, maxExamined}, size)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || len(archive.File) > maxEntries {
			return ErrType
		}
		entries := entriesOf(archive)
		parts := partsOf(entries[folded(contentsPart)])
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, part := range parts {
			if part.Type == main && len(entries[folded(strings.TrimPrefix(part.Name, "/"))]) == 1 {
				return nil
			}
		}
		return ErrType
	}
}

// examined reads a file until the context ends or left bytes were read.
type examined struct {
	ctx  context.Context //nolint:containedctx // io.ReaderAt has no context parameter
	file io.ReaderAt
	left int
}

func (e *examined) ReadAt(p []byte, at int64) (int, error) {
	if err := e.ctx.Err(); err != nil {
		return 0, err
	}
	if e.left -= len(p); e.left < 0 {
		return 0, errExamined
	}
	return e.file.ReadAt(p, at)
}

// contentsEntry is an entry of the content list.
type contentsEntry struct {
	Name string `xml:"PartName,attr"`
	Type string `xml:"ContentType,attr"`
}

// partsOf reads the content list. It returns nil if there is no readable list, more than one, or one that is
// too long.
func partsOf(lists []*zip.File) []contentsEntry {
	if len(lists) != 1 {
		return nil
	}
	content, err := lists[0].Open()
	if err != nil {
		return nil
	}
	defer func() { _ = content.Close() }()
	var list struct {
		XMLName xml.Name        `xml:"http://schemas.openxmlformats.org/package/2006/content-types Types"`
		Parts   []contentsEntry `xml:"Override"`
	}
	if xml.NewDecoder(io.LimitReader(content, maxContents)).Decode(&list) != nil || len(list.Parts) > maxParts {
		return nil
	}
	return list.Parts
}

// entriesOf indexes the files of an archive by their folded names.
func entriesOf(archive *zip.Reader) map[string][]*zip.File {
	entries := make(map[string][]*zip.File, len(archive.File))
	for _, f := range archive.File {
		name := folded(f.Name)
		entries[name] = append(entries[name], f)
	}
	return entries
}

// folded returns the case-folded name: equal if strings.EqualFold is true, because part names are
// case-insensitive.
func folded(name string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
			least = min(least, next)
		}
		return least
	}, name)
}
