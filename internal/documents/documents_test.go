package documents_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"paydown/ent/auditentry"
	"paydown/internal/apptest"
	"paydown/internal/fault"
	"paydown/internal/files"
	"paydown/internal/service"
)

const (
	host = "papers.test"
	pdf  = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n"
	// limit is the maximum size of files in these tests.
	limit = 64 << 10
)

// office is a company with a deal.
type office struct {
	*apptest.App
	key   *apptest.Client
	deal  int
	place string // where its files are kept
}

func newOffice(t *testing.T, a *apptest.App) *office {
	t.Helper()
	o := &office{App: a, key: a.Client(t, host)}
	merchant := o.key.Post(t, "/merchants", apptest.Object{"legalName": "Harbor Bakery"}).In("merchant").ID()
	o.deal = o.key.Post(t, "/deals", apptest.Object{"merchantId": merchant}).In("deal").ID()
	return o
}

// everywhere runs a test on both databases, with files in a directory and in a bucket.
func everywhere(t *testing.T, test func(t *testing.T, o *office, lies func(key string) bool)) {
	t.Helper()
	for name, start := range map[string]func(testing.TB, ...apptest.Option) *apptest.App{
		"SQLite": apptest.OnSQLite, "PostgreSQL": apptest.OnPostgres,
	} {
		t.Run(name+", a directory", func(t *testing.T) {
			place := t.TempDir()
			o := newOffice(t, start(t, apptest.KeepingFiles(t, place, limit)))
			o.place = place
			test(t, o, func(key string) bool {
				found, _ := filepath.Glob(filepath.Join(place, key))
				return len(found) == 1
			})
		})
		t.Run(name+", a bucket", func(t *testing.T) {
			bucket := apptest.NewBucket(t)
			o := newOffice(t, start(t, apptest.KeepingFiles(t, bucket.Place("x"), limit)))
			o.place = bucket.Place("x")
			test(t, o, func(key string) bool {
				return slices.Contains(bucket.Keys(), "x/"+key)
			})
		})
	}
}

// to returns the path of an upload to the deal.
func (o *office) to(name string, more ...string) string {
	q := url.Values{"deal": {fmt.Sprint(o.deal)}, "name": {name}}
	for i := 0; i < len(more); i += 2 {
		q.Set(more[i], more[i+1]) //nolint:gosec // they come in pairs
	}
	return "/documents?" + q.Encode()
}

// keyOf returns the storage key of a document's file.
func (o *office) keyOf(t *testing.T, id int) string {
	t.Helper()
	row, err := o.Store.Reader().Document.Get(o.Operator(t, host), id)
	if err != nil {
		t.Fatal(err)
	}
	return *row.StorageKey
}

