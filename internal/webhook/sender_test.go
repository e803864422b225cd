package webhook_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"testing"
	"time"

	"paydown/internal/webhook"
)

func TestWhatIsSent(t *testing.T) {
	s := sender(
		t,
		webhook.SenderConfig{
			Guard: loopback(map[string]string{"hooks.example": "127.0.0.1", "xn--bcher-kva.example": "127.0.0.1"}),
		},
	)
	type sent struct {
		line, host string
		header     http.Header
		body       string
	}
	got := make(chan sent, 1)
	r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
		for in := bufio.NewReader(conn); ; {
			req, err := http.ReadRequest(in)
			if err != nil {
				return
			}
			body, _ := io.ReadAll(req.Body)
			got <- sent{req.Method + " " + req.RequestURI + " " + req.Proto, req.Host, req.Header, string(body)}
			_, _ = io.WriteString(conn, ok204)
		}
	})
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("HTTPS_PROXY", "http://127.0.0.1:1")
	body := `{"id":"msg_1"}`
	header, err := webhook.Headers(
		"msg_1", "deal.created", time.Unix(1760000000, 0), []byte(body), webhook.NewSecret(), "",
	)
	if err != nil {
		t.Fatal(err)
	}
	names := len(header)
	for url, want := range map[string]sent{
		"http://hooks.example:%d/a/%%2F?x=1&y": {line: "POST /a/%2F?x=1&y HTTP/1.1", host: "hooks.example:%d"},
		"http://hooks.example:%d":              {line: "POST / HTTP/1.1", host: "hooks.example:%d"},
		"http://hooks.example:%d?x":            {line: "POST /?x HTTP/1.1", host: "hooks.example:%d"},
		"http://bücher.example:%d/":            {line: "POST / HTTP/1.1", host: "xn--bcher-kva.example:%d"},
		"http://127.0.0.1:%d/":                 {line: "POST / HTTP/1.1", host: "127.0.0.1:%d"},
	} {
		o := s.Send(
			t.Context(), webhook.Attempt{Endpoint: 1, URL: fmt.Sprintf(url, r.Port()), Header: header, Body: []byte(body)},
		)
		if o.Error != "" {
			t.Fatalf("%s: %+v", url, o)
		}
		g := <-got
		if g.line != want.line || g.host != fmt.Sprintf(want.host, r.Port()) || g.body != body {
			t.Errorf("%s: %+v", url, g)
		}
		for name := range header {
			if g.header.Get(name) != header.Get(name) {
				t.Errorf("%s is %q, want %q", name, g.header.Get(name), header.Get(name))
			}
		}
		if g.header.Get("Accept-Encoding") != "identity" || g.header.Get("Content-Length") != fmt.Sprint(len(body)) ||
			len(g.header) != names+2 {
			t.Errorf("the headers are %v", g.header)
		}
	}
	if len(header) != names {
		t.Error("the attempt's headers were changed")
	}
}

// No redirect is followed, and the only connection is to the attempt's host.
func TestRedirectsAreNotFollowed(t *testing.T) {
	s := sender(t, webhook.SenderConfig{})
	other := receive(t, "127.0.0.1:0", answering(ok204))
	for _, status := range []int{300, 301, 302, 303, 307, 308} {
		for _, to := range []string{
			other.URL(), "http://169.254.169.254/latest/meta-data/", "https://169.254.169.254/", "/elsewhere",
			"file:///etc/passwd", "//metadata/",
		} {
			r := receive(
				t,
				"127.0.0.1:0",
				answering(
					fmt.Sprintf("HTTP/1.1 %d Go\r\nLocation: %s\r\nRefresh: 0; url=%s\r\nContent-Length: 0\r\n\r\n", status, to, to),
				),
			)
			if o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: r.URL()}); o.Error != "status" || o.Status != status ||
				o.Internal {
				t.Errorf("%d to %s: %+v", status, to, o)
			}
			if n := r.accepted.Load(); n != 1 {
				t.Errorf("%d to %s: %d connections", status, to, n)
			}
		}
	}
	if other.accepted.Load() > 0 {
		t.Error("a redirect was followed")
	}
}

// For an invalid stored URL not even a lookup is made.
func TestURLsThatAreNotSentTo(t *testing.T) {
	g := webhook.Guard{Resolve: func(_ context.Context, name string) ([]netip.Addr, error) {
		t.Errorf("looks up %s", name)
		return nil, io.EOF
	}}
	s := sender(t, webhook.SenderConfig{Guard: g})
	s.DialWith(func(_ context.Context, to netip.AddrPort) (net.Conn, error) {
		t.Errorf("connects to %s", to)
		return nil, io.EOF
	})
	for _, url := range []string{
		"", "http://hooks.example/", "https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/", "https://[::1]/",
		"https://u@hooks.example/",
		"https://127.1/", "https://metadata.google.internal/", "file:///etc/passwd", "https://hooks.example:0/",
		"https://hooks.example/#x",
	} {
		if o := s.Send(t.Context(), webhook.Attempt{URL: url, Header: http.Header{}}); o.Error != "blocked_address" ||
			o.Internal ||
			o.Status != 0 {
			t.Errorf("%q: %+v", url, o)
		}
	}
}

// An attempt that its caller cancels, or gives too little time, says nothing about the endpoint.
func TestCallersThatGiveUp(t *testing.T) {
	s := sender(t, webhook.SenderConfig{})
	asked := make(chan struct{}, 1)
	r := receive(t, "127.0.0.1:0", once(func(conn net.Conn) {
		asked <- struct{}{}
		_, _ = io.Copy(io.Discard, conn)
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	if o := s.Send(ctx, webhook.Attempt{URL: r.URL()}); !o.Internal || o.Error != "connection" {
		t.Errorf("%+v", o)
	}
	if o := s.Send(ctx, webhook.Attempt{URL: r.URL()}); !o.Internal || o.Error == "" {
		t.Errorf("ended before it began: %+v", o)
	}
	short, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if o := s.Send(short, webhook.Attempt{URL: r.URL()}); !o.Internal || o.Error != "timeout" {
		t.Errorf("%+v", o)
	}
}
