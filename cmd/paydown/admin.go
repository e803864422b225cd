package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"paydown/internal/adminctl"
	"paydown/internal/middleware"
	"paydown/rpc"
)

// adminCmd are the administration commands for a server: by default that of the current context.
type adminCmd struct {
	adminctl.Commands
	adminctl.Contexts
	Webhooks adminctl.Webhooks `cmd:"" help:"Manage the webhook endpoints of a tenant and their deliveries."`
	Token    adminTokenCmd     `cmd:"" help:"Create, list and revoke admin tokens, on the database of this machine."`
}

// Help explains how these commands differ from the others.
func (adminCmd) Help() string {
	return "The same commands as without admin, such as paydown key list. Without admin they work on this machine's " +
		"database, unless --context or --server selects a server. With admin they call the server of the current " +
		"context, unless these flags select another. To call a server, create a token on the machine that has its " +
		"database (paydown admin token create), and a context on your machine:\n\n" +
		"  paydown admin context set prod --server https://admin.example.com --token-stdin\n\n" + adminctl.ExitCodes
}

// AfterApply makes the commands call the server of the current context by default.
func (adminCmd) AfterApply(env *adminctl.Env) error { //nolint:unparam // kong calls hooks of this form
	env.CurrentContext = true
	return nil
}

// adminEnv returns the environment of the administration commands.
func (c *cli) adminEnv() *adminctl.Env {
	return &adminctl.Env{
		In: c.in, Out: c.out, Err: c.err, Version: version, Getenv: c.getenv, Now: time.Now, Local: c.serveLocally,
	}
}

// serveLocally opens the database and serves the admin services to this process only, until the command ends.
func (c *cli) serveLocally(ctx context.Context, create bool) (*http.Client, error) {
	if !create {
		if err := c.exists(); err != nil {
			return nil, err
		}
	}
	mailServer, err := c.Serve.mail() // this process sends no mail, but must know whether the server does
	if err != nil {
		return nil, err
	}
	a, err := c.openWith(ctx, time.Now, serving{mail: mailServer})
	if err != nil {
		return nil, err
	}
	services := rpc.New(
		rpc.Config{Config: middleware.Config{Service: a.Service, Log: slog.New(warnings{a.log.Handler()})}},
	)
	calls := &pipes{calls: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: services.InProcess(), ReadHeaderTimeout: patience}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Serve(calls) // ends with Close
	}()
	transport := &http.Transport{DialContext: calls.dial}
	c.atEnd = append(c.atEnd, func() {
		services.EndStreams()
		transport.CloseIdleConnections()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		_ = server.Shutdown(ctx)
		<-ended
		a.close()
	})
	return &http.Client{Transport: transport}, nil
}

// warnings is a log without the server's request log.
type warnings struct{ slog.Handler }

// Enabled implements slog.Handler.
func (h warnings) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelWarn && h.Handler.Enabled(ctx, level)
}

// pipes is a listener inside the process: it accepts the connections of dial.
type pipes struct {
	calls   chan net.Conn
	closed  chan struct{}
	closing sync.Once
}

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case p.calls <- server:
		return client, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept implements net.Listener.
func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.calls:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Close implements net.Listener.
func (p *pipes) Close() error {
	p.closing.Do(func() { close(p.closed) })
	return nil
}

// Addr implements net.Listener.
func (*pipes) Addr() net.Addr { return &net.UnixAddr{Net: "pipe", Name: "pipe"} }
