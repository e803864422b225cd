package webhook

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"
	"golang.org/x/net/idna"
)

// What is wrong with a URL; each may be shown to the caller.
var (
	ErrURL      = errors.New("must be an absolute https URL, such as https://hooks.example.com/paydown")
	ErrUserinfo = errors.New("must not hold a user name or a password")
	ErrFragment = errors.New("must not have a fragment")
	ErrHost     = errors.New("must name its host by a full DNS name, or by an IP address in its plain form")
	ErrPrivate  = errors.New(
		"must lead to a public address: private networks, localhost and cloud metadata services are refused")
)

// Guard says which addresses may be delivered to: public ones, over https. The zero value is ready for use.
//
// An address is judged three times: CheckURL looks at how it is written, CheckName at what its name stands for when
// the endpoint is set up, and Control at where each connection goes, which no later change of the name can get around.
type Guard struct {
	// AllowPrivate lets plain http and private addresses through: for development, and for tests.
	AllowPrivate bool
	// Resolve looks a name up; nil asks the system's resolver.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
}

// CheckURL judges a URL as it is written, without the network. It takes a public address in one spelling only, so that
// nobody down the line can read another one out of it.
func (g Guard) CheckURL(raw string) error {
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || u.Hostname() == "" || !g.speaks(u.Scheme) || !validPort(u) {
		return ErrURL
	}
	if u.User != nil {
		return ErrUserinfo
	}
	if strings.Contains(raw, "#") {
		return ErrFragment
	}
	return g.checkHost(u.Hostname())
}

func (g Guard) speaks(scheme string) bool {
	return scheme == "https" || (scheme == "http" && g.AllowPrivate)
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
	if g.AllowPrivate {
		return nil
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

// lookupTimeout bounds how long the making of an endpoint waits for a name.
const lookupTimeout = time.Second

// CheckName refuses a URL, which CheckURL must have taken, whose name stands for any address that is not public. A name
// that cannot be looked up passes: it may be about to be set up, and Control judges every connection.
func (g Guard) CheckName(ctx context.Context, raw string) error {
	u, err := url.Parse(raw)
	if err != nil {
		return ErrURL
	}
	name, err := asciiOf(u.Hostname())
	if err != nil {
		return ErrHost
	}
	if _, err := netip.ParseAddr(name); err == nil || g.AllowPrivate {
		return nil
	}
	resolve := g.Resolve
	if resolve == nil {
		resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
			return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		}
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := resolve(ctx, name)
	if err != nil {
		return nil // it passes, see above
	}
	for _, addr := range addrs {
		if err := g.checkAddr(addr.Unmap()); err != nil { // resolvers give IPv4 addresses in either form
			return err
		}
	}
	return nil
}

func (g Guard) checkAddr(addr netip.Addr) error {
	if g.AllowPrivate || publicOnly.SafeAddr(addr) == nil {
		return nil
	}
	return ErrPrivate
}

// Control is for net.Dialer: it refuses a connection to what is no public address, after names are resolved and right
// before the connection is made. The client must not go through a proxy, which would dial elsewhere by itself.
func (g Guard) Control(network, address string, raw syscall.RawConn) error {
	if g.AllowPrivate {
		return nil
	}
	return publicOnly.Safe(network, address, raw)
}

// publicOnly refuses whatever IANA's registries of special-purpose addresses hold, and of IPv6 all but global unicast,
// so that no address of IPv4 comes in an envelope of IPv6 (mapped, NAT64, 6to4, Teredo). One address of a metadata
// service, Azure's, lies outside of those.
var publicOnly = ssrf.New(
	ssrf.WithAnyPort(),
	ssrf.WithDeniedV4Prefixes(netip.MustParsePrefix("168.63.129.16/32")),
)
