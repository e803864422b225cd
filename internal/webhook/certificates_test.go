package webhook_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"io"
	"math/big"
	"net"
	"strings"
	"testing"
	"time"

	"paydown/internal/webhook"
)

// authority issues certificates that the test trusts.
type authority struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	pool *x509.CertPool
}

func newAuthority(tb testing.TB) *authority {
	tb.Helper()
	a := &authority{key: newKey(tb), pool: x509.NewCertPool()}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key)
	if err != nil {
		tb.Fatal(err)
	}
	if a.cert, err = x509.ParseCertificate(raw); err != nil {
		tb.Fatal(err)
	}
	a.pool.AddCert(a.cert)
	return a
}

func newKey(tb testing.TB) *ecdsa.PrivateKey {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return key
}

// config is that of a server at hooks.example and 127.0.0.1, whose certificate is changed before it is issued.
func (a *authority) config(tb testing.TB, changes ...func(*x509.Certificate)) *tls.Config {
	tb.Helper()
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		DNSNames: []string{"hooks.example"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, change := range changes {
		change(leaf)
	}
	key := newKey(tb)
	raw, err := x509.CreateCertificate(rand.Reader, leaf, a.cert, key.Public(), a.key)
	if err != nil {
		tb.Fatal(err)
	}
	return &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{raw}, PrivateKey: key}}}
}

// over speaks TLS, and leaves the rest to the test.
func over(cfg *tls.Config, handle func(net.Conn)) func(net.Conn) {
	return func(conn net.Conn) {
		if session := tls.Server(conn, cfg); session.Handshake() == nil {
			handle(session)
		}
	}
}

// secure is the receiver's URL over https.
func secure(r *receiver) string { return strings.Replace(r.URL(), "http:", "https:", 1) }

func TestEncryptedReceivers(t *testing.T) {
	ca, stranger := newAuthority(t), newAuthority(t)
	with := func(change func(*tls.Config)) *tls.Config {
		cfg := ca.config(t)
		change(cfg)
		return cfg
	}
	good := answering(ok204)
	hang := func(conn net.Conn) { _, _ = io.Copy(io.Discard, conn) }
	for name, c := range map[string]struct {
		handle func(net.Conn)
		url    string // %d is the port
		code   string
	}{
		"by name":                           {over(ca.config(t), good), "https://hooks.example:%d/", ""},
		"by name, in capitals":              {over(ca.config(t), good), "https://HOOKS.example:%d/", ""},
		"by address":                        {over(ca.config(t), good), "https://127.0.0.1:%d/", ""},
		"TLS 1.2":                           {over(with(func(c *tls.Config) { c.MaxVersion = tls.VersionTLS12 }), good), "https://hooks.example:%d/", ""},
		"TLS 1.1":                           {over(with(func(c *tls.Config) { c.MinVersion, c.MaxVersion = tls.VersionTLS10, tls.VersionTLS11 }), good), "https://hooks.example:%d/", "tls"},
		"speaks HTTP/1.1 and 2":             {over(with(func(c *tls.Config) { c.NextProtos = []string{"h2", "http/1.1"} }), good), "https://hooks.example:%d/", ""},
		"speaks no HTTP/1.1":                {over(with(func(c *tls.Config) { c.NextProtos = []string{"other"} }), good), "https://hooks.example:%d/", "tls"},
		"asks for a certificate":            {over(with(func(c *tls.Config) { c.ClientAuth = tls.RequireAnyClientCert; c.MaxVersion = tls.VersionTLS12 }), good), "https://hooks.example:%d/", "tls"},
		"expired":                           {over(ca.config(t, func(c *x509.Certificate) { c.NotAfter = time.Now().Add(-time.Minute) }), good), "https://hooks.example:%d/", "tls"},
		"not valid yet":                     {over(ca.config(t, func(c *x509.Certificate) { c.NotBefore = time.Now().Add(time.Minute) }), good), "https://hooks.example:%d/", "tls"},
		"for another host":                  {over(ca.config(t), good), "https://other.example:%d/", "tls"},
		"for no address":                    {over(ca.config(t, func(c *x509.Certificate) { c.IPAddresses = nil }), good), "https://127.0.0.1:%d/", "tls"},
		"for clients":                       {over(ca.config(t, func(c *x509.Certificate) { c.ExtKeyUsage[0] = x509.ExtKeyUsageClientAuth }), good), "https://hooks.example:%d/", "tls"},
		"of an unknown authority":           {over(stranger.config(t), good), "https://hooks.example:%d/", "tls"},
		"speaks no TLS":                     {answering("HTTP/1.1 400 Bad Request\r\n\r\n"), "https://hooks.example:%d/", "tls"},
		"closes at once":                    {func(net.Conn) {}, "https://hooks.example:%d/", "tls"},
		"closes in the handshake":           {func(c net.Conn) { _, _ = io.ReadFull(c, make([]byte, 64)) }, "https://hooks.example:%d/", "tls"},
		"stalls in the handshake":           {hang, "https://hooks.example:%d/", "timeout"},
		"stalls after it":                   {over(ca.config(t), hang), "https://hooks.example:%d/", "timeout"},
		"speaks TLS where http is expected": {over(ca.config(t), good), "http://hooks.example:%d/", "connection"},
	} {
		t.Run(name, func(t *testing.T) {
			names := map[string]string{"hooks.example": "127.0.0.1", "other.example": "127.0.0.1"}
			cfg := webhook.SenderConfig{Guard: loopback(names), RootCAs: ca.pool}
			if c.code == "timeout" {
				cfg.Timeout = soon
			}
			s := sender(t, cfg)
			r := receive(t, "127.0.0.1:0", c.handle)
			for range 2 {
				o := s.Send(t.Context(), webhook.Attempt{Endpoint: 1, URL: fmt.Sprintf(c.url, r.Port()), Body: []byte("{}")})
				if o.Error != c.code || o.Internal || (o.Status == 204) != (c.code == "") {
					t.Errorf("%+v, want %q", o, c.code)
				}
				if c.code == "timeout" && o.Duration < soon {
					t.Errorf("it took %s", o.Duration)
				}
			}
			if n := r.accepted.Load(); c.code == "" && n != 1 {
				t.Errorf("%d connections for two attempts", n)
			}
		})
	}
}

// The handshake has the host's name, not its address.
func TestHandshakeSendsServerName(t *testing.T) {
	ca := newAuthority(t)
	asked := make(chan string, 1)
	cfg := ca.config(t)
	cfg.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		asked <- hello.ServerName + " " + strings.Join(hello.SupportedProtos, " ")
		return nil, nil
	}
	s := sender(
		t, webhook.SenderConfig{Guard: loopback(map[string]string{"hooks.example": "127.0.0.1"}), RootCAs: ca.pool},
	)
	r := receive(t, "127.0.0.1:0", over(cfg, answering(ok204)))
	if o := s.Send(t.Context(), webhook.Attempt{URL: fmt.Sprintf("https://Hooks.example:%d/", r.Port())}); o.Error != "" {
		t.Errorf("%+v", o)
	}
	if got := <-asked; got != "hooks.example http/1.1" {
		t.Errorf("asked for %s", got)
	}
}
