package main

import (
	"context"
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"paydown/internal/adminctl"
	"paydown/internal/auth"
	"paydown/internal/service"
)

type keyCmd struct {
	Create keyCreateCmd `cmd:"" help:"Make a key and print its token, once."`
	List   keyListCmd   `cmd:"" help:"List a tenant's keys with their use."`
	Edit   keyEditCmd   `cmd:"" help:"Change a key's name, purpose, scopes, addresses or limit."`
	Rotate keyRotateCmd `cmd:"" help:"Replace a key; the old one stays valid for 24 hours."`
	Revoke keyRevokeCmd `cmd:"" help:"End a key at once."`
}

type keyCreateCmd struct {
	Tenant      string         `required:"" placeholder:"HOST" help:"Host of the tenant."`
	Name        string         `required:"" help:"What the key is called."`
	Kind        string         `default:"live" enum:"live,test" help:"live for production data, test for the sandbox. Default: ${default}."`
	Scopes      adminctl.Words `placeholder:"SCOPE,…" help:"RESOURCE:read, RESOURCE:write or *:read; write implies read. Resources: ${resources}."`
	Purpose     string         `help:"What the key is for."`
	LegacyFlags adminctl.Words `placeholder:"FLAG,…" help:"Permission flags of a key that pre-dates scopes, in the place of scopes: ${flags}."`
	ExpiresDays *int           `help:"30, 90 or 365; without it the key does not expire."`
	Allow       adminctl.Words `placeholder:"CIDR,…" help:"Addresses the key may be used from: IPv4 or IPv6 addresses, or IPv4 ranges."`
	RateLimit   int            `default:"120" help:"Requests in 60 seconds; 0 means no limit. Default: ${default}."`
	JSON        bool           `name:"json" help:"Print JSON: {\"key\": {…}, \"token\": \"…\"}."`
}

// Run makes the key.
func (cmd *keyCreateCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		issued, err := a.Keys.Create(ctx, service.NewKey{
			Name: cmd.Name, Purpose: cmd.Purpose, Kind: auth.KeyKind(strings.ToUpper(cmd.Kind)), Scopes: cmd.Scopes,
			LegacyFlags: cmd.LegacyFlags, ExpiresDays: cmd.ExpiresDays, Allow: cmd.Allow, RateLimit: cmd.RateLimit,
		})
		if err != nil {
			return err
		}
		return c.printIssued(issued, cmd.JSON)
	})
}

func (c *cli) printIssued(issued *service.IssuedKey, asJSON bool) error {
	if asJSON {
		return c.printJSON(struct {
			Key   keyJSON `json:"key"`
			Token string  `json:"token"`
		}{keyView(issued.Key), issued.Token})
	}
	_, err := fmt.Fprintf(c.out, "Key %d, %s. Its token is shown this once:\n\n  %s\n\n", issued.Key.ID, issued.Key.Name, issued.Token)
	return err
}

// keyJSON is a key without its token.
type keyJSON struct {
	ID              int        `json:"id"`
	Name            string     `json:"name"`
	Purpose         *string    `json:"purpose"`
	Kind            string     `json:"kind"`
	Scopes          []string   `json:"scopes"`
	LegacyFlags     []string   `json:"legacyFlags"`
	Last4           string     `json:"last4"`
	IPAllowList     []string   `json:"ipAllowList"`
	RateLimit       int        `json:"rateLimit"`
	ExpiresAt       *time.Time `json:"expiresAt"`
	RetiresAt       *time.Time `json:"retiresAt"`
	RevokedAt       *time.Time `json:"revokedAt"`
	ReplacedByID    *int       `json:"replacedById"`
	CallCount       int64      `json:"callCount"`
	LastUsedAt      *time.Time `json:"lastUsedAt"`
	LastUsedAddress *string    `json:"lastUsedAddress"`
	CreatedAt       time.Time  `json:"createdAt"`
}

