package webhook_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"paydown/internal/webhook"
)

// receiver is a server controlled by the test.
type receiver struct {
	net.Listener
	accepted atomic.Int32
	conns    sync.WaitGroup
}

// receive starts a receiver on an address, which serves each connection with the test's function. Connections
// are closed at the end of the test at the latest.
func receive(tb testing.TB, address string, handle func(net.Conn)) *receiver {
	tb.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		tb.Fatal(err)
	}
	r := &receiver{Listener: listener}
	var mu sync.Mutex
	var open []net.Conn
	r.conns.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			r.accepted.Add(1)
			mu.Lock()
			open = append(open, conn)
			mu.Unlock()
			r.conns.Go(func() {
				defer func() { _ = conn.Close() }()
				handle(conn)
			})
		}
	})
	tb.Cleanup(func() {
		_ = listener.Close()
		mu.Lock()
		for _, conn := range open {
			_ = conn.Close()
		}
		mu.Unlock()
		r.conns.Wait()
	})
	return r
}

// URL is the receiver's URL, over plain HTTP.
func (r *receiver) URL() string { return "http://" + r.Addr().String() + "/hook" }

// Port is the receiver's port.
func (r *receiver) Port() int { return r.Addr().(*net.TCPAddr).Port }

// answering reads requests in turn, and writes the answer to each.
func answering(answer string) func(net.Conn) {
	return func(conn net.Conn) {
		for in := bufio.NewReader(conn); readRequest(in); {
			if _, err := io.WriteString(conn, answer); err != nil {
				return
			}
		}
	}
}

func readRequest(in *bufio.Reader) bool {
	req, err := http.ReadRequest(in)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, req.Body)
	return err == nil
}

// once reads a request, and leaves the rest to the test.
func once(then func(net.Conn)) func(net.Conn) {
	return func(conn net.Conn) {
		if readRequest(bufio.NewReader(conn)) {
			then(conn)
		}
	}
}

const ok204 = "HTTP/1.1 204 No Content\r\n\r\n"

// sender creates a Sender, which may send to 127.0.0.1 unless the test provides a guard, and checks at the end
// that it has left nothing behind.
func sender(tb testing.TB, cfg webhook.SenderConfig) *webhook.Sender {
	tb.Helper()
	if cfg.Guard.Resolve == nil {
		cfg.Guard = loopback(nil)
	}
	s := webhook.NewSender(cfg)
	tb.Cleanup(func() {
		s.Close()
		if connections, endpoints := s.Kept(); connections+endpoints > 0 {
			tb.Errorf("%d connections of %d endpoints are kept by a Sender that is closed", connections, endpoints)
		}
		nothingRuns(tb)
	})
	return s
}

// nothingRuns waits until no goroutine of a Sender is left.
func nothingRuns(tb testing.TB) {
	tb.Helper()
	left := ""
	for until := time.Now().Add(2 * time.Minute); time.Now().Before(until); time.Sleep(time.Millisecond) {
		stacks := make([]byte, 1<<20)
		left = ""
		for stack := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			for _, internal := range []string{"http.(*persistConn)", "webhook.(*Resolver)", "webhook.dial", "net.(*Resolver)"} {
				if strings.Contains(stack, internal) {
					left = stack
				}
			}
		}
		if left == "" {
			return
		}
	}
	tb.Errorf("this goes on:\n%s", left)
}

// soon is the timeout for attempts that must time out, long enough for a busy machine to start them. They may
// end later than that.
const soon = 400 * time.Millisecond

