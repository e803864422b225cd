package adminctl

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"paydown/rpc/adminv1"
)

type tenantsCmd struct {
	Create              tenantsCreateCmd  `cmd:"" help:"Create a company with its default records."`
	List                tenantsListCmd    `cmd:"" help:"List the companies, including sandboxes."`
	Get                 tenantsGetCmd     `cmd:"" help:"Show a company."`
	Set                 tenantsSetCmd     `cmd:"" help:"Change a setting of a company."`
	Sandbox             tenantsSandboxCmd `cmd:"" help:"Provision the sandbox that serves a company's test keys."`
	Policy              tenantsPolicyCmd  `cmd:"" help:"Show a company's funding policy, or replace it with --blocks or --no-blocks."`
	RotateInboundSecret inboundSecretCmd  `cmd:"" help:"Create a new secret for the company's own systems to sign with, and print it, once; the old one stops working."`
}

func tenantRows(t *table, tenants []*adminv1.Tenant) {
	t.row("ID", "HOST", "NAME", "TIME ZONE", "SANDBOX OF", "INBOUND", "CREATED")
	for _, c := range tenants {
		t.row(
			c.GetId(), c.GetHost(), c.GetName(), c.GetTimeZone(), c.SandboxOfId, c.GetTakesInboundWebhooks(), c.GetCreatedAt(),
		)
	}
}

type tenantsCreateCmd struct {
	remote
	Name   string `required:"" help:"Name of the company."`
	Host   string `required:"" help:"Host of the company, without a port."`
	Policy string `default:"integrator" enum:"integrator,full" help:"Profile of its funding policy: integrator (an API key alone can fund a deal without funding blocks) or full (every block is on). Default: ${default}."`
}

// Run creates the company, and this machine's database if it does not exist.
func (cmd *tenantsCreateCmd) Run(ctx context.Context, env *Env) error {
	cmd.create = true
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.tenants.CreateTenant(ctx, &adminv1.CreateTenantRequest{
		Name: cmd.Name, Host: cmd.Host, Policy: cmd.Policy,
	})
	if made := answer.GetTenant(); err == nil {
		fmt.Fprintf(s.Err, "Tenant %d, %s, is served at the host %s.\n"+
			"Create a key for it: paydown key create --tenant %[3]s --name NAME --scopes deals:write,…\n",
			made.GetId(), plain(made.GetName()), plain(made.GetHost()))
	}
	return s.tell(ctx, answer, err, func(t *table) { tenantRows(t, []*adminv1.Tenant{answer.GetTenant()}) })
}

// hostArg names a company, like --tenant.
type hostArg struct {
	Host string `arg:"" optional:"" help:"Host of the tenant; same as --tenant."`
}

// open returns a session for the company.
func (h hostArg) open(ctx context.Context, env *Env, c *Company) (*session, error) {
	if h.Host != "" && c.Tenant != "" && h.Host != c.Tenant {
		return nil, usageError("the argument is %s, but --tenant is %s: use only one", h.Host, c.Tenant)
	}
	c.Tenant = cmp.Or(h.Host, c.Tenant)
	return c.open(ctx, env)
}

type tenantsListCmd struct{ remote }

// Run lists the companies.
func (cmd *tenantsListCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.tenants.ListTenants(ctx, &adminv1.ListTenantsRequest{})
	return s.tell(ctx, answer, err, func(t *table) { tenantRows(t, answer.GetTenants()) })
}

type tenantsGetCmd struct {
	Company
	hostArg
}

// Run shows the company.
func (cmd *tenantsGetCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.hostArg.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	answer, err := s.tenants.GetTenant(ctx, &adminv1.GetTenantRequest{Tenant: s.tenant})
	return s.tell(ctx, answer, err, func(t *table) { tenantRows(t, []*adminv1.Tenant{answer.GetTenant()}) })
}

type tenantsSetCmd struct {
	Company
	hostArg
	Setting  string  `arg:"" optional:"" name:"key=value" help:"timeZone=IANA-NAME, inboundWebhookSecret=SECRET or policy=integrator|full."`
	Name     *string `help:"Name of the company."`
	TimeZone *string `placeholder:"ZONE" help:"IANA name of its time zone, such as America/New_York."`
}

