package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Limits on what is read of a response, in bytes.
const (
	// SnippetSize is how much of the body is stored.
	SnippetSize = 1 << 10
	// maxResponseBody is how much of the body is read. A longer one counts as complete there, because the status
	// already tells the result; the connection is closed.
	maxResponseBody = 64 << 10
	// maxResponseHeaders limits the headers of a response and of all interim responses before it.
	maxResponseHeaders = 64 << 10
)

// errStale is returned if a request failed on an idle connection that the receiver had closed meanwhile: no
// byte came back. Receivers may close connections at any time, and tolerate seeing a delivery twice.
var errStale = errors.New("webhook: the connection was dead")

// exchange sends the request over a connection and reads the response into the outcome. Without an error the
// connection can be used again if it is still available.
func exchange(ctx context.Context, c *conn, to *url.URL, a Attempt, o *Outcome) error {
	before := c.link.read.Load()
	resp, err := c.http.RoundTrip(request(ctx, to, a))
	if err != nil {
		switch read := c.link.read.Load() - before; {
		case read >= maxResponseHeaders:
			return &failure{CodeTooLarge, false, err}
		case read == 0 && c.kept && ctx.Err() == nil:
			return fmt.Errorf("%w: %w", errStale, err)
		}
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	o.Status = resp.StatusCode
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return nil // what follows is not a body
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxResponseBody))
	o.Snippet = snippet(body)
	return err
}

func request(ctx context.Context, to *url.URL, a Attempt) *http.Request {
	header := maps.Clone(a.Header)
	if header == nil {
		header = http.Header{}
	}
	header["Accept-Encoding"] = []string{"identity"}
	r := &http.Request{
		Method: http.MethodPost, URL: to, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body)),
	}
	return r.WithContext(ctx)
}

// snippet is the start of a body as text that every database accepts: U+FFFD replaces invalid UTF-8 and NUL.
func snippet(body []byte) string {
	cut := body[:min(len(body), SnippetSize)]
	if len(cut) < len(body) {
		cut = withoutPart(cut)
	}
	text := strings.ReplaceAll(strings.ToValidUTF8(string(cut), "\uFFFD"), "\x00", "\uFFFD")
	if len(text) > SnippetSize {
		text = string(withoutPart([]byte(text[:SnippetSize]))) // a replacement is longer than what it replaces
	}
	return text
}

// withoutPart removes an incomplete character at the end.
func withoutPart(text []byte) []byte {
	for i := len(text) - 1; i >= 0 && i > len(text)-utf8.UTFMax; i-- {
		if utf8.RuneStart(text[i]) {
			if !utf8.FullRune(text[i:]) {
				return text[:i]
			}
			break
		}
	}
	return text
}