// Receivers that misbehave in every known way.
func TestReceivers(t *testing.T) {
	reset := func(conn net.Conn) {
		_ = conn.(*net.TCPConn).SetLinger(0)
		_ = conn.Close()
	}
	// drip writes a byte at a time until nobody reads.
	drip := func(conn net.Conn, b string) {
		for {
			if _, err := io.WriteString(conn, b); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
	// flood writes until the connection fails.
	flood := func(conn net.Conn, b string) {
		for {
			if _, err := io.WriteString(conn, b); err != nil {
				return
			}
		}
	}
	hang := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }
	begin := func(answer string, then func(net.Conn)) func(net.Conn) {
		return once(func(conn net.Conn) {
			if _, err := io.WriteString(conn, answer); err == nil {
				then(conn)
			}
		})
	}
	for name, c := range map[string]struct {
		handle  func(net.Conn)
		status  int
		code    string
		snippet string
	}{
		"204":              {answering(ok204), 204, "", ""},
		"299":              {answering("HTTP/1.1 299 Well\r\nContent-Length: 2\r\n\r\nok"), 299, "", "ok"},
		"200 until closed": {begin("HTTP/1.0 200 OK\r\n\r\nall of it", func(net.Conn) {}), 200, "", "all of it"},
		"in chunks": {
			answering("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"), 200, "", "ok",
		},
		"a few interim answers": {
			answering("HTTP/1.1 103 Early\r\nX: y\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" +
				"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
			200, "", "ok",
		},
		"400": {answering("HTTP/1.1 400 Bad Request\r\nContent-Length: 2\r\n\r\nno"), 400, "status", "no"},
		"410": {answering("HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"), 410, "status", ""},
		"500": {answering("HTTP/1.1 500 Oops\r\nContent-Length: 4\r\n\r\noops"), 500, "status", "oops"},
		"304": {answering("HTTP/1.1 304 Not Modified\r\n\r\n"), 304, "status", ""},
		"switches protocols": {
			begin("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nbytes", hang),
			101, "status", "",
		},
		"a status of one digit": {begin("HTTP/1.1 2 OK\r\n\r\n", hang), 0, "connection", ""},
		"no HTTP":               {begin("SSH-2.0-OpenSSH_9.6\r\n", hang), 0, "connection", ""},
		"lengths that differ": {
			begin("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nok", hang), 0, "connection", "",
		},
		"closed without an answer": {once(func(net.Conn) {}), 0, "connection", ""},
		"reset without an answer":  {once(reset), 0, "connection", ""},
		"reset within the headers": {begin("HTTP/1.1 200 OK\r\nX: ", reset), 0, "connection", ""},
		"closed within the body": {
			begin("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome", func(net.Conn) {}), 200, "connection", "some",
		},
		"closed within a chunk": {
			begin("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n9\r\nsome", func(net.Conn) {}),
			200, "connection", "some",
		},
		"reset within the body": {
			begin("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsome", reset), 200, "connection", "some",
		},
		"no answer":                {once(hang), 0, "timeout", ""},
		"headers a byte at a time": {begin("HTTP/1.1 200 OK\r\nX: ", func(c net.Conn) { drip(c, "x") }), 0, "timeout", ""},
		"headers and no more":      {begin("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", hang), 200, "timeout", ""},
		"a body a byte at a time": {
			begin("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\nx", func(c net.Conn) { drip(c, "x") }),
			200, "timeout", "x",
		},
		"interim answers one by one": {
			once(func(c net.Conn) { drip(c, "HTTP/1.1 102 Processing\r\n\r\n") }), 0, "timeout", "",
		},
		"interim answers without end": {
			once(func(c net.Conn) { flood(c, "HTTP/1.1 103 Early\r\nX: y\r\n\r\n") }), 0, "too_large", "",
		},
		"one header of a megabyte": {
			begin("HTTP/1.1 200 OK\r\nX: "+strings.Repeat("x", 1<<20)+"\r\n\r\n", hang), 0, "too_large", "",
		},
		"a megabyte of headers": {
			begin("HTTP/1.1 200 OK\r\n"+strings.Repeat("X: 12345678901234567890\r\n", 1<<15), hang), 0, "too_large", "",
		},
		"a status line without end": {
			begin("HTTP/1.1 200 ", func(c net.Conn) { flood(c, "OKOKOKOKOKOKOKOK") }), 0, "too_large", "",
		},
		"headers of 60,000 bytes": {
			answering("HTTP/1.1 204 OK\r\nX: " + strings.Repeat("x", 60_000) + "\r\n\r\n"), 204, "", "",
		},
		"a body without end": {
			begin("HTTP/1.1 200 OK\r\n\r\n", func(c net.Conn) { flood(c, strings.Repeat("x", 1024)) }),
			200, "", strings.Repeat("x", 1024),
		},
		"a body of a terabyte": {
			begin("HTTP/1.1 201 OK\r\nContent-Length: 1099511627776\r\n\r\n",
				func(c net.Conn) { flood(c, strings.Repeat("x", 1024)) }),
			201, "", strings.Repeat("x", 1024),
		},
		"an error without end": {
			begin("HTTP/1.1 503 No\r\n\r\n", func(c net.Conn) { flood(c, strings.Repeat("x", 1024)) }),
			503, "status", strings.Repeat("x", 1024),
		},
		"endless chunks of one byte": {
			begin("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
				func(c net.Conn) { flood(c, strings.Repeat("1\r\nx\r\n", 1000)) }),
			200, "", strings.Repeat("x", 1024),
		},
		"a body that is not for today": {
			begin("HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 500 Oops\r\n\r\n", hang), 204, "", "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := webhook.SenderConfig{}
			if c.code == "timeout" {
				cfg.Timeout = soon
			}
			s := sender(t, cfg)
			r := receive(t, "127.0.0.1:0", c.handle)
			o := s.Send(
				t.Context(), webhook.Attempt{Endpoint: 1, URL: r.URL(), Header: http.Header{}, Body: []byte(`{"id":"msg_1"}`)},
			)
			if o.Status != c.status || o.Error != c.code || o.Internal {
				t.Errorf("%+v, want %d %q", o, c.status, c.code)
			}
			if o.Snippet != c.snippet && c.code != "timeout" {
				t.Errorf("the snippet is %.80q, want %.80q", o.Snippet, c.snippet)
			}
			if !strings.HasPrefix(o.Snippet, c.snippet) {
				t.Errorf("the snippet is %.80q, want some of %.80q", o.Snippet, c.snippet)
			}
			if c.code == "timeout" && o.Duration < soon {
				t.Errorf("it took %s", o.Duration)
			}
			eventually(t, "the connection is accepted", func() bool { return r.accepted.Load() > 0 })
			if n := r.accepted.Load(); n != 1 {
				t.Errorf("%d connections", n)
			}
		})
	}
}

// A connection is established but never accepted, or not even established.
func TestReceiversThatNeverAccept(t *testing.T) {
	s := sender(t, webhook.SenderConfig{Timeout: soon})
	address := fullBacklog(t)
	for range 2 {
		o := s.Send(t.Context(), webhook.Attempt{URL: "http://" + address})
		if o.Error != "timeout" || o.Internal || o.Status != 0 || o.Duration < soon {
			t.Errorf("%+v", o)
		}
	}
	closed := receive(t, "127.0.0.1:0", func(net.Conn) {})
	_ = closed.Close()
	if o := s.Send(t.Context(), webhook.Attempt{URL: closed.URL()}); o.Error != "connection" || o.Internal {
		t.Errorf("refused: %+v", o)
	}
}

// The timeout includes sending a body that nobody reads, over either protocol.
func TestReceiversThatReadNothing(t *testing.T) {
	body := bytes.Repeat([]byte("x"), 32<<20)
	ca := newAuthority(t)
	s := sender(t, webhook.SenderConfig{Timeout: time.Second, RootCAs: ca.pool})
	wait := make(chan struct{})
	defer close(wait)
	plain := receive(t, "127.0.0.1:0", func(net.Conn) { <-wait })
	encrypted := receive(t, "127.0.0.1:0", over(ca.config(t), func(net.Conn) { <-wait }))
	for _, url := range []string{plain.URL(), secure(encrypted)} {
		o := s.Send(t.Context(), webhook.Attempt{URL: url, Body: body})
		if o.Error != "timeout" || o.Status != 0 || o.Duration < time.Second {
			t.Errorf("%s: %+v", url, o)
		}
	}
}

// An answer before the end of the body is read.
func TestReceiversThatAnswerEarly(t *testing.T) {
	s := sender(t, webhook.SenderConfig{})
	r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
			return
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nbig")
		_, _ = io.Copy(io.Discard, conn)
	})
	o := s.Send(t.Context(), webhook.Attempt{URL: r.URL(), Body: bytes.Repeat([]byte("x"), 8<<20)})
	if o.Status != 413 || o.Error != "status" || o.Snippet != "big" {
		t.Errorf("%+v", o)
	}
}

