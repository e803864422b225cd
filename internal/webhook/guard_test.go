package webhook_test

import (
	"context"
	"errors"
	"net"
	"net/netip"
	neturl "net/url"
	"strings"
	"testing"

	"paydown/internal/webhook"
)

func TestAcceptedURLs(t *testing.T) {
	for _, url := range []string{
		"https://hooks.example.com", "https://hooks.example.com/", "https://hooks.example.com/paydown?tenant=1&x=%2F",
		"https://hooks.example.com:443/a", "https://hooks.example.com:8443/a", "https://hooks.example.com:65535/",
		"https://HOOKS.Example.COM/a", "https://a-b.c_d.example.io/x", "https://xn--bcher-kva.example/",
		"https://bücher.example/",
		"https://8.8.8.8/hook", "https://[2606:4700:4700::1111]/hook", "https://[2606:4700:4700::1111]:8443/hook",
		"https://1.2.3.4.example.com/", "https://127.0.0.1.example.com/", "https://localhost.example.com/",
		"HTTPS://hooks.example.com/",
		"https://10gen.com/", "https://hooks.example.com/redirect?to=http://127.0.0.1/", "https://hooks.example.com/a@b:c",
	} {
		if err := (webhook.Guard{}).CheckURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
}

func TestRejectedURLs(t *testing.T) {
	for want, urls := range map[error][]string{
		webhook.ErrURL: {
			"", " ", "hooks.example.com", "//hooks.example.com/", "/path", "http://hooks.example.com/",
			"HTTP://hooks.example.com/",
			"ftp://hooks.example.com/", "file:///etc/passwd", "gopher://hooks.example.com:25/", "javascript:alert(1)",
			"data:text/plain,x",
			"https:", "https://", "https:///path", "https:hooks.example.com", "https:/hooks.example.com",
			`https:\\hooks.example.com\`,
			"https://:443/", "https://hooks.example.com:/", "https://hooks.example.com:0/", "https://hooks.example.com:65536/",
			"https://hooks.example.com:99999/", "https://hooks.example.com:0443/", "https://hooks.example.com:https/",
			"https://hooks.example.com:-1/", "https://hooks.example.com\r\nHost: x/", "https://hooks.example.com/\x00",
			" https://hooks.example.com/",
			"https://hooks example.com/", `https://hooks.example.com\@127.0.0.1/`, "https://%31%32%37.0.0.1/",
			"https://127.0.0.1%00.example.com/",
			"https://[::1/", "https://::1/", "https://[::1]x/", "https+unix://hooks.example.com/",
		},
		webhook.ErrUserinfo: {
			"https://user@hooks.example.com/", "https://user:password@hooks.example.com/", "https://:@hooks.example.com/",
			"https://hooks.example.com@127.0.0.1/", "https://hooks.example.com:443@127.0.0.1/",
			"https://127.0.0.1@hooks.example.com/",
		},
		webhook.ErrQuery: {
			"https://hooks.example.com/?q=a b", "https://hooks.example.com/?q=a b HTTP/1.1", `https://hooks.example.com/?q="x"`,
			"https://hooks.example.com/?q=<x>", "https://hooks.example.com/?q=%zz", "https://hooks.example.com/?q=é",
			"https://hooks.example.com/?q=`x`", `https://hooks.example.com/?q=\`, "https://hooks.example.com/?q=^",
		},
		webhook.ErrFragment: {"https://hooks.example.com/#x", "https://hooks.example.com/#", "https://hooks.example.com#@127.0.0.1/"},
		webhook.ErrHost: {
			// Loopback in the spellings that system resolvers accept.
			"https://127.1/", "https://127.0.1/", "https://2130706433/", "https://0177.0.0.1/", "https://0177.1/",
			"https://017700000001/",
			"https://0x7f000001/", "https://0X7F000001/", "https://0x7f.0.0.1/", "https://0x7f.1/", "https://127.0.0.0x1/",
			"https://127.000.000.001/",
			"https://127.0.0.01/", "https://00000177.0.0.1/", "https://0/", "https://0x/", "https://0.0/", "https://10.1/",
			"https://192.168.257/",
			"https://0300.0250.0.1/", "https://0xa9.0xfe.0xa9.0xfe/", "https://2852039166/", "https://0xa9fea9fe/",
			"https://169.16689662/",
			"https://8.8/", "https://134744072/", "https://256.256.256.256/", "https://1.2.3.4.5/", "https://99999999999/",
			// Digits and dots of other scripts.
			"https://１２７.0.0.1/", "https://127。0。0。1/", "https://①②⑦.0.0.1/", "https://𝟏𝟐𝟕.𝟎.𝟎.𝟏/",
			"https://169.254.169.254./", "https://127.0.0.1./", "https://localhost./", "https://hooks.example.com./",
			"https://hooks..example.com/",
			"https://.example.com/", "https://./", "https://..", "https://-x.example.com/", "https://x-.example.com/",
			"https://a*b.example.com/",
			"https://server/", "https://metadata/", "https://ip6-localhost/", "https://com/",
			"https://" + strings.Repeat("a", 64) + ".example.com/", "https://" + strings.Repeat("a.", 127) + "com/",
			"https://hooks.exa$mple.com/", "https://a,b.example.com/",
		},
		webhook.ErrPrivate: {
			"https://127.0.0.1/", "https://127.0.0.1:8443/", "https://127.255.255.254/", "https://0.0.0.0/", "https://0.1.2.3/",
			"https://10.0.0.1/", "https://10.255.255.255/", "https://172.16.0.1/", "https://172.31.255.255/",
			"https://192.168.0.1/",
			"https://100.64.0.1/", "https://100.100.100.200/", "https://169.254.169.254/latest/meta-data/",
			"https://169.254.170.2/",
			"https://168.63.129.16/", "https://192.0.0.192/", "https://192.0.2.1/", "https://198.18.0.1/",
			"https://198.51.100.7/",
			"https://203.0.113.9/", "https://192.88.99.1/", "https://224.0.0.1/", "https://239.1.2.3/", "https://240.0.0.1/",
			"https://255.255.255.255/",
			"https://[::]/", "https://[::1]/", "https://[0:0:0:0:0:0:0:1]/",
			"https://[0000:0000:0000:0000:0000:0000:0000:0001]/",
			"https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[::ffff:169.254.169.254]/",
			"https://[0:0:0:0:0:ffff:10.0.0.1]/",
			"https://[::127.0.0.1]/", "https://[::ffff:0:127.0.0.1]/", "https://[64:ff9b::127.0.0.1]/",
			"https://[64:ff9b::a9fe:a9fe]/",
			"https://[64:ff9b:1::7f00:1]/", "https://[2002:7f00:1::]/", "https://[2002:a9fe:a9fe::1]/",
			"https://[2001:0:1:2:3:4:80ff:fffe]/",
			"https://[fc00::1]/", "https://[fd00:ec2::254]/", "https://[fd12:3456:789a::1]/", "https://[fe80::1]/",
			"https://[fe80::1%25eth0]/",
			"https://[::1%25lo]/", "https://[fec0::1]/", "https://[ff02::1]/", "https://[2001:db8::1]/", "https://[3fff::1]/",
			"https://[100::1]/",
			"https://[5f00::1]/",
			"https://localhost/", "https://LOCALHOST/", "https://LocalHost:443/", "https://a.localhost/",
			"https://localhost.localdomain/",
			"https://ｌｏｃａｌｈｏｓｔ/", "https://printer.local/", "https://metadata.google.internal/computeMetadata/v1/",
			"https://METADATA.GOOGLE.INTERNAL/", "https://db.internal/", "https://router.lan/", "https://nas.home.arpa/",
			"https://git.corp/", "https://wiki.intranet/",
		},
	} {
		for _, url := range urls {
			if err := (webhook.Guard{}).CheckURL(url); !errors.Is(err, want) {
				t.Errorf("%q: %v, want %v", url, err, want)
			}
		}
	}
}

// resolver has a fixed set of names; others do not exist.
func resolver(names map[string]string) func(context.Context, string) ([]netip.Addr, error) {
	return func(_ context.Context, host string) ([]netip.Addr, error) {
		texts, ok := names[host]
		if !ok {
			return nil, &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
		}
		var addrs []netip.Addr
		for text := range strings.FieldsSeq(texts) {
			addrs = append(addrs, netip.MustParseAddr(text))
		}
		return addrs, nil
	}
}

func TestNamesAreCheckedByAddress(t *testing.T) {
	g := webhook.Guard{Resolve: resolver(map[string]string{
		"public.example": "8.8.8.8 2606:4700:4700::1111", "mapped.example": "::ffff:8.8.8.8", "loop.example": "127.0.0.1",
		"loop6.example": "::1", "mixed.example": "8.8.8.8 10.0.0.1", "mixed6.example": "8.8.8.8 fe80::1%eth0",
		"inside.example": "::ffff:10.0.0.1",
		"meta.example":   "169.254.169.254", "nat64.example": "64:ff9b::a00:1", "xn--bcher-kva.example": "192.168.1.1",
		"10.0.0.1.nip.example": "10.0.0.1",
	})}
	for host, want := range map[string]error{
		"public.example": nil, "mapped.example": nil, "8.8.8.8": nil, "2606:4700:4700::1111": nil,
		"loop.example": webhook.ErrPrivate, "loop6.example": webhook.ErrPrivate, "mixed.example": webhook.ErrPrivate,
		"mixed6.example": webhook.ErrPrivate, "inside.example": webhook.ErrPrivate, "meta.example": webhook.ErrPrivate,
		"nat64.example": webhook.ErrPrivate, "xn--bcher-kva.example": webhook.ErrPrivate,
		"10.0.0.1.nip.example": webhook.ErrPrivate,
	} {
		if err := g.CheckName(t.Context(), host); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", host, err, want)
		}
	}
}

// The creator of an endpoint is not told what a name resolves to, and cannot find out by timing.
func TestNothingIsLookedUpForAURL(t *testing.T) {
	g := webhook.Guard{Resolve: func(_ context.Context, name string) ([]netip.Addr, error) {
		t.Errorf("looks up %s", name)
		return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
	}}
	if err := g.CheckURL("https://hooks.example/"); err != nil {
		t.Error(err)
	}
}

func TestInvisibleCharactersAreRefused(t *testing.T) {
	for _, r := range "\u00ad\u034f\u061c\u115f\u1160\u17b4\u180e\u200b\u200c\u200d\u200e\u200f\u202e\u2060" +
		"\u2061\u2064\u2066\u206f\u2800\u3000\u3164\ufe0f\ufeff\uffa0" +
		"\u00a0\u2003\u2028\u2029\U000e0001\U000e0020\U000e0100\U0001d173" {
		for _, url := range []string{
			"https://hooks.example.com/a" + string(r), "https://hooks" + string(r) + ".example.com/",
			"https://hooks.example.com/?a" + string(r),
			"https://hooks" + neturl.PathEscape(string(r)) + ".example.com/", string(r) + "https://hooks.example.com/",
		} {
			err := (webhook.Guard{}).CheckURL(url)
			if err == nil || (!errors.Is(err, webhook.ErrInvisible) && !errors.Is(err, webhook.ErrURL)) {
				t.Errorf("%+q: %v", url, err)
			}
		}
	}
}

// loopback is a guard that treats this machine as public, except 127.0.0.2.
func loopback(names map[string]string) webhook.Guard {
	return webhook.Guard{
		AllowRanges: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"), netip.MustParsePrefix("::1/128")}, AllowHTTP: true,
		Resolve: resolver(names),
	}
}

func TestRangesCanBeOpened(t *testing.T) {
	g := loopback(map[string]string{
		"localhost": "127.0.0.1 ::1", "loop.example": "127.0.0.1", "mixed.example": "127.0.0.1 127.0.0.2",
		"both.example": "127.0.0.1 8.8.8.8",
		"db.internal":  "10.0.0.1",
	})
	for _, url := range []string{
		"http://127.0.0.1:9000/hook", "http://localhost:9000/", "https://[::1]:9000/", "http://receiver/",
		"https://loop.example/",
		"http://both.example/", "http://8.8.8.8/",
	} {
		if err := g.CheckURL(url); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, url := range []string{"", "ftp://localhost/", "http://user@localhost/", "http://127.1/", "http://localhost/#x"} {
		if err := g.CheckURL(url); err == nil {
			t.Errorf("%q is taken", url)
		}
	}
	// What is not opened stays closed.
	for _, url := range []string{"http://127.0.0.2/", "http://10.0.0.1/", "http://169.254.169.254/", "https://[::ffff:127.0.0.1]/", "https://[64:ff9b::7f00:1]/"} {
		if err := g.CheckURL(url); !errors.Is(err, webhook.ErrPrivate) {
			t.Errorf("%s: %v", url, err)
		}
	}
	for host, want := range map[string]error{
		"localhost": nil, "loop.example": nil, "both.example": nil, "mixed.example": webhook.ErrPrivate,
		"db.internal": webhook.ErrPrivate,
	} {
		if err := g.CheckName(t.Context(), host); !errors.Is(err, want) {
			t.Errorf("%s: %v", host, err)
		}
	}
	// Each flag opens exactly what it says.
	if err := (webhook.Guard{AllowHTTP: true}).CheckURL("http://127.0.0.1/"); !errors.Is(err, webhook.ErrPrivate) {
		t.Errorf("plain http opened private addresses: %v", err)
	}
	if err := (webhook.Guard{AllowRanges: g.AllowRanges}).CheckURL("http://127.0.0.1/"); !errors.Is(err, webhook.ErrURL) {
		t.Errorf("open ranges let plain http through: %v", err)
	}
}

// Whatever the URL: an accepted one leads, as parsed by net/url and idna, to a public address or to a DNS name.
func FuzzCheckURL(f *testing.F) {
	for _, seed := range []string{"https://hooks.example.com:8443/a?b", "https://127.1/", "https://[::1]/", "https://１２７.0.0.1/", "https://u@h.example/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if (webhook.Guard{}).CheckURL(raw) != nil {
			return
		}
		u, err := neturl.Parse(raw)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Fragment != "" {
			t.Fatalf("%q is taken: %v", raw, err)
		}
		if addr, err := netip.ParseAddr(u.Hostname()); err == nil {
			if !addr.IsGlobalUnicast() || addr.IsPrivate() || addr.Is4In6() {
				t.Fatalf("%q is taken", raw)
			}
			return
		}
		if !strings.Contains(u.Hostname(), ".") || strings.HasSuffix(u.Hostname(), ".") {
			t.Fatalf("%q is taken", raw)
		}
	})
}
