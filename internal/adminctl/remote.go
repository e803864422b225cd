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

// remote are the flags that say which server a command calls.
type remote struct {
	Context    string        `env:"PAYDOWN_ADMIN_CONTEXT" placeholder:"NAME" group:"Server" complete:"context" help:"Call the server of this context."`
	Server     string        `env:"PAYDOWN_ADMIN_SERVER" placeholder:"URL" group:"Server" help:"Call this server, without a context, such as http://localhost:8081. Its token is in PAYDOWN_ADMIN_TOKEN or --token-file."`
	TokenFile  string        `env:"PAYDOWN_ADMIN_TOKEN_FILE" placeholder:"FILE" group:"Server" help:"With --server: file of mode 600 with the token."`
	CA         string        `name:"ca" env:"PAYDOWN_ADMIN_CA" placeholder:"FILE" group:"Server" help:"With --server: authorities (PEM) that the server's certificate is judged by, in the place of the system's."`
	ClientCert string        `env:"PAYDOWN_ADMIN_CLIENT_CERT" placeholder:"FILE" group:"Server" help:"With --server: certificate (PEM) that proves who calls, in the place of a token."`
	ClientKey  string        `env:"PAYDOWN_ADMIN_CLIENT_KEY" placeholder:"FILE" group:"Server" help:"With --server: private key (PEM) of that certificate."`
	PlainHTTP  bool          `name:"plain-http" env:"PAYDOWN_ADMIN_PLAIN_HTTP" group:"Server" help:"With --server: send the token over plain HTTP to another machine too."`
	Timeout    time.Duration `env:"PAYDOWN_ADMIN_TIMEOUT" default:"30s" group:"Server" help:"How long a call may take; one that streams may take longer. Default: ${default}."`
	JSON       bool          `name:"json" help:"Print JSON: the answer as the admin services describe it; a stream as one message per line."`

	create bool `kong:"-"` // the command may make the database
}

// Company are the flags of a command about one company.
type Company struct {
	remote
	Tenant string `placeholder:"HOST" help:"Host of the tenant. Default: that of the context."`
}

// session is a server to call.
type session struct {
	*Env
	json   bool
	local  bool // it is this machine's database
	server string
	tenant string // "" where the command is about none

	keys       adminv1connect.KeyServiceClient
	webhooks   adminv1connect.WebhookServiceClient
	inbound    adminv1connect.InboundServiceClient
	tenants    adminv1connect.TenantServiceClient
	users      adminv1connect.UserServiceClient
	operations adminv1connect.OperationsServiceClient
}

// open prepares to call on behalf of the company.
func (c *Company) open(ctx context.Context, env *Env) (*session, error) {
	if c.Tenant == "" && c.isLocal(env) {
		return nil, wrongUse("which company? Name its host with --tenant")
	}
	s, at, err := c.connect(ctx, env)
	if err != nil {
		return nil, err
	}
	if s.tenant = cmp.Or(c.Tenant, at.Tenant); s.tenant == "" {
		return nil, wrongUse("which company? Name its host with --tenant, or in the context")
	}
	return s, nil
}

// open prepares to call on behalf of no company.
func (r *remote) open(ctx context.Context, env *Env) (*session, error) {
	s, _, err := r.connect(ctx, env)
	return s, err
}

// isLocal reports whether the command works on this machine's database.
func (r *remote) isLocal(env *Env) bool {
	return !env.CurrentContext && r.Server == "" && r.Context == ""
}

// onlyWithServer refuses flags that say how to reach a server where --server names none.
func (r *remote) onlyWithServer() error {
	if r.TokenFile != "" || r.CA != "" || r.ClientCert != "" || r.ClientKey != "" || r.PlainHTTP {
		return wrongUse("--token-file, --ca, --client-cert, --client-key and --plain-http go with --server; a context has its own")
	}
	return nil
}

