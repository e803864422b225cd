package webhook_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"paydown/internal/webhook"
)

// eventually waits until something holds.
func eventually(tb testing.TB, what string, holds func() bool) {
	tb.Helper()
	for until := time.Now().Add(10 * time.Second); !holds(); time.Sleep(time.Millisecond) {
		if time.Now().After(until) {
			tb.Fatalf("it never came about that %s", what)
		}
	}
}

// arrives makes an attempt that must arrive.
func arrives(tb testing.TB, s *webhook.Sender, endpoint int, url string) {
	tb.Helper()
	if o := s.Send(context.Background(), webhook.Attempt{Endpoint: endpoint, URL: url, Body: []byte("{}")}); o.Error != "" {
		tb.Errorf("%s: %+v", url, o)
	}
}

func TestConnectionsAreKeptByEndpoint(t *testing.T) {
	s := sender(t, webhook.SenderConfig{})
	r := receive(t, "127.0.0.1:0", answering("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
	for range 5 {
		arrives(t, s, 1, r.URL())
	}
	if n := r.accepted.Load(); n != 1 {
		t.Errorf("%d connections for five attempts, one after the other", n)
	}
	for range 2 {
		arrives(t, s, 2, r.URL())
	}
	if n := r.accepted.Load(); n != 2 {
		t.Errorf("%d connections of two endpoints", n)
	}
	// A connection whose answer was not read to its end is not used again, nor is one that the receiver wants closed.
	for _, answer := range []string{
		"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", "HTTP/1.0 200 OK\r\n\r\n",
		"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n" + strings.Repeat("x", 100000),
	} {
		closing := receive(t, "127.0.0.1:0", once(func(c net.Conn) { _, _ = io.WriteString(c, answer) }))
		for range 2 {
			arrives(t, s, 3, closing.URL())
		}
		if n := closing.accepted.Load(); n != 2 {
			t.Errorf("%.50q: %d connections for two attempts", answer, n)
		}
	}
	if connections, endpoints := s.Kept(); connections != 2 || endpoints != 2 {
		t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
	}
}

// A busy endpoint keeps as many connections as it has attempts at once.
func TestConnectionsOfABusyEndpoint(t *testing.T) {
	const atOnce = 128
	s := sender(t, webhook.SenderConfig{})
	var there sync.WaitGroup
	r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
		for in := bufio.NewReader(conn); readRequest(in); {
			there.Done()
			there.Wait() // for all the others of this round
			if _, err := io.WriteString(conn, ok204); err != nil {
				return
			}
		}
	})
	for range 3 {
		there.Add(atOnce)
		var all sync.WaitGroup
		for range atOnce {
			all.Go(func() { arrives(t, s, 1, r.URL()) })
		}
		all.Wait()
	}
	if n := r.accepted.Load(); n != atOnce {
		t.Errorf("%d connections for three rounds of %d attempts", n, atOnce)
	}
}

func TestConnectionsAreNotKeptForEver(t *testing.T) {
	var closed atomic.Int32
	handle := func(conn net.Conn) {
		answering(ok204)(conn)
		closed.Add(1)
	}
	t.Run("but for a time", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{KeepAlive: 50 * time.Millisecond})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		for endpoint := range 3 {
			arrives(t, s, endpoint, r.URL())
		}
		eventually(t, "they are closed", func() bool { return closed.Load() == 3 })
		if connections, endpoints := s.Kept(); connections+endpoints > 0 {
			t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
		}
		arrives(t, s, 1, r.URL())
		eventually(t, "it is closed", func() bool { return closed.Load() == 4 })
	})
	t.Run("but so many", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{MaxIdle: 2})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		for endpoint := range 5 {
			arrives(t, s, endpoint, r.URL())
		}
		eventually(t, "the first are closed", func() bool { return closed.Load() == 3 })
		if connections, endpoints := s.Kept(); connections != 2 || endpoints != 2 {
			t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
		}
		arrives(t, s, 4, r.URL())
		if n := r.accepted.Load(); n != 5 {
			t.Error("the last was not kept")
		}
	})
	t.Run("but until the endpoint is forgotten", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		arrives(t, s, 1, r.URL())
		arrives(t, s, 2, r.URL())
		s.Forget(1)
		s.Forget(99)
		eventually(t, "it is closed", func() bool { return closed.Load() == 1 })
		arrives(t, s, 2, r.URL())
		if n := r.accepted.Load(); n != 2 {
			t.Error("another endpoint was forgotten too")
		}
	})
	t.Run("but until the Sender is closed", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{})
		r := receive(t, "127.0.0.1:0", handle)
		closed.Store(0)
		arrives(t, s, 1, r.URL())
		s.Close()
		eventually(t, "it is closed", func() bool { return closed.Load() == 1 })
		arrives(t, s, 1, r.URL())
		eventually(t, "what came later is closed", func() bool { return closed.Load() == 2 })
		s.Close()
	})
}

