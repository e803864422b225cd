package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"time"

	"paydown/internal/mail"
	"paydown/internal/ratelimit"
	"paydown/internal/server"
	"paydown/internal/webhook"
)

type serveCmd struct {
	Addr           string        `default:"127.0.0.1:8080" help:"Address of the public listener. Default: ${default}."`
	AdminAddr      string        `default:"127.0.0.1:8081" help:"Address of the admin listener: metrics, health, and the admin services. Keep it private. Default: ${default}."`
	AdminTLSCert   string        `name:"admin-tls-cert" placeholder:"FILE" help:"Certificate chain (PEM) of the admin listener; without it the listener uses plain HTTP."`
	AdminTLSKey    string        `name:"admin-tls-key" placeholder:"FILE" help:"Private key (PEM) of that certificate."`
	AdminClientCA  string        `name:"admin-client-ca" placeholder:"FILE" help:"Authorities (PEM) whose client certificates may call the admin services without a token. Needs --admin-tls-cert."`
	TLSCert        string        `name:"tls-cert" placeholder:"FILE" help:"Certificate chain (PEM) of the public listener; without it the listener uses plain HTTP, for use behind a proxy."`
	TLSKey         string        `name:"tls-key" placeholder:"FILE" help:"Private key (PEM) of the certificate."`
	TrustedProxies []string      `placeholder:"CIDR,…" help:"Proxies whose X-Forwarded-For and X-Forwarded-Proto are trusted: addresses or ranges."`
	StopDelay      time.Duration `default:"200ms" help:"How long to keep serving after a stop signal while /readyz already fails: about two health check intervals of your load balancer. Default: ${default}."`

	GraphQLIntrospection bool `name:"graphql-introspection" help:"Let every caller of /graphql read its schema. Without it only staff who may edit company settings can."`

	SMTPURL  string `name:"smtp-url" placeholder:"URL" help:"Mail server for notifications to staff: smtp://USER:PASSWORD@HOST:PORT?tls=starttls, implicit or none; preferably by its variable. Without it no mail is sent."`
	MailFrom string `placeholder:"ADDRESS" help:"Sender of mail, such as paydown@example.com or \"Name <paydown@example.com>\"."`

	WebhookAllowCIDR []string `name:"webhook-allow-cidr" placeholder:"CIDR,…" help:"Also deliver webhooks to these private addresses or ranges, such as 127.0.0.0/8,::1 for this machine. For development only: API callers could reach those networks."`
	WebhookAllowHTTP bool     `name:"webhook-allow-http" help:"Also deliver webhooks over plain HTTP. For development only."`
}

// Run serves until it is stopped.
func (cmd *serveCmd) Run(ctx context.Context, c *cli) error {
	if (cmd.TLSCert == "") != (cmd.TLSKey == "") {
		return errors.New("--tls-cert and --tls-key must be given together")
	}
	if (cmd.AdminTLSCert == "") != (cmd.AdminTLSKey == "") {
		return errors.New("--admin-tls-cert and --admin-tls-key must be given together")
	}
	if cmd.AdminClientCA != "" && cmd.AdminTLSCert == "" {
		return errors.New("--admin-client-ca requires --admin-tls-cert")
	}
	if cmd.StopDelay < 0 {
		return errors.New("--stop-delay must not be negative")
	}
	server.TuneCollections()
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
		a.log.Warn("webhooks may be delivered to private or plain http addresses: for development only",
			"allowedRanges", cmd.WebhookAllowCIDR, "plainHttp", cmd.WebhookAllowHTTP)
	}
	if a.mail != nil {
		a.log.Info("notifications to staff are sent by mail", "server", a.mail)
	}
	if a.files == nil {
		a.log.Warn("no file store: documents cannot be uploaded without --files")
	} else {
		a.log.Info("files of documents are stored", "place", a.files.String())
	}
	s := server.New(server.Config{
		Service: a.Service, Log: a.log, Limiter: a.limiter(), Trusted: trusted,
		Addr: cmd.Addr, AdminAddr: cmd.AdminAddr, TLSCert: cmd.TLSCert, TLSKey: cmd.TLSKey,
		AdminTLSCert: cmd.AdminTLSCert, AdminTLSKey: cmd.AdminTLSKey, AdminClientCA: cmd.AdminClientCA,
		StopDelay: cmd.StopDelay, Deliveries: a.deliveries, Introspection: cmd.GraphQLIntrospection,
	})
	return s.Run(ctx, func(public, admin net.Addr) {
		a.log.Info("serving", "version", version, "addr", public.String(), "adminAddr", admin.String())
		time.AfterFunc(releaseAfter, releaseMemory)
	})
}

// limiter counts in memory if the process has the database to itself, and otherwise through the database.
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

// mail returns the mail server, or nil if none is configured.
func (cmd *serveCmd) mail() (*mail.Server, error) {
	switch {
	case cmd.SMTPURL == "" && cmd.MailFrom == "":
		return nil, nil
	case cmd.SMTPURL == "" || cmd.MailFrom == "":
		return nil, errors.New("--smtp-url and --mail-from must be given together")
	}
	made, err := mail.New(cmd.SMTPURL, cmd.MailFrom)
	if err != nil {
		return nil, fmt.Errorf("--smtp-url, --mail-from: %w", err)
	}
	return made, nil
}

// guard returns which addresses webhooks may be delivered to.
func (cmd *serveCmd) guard() (webhook.Guard, error) {
	ranges, err := parseRanges("--webhook-allow-cidr", cmd.WebhookAllowCIDR)
	return webhook.Guard{AllowRanges: ranges, AllowHTTP: cmd.WebhookAllowHTTP}, err
}

// parseRanges parses a flag's list of addresses and ranges.
func parseRanges(flag string, entries []string) ([]netip.Prefix, error) {
	var prefixes []netip.Prefix
	for _, entry := range entries {
		if prefix, err := netip.ParsePrefix(entry); err == nil {
			prefixes = append(prefixes, prefix.Masked())
			continue
		}
		addr, err := netip.ParseAddr(entry)
		if err != nil {
			return nil, fmt.Errorf("%s: %q must be an address or a range", flag, entry)
		}
		prefixes = append(prefixes, netip.PrefixFrom(addr, addr.BitLen()))
	}
	return prefixes, nil
}

type migrateCmd struct{}

// Run applies the missing migrations.
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
