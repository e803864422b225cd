package apptest

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Bucket is an S3-compatible store of one bucket in memory, with the operations that package files uses. It
// accepts any signature, and refuses requests without one.
type Bucket struct {
	mu      sync.Mutex
	objects map[string]object
	server  *httptest.Server
	// Now is the clock of its objects.
	Now func() time.Time
}

type object struct {
	body []byte
	kept time.Time
}

// NewBucket starts one, and sets its credentials in the environment.
func NewBucket(t *testing.T) *Bucket {
	t.Helper()
	t.Setenv("AWS_ACCESS_KEY_ID", "test")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "only for tests")
	b := &Bucket{objects: map[string]object{}, Now: time.Now}
	b.server = httptest.NewServer(b)
	t.Cleanup(b.server.Close)
	return b
}

// Place returns the address of a prefix of it, for files.Open.
func (b *Bucket) Place(prefix string) string {
	return "s3://papers/" + prefix + "?region=us-east-1&endpoint=" + b.server.URL
}

// Keys returns the names of its objects.
func (b *Bucket) Keys() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var keys []string
	for key := range b.objects {
		keys = append(keys, key)
	}
	return keys
}

// Break stops it, so that requests get no response.
func (b *Bucket) Break() { b.server.Close() }

// Spoil changes the content of an object.
func (b *Bucket) Spoil(key string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	o := b.objects[key]
	o.body = []byte(strings.Repeat("x", len(o.body)))
	b.objects[key] = o
}

func (b *Bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	key, ok := strings.CutPrefix(r.URL.Path, "/papers/")
	if !ok || !strings.HasPrefix(r.Header.Get("Authorization"), "AWS4-HMAC-SHA256 Credential=test/") {
		w.WriteHeader(http.StatusForbidden)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	kept, there := b.objects[key]
	switch {
	case r.Method == http.MethodPut:
		body, err := content(r)
		if err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		b.objects[key] = object{body, b.Now()}
		w.Header().Set("ETag", `"tag"`)
	case r.Method == http.MethodDelete:
		delete(b.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case key == "":
		b.list(w, r.URL.Query().Get("prefix"))
	case !there:
		w.WriteHeader(http.StatusNotFound)
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `<Error><Code>NoSuchKey</Code></Error>`)
		}
	default:
		w.Header().Set("ETag", `"tag"`)
		w.Header().Set("Last-Modified", kept.kept.UTC().Format(http.TimeFormat))
		w.Header().Set("Content-Length", strconv.Itoa(len(kept.body)))
		if r.Method == http.MethodGet {
			_, _ = w.Write(kept.body)
		}
	}
}

// content returns the body of a request, also if it is chunked with signed chunks.
func content(r *http.Request) ([]byte, error) {
	if !strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING-") {
		return io.ReadAll(r.Body)
	}
	var body []byte
	chunks := bufio.NewReader(r.Body)
	for {
		head, err := chunks.ReadString('\n')
		if err != nil {
			return nil, err
		}
		size, _, _ := strings.Cut(head, ";")
		n, err := strconv.ParseInt(strings.TrimSpace(size), 16, 32)
		if err != nil || n == 0 {
			return body, err
		}
		chunk := make([]byte, n+2)
		if _, err := io.ReadFull(chunks, chunk); err != nil {
			return nil, err
		}
		body = append(body, chunk[:n]...)
	}
}

func (b *Bucket) list(w http.ResponseWriter, prefix string) {
	type contents struct {
		Key          string
		LastModified string
		Size         int
	}
	var result struct {
		XMLName  xml.Name `xml:"ListBucketResult"`
		Contents []contents
	}
	for key, o := range b.objects {
		if strings.HasPrefix(key, prefix) {
			result.Contents = append(result.Contents, contents{key, o.kept.UTC().Format(time.RFC3339), len(o.body)})
		}
	}
	_ = xml.NewEncoder(w).Encode(result)
}