// A connection in use when its endpoint is forgotten serves its attempt, and no other.
func TestForgettingAnEndpointInUse(t *testing.T) {
	s := sender(t, webhook.SenderConfig{})
	asked, answer := make(chan struct{}), make(chan struct{})
	r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
		for in := bufio.NewReader(conn); readRequest(in); {
			asked <- struct{}{}
			<-answer
			_, _ = io.WriteString(conn, ok204)
		}
	})
	for _, forget := range []func(){func() { s.Forget(1) }, s.Close} {
		before := r.accepted.Load()
		var under sync.WaitGroup
		under.Go(func() { arrives(t, s, 1, r.URL()) })
		<-asked
		forget()
		answer <- struct{}{}
		under.Wait()
		if connections, endpoints := s.Kept(); connections+endpoints > 0 {
			t.Errorf("%d connections of %d endpoints are kept", connections, endpoints)
		}
		if n := r.accepted.Load() - before; n != 1 {
			t.Errorf("%d connections", n)
		}
	}
}

// A receiver that drops a connection it has kept for a while does not make an attempt fail: it is made again, once and on a
// fresh connection. Where anything came back, or the connection was fresh, it is not.
func TestConnectionsThatDiedMeanwhile(t *testing.T) {
	for name, c := range map[string]struct {
		second   string // how the second request on a connection is answered, before it is closed
		code     string
		requests int32
	}{
		"without an answer":  {"", "", 3},
		"within an answer":   {"HTTP/1.1 20", "connection", 2},
		"with another error": {"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "status", 2},
	} {
		t.Run(name, func(t *testing.T) {
			s := sender(t, webhook.SenderConfig{})
			var requests atomic.Int32
			r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
				in := bufio.NewReader(conn)
				for _, answer := range []string{ok204, c.second} {
					if !readRequest(in) {
						return
					}
					requests.Add(1)
					_, _ = io.WriteString(conn, answer)
				}
			})
			arrives(t, s, 1, r.URL())
			if o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: r.URL()}); o.Error != c.code || requests.Load() != c.requests {
				t.Errorf("%+v after %d requests", o, requests.Load())
			}
		})
	}
	t.Run("all of them", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{})
		var there sync.WaitGroup
		var requests, rude atomic.Int32
		r := receive(t, "127.0.0.1:0", func(conn net.Conn) {
			for in := bufio.NewReader(conn); readRequest(in); {
				requests.Add(1)
				if rude.Load() > 0 {
					return
				}
				there.Done()
				there.Wait()
				_, _ = io.WriteString(conn, ok204)
			}
		})
		there.Add(10)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { arrives(t, s, 1, r.URL()) })
		}
		all.Wait()
		rude.Store(1)
		if o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: r.URL()}); o.Error != "connection" || requests.Load() != 12 {
			t.Errorf("%+v after %d requests", o, requests.Load())
		}
	})
}

// twoFaced is a receiver on two addresses of this machine and one port. 127.0.0.2 stands for a private address.
func twoFaced(t *testing.T, second string) (public, other *receiver) {
	t.Helper()
	public = receive(t, "127.0.0.1:0", answering(ok204))
	return public, receive(t, fmt.Sprintf("%s:%d", second, public.Port()), answering(ok204))
}

