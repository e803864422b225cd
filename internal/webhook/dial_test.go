package webhook_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"paydown/internal/webhook"
)

// twoFaced is a receiver on two addresses of this machine and one port. 127.0.0.2 stands for a private address.
func twoFaced(t *testing.T, second string) (public, other *receiver) {
	t.Helper()
	public = receive(t, "127.0.0.1:0", answering(ok204))
	return public, receive(t, fmt.Sprintf("%s:%d", second, public.Port()), answering(ok204))
}

// A name that comes to resolve to a private address gets no delivery, whenever it changes: before the
// connection, between the check and the connection, or while a connection is kept.
func TestDNSRebinding(t *testing.T) {
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
		wantDelivered(t, s, 1, url)
		if asked.Load() != 1 {
			t.Errorf("the name was looked up %d times", asked.Load())
		}
		// The connection still exists, but the name resolves to another address.
		o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: url})
		if o.Error != "dns" || o.Internal || o.Status != 0 {
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
			if o := s.Send(t.Context(), webhook.Attempt{URL: url}); o.Error != "dns" || o.Internal {
				t.Errorf("%+v", o)
			}
		})
	}
	if private.accepted.Load() > 0 {
		t.Error("the private address was connected to")
	}
}

// A kept connection is used only while the name resolves to its address.
func TestNameThatChangesAddress(t *testing.T) {
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
		wantDelivered(t, s, 1, fmt.Sprintf("http://hooks.example:%d/", first.Port()))
		if a, b := first.accepted.Load(), second.accepted.Load(); a != step.first || b != step.second {
			t.Errorf("at %s: %d and %d connections", step.addr, a, b)
		}
	}
	// A connection made under another name, scheme or port is not used for this one: it is closed.
	wantDelivered(t, s, 1, fmt.Sprintf("http://other.example:%d/", first.Port()))
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
	refusedErr := &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", errRefused)}
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
				return nil, refusedErr
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
		"an address of IPv6 alone":     {"2606:4700::1", "2606:4700::1", "2606:4700::1", ""},
		"the families take turns":      {"2606:4700::1 2606:4700::2 8.8.8.8", "8.8.8.8", "2606:4700::1 8.8.8.8", ""},
		"the next where one refuses":   {"8.8.8.8 8.8.4.4", "8.8.4.4", "8.8.8.8 8.8.4.4", ""},
		"the next where one is silent": {"2606:4700::1 2606:4700::2", "2606:4700::2", "2606:4700::1 2606:4700::2", ""},
		"all refuse":                   {"8.8.8.8 8.8.4.4", "", "8.8.8.8 8.8.4.4", "connection"},
		"eight of a hundred": {
			strings.TrimSpace(strings.Repeat("8.8.8.8 ", 100)), "",
			strings.TrimSpace(strings.Repeat("8.8.8.8 ", 8)), "connection",
		},
		"mapped addresses are those inside": {"::ffff:8.8.8.8", "8.8.8.8", "8.8.8.8", ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := sender(t, webhook.SenderConfig{Guard: guard(c.addrs)})
			log := dialling(s, c.good)
			o := s.Send(t.Context(), webhook.Attempt{URL: "http://hooks.example/"})
			if o.Error != c.code || o.Internal {
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
		if o := s.Send(t.Context(), webhook.Attempt{URL: "http://hooks.example/"}); o.Error != "timeout" || o.Internal {
			t.Errorf("%+v", o)
		}
	})
}
