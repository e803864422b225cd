package documents_test

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
)

// pending is an upload that has a place but no body yet.
type pending struct {
	net.Conn
	read *bufio.Reader
}

// begin starts an upload. The server asks for the body only once the upload has its place.
func (o *office) begin(t *testing.T, member *apptest.Client, path string) *pending {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(o.HTTP.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: %s\r\nCookie: %s\r\nExpect: 100-continue\r\nContent-Length: %d\r\n\r\n",
		path, member.Host, member.Header.Get("Cookie"), len(pdf))
	p := &pending{conn, bufio.NewReader(conn)}
	if line, err := p.read.ReadString('\n'); err != nil || !strings.HasPrefix(line, "HTTP/1.1 100 ") {
		t.Fatalf("%q %v", line, err)
	}
	if _, err := p.read.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	return p
}

// finish sends the body and returns the status of the response.
func (p *pending) finish(t *testing.T) int {
	t.Helper()
	if _, err := p.Write([]byte(pdf)); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(p.read, nil)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	return resp.StatusCode
}

// member signs in one of the company's underwriters.
func (o *office) member(t *testing.T, host string, n int) *apptest.Client {
	t.Helper()
	email := fmt.Sprintf("m%d@%s", n, host)
	o.Member(t, host, email, "underwriter")
	b := o.Browser(host)
	b.Login(t, email)
	c := b.Client
	for name, value := range b.Cookies {
		c = c.With("Cookie", name+"="+value)
	}
	return c
}

func TestConcurrentUploadLimit(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := newOffice(t, a)
		full := func(who *apptest.Client, path string, status int, code string) {
			t.Helper()
			answer := who.Do(t, http.MethodPost, path, pdf)
			answer.Problem(t, status, code)
			if answer.Header.Get("Retry-After") == "" {
				t.Errorf("no Retry-After: %v", answer.Header)
			}
		}
		// A member has 4 places, a company 16, the process 32.
		var open []*pending
		fill := func(host, path string) {
			for m := range 4 {
				member := o.member(t, host, m)
				for range 4 {
					open = append(open, o.begin(t, member, path))
				}
				if len(open) < 32 {
					full(member, path, http.StatusTooManyRequests, "rate_limited")
				}
			}
		}
		elsewhere := func(host string) string {
			merchant := a.Client(t, host).Post(t, "/merchants", apptest.Object{"legalName": "X"}).In("merchant").ID()
			return fmt.Sprintf("/documents?name=a.pdf&merchant=%d", merchant)
		}
		fill(host, o.to("a.pdf"))
		full(a.Staff(t, host, "admin"), o.to("a.pdf"), http.StatusTooManyRequests, "rate_limited")
		fill("other.test", elsewhere("other.test"))
		path := elsewhere("third.test")
		member := o.member(t, "third.test", 0)
		full(member, path, http.StatusServiceUnavailable, "unavailable")
		if n := o.count(t); n != 0 {
			t.Errorf("%d documents", n)
		}

		// Each frees its place, whether it completes or is cut off.
		if err := open[0].Close(); err != nil {
			t.Fatal(err)
		}
		a.Log.Await(t, `"route":"document upload","status":400`)
		for _, p := range open[1:] {
			if status := p.finish(t); status != http.StatusCreated {
				t.Errorf("an upload that had its place: %d", status)
			}
		}
		if n := o.count(t); n != 15 {
			t.Errorf("%d documents of the first company", n)
		}
		for range 40 {
			member.Do(t, http.MethodPost, path, "<html>").Problem(t, http.StatusUnsupportedMediaType, "unsupported_media_type")
		}
		member.Do(t, http.MethodPost, path, pdf).Want(t, http.StatusCreated)
	}, apptest.KeepingFiles(t, t.TempDir(), limit))
}