// A name that comes to stand for a private address is not delivered to, whenever it does: not before the connection,
// not between the judgement and the connection, and not while a connection is kept.
func TestNamesThatAreBoundAnew(t *testing.T) {
	public, private := twoFaced(t, "127.0.0.2")
	url := fmt.Sprintf("http://hooks.example:%d/", public.Port())
	t.Run("between judging and connecting", func(t *testing.T) {
		var asked atomic.Int32
		g := loopback(nil)
		g.Resolve = func(context.Context, string) ([]netip.Addr, error) {
			if asked.Add(1) == 1 {
				return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("127.0.0.2")}, nil
		}
		s := sender(t, webhook.SenderConfig{Guard: g})
		arrives(t, s, 1, url)
		if asked.Load() != 1 {
			t.Errorf("the name was looked up %d times", asked.Load())
		}
		// The connection is there still, and the name is not what it was.
		o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: url})
		if o.Error != "blocked_address" || o.Ours || o.Status != 0 {
			t.Errorf("%+v", o)
		}
	})
	for name, addrs := range map[string]string{
		"private": "127.0.0.2", "mixed": "127.0.0.1 127.0.0.2", "mixed, the other way round": "127.0.0.2 127.0.0.1",
		"mapped": "::ffff:127.0.0.2", "metadata beside public": "8.8.8.8 169.254.169.254", "IPv6": "fd00:ec2::254",
	} {
		t.Run(name, func(t *testing.T) {
			s := sender(t, webhook.SenderConfig{Guard: loopback(map[string]string{"hooks.example": addrs})})
			s.DialWith(func(_ context.Context, to netip.AddrPort) (net.Conn, error) {
				t.Errorf("connects to %s", to)
				return nil, io.EOF
			})
			if o := s.Send(t.Context(), webhook.Attempt{URL: url}); o.Error != "blocked_address" || o.Ours {
				t.Errorf("%+v", o)
			}
		})
	}
	if private.accepted.Load() > 0 {
		t.Error("the private address was connected to")
	}
}

// A kept connection is used only while it leads to what the name stands for.
func TestNamesThatMove(t *testing.T) {
	first, second := twoFaced(t, "127.0.0.3")
	g := loopback(nil)
	g.AllowRanges = append(g.AllowRanges, netip.MustParsePrefix("127.0.0.3/32"))
	var now atomic.Value
	g.Resolve = func(context.Context, string) ([]netip.Addr, error) {
		return []netip.Addr{netip.MustParseAddr(now.Load().(string))}, nil
	}
	s := sender(t, webhook.SenderConfig{Guard: g})
	for _, step := range []struct {
		addr          string
		first, second int32 // connections by then
	}{{"127.0.0.1", 1, 0}, {"127.0.0.3", 1, 1}, {"127.0.0.3", 1, 1}, {"127.0.0.1", 1, 1}} {
		now.Store(step.addr)
		arrives(t, s, 1, fmt.Sprintf("http://hooks.example:%d/", first.Port()))
		if a, b := first.accepted.Load(), second.accepted.Load(); a != step.first || b != step.second {
			t.Errorf("at %s: %d and %d connections", step.addr, a, b)
		}
	}
	// One that was made under another name, scheme or port is not used for this one: it is closed.
	arrives(t, s, 1, fmt.Sprintf("http://other.example:%d/", first.Port()))
	if connections, _ := s.Kept(); connections != 1 || first.accepted.Load() != 2 {
		t.Errorf("%d connections are kept after a move", connections)
	}
}