func (o *office) count(t *testing.T) int {
	t.Helper()
	n, err := o.Store.Reader().Document.Query().Count(o.Operator(t, host))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestUploadAndDownload(t *testing.T) {
	everywhere(t, func(t *testing.T, o *office, lies func(string) bool) {
		staff := o.Staff(t, host, "underwriter")
		name := "März \"final\"; ../x\u202e.pdf"
		made := staff.Do(t, http.MethodPost, o.to(name, "kind", "BANK_STATEMENTS"), pdf).
			Want(t, http.StatusCreated).
			In("document")
		if made.Text("name") != name || made.Text("mediaType") != "application/pdf" || made.Int("size") != len(pdf) ||
			made.Int("dealId") != o.deal ||
			made.Int("uploadedById") == 0 ||
			made.Text("kind") != "BANK_STATEMENTS" {
			t.Errorf("%v", made)
		}
		if key := o.keyOf(t, made.ID()); !lies(key) {
			t.Errorf("nothing lies at %s", key)
		}
		seen := staff.Graph(t, fmt.Sprintf("{ document(id: %d) { name sha256 size deal { id } } }", made.ID()), nil).
			In("document")
		if seen.Text("sha256") != made.Text("sha256") || seen.Int("size") != len(pdf) {
			t.Errorf("%v", seen)
		}
		back := o.Staff(t, host, "read-only").Do(t, http.MethodGet, fmt.Sprintf("/documents/%d", made.ID()), nil)
		h := back.Header
		if back.Status != http.StatusOK || string(back.Body) != pdf || h.Get("Content-Type") != "application/pdf" ||
			h.Get("X-Content-Type-Options") != "nosniff" || h.Get("Cache-Control") != "private, no-store" ||
			!strings.Contains(h.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%d %v %q", back.Status, h, back.Body)
		}
		if got := h.Get("Content-Disposition"); got != "attachment; filename*=utf-8''M%C3%A4rz%20%22final%22%3B%20.._x_.pdf" {
			t.Errorf("%s", got)
		}
		entry, err := o.Store.Reader().
			AuditEntry.Query().
			Where(auditentry.Action("document.create")).
			Only(o.Operator(t, host))
		if err != nil || *entry.DealID != o.deal || entry.ActorKind != "USER" {
			t.Errorf("%v %v", entry, err)
		}
		report, err := o.Integrity.Verify(context.Background())
		if err != nil || !report.OK ||
			report.Checks[len(report.Checks)-1].Detail != "0 of 1 stored documents have lost their file" {
			t.Errorf("%+v %v", report, err)
		}
	})
}

func TestRejectedUploadLeavesNothing(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := newOffice(t, a)
		staff := a.Staff(t, host, "underwriter")
		other := a.Client(t, "other.test")
		merchant := other.Post(t, "/merchants", apptest.Object{"legalName": "X"}).In("merchant")
		elsewhere := other.Post(t, "/deals", apptest.Object{"merchantId": merchant.ID()}).In("deal").ID()
		for name, try := range map[string]struct {
			who    *apptest.Client
			path   string
			body   any
			status int
			code   string
		}{
			"too large": {
				staff, o.to("a.pdf"), pdf + strings.Repeat("x", limit), http.StatusRequestEntityTooLarge, "payload_too_large",
			},
			"empty":        {staff, o.to("a.pdf"), "", http.StatusBadRequest, "validation_error"},
			"another type": {staff, o.to("a.exe"), "MZ", http.StatusUnsupportedMediaType, "unsupported_media_type"},
			"compressed": {
				staff.With("Content-Encoding", "gzip"), o.to("a.pdf"), pdf,
				http.StatusUnsupportedMediaType, "unsupported_media_type",
			},
			"not what its name says": {
				staff, o.to("a.pdf"), "<html><script>", http.StatusUnsupportedMediaType, "unsupported_media_type",
			},
			"without a name": {staff, fmt.Sprintf("/documents?deal=%d", o.deal), pdf, http.StatusBadRequest, "validation_error"},
			"about nothing":  {staff, "/documents?name=a.pdf", pdf, http.StatusBadRequest, "validation_error"},
			"about both":     {staff, o.to("a.pdf", "merchant", "1"), pdf, http.StatusBadRequest, "validation_error"},
			"of a strange kind": {
				staff, o.to("a.pdf", "kind", "NOTHING_ASKED"), pdf, http.StatusBadRequest, "validation_error",
			},
			"with more to say": {staff, o.to("a.pdf", "key", "../../x"), pdf, http.StatusBadRequest, "validation_error"},
			"no id":            {staff, o.to("a.pdf", "deal", "0x1"), pdf, http.StatusBadRequest, "validation_error"},
			"another tenant's deal": {
				staff, o.to("a.pdf", "deal", fmt.Sprint(elsewhere)), pdf, http.StatusUnprocessableEntity, "invalid_reference",
			},
			"by who may only read": {a.Staff(t, host, "read-only"), o.to("a.pdf"), pdf, http.StatusForbidden, "forbidden"},
			"by nobody":            {a.As(host, ""), o.to("a.pdf"), pdf, http.StatusUnauthorized, "unauthorized"},
			"by a key":             {o.key, o.to("a.pdf"), pdf, http.StatusUnauthorized, "unauthorized"},
			"from another site": {
				staff.With("Sec-Fetch-Site", "cross-site"), o.to("a.pdf"), pdf, http.StatusForbidden, "forbidden",
			},
			"by another method": {staff, "/documents/1", pdf, http.StatusMethodNotAllowed, "method_not_allowed"},
		} {
			try.who.Do(t, http.MethodPost, try.path, try.body).Problem(t, try.status, try.code)
			if n := o.count(t); n != 0 {
				t.Fatalf("%s: %d documents", name, n)
			}
		}
		if n, err := a.Documents.Sweep(later(t, a)); n != 0 || err != nil {
			t.Errorf("%d files are left: %v", n, err)
		}
	}, apptest.KeepingFiles(t, t.TempDir(), limit))
}

