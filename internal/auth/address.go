package auth

import (
	"errors"
	"net/netip"
	"strings"
)

// ErrAllowEntry is the error of an invalid allow-list entry; it may be shown to the caller.
var ErrAllowEntry = errors.New("must be an IPv4 or IPv6 address, or an IPv4 range in CIDR notation")

// ParseAllowEntry parses one entry of a key's address allow-list and returns its canonical form.
func ParseAllowEntry(s string) (string, error) {
	if addr, err := netip.ParseAddr(s); err == nil && addr.Zone() == "" {
		return addr.Unmap().String(), nil
	}
	prefix, err := netip.ParsePrefix(s)
	if err != nil || !prefix.Addr().Is4() {
		return "", ErrAllowEntry
	}
	return prefix.Masked().String(), nil
}

// Allowed reports whether the address is on the list; an empty list allows every address.
func Allowed(list []string, addr netip.Addr) bool {
	if len(list) == 0 {
		return true
	}
	addr = addr.Unmap()
	for _, entry := range list {
		if strings.Contains(entry, "/") {
			if p, err := netip.ParsePrefix(entry); err == nil && p.Contains(addr) {
				return true
			}
		} else if a, err := netip.ParseAddr(entry); err == nil && a == addr {
			return true
		}
	}
	return false
}
