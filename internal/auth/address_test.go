package auth_test

import (
	"errors"
	"net/netip"
	"testing"

	"paydown/internal/auth"
)

func TestAllowListEntries(t *testing.T) {
	for in, want := range map[string]string{
		"203.0.113.7":        "203.0.113.7",
		"203.0.113.0/24":     "203.0.113.0/24",
		"203.0.113.99/24":    "203.0.113.0/24",
		"0.0.0.0/0":          "0.0.0.0/0",
		"203.0.113.7/32":     "203.0.113.7/32",
		"2001:DB8::1":        "2001:db8::1",
		"::ffff:203.0.113.7": "203.0.113.7",
	} {
		if got, err := auth.ParseAllowEntry(in); err != nil || got != want {
			t.Errorf("%s is read as %s, %v", in, got, err)
		}
	}
	for _, in := range []string{
		"", " ", "203.0.113", "203.0.113.256", "203.0.113.0/33", "203.0.113.0/-1", "203.0.113.0/024", "203.0.113.007",
		"2001:db8::/32", "fe80::1%eth0", "localhost", "203.0.113.7:443", "203.0.113.1-203.0.113.9", "*",
		"::ffff:203.0.113.0/120", " 203.0.113.7", "203.0.113.7,203.0.113.8",
	} {
		if got, err := auth.ParseAllowEntry(in); !errors.Is(err, auth.ErrAllowEntry) {
			t.Errorf("%q is read as %s, %v", in, got, err)
		}
	}
}

func TestAllowListAdmits(t *testing.T) {
	list := []string{"203.0.113.7", "198.51.100.0/24", "2001:db8::1"}
	for address, allowed := range map[string]bool{
		"203.0.113.7":         true,
		"203.0.113.8":         false,
		"198.51.100.0":        true,
		"198.51.100.255":      true,
		"198.51.101.0":        false,
		"2001:db8::1":         true,
		"2001:db8::2":         false,
		"::ffff:203.0.113.7":  true, // an IPv4 caller on a socket that takes both
		"::ffff:198.51.100.9": true,
		"::ffff:192.0.2.1":    false,
		"::":                  false,
	} {
		if got := auth.Allowed(list, netip.MustParseAddr(address)); got != allowed {
			t.Errorf("%s is let in: %t", address, got)
		}
	}
	for _, anywhere := range []string{"192.0.2.1", "2001:db8::9"} {
		if !auth.Allowed(nil, netip.MustParseAddr(anywhere)) {
			t.Errorf("without a list %s is kept out", anywhere)
		}
	}
	if auth.Allowed([]string{"nonsense"}, netip.MustParseAddr("192.0.2.1")) {
		t.Error("an entry that cannot be read lets everybody in")
	}
	if auth.Allowed(list, netip.Addr{}) {
		t.Error("an unknown address is let in")
	}
}
