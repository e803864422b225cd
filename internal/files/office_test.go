package files_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"paydown/internal/files"
)

// packed is a word processor's document with this many extra empty entries, whose list of contents names this
// many parts before the last, the document itself.
func packed(t *testing.T, entries, parts int) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	add := func(name, content string) {
		method := zip.Store
		if content != "" {
			method = zip.Deflate
		}
		w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: method})
		if err == nil {
			_, err = io.WriteString(w, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	var list strings.Builder
	list.WriteString(`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">`)
	for i := range parts {
		fmt.Fprintf(&list, `<Override PartName="/p%d" ContentType="a/b"/>`, i)
	}
	fmt.Fprintf(&list, `<Override PartName="/word/document.xml" ContentType=%q/></Types>`, wordMain)
	add("[Content_Types].xml", list.String())
	add("word/document.xml", strings.Repeat("<x/>", 2000))
	for i := range entries {
		add(fmt.Sprint("e", i), "")
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// allocated is the total number of bytes that a call allocates. No other test runs in parallel.
func allocated(call func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	call()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// tally counts how much of a file is read.
type tally struct {
	io.ReaderAt
	read int
}

func (c *tally) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(p, at)
	c.read += n
	return n, err
}

// TestArchiveCheckCostIsBounded uploads archives made to be expensive to read.
func TestArchiveCheckCostIsBounded(t *testing.T) {
	store, err := files.Open(t.TempDir(), files.DefaultLimit)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		entries, parts int
		want           error
	}{
		"many entries and many parts":  {100_000, 8_600, files.ErrType},
		"as many as are taken":         {files.MaxEntries - 2, 8_600, nil},
		"an entry more than are taken": {files.MaxEntries - 1, 0, files.ErrType},
		"as many parts as are taken":   {0, files.MaxParts - 1, nil},
		"a part more than are taken":   {0, files.MaxParts, files.ErrType},
	} {
		body := packed(t, c.entries, c.parts)
		bytes := allocated(func() {
			in, err := store.Receive(t.Context(), "a.docx", strings.NewReader(body))
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
			if err == nil {
				in.Discard()
			}
		})
		if bytes > 48<<20 {
			t.Errorf("%s: %d MB are allocated", name, bytes>>20)
		}
		file := &tally{ReaderAt: strings.NewReader(body)}
		if err := files.CheckDocument(t.Context(), file, int64(len(body))); !errors.Is(err, c.want) ||
			file.read > files.MaxExamined {
			t.Errorf("%s: %d bytes are read: %v", name, file.read, err)
		}
	}
}

// TestArchiveNamesIgnoreCase has a second list of contents, spelled differently.
func TestArchiveNamesIgnoreCase(t *testing.T) {
	s := opened(t, t.TempDir())
	for _, second := range []string{"[CONTENT_TYPES].xml", "[content_typeſ].xml", "WORD/Document.xml"} {
		body := office(t, "/Word/document.xml", wordMain, "[Content_Types].xml", "word/document.xml", second)
		if _, err := s.Receive(t.Context(), "a.docx", strings.NewReader(body)); !errors.Is(err, files.ErrType) {
			t.Errorf("%s comes in: %v", second, err)
		}
	}
}

// ending cancels a context when the last byte is read, like a caller that hangs up.
type ending struct {
	io.Reader
	end func()
}

func (e ending) Read(p []byte) (int, error) {
	n, err := e.Reader.Read(p)
	if err != nil {
		e.end()
	}
	return n, err
}

func TestCheckEndsWithRequest(t *testing.T) {
	place := t.TempDir()
	s := opened(t, place)
	for _, name := range []string{"a.docx", "a.pdf"} {
		ctx, cancel := context.WithCancel(t.Context())
		body := ending{strings.NewReader(packed(t, 10, 10)), cancel}
		if _, err := s.Receive(ctx, name, body); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The sender may hang up at any moment of the check, too.
	body := packed(t, 2_000, 2_000)
	ctx, cancel := context.WithCancel(t.Context())
	leaving := &leaver{ReaderAt: strings.NewReader(body), after: 3, leave: cancel}
	if err := files.CheckDocument(ctx, leaving, int64(len(body))); !errors.Is(err, context.Canceled) ||
		leaving.reads != leaving.after {
		t.Errorf("%d reads: %v", leaving.reads, err)
	}
	if left, err := os.ReadDir(filepath.Join(place, "incoming")); err != nil || len(left) > 0 {
		t.Errorf("%v are left: %v", left, err)
	}
}

// leaver cancels a context at one of the reads of a file.
type leaver struct {
	io.ReaderAt
	reads, after int
	leave        func()
}

func (l *leaver) ReadAt(p []byte, at int64) (int, error) {
	if l.reads++; l.reads == l.after {
		l.leave()
	}
	return l.ReaderAt.ReadAt(p, at)
}
