package main

import (
	"context"
	"fmt"

	"paydown/internal/adminctl"
	"paydown/internal/service"
)

type keyEditCmd struct {
	Tenant       string         `required:"" placeholder:"HOST" help:"Host of the tenant."`
	ID           int            `arg:"" help:"Id of the key."`
	Name         *string        `help:"What the key is called."`
	Purpose      *string        `help:"What the key is for; empty for none."`
	Scopes       adminctl.Words `placeholder:"SCOPE,…" help:"RESOURCE:read, RESOURCE:write or *:read. A key with permission flags has scopes once it is edited: these, or those the flags stand for."`
	Allow        adminctl.Words `xor:"allow" placeholder:"CIDR,…" help:"Addresses the key may be used from: IPv4 or IPv6 addresses, or IPv4 ranges."`
	AllowAnybody bool           `xor:"allow" help:"Let the key be used from any address."`
	RateLimit    *int           `help:"Requests in 60 seconds; 0 means no limit."`
	JSON         bool           `name:"json" help:"Print JSON."`
}

// Run edits the key.
func (cmd *keyEditCmd) Run(ctx context.Context, c *cli) error {
	if cmd.Name == nil && cmd.Purpose == nil && cmd.Scopes == nil && cmd.Allow == nil && !cmd.AllowAnybody && cmd.RateLimit == nil {
		return adminctl.NothingGiven()
	}
	return c.withTenant(ctx, cmd.Tenant, func(ctx context.Context, a *app) error {
		edit := service.KeyEdit{
			Name: cmd.Name, Purpose: cmd.Purpose, Scopes: cmd.Scopes, Allow: cmd.Allow, RateLimit: cmd.RateLimit,
		}
		if cmd.AllowAnybody {
			edit.Allow = []string{}
		}
		key, err := a.Keys.Edit(ctx, cmd.ID, edit)
		if err != nil {
			return err
		}
		if cmd.JSON {
			return c.printJSON(map[string]any{"key": keyView(key)})
		}
		_, err = fmt.Fprintf(c.out, "Key %d is changed.\n", cmd.ID)
		return err
	})
}
