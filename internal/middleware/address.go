package middleware

import (
	"net/http"
	"net/netip"
	"strings"
)

// isSecure reports whether the caller connected over TLS, to this server or to a trusted proxy.
func (m *Chain) isSecure(r *http.Request) bool {
	if r.TLS != nil {
		return true
	}
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil || !m.isTrusted(peer.Addr().Unmap().WithZone("")) {
		return false
	}
	protocol, _, _ := strings.Cut(r.Header.Get("X-Forwarded-Proto"), ",")
	return strings.EqualFold(strings.TrimSpace(protocol), "https")
}

// addressOf returns the caller's address: the socket's, or the nearest untrusted address in X-Forwarded-For if
// the socket belongs to a trusted proxy.
func (m *Chain) addressOf(r *http.Request) netip.Addr {
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return netip.IPv6Unspecified()
	}
	address := peer.Addr().Unmap().WithZone("")
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && m.isTrusted(address); i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			break
		}
		address = hop.Unmap().WithZone("")
	}
	return address
}

func (m *Chain) isTrusted(address netip.Addr) bool {
	for _, p := range m.Trusted {
		if p.Contains(address) {
			return true
		}
	}
	return false
}