func TestSeveralAddresses(t *testing.T) {
	r := receive(t, "127.0.0.1:0", answering(ok204))
	toReceiver := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", r.Addr().String())
	}
	refused := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", errRefused)}
	type tried struct {
		sync.Mutex
		addrs []string
	}
	dialling := func(s *webhook.Sender, good string) *tried {
		log := &tried{}
		s.DialWith(func(ctx context.Context, to netip.AddrPort) (net.Conn, error) {
			log.Lock()
			log.addrs = append(log.addrs, to.Addr().String())
			log.Unlock()
			switch {
			case to.Addr().String() == good:
				return toReceiver(ctx)
			case to.Addr().Is4():
				return nil, refused
			}
			<-ctx.Done() // packets get lost
			return nil, ctx.Err()
		})
		return log
	}
	guard := func(addrs string) webhook.Guard {
		return webhook.Guard{AllowHTTP: true, Resolve: resolver(map[string]string{"hooks.example": addrs})}
	}
	for name, c := range map[string]struct{ addrs, good, tried, code string }{
		"an address of IPv6 alone":          {"2606:4700::1", "2606:4700::1", "2606:4700::1", ""},
		"the families take turns":           {"2606:4700::1 2606:4700::2 8.8.8.8", "8.8.8.8", "2606:4700::1 8.8.8.8", ""},
		"the next where one refuses":        {"8.8.8.8 8.8.4.4", "8.8.4.4", "8.8.8.8 8.8.4.4", ""},
		"the next where one is silent":      {"2606:4700::1 2606:4700::2", "2606:4700::2", "2606:4700::1 2606:4700::2", ""},
		"all refuse":                        {"8.8.8.8 8.8.4.4", "", "8.8.8.8 8.8.4.4", "connection"},
		"eight of a hundred":                {strings.TrimSpace(strings.Repeat("8.8.8.8 ", 100)), "", strings.TrimSpace(strings.Repeat("8.8.8.8 ", 8)), "connection"},
		"mapped addresses are those inside": {"::ffff:8.8.8.8", "8.8.8.8", "8.8.8.8", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := sender(t, webhook.SenderConfig{Guard: guard(c.addrs)})
			log := dialling(s, c.good)
			o := s.Send(t.Context(), webhook.Attempt{URL: "http://hooks.example/"})
			if o.Error != c.code || o.Ours {
				t.Errorf("%+v", o)
			}
			log.Lock()
			defer log.Unlock()
			if got := strings.Join(log.addrs, " "); got != c.tried {
				t.Errorf("tried %s, want %s", got, c.tried)
			}
		})
	}
	t.Run("all are silent", func(t *testing.T) {
		s := sender(t, webhook.SenderConfig{Guard: guard("2606:4700::1 2606:4700::2"), Timeout: soon})
		dialling(s, "")
		if o := s.Send(t.Context(), webhook.Attempt{URL: "http://hooks.example/"}); o.Error != "timeout" || o.Ours || o.Duration > soon+slow {
			t.Errorf("%+v", o)
		}
	})
}

// What a stored URL must not be is not even looked up.
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
		"", "http://hooks.example/", "https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/", "https://[::1]/", "https://u@hooks.example/",
		"https://127.1/", "https://metadata.google.internal/", "file:///etc/passwd", "https://hooks.example:0/", "https://hooks.example/#x",
	} {
		if o := s.Send(t.Context(), webhook.Attempt{URL: url, Header: http.Header{}}); o.Error != "blocked_address" || o.Ours || o.Status != 0 {
			t.Errorf("%q: %+v", url, o)
		}
	}
}

// An attempt that its caller ends, or leaves too little time, says nothing about the endpoint.
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
	if o := s.Send(ctx, webhook.Attempt{URL: r.URL()}); !o.Ours || o.Error != "connection" || o.Duration > slow {
		t.Errorf("%+v", o)
	}
	if o := s.Send(ctx, webhook.Attempt{URL: r.URL()}); !o.Ours || o.Error == "" {
		t.Errorf("ended before it began: %+v", o)
	}
	short, cancel := context.WithTimeout(t.Context(), soon)
	defer cancel()
	if o := s.Send(short, webhook.Attempt{URL: r.URL()}); !o.Ours || o.Error != "timeout" || o.Duration > soon+slow {
		t.Errorf("%+v", o)
	}
}
