package webhook_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"paydown/internal/webhook"
)

// special are the ranges that must not be delivered to: IANA's special-purpose address registries for IPv4 and
// IPv6, multicast, ranges that embed an IPv4 address, and metadata services.
var special = strings.Fields(`
	0.0.0.0/8 0.0.0.0/32 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12
	192.0.0.0/24 192.0.0.0/29 192.0.0.8/32 192.0.0.9/32 192.0.0.10/32 192.0.0.170/32 192.0.0.171/32 192.0.2.0/24
	192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.88.99.2/32 192.168.0.0/16 192.175.48.0/24
	198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 233.252.0.0/24 240.0.0.0/4 255.255.255.255/32

	::1/128 ::/128 ::ffff:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 100:0:0:1::/64
	2001::/23 2001::/32 2001:1::1/128 2001:1::2/128 2001:1::3/128 2001:2::/48 2001:3::/32 2001:4:112::/48
	2001:10::/28 2001:20::/28
	2001:30::/28 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20 5f00::/16 fc00::/7 fe80::/10
	::/96 ::ffff:0:0:0/96 fec0::/10 ff00::/8

	168.63.129.16/32 169.254.169.254/32 169.254.170.2/32 100.100.100.200/32 192.0.0.192/32
	fd00:ec2::254/128 fd20:ce::254/128 fd00:42::42/128 ::ffff:169.254.169.254/128 64:ff9b::a9fe:a9fe/128
	2002:a9fe:a9fe::/48
`)

// public are addresses next to special ranges, and some well-known ones.
var public = strings.Fields(`
	1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 168.63.129.15 168.63.129.17
	169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0
	192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 203.0.112.255 203.0.114.0 223.255.255.255 8.8.8.8 1.1.1.1
	2001:200::1 2001:4860:4860::8888 2001:db7:ffff::1 2001:db9::1 2003::1 2606:4700:4700::1111 2620:4f:7fff::1
	2620:4f:8001::1 2a00:1450:4001::1 3fff:1000::1
`)

func TestSpecialAddressesAreRefused(t *testing.T) {
	for _, text := range special {
		r := netip.MustParsePrefix(text)
		for _, addr := range []netip.Addr{r.Addr(), r.Addr().Next(), last(r)} {
			if !r.Contains(addr) {
				continue // a range of one
			}
			wantRejected(t, addr)
		}
	}
	for _, text := range public {
		addr := netip.MustParseAddr(text)
		if err := (webhook.Guard{}).CheckURL("https://" + literal(addr) + "/"); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// wantRejected checks that an address is refused both as a literal and as the result of a lookup.
func wantRejected(t *testing.T, addr netip.Addr) {
	t.Helper()
	if err := (webhook.Guard{}).CheckURL("https://" + literal(addr) + "/"); !errors.Is(err, webhook.ErrPrivate) {
		t.Errorf("%s: %v", addr, err)
	}
	g := webhook.Guard{Resolve: resolver(map[string]string{"hooks.example": "8.8.8.8 " + addr.String()})}
	if err := g.CheckName(t.Context(), "hooks.example"); !errors.Is(err, webhook.ErrPrivate) && !publicInside(addr) {
		t.Errorf("a name that stands for %s: %v", addr, err)
	}
}

// publicInside reports whether an address is a public IPv4 address in the IPv6 form that resolvers return: that
// is allowed.
func publicInside(addr netip.Addr) bool {
	return addr.Is4In6() && (webhook.Guard{}).CheckURL("https://"+addr.Unmap().String()+"/") == nil
}

func literal(addr netip.Addr) string {
	if addr.Is4() {
		return addr.String()
	}
	return "[" + addr.String() + "]"
}

// last is the last address of a range.
func last(r netip.Prefix) netip.Addr {
	raw := r.Addr().AsSlice()
	for bit := r.Bits(); bit < len(raw)*8; bit++ {
		raw[bit/8] |= 1 << (7 - bit%8)
	}
	addr, _ := netip.AddrFromSlice(raw)
	return addr
}
