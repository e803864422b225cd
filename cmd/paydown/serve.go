package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"runtime/debug"
	"time"

	"paydown/internal/mail"
	"paydown/internal/ratelimit"
	"paydown/internal/server"
	"paydown/internal/webhook"
)

type serveCmd struct {
	Addr           string        `default:"127.0.0.1:8080" help:"Address of the public listener. Default: ${default}."`
	AdminAddr      string        `default:"127.0.0.1:8081" help:"Address of the listener for operators: metrics, health, and the admin services. Keep it private. Default: ${default}."`
	AdminTLSCert   string        `name:"admin-tls-cert" placeholder:"FILE" help:"Certificate chain (PEM) of the listener for operators; without one it speaks plain HTTP."`
	AdminTLSKey    string        `name:"admin-tls-key" placeholder:"FILE" help:"Private key (PEM) of that certificate."`
	AdminClientCA  string        `name:"admin-client-ca" placeholder:"FILE" help:"Authorities (PEM) whose clients may call the admin services by their certificates, without a token. Needs --admin-tls-cert."`
	TLSCert        string        `name:"tls-cert" placeholder:"FILE" help:"Certificate chain (PEM) of the public listener; without one it speaks plain HTTP, for behind a proxy."`
	TLSKey         string        `name:"tls-key" placeholder:"FILE" help:"Private key (PEM) of the certificate."`
	TrustedProxies []string      `placeholder:"CIDR,…" help:"Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed: addresses or ranges."`
	StopDelay      time.Duration `default:"200ms" help:"How long to go on serving after a signal to stop, with /readyz saying so already: some two health checks of what sends requests here. Default: ${default}."`

	GraphQLIntrospection bool `name:"graphql-introspection" help:"Let every caller of /graphql read its schema. Without it only staff who may edit company settings can."`

	SMTPURL  string `name:"smtp-url" placeholder:"URL" help:"Mail server that notifications to staff are sent through: smtp://USER:PASSWORD@HOST:PORT?tls=starttls, implicit or none; best by its variable. Without one nothing is sent by mail."`
	MailFrom string `placeholder:"ADDRESS" help:"Sender of mail, such as paydown@example.com or \"Name <paydown@example.com>\"."`

	WebhookAllowCIDR []string `name:"webhook-allow-cidr" placeholder:"CIDR,…" help:"Deliver webhooks to these private addresses or ranges too, 127.0.0.0/8,::1 being this machine. For development only: callers of the API could reach what is there."`
	WebhookAllowHTTP bool     `name:"webhook-allow-http" help:"Deliver webhooks over plain HTTP too. For development only."`
}

// gcPercent lets the heap grow to five times what lives in it before it is collected. What lives is some 5 MB, so that
// the default of 100 would collect dozens of times a second under load. GOGC and GOMEMLIMIT take precedence.
const gcPercent = 400

// Run serves until it is told to stop.
func (cmd *serveCmd) Run(ctx context.Context, c *cli) error {
	if (cmd.TLSCert == "") != (cmd.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key go together")
	}
	if (cmd.AdminTLSCert == "") != (cmd.AdminTLSKey == "") {
		return errors.New("--admin-tls-cert and --admin-tls-key go together")
	}
	if cmd.AdminClientCA != "" && cmd.AdminTLSCert == "" {
		return errors.New("--admin-client-ca needs --admin-tls-cert")
	}
	if cmd.StopDelay < 0 {
		return errors.New("--stop-delay cannot be negative")
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	trusted, err := parseRanges("--trusted-proxies", cmd.TrustedProxies)
	if err != nil {
		return err
	}
	a, err := c.openToServe(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	if len(cmd.WebhookAllowCIDR) > 0 || cmd.WebhookAllowHTTP {
		a.log.Warn("webhooks may be delivered to more than public https addresses, which is for development only",
			"allowedRanges", cmd.WebhookAllowCIDR, "plainHttp", cmd.WebhookAllowHTTP)
	}
	if a.mail != nil {
		a.log.Info("notifications to staff go out by mail too", "server", a.mail)
	}
	if a.files == nil {
		a.log.Warn("no files are kept: documents cannot be uploaded without --files")
	} else {
		a.log.Info("the files of documents are kept", "place", a.files.String())
	}
	s := server.New(server.Config{
		Service: a.Service, Log: a.log, Limiter: a.limiter(), Trusted: trusted,
		Addr: cmd.Addr, AdminAddr: cmd.AdminAddr, TLSCert: cmd.TLSCert, TLSKey: cmd.TLSKey,
		AdminTLSCert: cmd.AdminTLSCert, AdminTLSKey: cmd.AdminTLSKey, AdminClientCA: cmd.AdminClientCA,
		StopDelay: cmd.StopDelay, Deliveries: a.deliveries, Introspection: cmd.GraphQLIntrospection,
	})
	return s.Run(ctx, func(public, admin net.Addr) {
		a.log.Info("serving", "version", version, "addr", public.String(), "adminAddr", admin.String())
	})
}

// limiter counts in memory where the process is alone with its database, and through the database elsewhere.
func (a *app) limiter() *ratelimit.Limiter {
	if !a.store.IsPostgres() {
		return ratelimit.New(nil, time.Now)
	}
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return ratelimit.New(a.store.RateLeases(fmt.Sprintf("%s/%d/%d", host, os.Getpid(), time.Now().UnixNano())), time.Now)
}

// mail is the mail server; nil where none is given.
func (cmd *serveCmd) mail() (*mail.Server, error) {
	switch {
	case cmd.SMTPURL == "" && cmd.MailFrom == "":
		return nil, nil
	case cmd.SMTPURL == "" || cmd.MailFrom == "":
		return nil, errors.New("--smtp-url and --mail-from go together")
	}
	made, err := mail.New(cmd.SMTPURL, cmd.MailFrom)
	if err != nil {
		return nil, fmt.Errorf("--smtp-url, --mail-from: %w", err)
	}
	return made, nil
}

// guard says where webhooks may be delivered to.
func (cmd *serveCmd) guard() (webhook.Guard, error) {
	ranges, err := parseRanges("--webhook-allow-cidr", cmd.WebhookAllowCIDR)
	return webhook.Guard{AllowRanges: ranges, AllowHTTP: cmd.WebhookAllowHTTP}, err
}

// parseRanges reads what a flag lists: addresses and ranges.
func parseRanges(flag string, entries []string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for _, entry := range entries {
		if prefix, err := netip.ParsePrefix(entry); err == nil {
			prefixes = append(prefixes, prefix.Masked())
			continue
		}
		addr, err := netip.ParseAddr(entry)
		if err != nil {
			return nil, fmt.Errorf("%s: %q is neither an address nor a range", flag, entry)
		}
		prefixes = append(prefixes, netip.PrefixFrom(addr, addr.BitLen()))
	}
	return prefixes, nil
}

type migrateCmd struct{}

// Run applies the migrations that are missing.
func (migrateCmd) Run(ctx context.Context, c *cli) error {
	s, err := c.openStore()
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	applied, err := s.Migrate(ctx)
	for _, name := range applied {
		fmt.Fprintln(c.out, "applied", name)
	}
	if err == nil && len(applied) == 0 {
		fmt.Fprintln(c.out, "nothing to apply")
	}
	return err
}
