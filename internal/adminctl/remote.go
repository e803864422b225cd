package adminctl

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"connectrpc.com/connect"

	"paydown/rpc/adminv1/adminv1connect"
)

// remote are the flags that select the server.
type remote struct {
	Context    string        `env:"PAYDOWN_ADMIN_CONTEXT" placeholder:"NAME" group:"Server" complete:"context" help:"Call the server of this context."`
	Server     string        `env:"PAYDOWN_ADMIN_SERVER" placeholder:"URL" group:"Server" help:"Call this server instead of a context, such as http://localhost:8081. Its token comes from PAYDOWN_ADMIN_TOKEN or --token-file."`
	TokenFile  string        `env:"PAYDOWN_ADMIN_TOKEN_FILE" placeholder:"FILE" group:"Server" help:"With --server: file of mode 600 with the token."`
	CA         string        `name:"ca" env:"PAYDOWN_ADMIN_CA" placeholder:"FILE" group:"Server" help:"With --server: authorities (PEM) that verify the server's certificate, instead of the system's."`
	ClientCert string        `env:"PAYDOWN_ADMIN_CLIENT_CERT" placeholder:"FILE" group:"Server" help:"With --server: client certificate (PEM), instead of a token."`
	ClientKey  string        `env:"PAYDOWN_ADMIN_CLIENT_KEY" placeholder:"FILE" group:"Server" help:"With --server: private key (PEM) of that certificate."`
	PlainHTTP  bool          `name:"plain-http" env:"PAYDOWN_ADMIN_PLAIN_HTTP" group:"Server" help:"With --server: allow sending the token over plain HTTP to another machine."`
	Timeout    time.Duration `env:"PAYDOWN_ADMIN_TIMEOUT" default:"30s" group:"Server" help:"Timeout of a call; streaming calls may take longer. Default: ${default}."`
	JSON       bool          `name:"json" help:"Print JSON: the response of the admin services; for a stream, one message per line."`

	create bool `kong:"-"` // the command may create the database
}

// Company are the flags of a command about one tenant.
type Company struct {
	remote
	Tenant string `placeholder:"HOST" help:"Host of the tenant. Default: the context's tenant."`
}

// session calls one server.
type session struct {
	*Env
	json   bool
	local  bool // this machine's database
	server string
	tenant string // "" if the command is not about a tenant

	keys       adminv1connect.KeyServiceClient
	webhooks   adminv1connect.WebhookServiceClient
	inbound    adminv1connect.InboundServiceClient
	tenants    adminv1connect.TenantServiceClient
	users      adminv1connect.UserServiceClient
	operations adminv1connect.OperationsServiceClient
}

// open returns a session for the tenant.
func (c *Company) open(ctx context.Context, env *Env) (*session, error) {
	if c.Tenant == "" && c.isLocal(env) {
		return nil, usageError("--tenant is required: the host of the company")
	}
	s, at, err := c.connect(ctx, env)
	if err != nil {
		return nil, err
	}
	if s.tenant = cmp.Or(c.Tenant, at.Tenant); s.tenant == "" {
		return nil, usageError("--tenant is required: the host of the company, here or in the context")
	}
	return s, nil
}

// open returns a session without a tenant.
func (r *remote) open(ctx context.Context, env *Env) (*session, error) {
	s, _, err := r.connect(ctx, env)
	return s, err
}

// isLocal reports whether the command works on this machine's database.
func (r *remote) isLocal(env *Env) bool {
	return !env.CurrentContext && r.Server == "" && r.Context == ""
}

// onlyWithServer refuses flags for reaching a server without --server.
func (r *remote) onlyWithServer() error {
	if r.TokenFile != "" || r.CA != "" || r.ClientCert != "" || r.ClientKey != "" || r.PlainHTTP {
		return usageError(
			"--token-file, --ca, --client-cert, --client-key and --plain-http require --server; a context has its own settings",
		)
	}
	return nil
}

// place returns the server of the flags or of their context. The token of a context is never sent to another
// server.
func (r *remote) place(env *Env) (at *place, token string, err error) {
	if r.Server == "" {
		if err := r.onlyWithServer(); err != nil {
			return nil, "", err
		}
		c, err := readConfig()
		if err != nil {
			return nil, "", err
		}
		if _, at, err = c.named(r.Context); err != nil {
			return nil, "", err
		}
		token, err = at.token(env.Getenv)
		return at, token, err
	}
	if r.Context != "" {
		return nil, "", usageError("use either --server or --context " +
			"(or unset PAYDOWN_ADMIN_SERVER or PAYDOWN_ADMIN_CONTEXT)")
	}
	at = &place{
		Server: r.Server, TokenFile: r.TokenFile, CA: r.CA, ClientCert: r.ClientCert, ClientKey: r.ClientKey,
		PlainHTTP: r.PlainHTTP,
	}
	if at.TokenFile == "" {
		at.Token = env.Getenv("PAYDOWN_ADMIN_TOKEN")
	}
	token, err = at.token(env.Getenv)
	return at, token, err
}

