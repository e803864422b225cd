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

	"code.dny.dev/ssrf"
	"golang.org/x/net/idna"
)

// What is wrong with a URL; each may be shown to the caller.
var (
	ErrURL      = errors.New("must be an absolute https URL, such as https://hooks.example.com/paydown")
	ErrUserinfo = errors.New("must not hold a user name or a password")
	ErrFragment = errors.New("must not have a fragment")
	ErrQuery    = errors.New("must not have spaces, quotes, controls or letters beyond ASCII in its query unless they are percent-encoded")
	// ErrInvisible is about characters that nobody sees, so that two addresses that look the same are the same.
	ErrInvisible = errors.New("must not hold invisible characters, such as soft hyphens and zero-width spaces")
	ErrHost      = errors.New("must name its host by a full DNS name, or by an IP address in its plain form")
	ErrPrivate   = errors.New(
		"must lead to a public address: private networks, localhost and cloud metadata services are refused")
)

// Guard says which addresses may be delivered to: public ones, over https. The zero value is ready for use.
//
// An address is judged twice: CheckURL looks at how it is written when the endpoint is set up, without the network, and
// Sender does so again before every attempt, looks up what the name stands for, and connects to what was judged, which no
// later change of the name can get around. Nothing of what a name stands for is told when an endpoint is set up, so that
// nobody can ask in that way for the names of a network that this machine is in.
type Guard struct {
	// AllowRanges are let through as if they were public. AllowHTTP lets plain http through. Both are for development and
	// for tests: whoever may set up endpoints can make this machine send to what is open. While a range is open, names
	// that only a private network knows are taken too, and judged by the addresses that they stand for.
	AllowRanges []netip.Prefix
	AllowHTTP   bool
	// Resolve looks a name up, which is in lower case, in ASCII and without a dot in the end; nil asks DNS. An error says
	// that the name has no address, and is the receiver's affair, unless it is an ErrNoDNS.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// CheckURL judges a URL as it is written, without the network. It takes a public address in one spelling only, so that
// nobody down the line can read another one out of it.
func (g Guard) CheckURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || blank(raw) || u.Opaque != "" || u.Hostname() == "" || !g.speaks(u.Scheme) || !validPort(u) {
		return ErrURL
	}
	if strings.ContainsFunc(raw, isInvisible) || strings.ContainsFunc(u.Host, isInvisible) { // encoded, in a host's name
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

// blank reports a space before the query, which has a message of its own.
func blank(raw string) bool {
	address, _, _ := strings.Cut(raw, "?")
	return strings.Contains(address, " ")
}

// isInvisible reports a character that is drawn as nothing or as a blank, or changes how others are drawn, but for the
// plain space.
func isInvisible(r rune) bool {
	const braillePatternBlank = '\u2800'
	return r == braillePatternBlank || (r != ' ' && unicode.In(r, unicode.C, unicode.Z,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector))
}

// query is what may stand in a query, which is sent as it is: what RFC 3986 lets stand there, and the brackets, bars and
// braces that are usual without its leave and that no receiver stumbles over.
var query = regexp.MustCompile(`^([A-Za-z0-9._~!$&'()*+,;=:@/?|{}\[\]-]|%[0-9A-Fa-f]{2})*$`)

func (g Guard) speaks(scheme string) bool {
	return scheme == "https" || (scheme == "http" && g.AllowHTTP)
}

// validPort takes no port, or one that can be dialled; package url has made sure that it is a number.
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
	// No top-level domain is a number, but system resolvers read 127.1, 0177.0.0.1, 0x7f.1 and 2130706433 as addresses.
	if number.MatchString(labels[len(labels)-1]) {
		return ErrHost
	}
	if len(g.AllowRanges) > 0 {
		return nil // it is judged by its addresses
	}
	if isPrivateName(labels) {
		return ErrPrivate
	}
	if len(labels) == 1 {
		return ErrHost // means something else in every network
	}
	return nil
}

// maxName is the longest name that DNS takes, without the dot in the end.
const maxName = 253

var (
	label  = regexp.MustCompile(`^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$`)
	number = regexp.MustCompile(`^([0-9]+|0x[0-9a-f]*)$`)
)

// asciiOf is the name that will be looked up: what net/http makes of the host, in lower case.
func asciiOf(host string) (string, error) {
	for i := range len(host) {
		if host[i] >= 0x80 {
			return idna.Lookup.ToASCII(host)
		}
	}
	return strings.ToLower(host), nil
}

// privateDomains are top-level domains that only private networks answer for: RFC 6761 and 6762 (with its appendix G),
// RFC 8375 (home.arpa), and ICANN's reservation of internal, under which cloud metadata services are found.
var privateDomains = map[string]bool{
	"localhost": true, "localdomain": true, "local": true, "internal": true, "intranet": true, "private": true,
	"corp": true, "home": true, "lan": true,
}

func isPrivateName(labels []string) bool {
	last := len(labels) - 1
	return privateDomains[labels[last]] || (last > 0 && labels[last] == "arpa" && labels[last-1] == "home")
}

// addresses are those of a host, a name as asciiOf makes it or an address in its plain form. Any that must not be
// delivered to refuses them all with ErrPrivate. There is at least one, unless there is an error.
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
		addrs[i] = addr.Unmap() // resolvers give IPv4 addresses in either form
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

// publicOnly refuses whatever IANA's registries of special-purpose addresses hold, and of IPv6 all but global unicast,
// so that no address of IPv4 comes in an envelope of IPv6 (mapped, NAT64, 6to4, Teredo). One address of a metadata
// service, Azure's, lies outside of those.
var publicOnly = ssrf.New(
	ssrf.WithAnyPort(),
	ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
)
