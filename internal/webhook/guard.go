package webhook

import (
	"context"
	"errors"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"code.dny.dev/ssrf"
	"golang.org/x/net/idna"
)

// Why a URL is refused. Each message may be shown to the caller.
var (
	ErrURL      = errors.New("must be an absolute https URL, such as https://hooks.example.com/paydown")
	ErrUserinfo = errors.New("must not contain a user name or password")
	ErrFragment = errors.New("must not have a fragment")
	ErrQuery    = errors.New(
		"must percent-encode spaces, quotes, control characters and non-ASCII letters in its query")
	// ErrInvisible refuses invisible characters, so that two addresses that look the same are the same.
	ErrInvisible = errors.New("must not contain invisible characters, such as soft hyphens and zero-width spaces")
	ErrHost      = errors.New("must have a fully qualified DNS name or a plain IP address as its host")
	ErrPrivate   = errors.New(
		"must be a public address: private networks, localhost and cloud metadata services are not allowed")
)

// Guard decides which addresses may be delivered to: public ones, over https. The zero value is ready to use.
//
// An address is checked twice. CheckURL checks how it is written when the endpoint is set up, without the
// network. Sender checks that again before every attempt, looks the name up, and connects only to the checked
// addresses, so that a later change of the name cannot bypass the check. Setting up an endpoint reveals nothing
// about a name's addresses, so that nobody can use it to probe the names of this machine's network.
type Guard struct {
	// AllowRanges are treated as public. AllowHTTP allows plain http. Both are for development and tests: whoever
	// may set up endpoints can make this machine send to what is allowed. While a range is allowed, names that
	// only exist in a private network are accepted too, and checked by their addresses.
	AllowRanges []netip.Prefix
	AllowHTTP   bool
	// Resolve looks up a name, which is lower-case ASCII without a trailing dot; nil means DNS. An error means
	// that the name has no address, which is the receiver's fault, unless it is an ErrNoDNS.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// CheckURL checks a URL as it is written, without the network. It accepts only one spelling of a public
// address, so that no other program can read another address out of it.
func (g Guard) CheckURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || blank(raw) || u.Opaque != "" || u.Hostname() == "" || !g.speaks(u.Scheme) || !validPort(u) {
		return ErrURL
	}
	// The host may contain invisible characters that are encoded in raw.
	if strings.ContainsFunc(raw, isInvisible) || strings.ContainsFunc(u.Host, isInvisible) {
		return ErrInvisible
	}
	if u.User != nil {
		return ErrUserinfo
	}
	if strings.Contains(raw, "#") {
		return ErrFragment
	}
	if !query.MatchString(u.RawQuery) {
		return ErrQuery
	}
	return g.checkHost(u.Hostname())
}

// blank reports a space before the query; the query has a message of its own.
func blank(raw string) bool {
	address, _, _ := strings.Cut(raw, "?")
	return strings.Contains(address, " ")
}

// isInvisible reports whether a character is drawn as nothing or as a blank, or changes how others are drawn,
// except for the plain space.
func isInvisible(r rune) bool {
	const braillePatternBlank = '\u2800'
	if r < utf8.RuneSelf { // as below, without the tables; every attempt checks its URL
		return unicode.IsControl(r)
	}
	return r == braillePatternBlank || (r != ' ' && unicode.In(r, unicode.C, unicode.Z,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}

// query matches the characters allowed in a query, which is sent unchanged: those of RFC 3986, and brackets,
// bars and braces, which are in common use and harmless to receivers.
var query = regexp.MustCompile(`^([A-Za-z0-9._~!$&'()*+,;=:@/?|{}\[\]-]|%[0-9A-Fa-f]{2})*$`)

func (g Guard) speaks(scheme string) bool {
	return scheme == "https" || (scheme == "http" && g.AllowHTTP)
}

// validPort accepts no port, or one that can be dialed; package url has made sure that it is a number.
func validPort(u *url.URL) bool {
	port := u.Port()
	return !strings.HasSuffix(u.Host, ":") && port != "0" && len(port) <= 5 && (port == "" || port[0] != '0') &&
		(len(port) < 5 || port <= "65535")
}

func (g Guard) checkHost(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		return g.checkAddr(addr)
	}
	name, err := asciiOf(host)
	if err != nil || len(name) > maxName {
		return ErrHost
	}
	labels := strings.Split(name, ".")
	for _, l := range labels {
		if !label.MatchString(l) {
			return ErrHost
		}
	}
	// No top-level domain is a number, but system resolvers read 127.1, 0177.0.0.1, 0x7f.1 and 2130706433 as
	// addresses.
	if number.MatchString(labels[len(labels)-1]) {
		return ErrHost
	}
	if len(g.AllowRanges) > 0 {
		return nil // the addresses are checked instead
	}
	if isPrivateName(labels) {
		return ErrPrivate
	}
	if len(labels) == 1 {
		return ErrHost // means something else in every network
	}
	return nil
}

// maxName is the longest DNS name, without the trailing dot.
const maxName = 253

var (
	label  = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$`)
	number = regexp.MustCompile(`^([0-9]+|0x[0-9a-f]*)$`)
)

// asciiOf returns the name that will be looked up: lower-case ASCII, as net/http converts the host.
func asciiOf(host string) (string, error) {
	for i := range len(host) {
		if host[i] >= 0x80 {
			return idna.Lookup.ToASCII(host)
		}
	}
	return strings.ToLower(host), nil
}

// privateDomains are top-level domains that only exist in private networks: RFC 6761 and 6762 (with its
// appendix G), RFC 8375 (home.arpa), and ICANN's reservation of internal, where cloud metadata services are
// found.
var privateDomains = map[string]bool{
	"localhost": true, "localdomain": true, "local": true, "internal": true, "intranet": true, "private": true,
	"corp": true, "home": true, "lan": true,
}

func isPrivateName(labels []string) bool {
	last := len(labels) - 1
	return privateDomains[labels[last]] || (last > 0 && labels[last] == "arpa" && labels[last-1] == "home")
}

// addresses returns the addresses of a host, which is a name from asciiOf or a plain IP address. A single
// forbidden address refuses all with ErrPrivate. Without an error there is at least one.
func (g Guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if addr, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{addr}, g.checkAddr(addr)
	}
	resolve := g.Resolve
	if resolve == nil {
		resolve = system.Lookup
	}
	found, err := resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, errNoAddress
	}
	addrs := make([]netip.Addr, len(found))
	for i, addr := range found {
		addrs[i] = addr.Unmap() // resolvers return IPv4 addresses in either form
		if err := g.checkAddr(addrs[i]); err != nil {
			return nil, err
		}
	}
	return addrs, nil
}

var errNoAddress = errors.New("webhook: the name has no address")

func (g Guard) checkAddr(addr netip.Addr) error {
	open := func(r netip.Prefix) bool { return r.Contains(addr) }
	if publicOnly.SafeAddr(addr) == nil || slices.ContainsFunc(g.AllowRanges, open) {
		return nil
	}
	return ErrPrivate
}

// publicOnly refuses all addresses in IANA's special-purpose registries, and all IPv6 addresses except global
// unicast, so that no IPv4 address comes embedded in IPv6 (mapped, NAT64, 6to4, Teredo). One metadata service,
// Azure's, has an address outside of those.
var publicOnly = ssrf.New(
	ssrf.WithAnyPort(),
	ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
)