// fullBacklog is the address of a server that never accepts and whose queue is full, so that no connection is
// established.
func fullBacklog(tb testing.TB) string {
	tb.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		tb.Fatal(err)
	}
	if err := syscall.Listen(fd, 0); err != nil {
		tb.Fatal(err)
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		tb.Fatal(err)
	}
	address := fmt.Sprintf("127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port)
	for range 64 {
		conn, err := net.DialTimeout("tcp", address, 100*time.Millisecond)
		if err != nil {
			return address
		}
		tb.Cleanup(func() { _ = conn.Close() })
	}
	tb.Fatal("the queue never fills up")
	return ""
}

// A compressed body is not decompressed, whatever its size.
func TestBodiesAreNotUnpacked(t *testing.T) {
	packed := bomb(t)
	s := sender(t, webhook.SenderConfig{})
	for _, encoding := range []string{"gzip", "deflate", "x-gzip", "gzip, gzip"} {
		head := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Encoding: %s\r\nContent-Length: %d\r\n\r\n", encoding, len(packed))
		r := receive(t, "127.0.0.1:0", answering(head+string(packed)))
		o := s.Send(t.Context(), webhook.Attempt{URL: r.URL()})
		if o.Status != 200 || o.Error != "" || o.Snippet != webhook.Snippet(packed) ||
			strings.Contains(o.Snippet, "aaaaaaaa") ||
			bytes.Contains(packed, []byte("aaaaaaaa")) {
			t.Errorf("%s: %d %q, %.40q", encoding, o.Status, o.Error, o.Snippet)
		}
	}
}