func (r *remote) connect(ctx context.Context, env *Env) (*session, *place, error) {
	if r.Timeout <= 0 {
		return nil, nil, usageError("--timeout must be more than 0")
	}
	if r.isLocal(env) {
		if err := r.onlyWithServer(); err != nil {
			return nil, nil, err
		}
		client, err := env.Local(ctx, r.create)
		if err != nil {
			return nil, nil, err
		}
		s := r.session(env, client, "http://local.invalid", "")
		s.local, s.server = true, "the database"
		return s, &place{}, nil
	}
	at, token, err := r.place(env)
	if err != nil {
		return nil, nil, err
	}
	if err := at.check(); err != nil {
		return nil, nil, err
	}
	if token == "" && at.ClientCert == "" {
		return nil, nil, usageError("no token or client certificate for %s", at.Server)
	}
	if strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return nil, nil, usageError("the token for %s contains invalid characters", at.Server)
	}
	client, err := at.client()
	if err != nil {
		return nil, nil, err
	}
	return r.session(env, client, strings.TrimRight(at.Server, "/"), token), at, nil
}

// session returns clients of the services at a base URL.
func (r *remote) session(env *Env, client *http.Client, base, token string) *session {
	with := connect.WithInterceptors(&credentials{token, "paydown/" + env.Version, r.Timeout})
	return &session{
		Env: env, json: r.JSON, server: base,
		keys:       adminv1connect.NewKeyServiceClient(client, base, with),
		webhooks:   adminv1connect.NewWebhookServiceClient(client, base, with),
		inbound:    adminv1connect.NewInboundServiceClient(client, base, with),
		tenants:    adminv1connect.NewTenantServiceClient(client, base, with),
		users:      adminv1connect.NewUserServiceClient(client, base, with),
		operations: adminv1connect.NewOperationsServiceClient(client, base, with),
	}
}

// check refuses an invalid URL, and one that would send a token unencrypted.
func (c *place) check() error {
	u, err := url.Parse(c.Server)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" ||
		u.Scheme != "http" && u.Scheme != "https" {
		return usageError("the server must be https://HOST or, on this machine, http://HOST:PORT")
	}
	if (c.ClientCert == "") != (c.ClientKey == "") {
		return usageError("a client certificate and its key must be given together")
	}
	if u.Scheme == "https" || c.PlainHTTP || loopback(u.Hostname()) {
		return nil
	}
	return usageError(
		"http would send the token unencrypted to %s: use https, or --plain-http in a trusted network", u.Host,
	)
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// client returns the HTTP client for the server. It does not follow redirects.
func (c *place) client() (*http.Client, error) {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return nil, errors.New("http.DefaultTransport is not an *http.Transport")
	}
	transport = transport.Clone()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CA != "" {
		raw, err := os.ReadFile(c.CA)
		if err != nil {
			return nil, notReadable("CA file", err)
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(raw) {
			return nil, usageError("%s contains no certificate", c.CA)
		}
	}
	if c.ClientCert != "" {
		pair, err := tls.LoadX509KeyPair(c.ClientCert, c.ClientKey)
		if err != nil {
			return nil, notReadable("client certificate", err)
		}
		transport.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// credentials adds the token, if any, and limits the duration of unary calls.
type credentials struct {
	token, agent string
	within       time.Duration
}

// WrapUnary implements connect.Interceptor.
func (b *credentials) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		ctx, cancel := context.WithTimeout(ctx, b.within)
		defer cancel()
		b.sign(req.Header())
		return next(ctx, req)
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (b *credentials) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		conn := next(ctx, spec)
		b.sign(conn.RequestHeader())
		return conn
	}
}

// WrapStreamingHandler implements connect.Interceptor; this program serves no calls.
func (*credentials) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

func (b *credentials) sign(h http.Header) {
	if b.token != "" {
		h.Set("Authorization", "Bearer "+b.token)
	}
	h.Set("User-Agent", b.agent)
}
