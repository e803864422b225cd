package webhook_test

import (
	"context"
	"io"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/idna"

	"paydown/internal/webhook"
)

// Whatever the URL, and whatever its host resolves to: the address connected to is public, and matches an
// independent parsing of the URL.
func FuzzSend(f *testing.F) {
	for _, seed := range []string{
		"https://hooks.example.com:8443/a?b", "https://127.1/", "https://[::1]/", "https://１２７.0.0.1/",
		"https://u@h.example/", "https://8.8.8.8/",
		"https://[2606:4700::1]:1/", "https://bücher.example/", "https://[::ffff:8.8.8.8]/", "https://A.example:443",
		"http://hooks.example/",
		"https://0x8.8.8.8/", "https://8.8.8.8.example/", "https://[64:ff9b::808:808]/",
		"https://hooks.example/\\@169.254.169.254/",
	} {
		f.Add(seed, []byte{8, 8, 8, 8})
		f.Add(seed, []byte{10, 0, 0, 1})
		f.Add(seed, netip.MustParseAddr("::ffff:169.254.169.254").AsSlice())
		f.Add(seed, netip.MustParseAddr("2606:4700::1").AsSlice())
	}
	f.Fuzz(func(t *testing.T, raw string, answer []byte) {
		named, isAddr := netip.AddrFromSlice(answer)
		asked := ""
		s := webhook.NewSender(
			webhook.SenderConfig{Guard: webhook.Guard{Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
				asked = host
				if !isAddr {
					return nil, io.EOF
				}
				return []netip.Addr{named}, nil
			}}},
		)
		defer s.Close()
		var to netip.AddrPort
		s.DialWith(func(_ context.Context, addr netip.AddrPort) (net.Conn, error) {
			to = addr
			return nil, io.EOF
		})
		o := s.Send(t.Context(), webhook.Attempt{URL: raw})
		if !to.IsValid() {
			if o.Error != webhook.CodeBlockedAddress && o.Error != webhook.CodeDNS {
				t.Fatalf("%q: %+v, and nothing was connected to", raw, o)
			}
			return
		}
		addr := to.Addr()
		if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.IsLinkLocalUnicast() || addr.Is4In6() || !openToAll(addr) {
			t.Fatalf("%q leads to %s", raw, to)
		}
		u, err := url.Parse(raw)
		if err != nil || u.Scheme != "https" {
			t.Fatalf("%q leads to %s: %v", raw, to, err)
		}
		if port := u.Port(); port != netip.AddrPortFrom(addr, to.Port()).String()[strings.LastIndex(to.String(), ":")+1:] &&
			(port != "" || to.Port() != 443) {
			t.Fatalf("%q leads to %s", raw, to)
		}
		if asked == "" {
			if written, err := netip.ParseAddr(u.Hostname()); err != nil || written != addr {
				t.Fatalf("%q leads to %s", raw, to)
			}
			return
		}
		host, err := idna.Lookup.ToASCII(u.Hostname())
		if err != nil {
			host = strings.ToLower(u.Hostname()) // underscores
		}
		if asked != host || addr != named.Unmap() {
			t.Fatalf("%q asks for %s and leads to %s", raw, asked, to)
		}
	})
}

// openToAll reports whether an address is in none of the special ranges of the test's own table.
func openToAll(addr netip.Addr) bool {
	for _, text := range special {
		if netip.MustParsePrefix(text).Contains(addr) {
			return false
		}
	}
	return true
}