func keyView(k *service.Key) keyJSON {
	return keyJSON{
		ID: k.ID, Name: k.Name, Purpose: k.Purpose, Kind: string(k.Kind), Scopes: k.Scopes.Strings(),
		LegacyFlags: orEmpty(k.LegacyFlags), Last4: k.TokenLast4, IPAllowList: orEmpty(k.IPAllowList),
		RateLimit: k.RateLimit, ExpiresAt: k.ExpiresAt, RetiresAt: k.RetiresAt, RevokedAt: k.RevokedAt,
		ReplacedByID: k.ReplacedByID, CallCount: k.CallCount, LastUsedAt: k.LastUsedAt,
		LastUsedAddress: k.LastUsedAddress, CreatedAt: k.CreatedAt,
	}
}

func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

type keyListCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run lists the keys.
func (cmd *keyListCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		keys, err := a.Keys.List(ctx)
		if err != nil {
			return err
		}
		views := make([]keyJSON, len(keys))
		for i, k := range keys {
			views[i] = keyView(k)
		}
		if cmd.JSON {
			return c.printJSON(map[string]any{"keys": views})
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "ID\tNAME\tKIND\tENDS IN\tSTATUS\tCALLS\tLAST USED\tFROM\tSCOPES")
		for _, k := range views {
			fmt.Fprintf(w, "%d\t%s\t%s\t…%s\t%s\t%d\t%s\t%s\t%s\n", k.ID, k.Name, k.Kind, k.Last4, k.status(),
				k.CallCount, when(k.LastUsedAt), text(k.LastUsedAddress), strings.Join(k.Scopes, ","))
		}
		return w.Flush()
	})
}

// status words where a key stands.
func (k keyJSON) status() string {
	now := time.Now()
	switch {
	case k.RevokedAt != nil:
		return "revoked"
	case k.ExpiresAt != nil && now.After(*k.ExpiresAt):
		return "expired"
	case k.RetiresAt != nil && now.After(*k.RetiresAt):
		return "replaced"
	case k.RetiresAt != nil:
		return "valid until " + when(k.RetiresAt)
	case k.ExpiresAt != nil:
		return "expires " + k.ExpiresAt.Format(time.DateOnly)
	default:
		return "valid"
	}
}

func when(t *time.Time) string {
	if t == nil {
		return "never"
	}
	return t.UTC().Format("2006-01-02 15:04:05Z")
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

type keyRotateCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	ID     int    `arg:"" help:"Id of the key."`
	JSON   bool   `name:"json" help:"Print JSON: {\"key\": {…}, \"token\": \"…\"}."`
}

// Run rotates the key.
func (cmd *keyRotateCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		issued, err := a.Keys.Rotate(ctx, cmd.ID)
		if err != nil {
			return err
		}
		return c.printIssued(issued, cmd.JSON)
	})
}

type keyRevokeCmd struct {
	Tenant string `required:"" placeholder:"HOST" help:"Host of the tenant."`
	ID     int    `arg:"" help:"Id of the key."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run revokes the key.
func (cmd *keyRevokeCmd) Run(ctx context.Context, c *cli) error {
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		key, err := a.Keys.Revoke(ctx, cmd.ID)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return c.printJSON(map[string]any{"key": keyView(key)})
		}
		_, err = fmt.Fprintf(c.out, "Key %d is revoked.\n", cmd.ID)
		return err
	})
}

// withTenant runs f as an operator inside the tenant.
func (c *cli) withTenant(ctx context.Context, host string, f func(context.Context, *app) error) error {
	return c.within(ctx, host, serving{}, f)
}

// within is withTenant for a process that has what is given.
func (c *cli) within(ctx context.Context, host string, with serving, f func(context.Context, *app) error) error {
	a, err := c.openWith(ctx, time.Now, with)
	if err != nil {
		return err
	}
	defer a.close()
	ctx, err = a.Tenants.AsOperator(ctx, host)
	if err != nil {
		return err
	}
	return f(ctx, a)
}
