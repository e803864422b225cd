package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"paydown/ent"
	"paydown/internal/fault"
	"paydown/internal/service"
)

type tenantCmd struct {
	Create  tenantCreateCmd  `cmd:"" help:"Make a tenant."`
	List    tenantListCmd    `cmd:"" help:"List the tenants."`
	Set     tenantSetCmd     `cmd:"" help:"Change a setting of a tenant."`
	Sandbox tenantSandboxCmd `cmd:"" help:"Provision the sandbox that answers a tenant's test keys."`
}

type tenantCreateCmd struct {
	Name   string `required:"" help:"Name of the company."`
	Host   string `required:"" help:"Host that its requests come to, without a port."`
	Policy string `default:"integrator" enum:"integrator,full" help:"Profile of its funding policy: integrator (an API key alone can fund a sound deal) or full (every block is on). Default: ${default}."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run makes the tenant.
func (cmd *tenantCreateCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	made, err := a.Tenants.Create(ctx, service.NewTenant{Name: cmd.Name, Host: cmd.Host, Policy: cmd.Policy})
	if err != nil {
		return err
	}
	if cmd.JSON {
		return c.printJSON(map[string]any{"tenant": tenantJSON(made)})
	}
	_, err = fmt.Fprintf(c.out, "Tenant %d, %s, is served at the host %s.\nMake it a key: paydown key create --tenant %s --name NAME --scopes deals:write,…\n",
		made.ID, made.Name, made.Host, made.Host)
	return err
}

func tenantJSON(t *ent.Tenant) map[string]any {
	return map[string]any{
		"id": t.ID, "name": t.Name, "host": t.Host, "timeZone": t.TimeZone, "sandboxOfId": t.SandboxOfID,
		"createdAt": t.CreatedAt, "updatedAt": t.UpdatedAt,
	}
}

type tenantListCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists the tenants.
func (cmd *tenantListCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	tenants, err := a.Tenants.List(ctx)
	if err != nil {
		return err
	}
	if cmd.JSON {
		rows := make([]map[string]any, len(tenants))
		for i, t := range tenants {
			rows[i] = tenantJSON(t)
		}
		return c.printJSON(map[string]any{"tenants": rows})
	}
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "ID\tHOST\tNAME\tTIME ZONE\tSANDBOX OF")
	for _, t := range tenants {
		parent := ""
		if t.SandboxOfID != nil {
			parent = fmt.Sprint(*t.SandboxOfID)
		}
		fmt.Fprintf(w, "%d\t%s\t%s\t%s\t%s\n", t.ID, t.Host, t.Name, t.TimeZone, parent)
	}
	return w.Flush()
}

type tenantSetCmd struct {
	Host    string `arg:"" help:"Host of the tenant."`
	Setting string `arg:"" name:"key=value" help:"timeZone=IANA-NAME, inboundWebhookSecret=SECRET or policy=integrator|full."`
}

// Run changes the setting.
func (cmd *tenantSetCmd) Run(ctx context.Context, c *cli) error {
	name, value, ok := strings.Cut(cmd.Setting, "=")
	if !ok {
		return fault.New(fault.BadRequest, "Write the setting as KEY=VALUE.")
	}
	a, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	if err := a.Tenants.Set(ctx, cmd.Host, name, value); err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.out, "%s of %s is set.\n", name, cmd.Host)
	return err
}

type tenantSandboxCmd struct {
	Host string `arg:"" help:"Host of the tenant."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run provisions the sandbox.
func (cmd *tenantSandboxCmd) Run(ctx context.Context, c *cli) error {
	a, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer a.close()
	made, err := a.Tenants.ProvisionSandbox(ctx, cmd.Host)
	if err != nil {
		return err
	}
	if cmd.JSON {
		return c.printJSON(map[string]any{"tenant": tenantJSON(made)})
	}
	_, err = fmt.Fprintf(c.out, "Test keys of %s now work in its sandbox, tenant %d.\n", cmd.Host, made.ID)
	return err
}

func (c *cli) printJSON(v any) error {
	encoder := json.NewEncoder(c.out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(v)
}