// later is more than a day from now, when files without a record are deleted.
func later(t *testing.T, a *apptest.App) context.Context {
	t.Helper()
	a.AdvanceAll(25 * time.Hour)
	return context.Background()
}

func TestUploadWithIdempotencyKeyRunsOnce(t *testing.T) {
	everywhere(t, func(t *testing.T, o *office, _ func(string) bool) {
		staff := o.Staff(t, host, "underwriter").With("Idempotency-Key", "once")
		first := staff.Do(t, http.MethodPost, o.to("a.pdf"), pdf)
		again := staff.Do(t, http.MethodPost, o.to("a.pdf"), pdf)
		if !bytes.Equal(first.Body, again.Body) || again.Header.Get("Idempotency-Replayed") != "true" || o.count(t) != 1 {
			t.Errorf("%s %s, %d documents", first.Body, again.Body, o.count(t))
		}
		staff.Do(t, http.MethodPost, o.to("a.pdf"), pdf+"more").
			Problem(t, http.StatusUnprocessableEntity, "idempotency_key_reused")
		if n, err := o.Documents.Sweep(later(t, o.App)); n != 0 || err != nil {
			t.Errorf("%d files are left of repeats: %v", n, err)
		}
	})
}

func TestDownloadRequiresDealAccess(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := newOffice(t, a)
		a.Tenant(t, "other.test")
		id := a.Staff(t, host, "underwriter").
			Do(t, http.MethodPost, o.to("a.pdf"), pdf).
			Want(t, http.StatusCreated).
			In("document").
			ID()
		path := fmt.Sprintf("/documents/%d", id)
		a.Staff(t, "other.test", "admin").Do(t, http.MethodGet, path, nil).Problem(t, http.StatusNotFound, "not_found")
		a.As(host, "").Do(t, http.MethodGet, path, nil).Problem(t, http.StatusUnauthorized, "unauthorized")
		role := a.Staff(t, host, "admin").
			Graph(t, `mutation { createRole(input: {name: "Leads", permissions: ["leads:read"]}) { id } }`, nil)
		if role.In("createRole").Text("id") == "" {
			t.Fatal("no role")
		}
		a.Member(t, host, "leads@papers.test", "Leads")
		b := a.Browser(host)
		b.Login(t, "leads@papers.test")
		b.Do(t, http.MethodGet, path, nil).Problem(t, http.StatusForbidden, "forbidden")
		staff := a.Staff(t, host, "underwriter")
		staff.Do(t, http.MethodGet, "/documents/999", nil).Problem(t, http.StatusNotFound, "not_found")
		staff.Do(t, http.MethodGet, "/documents/..%2f..%2fetc", nil).Problem(t, http.StatusBadRequest, "invalid_id")
	}, apptest.KeepingFiles(t, t.TempDir(), limit))
}

