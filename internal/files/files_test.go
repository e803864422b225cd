package files_test

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/files"
)

const pdf = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"

// everywhere runs a test on a directory and on a bucket.
func everywhere(t *testing.T, test func(t *testing.T, s *files.Store)) {
	t.Helper()
	t.Run("directory", func(t *testing.T) { test(t, opened(t, filepath.Join(t.TempDir(), "kept"))) })
	t.Run("bucket", func(t *testing.T) { test(t, opened(t, apptest.NewBucket(t).Place("a/b"))) })
}

func opened(t *testing.T, place string) *files.Store {
	t.Helper()
	s, err := files.Open(place, 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func receive(t *testing.T, s *files.Store, name, body string) *files.Received {
	t.Helper()
	in, err := s.Receive(t.Context(), name, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func TestPutAndGet(t *testing.T) {
	everywhere(t, func(t *testing.T, s *files.Store) {
		ctx, key := t.Context(), files.NewKey(7)
		in := receive(t, s, "Voided check.PDF", pdf)
		if in.Size != int64(len(pdf)) || in.SHA256 != sha256.Sum256([]byte(pdf)) || in.MediaType != "application/pdf" {
			t.Errorf("%+v", in)
		}
		if _, err := s.Open(ctx, key); !errors.Is(err, files.ErrMissing) {
			t.Errorf("before it is kept: %v", err)
		}
		if err := s.Keep(ctx, key, in); err != nil {
			t.Fatal(err)
		}
		in.Discard() // does nothing any more
		file, err := s.Open(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(file)
		if err != nil || file.Close() != nil || string(back) != pdf {
			t.Errorf("%q %v", back, err)
		}
		if n, err := s.Size(ctx, key); err != nil || n != int64(len(pdf)) {
			t.Errorf("%d bytes: %v", n, err)
		}
		for range 2 {
			if err := s.Remove(ctx, key); err != nil {
				t.Error(err)
			}
		}
		if _, err := s.Size(ctx, key); !errors.Is(err, files.ErrMissing) {
			t.Errorf("after it is removed: %v", err)
		}
	})
}

func TestInvalidKeysAreRejected(t *testing.T) {
	everywhere(t, func(t *testing.T, s *files.Store) {
		for _, key := range []string{
			"", "..", "../../etc/passwd", "/etc/passwd", "7/../../x", "7/" + strings.Repeat("a", 26), "incoming/x",
		} {
			if _, err := s.Open(t.Context(), key); !errors.Is(err, files.ErrMissing) {
				t.Errorf("%q is opened: %v", key, err)
			}
			if err := s.Keep(t.Context(), key, receive(t, s, "x.pdf", pdf)); !errors.Is(err, files.ErrMissing) {
				t.Errorf("%q is kept: %v", key, err)
			}
		}
	})
}

const (
	wordMain  = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
	sheetMain = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
	macroMain = "application/vnd.ms-word.document.macroEnabled.main+xml"
)

// office is an archive with these parts, as saved by an office program: its list of contents, if it has one,
// gives the part main the type mime.
func office(t *testing.T, main, mime string, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range parts {
		w, err := z.Create(part)
		if err != nil {
			t.Fatal(err)
		}
		if part == "[Content_Types].xml" {
			_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="UTF-8"?>
				<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml"
				ContentType="application/xml"/><Override PartName=%q ContentType=%q/></Types>`, main, mime)
			continue
		}
		_, _ = w.Write(bytes.Repeat([]byte("<x/>"), 2000))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAllowedFileTypes(t *testing.T) {
	s := opened(t, t.TempDir())
	const contents = "[Content_Types].xml"
	word := office(t, "/word/document.xml", wordMain, contents, "_rels/.rels", "word/document.xml")
	sheet := office(t, "/xl/workbook.xml", sheetMain, contents, "_rels/.rels", "xl/workbook.xml")
	last := office(t, "/word/document.xml", wordMain, "docProps/app.xml", "word/document.xml", contents)
	for name, body := range map[string]string{
		"a.pdf": pdf, "a.png": "\x89PNG\r\n\x1a\n0000", "a.jpg": "\xff\xd8\xff\xe0 0000JFIF",
		"a.JPEG": "\xff\xd8\xff\xe0 0000JFIF",
		"a.heic": "\x00\x00\x00\x18ftypheic\x00\x00\x00\x00", "a.csv": "date,amount\n2026-01-05,5.00\n",
		"one column.csv": "5\n6\n",
		"a.txt":          "Rent: 5 €", "a.docx": word, "a.xlsx": sheet, "last.docx": last,
		"../../etc/a.pdf": pdf, "a.exe.pdf": pdf,
		"blank.pdf": "\ufeff\r\n" + pdf,
	} {
		if in, err := s.Receive(t.Context(), name, strings.NewReader(body)); err != nil {
			t.Errorf("%s: %v", name, err)
		} else {
			in.Discard()
		}
	}
	for name, body := range map[string]string{
		"a.exe": "MZ", "a": pdf, "pdf": pdf, "": pdf, "a.pdf.exe": pdf, "a.html": "<html>", "a.svg": "<svg/>", "a.docm": word,
		"a.zip": word,
		"b.pdf": "<html><script>alert(1)</script></html>", "a.png": pdf, "a.txt": "<!doctype html><p>",
		"a.csv": "MZ\x90\x00\x03", "a.docx": sheet,
		"a.xlsx": word, "b.docx": office(t, "", "", "a.txt"),
		"page.pdf": "<html><script>alert(1)</script>\n" + pdf, "late.pdf": strings.Repeat("x", 100) + pdf,
		"folder.docx":  office(t, "", "", "word/document.xml"),
		"macro.docx":   office(t, "/word/document.xml", macroMain, contents, "_rels/.rels", "word/document.xml"),
		"nothing.docx": office(t, "/word/document.xml", wordMain, contents, "_rels/.rels", "word/other.xml"),
		"twice.docx":   office(t, "/word/document.xml", wordMain, contents, contents, "word/document.xml"),
		"cut.docx":     word[:len(word)-30],
		"a.jpg":        "\x89PNG\r\n\x1a\n0000",
	} {
		if _, err := s.Receive(t.Context(), name, strings.NewReader(body)); !errors.Is(err, files.ErrType) {
			t.Errorf("%q comes in: %v", name, err)
		}
	}
}

func TestInterruptedPutLeavesNothing(t *testing.T) {
	place := t.TempDir()
	s := opened(t, place)
	large := strings.NewReader(pdf + strings.Repeat("x", 1<<20))
	for name, try := range map[string]struct {
		body io.Reader
		want error
	}{
		"too large": {large, files.ErrTooLarge}, "empty": {strings.NewReader(""), files.ErrEmpty},
		"cut":        {io.MultiReader(strings.NewReader(pdf), iotest.ErrReader(io.ErrUnexpectedEOF)), files.ErrCut},
		"wrong type": {strings.NewReader("GIF89a"), files.ErrType},
	} {
		if _, err := s.Receive(t.Context(), "a.pdf", try.body); !errors.Is(err, try.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	exact := receive(t, s, "a.txt", strings.Repeat("x", 1<<20))
	exact.Discard()
	if left, err := os.ReadDir(filepath.Join(place, "incoming")); err != nil || len(left) > 0 {
		t.Errorf("%v are left: %v", left, err)
	}
}

func TestStoredFilesSurviveReopen(t *testing.T) {
	everywhere(t, func(t *testing.T, s *files.Store) {
		var kept []string
		for range 3 {
			key := files.NewKey(len(kept) + 1)
			if err := s.Keep(t.Context(), key, receive(t, s, "a.pdf", pdf)); err != nil {
				t.Fatal(err)
			}
			kept = append(kept, key)
		}
		lost := receive(t, s, "a.pdf", pdf) // as a process leaves it that ends
		defer lost.Discard()
		for at, want := range map[time.Time]int{time.Now().Add(time.Hour): 3, time.Now().Add(-time.Hour): 0} {
			var found []string
			err := s.KeptBefore(t.Context(), at, func(keys []string) error { found = append(found, keys...); return nil })
			for _, key := range found {
				if !slices.Contains(kept, key) {
					t.Errorf("%s was not kept", key)
				}
			}
			if err != nil || len(found) != want {
				t.Errorf("%v: %v", found, err)
			}
		}
		visit := func([]string) error { return io.ErrClosedPipe }
		if err := s.KeptBefore(t.Context(), time.Now().Add(time.Hour), visit); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("what the visitor says is lost: %v", err)
		}
	})
}

func TestPartialFileIsRemoved(t *testing.T) {
	place := t.TempDir()
	s := opened(t, place)
	receive(t, s, "a.pdf", pdf)
	for at, want := range []int{1, 0} {
		if err := s.Tidy(time.Now().Add(time.Duration(2*at-1) * time.Hour)); err != nil {
			t.Fatal(err)
		}
		if left, err := os.ReadDir(filepath.Join(place, "incoming")); err != nil || len(left) != want {
			t.Errorf("%d are left, want %d: %v", len(left), want, err)
		}
	}
}

func TestInvalidFileStoreIsRejected(t *testing.T) {
	for _, place := range []string{
		"s3://", "s3://user:secret@papers", "s3://papers?secret=x", "s3://papers?endpoint=ftp://x",
		"s3://papers?endpoint=https://u:p@x", "/dev/null/x",
	} {
		if _, err := files.Open(place, 1); err == nil {
			t.Errorf("%s is opened", place)
		} else if strings.Contains(err.Error(), "user:secret") {
			t.Errorf("the secret is told: %v", err)
		}
	}
	if _, err := files.Open(t.TempDir(), 0); err == nil {
		t.Error("a limit of 0 is taken")
	}
}

func TestUnresponsiveBucketIsError(t *testing.T) {
	b := apptest.NewBucket(t)
	s := opened(t, b.Place(""))
	key := files.NewKey(1)
	if err := s.Keep(t.Context(), key, receive(t, s, "a.pdf", pdf)); err != nil {
		t.Fatal(err)
	}
	b.Break()
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := s.Open(ctx, key); err == nil || errors.Is(err, files.ErrMissing) ||
		strings.Contains(err.Error(), "only for tests") {
		t.Errorf("%v", err)
	}
}