// place is the server that the flags name, or their context. The token of a context goes to no other server.
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
		return nil, "", wrongUse("--server and --context are two ways to say which server: give one (or unset PAYDOWN_ADMIN_SERVER or PAYDOWN_ADMIN_CONTEXT)")
	}
	at = &place{
		Server: r.Server, TokenFile: r.TokenFile, CA: r.CA, ClientCert: r.ClientCert, ClientKey: r.ClientKey, PlainHTTP: r.PlainHTTP,
	}
	if at.TokenFile == "" {
		at.Token = env.Getenv("PAYDOWN_ADMIN_TOKEN")
	}
	token, err = at.token(env.Getenv)
	return at, token, err
}

func (r *remote) connect(ctx context.Context, env *Env) (*session, *place, error) {
	if r.Timeout <= 0 {
		return nil, nil, wrongUse("--timeout must be more than 0")
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
	if err := at.judge(); err != nil {
		return nil, nil, err
	}
	if token == "" && at.ClientCert == "" {
		return nil, nil, wrongUse("there is neither a token nor a client's certificate for %s", at.Server)
	}
	if strings.ContainsFunc(token, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return nil, nil, wrongUse("the token for %s is not one: it has characters that none has", at.Server)
	}
	client, err := at.client()
	if err != nil {
		return nil, nil, err
	}
	return r.session(env, client, strings.TrimRight(at.Server, "/"), token), at, nil
}

// session calls the services below an address.
func (r *remote) session(env *Env, client *http.Client, base, token string) *session {
	with := connect.WithInterceptors(&bearing{token, "paydown/" + env.Version, r.Timeout})
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

// judge refuses an address that is none, and one to which a token would go in the clear.
func (c *place) judge() error {
	u, err := url.Parse(c.Server)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "http" && u.Scheme != "https" {
		return wrongUse("the server must be given as https://HOST or, on this machine, http://HOST:PORT")
	}
	if (c.ClientCert == "") != (c.ClientKey == "") {
		return wrongUse("a client's certificate and its key go together")
	}
	if u.Scheme == "https" || c.PlainHTTP || loopback(u.Hostname()) {
		return nil
	}
	return wrongUse("%s is another machine, and http would show it the token in the clear, as to everybody between: use https, or --plain-http where nobody listens", u.Host)
}

func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// client makes the client of the server: it follows nobody elsewhere.
func (c *place) client() (*http.Client, error) {
	transport, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return nil, errors.New("http.DefaultTransport is another")
	}
	transport = transport.Clone()
	transport.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	if c.CA != "" {
		raw, err := os.ReadFile(c.CA)
		if err != nil {
			return nil, notReadable("file of authorities", err)
		}
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(raw) {
			return nil, wrongUse("%s holds no certificate", c.CA)
		}
	}
	if c.ClientCert != "" {
		pair, err := tls.LoadX509KeyPair(c.ClientCert, c.ClientKey)
		if err != nil {
			return nil, notReadable("client's certificate", err)
		}
		transport.TLSClientConfig.Certificates = []tls.Certificate{pair}
	}
	return &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}, nil
}

// bearing sends a token along, if there is one, and bounds the time of what does not stream.
type bearing struct {
	token, agent string
	within       time.Duration
}

// WrapUnary implements connect.Interceptor.
func (b *bearing) WrapUnary(next connect.UnaryFunc) connect.UnaryFunc {
	return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
		ctx, cancel := context.WithTimeout(ctx, b.within)
		defer cancel()
		b.sign(req.Header())
		return next(ctx, req)
	}
}

// WrapStreamingClient implements connect.Interceptor.
func (b *bearing) WrapStreamingClient(next connect.StreamingClientFunc) connect.StreamingClientFunc {
	return func(ctx context.Context, spec connect.Spec) connect.StreamingClientConn {
		conn := next(ctx, spec)
		b.sign(conn.RequestHeader())
		return conn
	}
}

// WrapStreamingHandler implements connect.Interceptor; nothing is served here.
func (*bearing) WrapStreamingHandler(next connect.StreamingHandlerFunc) connect.StreamingHandlerFunc {
	return next
}

func (b *bearing) sign(h http.Header) {
	if b.token != "" {
		h.Set("Authorization", "Bearer "+b.token)
	}
	h.Set("User-Agent", b.agent)
}