func TestInterruptedUploadLeavesNothing(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := newOffice(t, a)
		staff := a.Staff(t, host, "underwriter")
		address := strings.TrimPrefix(a.HTTP.URL, "http://")
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(
			conn, "POST %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nContent-Length: 5000\r\n\r\n%s", o.to("a.pdf"), host,
			staff.Header.Get("Cookie"), pdf,
		)
		if err := conn.Close(); err != nil {
			t.Fatal(err)
		}
		a.Log.Await(t, `"route":"document upload","status":400`)
		if n := o.count(t); n != 0 {
			t.Errorf("%d documents", n)
		}
	}, apptest.KeepingFiles(t, t.TempDir(), limit))
}

// TestKilledProcessLeavesOrphanFile stores a file like a process that ends before it has stored the record.
func TestKilledProcessLeavesOrphanFile(t *testing.T) {
	everywhere(t, func(t *testing.T, o *office, lies func(string) bool) {
		recorded := o.keyOf(
			t,
			o.Staff(t, host, "underwriter").
				Do(t, http.MethodPost, o.to("a.pdf"), pdf).
				Want(t, http.StatusCreated).
				In("document").
				ID(),
		)
		lost := files.NewKey(1)
		o.orphan(t, lost)
		if n, err := o.Documents.Sweep(context.Background()); n != 0 || err != nil || !lies(lost) {
			t.Errorf("a file that was kept just now is swept: %d %v", n, err)
		}
		if n, err := o.Documents.Sweep(later(t, o.App)); n != 1 || err != nil || lies(lost) || !lies(recorded) {
			t.Errorf("%d are swept: %v", n, err)
		}
		if n, err := o.Documents.Sweep(context.Background()); n != 0 || err != nil {
			t.Errorf("%d are swept once more: %v", n, err)
		}
	})
}

// orphan stores a file without a record.
func (o *office) orphan(t *testing.T, key string) {
	t.Helper()
	kept := opened(t, o.place)
	in, err := kept.Receive(t.Context(), "a.pdf", strings.NewReader(pdf))
	if err != nil {
		t.Fatal(err)
	}
	if err := kept.Keep(t.Context(), key, in); err != nil {
		t.Fatal(err)
	}
}

// opened opens the file storage like another process.
func opened(t *testing.T, place string) *files.Store {
	t.Helper()
	kept, err := files.Open(place, limit)
	if err != nil {
		t.Fatal(err)
	}
	return kept
}

func TestVerifyFindsLostAndCorruptFiles(t *testing.T) {
	bucket := apptest.NewBucket(t)
	a := apptest.OnSQLite(t, apptest.KeepingFiles(t, bucket.Place(""), limit))
	o := newOffice(t, a)
	staff := a.Staff(t, host, "underwriter")
	id := staff.Do(t, http.MethodPost, o.to("a.pdf"), pdf).Want(t, http.StatusCreated).In("document").ID()
	path, key := fmt.Sprintf("/documents/%d", id), o.keyOf(t, id)
	bucket.Spoil(key)
	if answer, err := staff.Try(http.MethodGet, path, nil); err == nil {
		t.Errorf("a spoilt file is given out: %d %q", answer.Status, answer.Body)
	}
	if err := opened(t, bucket.Place("")).Remove(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	staff.Do(t, http.MethodGet, path, nil).Problem(t, http.StatusInternalServerError, "internal_error")
	report, err := a.Integrity.Verify(context.Background())
	if err != nil || report.OK || report.Checks[len(report.Checks)-1].OK {
		t.Errorf("%+v %v", report, err)
	}
}

func TestUploadWithoutFileStoreIsRefused(t *testing.T) {
	a := apptest.OnSQLite(t)
	o := newOffice(t, a)
	if _, err := a.Documents.Receive(a.Operator(t, host), service.NewDocument{
		Name: service.Some("a.pdf"), DealID: service.Some(o.deal),
	}, io.LimitReader(nil, 0)); !fault.Is(err, fault.Conflict) {
		t.Errorf("%v", err)
	}
}
