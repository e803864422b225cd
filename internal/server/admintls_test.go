package server_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	"paydown/internal/server"
	"paydown/rpc/adminv1"
	"paydown/rpc/adminv1/adminv1connect"
)

// authority signs certificates.
type authority struct {
	t    *testing.T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	dir  string
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{t: t, dir: t.TempDir()}
	a.cert, a.key = a.sign("authority", nil, true)
	return a
}

func (a *authority) sign(
	name string, usage []x509.ExtKeyUsage, isAuthority bool,
) (*x509.Certificate, *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		a.t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour),
		NotAfter:    time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: usage, IsCA: isAuthority, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
	}
	parent, signer := a.cert, a.key
	if parent == nil {
		parent, signer = template, key
	}
	raw, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		a.t.Fatal(err)
	}
	cert, err := x509.ParseCertificate(raw)
	if err != nil {
		a.t.Fatal(err)
	}
	return cert, key
}

// files writes a certificate signed by the authority, and its key.
func (a *authority) files(name string, usage x509.ExtKeyUsage) (certFile, keyFile string) {
	a.t.Helper()
	cert, key := a.sign(name, []x509.ExtKeyUsage{usage}, false)
	raw, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		a.t.Fatal(err)
	}
	return a.write(name+".pem", "CERTIFICATE", cert.Raw), a.write(name+"-key.pem", "EC PRIVATE KEY", raw)
}

// file writes the authority's own certificate.
func (a *authority) file() string { return a.write("authority.pem", "CERTIFICATE", a.cert.Raw) }

func (a *authority) write(name, kind string, raw []byte) string {
	a.t.Helper()
	path := filepath.Join(a.dir, name)
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: raw}), 0o600); err != nil {
		a.t.Fatal(err)
	}
	return path
}

// A client certificate of the operators' authority is equivalent to a token, and its name is in the audit
// trail. One of another authority does not even get a connection.
func TestOperatorClientCertificates(t *testing.T) {
	t.Parallel()
	ours, others := newAuthority(t), newAuthority(t)
	cert, key := ours.files("server", x509.ExtKeyUsageServerAuth)
	r := run(t, server.Config{AdminTLSCert: cert, AdminTLSKey: key, AdminClientCA: ours.file()}, nil)
	defer r.stop()
	call := func(
		by *authority, name, token string, options ...connect.ClientOption,
	) (adminv1connect.KeyServiceClient, adminv1connect.OperationsServiceClient) {
		pool := x509.NewCertPool()
		pool.AddCert(ours.cert)
		config := &tls.Config{RootCAs: pool}
		if by != nil {
			certFile, keyFile := by.files(name, x509.ExtKeyUsageClientAuth)
			pair, err := tls.LoadX509KeyPair(certFile, keyFile)
			if err != nil {
				t.Fatal(err)
			}
			// A client sends its certificate, whatever authorities the server lists.
			config.GetClientCertificate = func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return &pair, nil }
		}
		client := &http.Client{Transport: bearing{token, &http.Transport{TLSClientConfig: config, ForceAttemptHTTP2: true}}}
		base := "https://" + r.admin
		return adminv1connect.NewKeyServiceClient(
				client,
				base,
				options...), adminv1connect.NewOperationsServiceClient(
				client,
				base,
				options...)
	}
	for name, options := range map[string][]connect.ClientOption{"Connect": nil, "gRPC": {connect.WithGRPC()}} {
		keys, operations := call(ours, "night shift", "", options...)
		made, err := keys.CreateKey(
			t.Context(), &adminv1.CreateKeyRequest{Tenant: r.host, Name: "by certificate", Scopes: []string{"deals:read"}},
		)
		if err != nil || made.GetToken() == "" {
			t.Fatalf("%s: %v", name, err)
		}
		trail, err := operations.ReadAudit(
			t.Context(), &adminv1.ReadAuditRequest{Tenant: r.host, Entity: "apiKey", EntityId: made.GetKey().GetId()},
		)
		if err != nil {
			t.Fatal(err)
		}
		if !trail.Receive() || trail.Msg().GetActorName() != "night shift" || trail.Msg().GetActorKind() != "OPERATOR" {
			t.Errorf("%s: the trail says %v, %v", name, trail.Msg(), trail.Err())
		}
	}
	for name, c := range map[string]struct {
		by    *authority
		token string
	}{
		"no certificate":                        {nil, ""},
		"a bad token beside a good certificate": {ours, "svc_admin_nonsense"},
	} {
		keys, _ := call(c.by, "night shift", c.token)
		if _, err := keys.ListKeys(t.Context(), &adminv1.ListKeysRequest{Tenant: r.host}); connect.CodeOf(
			err,
		) != connect.CodeUnauthenticated {
			t.Errorf("%s: %v", name, err)
		}
	}
	keys, _ := call(others, "night shift", "")
	_, err := keys.ListKeys(t.Context(), &adminv1.ListKeysRequest{Tenant: r.host})
	noConnection(t, "a certificate of another authority", err)
	// A server certificate grants no access.
	pool := x509.NewCertPool()
	pool.AddCert(ours.cert)
	pair, err := tls.LoadX509KeyPair(cert, key)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{
		Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}},
	}
	_, err = adminv1connect.NewKeyServiceClient(client, "https://"+r.admin).
		ListKeys(t.Context(), &adminv1.ListKeysRequest{Tenant: r.host})
	noConnection(t, "a certificate for servers", err)
}

// noConnection requires that a request failed before any handler answered it. The error varies: the client gets
// the server's alert, or finds the connection closed while writing.
func noConnection(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || connect.IsWireError(err) {
		t.Errorf("%s gets a connection: %v", what, err)
	}
}

// Plain HTTP on a TLS port gets an error in the envelope. A malformed request within TLS gets only net/http's
// answer.
func TestPlainHTTPOnTLSPort(t *testing.T) {
	t.Parallel()
	ours := newAuthority(t)
	cert, key := ours.files("server", x509.ExtKeyUsageServerAuth)
	r := run(t, server.Config{TLSCert: cert, TLSKey: key, AdminTLSCert: cert, AdminTLSKey: key}, nil)
	for _, address := range []string{r.public, r.admin} {
		answer := r.get(t, address, "/healthz")
		problem(t, address, answer, http.StatusBadRequest, "bad_request")
		if !strings.Contains(answer.JSON(t).Text("error"), "HTTPS") {
			t.Errorf("%s", answer.Body)
		}
		pool := x509.NewCertPool()
		pool.AddCert(ours.cert)
		secure := tls.Client(dial(t, address), &tls.Config{RootCAs: pool, ServerName: "127.0.0.1"})
		c := &conn{secure, bufio.NewReader(secure)}
		c.send(t, "GET /healthz HTTP/1.1\r\nHost: server.test\r\n\r\n")
		if ok := c.answer(t); ok.Status != http.StatusOK || string(ok.Body) != "ok\n" {
			t.Errorf("%d %s", ok.Status, ok.Body)
		}
		c.send(t, "GET /%%2 HTTP/1.1\r\nHost: server.test\r\n\r\n")
		if malformed := c.answer(t); malformed.Status != http.StatusBadRequest {
			t.Errorf("%d %s", malformed.Status, malformed.Body)
		}
	}
}

// bearing adds a token, if there is one.
type bearing struct {
	token string
	next  http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (b bearing) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return b.next.RoundTrip(r)
}