// Run changes the settings.
func (cmd *tenantsSetCmd) Run(ctx context.Context, env *Env) error {
	key, value, isPair := strings.Cut(cmd.Setting, "=")
	if cmd.Setting != "" && !isPair {
		return errors.New("the setting must be KEY=VALUE")
	}
	if key == "timeZone" {
		cmd.TimeZone = &value
	}
	if cmd.Setting == "" && cmd.Name == nil && cmd.TimeZone == nil {
		return noFlagsGiven()
	}
	s, err := cmd.hostArg.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	switch key {
	case "", "timeZone":
	case "inboundWebhookSecret":
		_, err = s.tenants.RotateInboundSecret(ctx, &adminv1.RotateInboundSecretRequest{Tenant: s.tenant, Secret: value})
	case "policy":
		_, err = s.tenants.SetFundingPolicy(ctx, &adminv1.SetFundingPolicyRequest{Tenant: s.tenant, Profile: value})
	default:
		return fmt.Errorf("unknown setting %s; the settings are timeZone, inboundWebhookSecret and policy", key)
	}
	if err != nil {
		return s.problem(ctx, err)
	}
	answer, err := s.tenants.UpdateTenantSettings(ctx, &adminv1.UpdateTenantSettingsRequest{
		Tenant: s.tenant, Name: cmd.Name, TimeZone: cmd.TimeZone,
	})
	return s.tell(ctx, answer, err, func(t *table) { tenantRows(t, []*adminv1.Tenant{answer.GetTenant()}) })
}

type tenantsSandboxCmd struct {
	Company
	hostArg
}

// Run provisions the sandbox.
func (cmd *tenantsSandboxCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.hostArg.open(ctx, env, &cmd.Company)
	if err != nil {
		return err
	}
	answer, err := s.tenants.ProvisionSandbox(ctx, &adminv1.ProvisionSandboxRequest{Tenant: s.tenant})
	if err == nil {
		fmt.Fprintf(s.Err, "Test keys of %s now work in its sandbox, tenant %d.\n", s.tenant, answer.GetTenant().GetId())
	}
	return s.tell(ctx, answer, err, func(t *table) { tenantRows(t, []*adminv1.Tenant{answer.GetTenant()}) })
}

type tenantsPolicyCmd struct {
	Company
	Blocks   words `xor:"blocks" placeholder:"CODE,…" help:"Codes of the blocks to turn on; all others are turned off."`
	NoBlocks bool  `xor:"blocks" help:"Turn off every block that can be turned off."`
}

// Run shows the policy, or replaces it.
func (cmd *tenantsPolicyCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	show := func(p *adminv1.FundingPolicy) func(*table) {
		return func(t *table) {
			t.fields("Version", p.GetVersion(), "Profile", p.GetProfile(), "Created", p.GetCreatedAt(), "Blocks", p.GetBlocks())
		}
	}
	if len(cmd.Blocks) == 0 && !cmd.NoBlocks {
		answer, err := s.tenants.GetFundingPolicy(ctx, &adminv1.GetFundingPolicyRequest{Tenant: s.tenant})
		return s.tell(ctx, answer, err, show(answer.GetPolicy()))
	}
	answer, err := s.tenants.SetFundingPolicy(ctx, &adminv1.SetFundingPolicyRequest{Tenant: s.tenant, Blocks: cmd.Blocks})
	return s.tell(ctx, answer, err, show(answer.GetPolicy()))
}

type inboundSecretCmd struct {
	Company
	sure
}

// Run rotates the secret.
func (cmd *inboundSecretCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	const question = "Give %s a new secret for inbound events? Events signed with the old one are refused immediately."
	if err := s.confirm(cmd.sure, question, s.tenant); err != nil {
		return err
	}
	answer, err := s.tenants.RotateInboundSecret(ctx, &adminv1.RotateInboundSecretRequest{Tenant: s.tenant})
	return s.issued(ctx, answer, err, answer.GetSecret(),
		fmt.Sprintf("%s has a new secret for inbound events. It is shown only once:", s.tenant))
}
