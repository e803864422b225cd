package identity

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/idna"

	"paydown/ent"
	"paydown/ent/fundingpolicy"
	"paydown/ent/tenant"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Tenants are the funding companies. Only operators manage them.
type Tenants struct {
	core   *unit.Core
	access *access
}

// NewTenant describes a tenant to create.
type NewTenant struct {
	Name   string
	Host   string
	Policy string // profile of the funding policy; "" means the first of deal.ProfileNames
	// Settings are additional settings to store with the tenant; may be nil.
	Settings map[string]string
}

// sandboxPrefix, in front of a tenant's host, is the host of its sandbox.
const sandboxPrefix = "sandbox."

// ByHost returns the tenant for a request's host. host may include a port. An unknown host is a not_found
// error.
func (s Tenants) ByHost(ctx context.Context, host string) (*TenantEntry, error) {
	entry, err := s.access.directory.tenant(ctx, normalHost(host))
	if errors.Is(err, errUnknownHost) {
		return nil, fault.New(fault.NotFound, "No company is served at this host.")
	}
	return entry, err
}

func normalHost(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.ToLower(strings.TrimSuffix(host, "."))
}

// List returns every tenant, including sandboxes.
func (s Tenants) List(ctx context.Context) ([]*ent.Tenant, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	return AllTenants(ctx, s.core)
}

// AllTenants returns all tenants, including sandboxes. The context must allow access to all tenants.
func AllTenants(ctx context.Context, c *unit.Core) ([]*ent.Tenant, error) {
	return c.Store.Reader().Tenant.Query().Order(tenant.ByID()).All(ctx)
}

// Create creates a tenant with its default data: chart of accounts, house funder, pipeline statuses,
// stipulation templates and funding policy.
func (s Tenants) Create(ctx context.Context, in NewTenant) (*ent.Tenant, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	host, err := checkTenant(in)
	if err != nil {
		return nil, err
	}
	return s.create(ctx, s.core.Store, in, host, nil)
}

func checkTenant(in NewTenant) (string, error) {
	var problems []fault.Detail
	if message := input.Violation(in.Name, "name"); message != "" {
		problems = append(problems, fault.Detail{Path: "name", Message: message})
	}
	host, valid := storedHost(in.Host)
	if !valid || strings.Contains(in.Host, ":") {
		problems = append(problems, fault.Detail{Path: "host", Message: "must be a host name without a port"})
	}
	if _, ok := deal.Profile(in.profile()); !ok {
		problems = append(problems, fault.Detail{Path: "policy", Message: profileRule})
	}
	if len(problems) > 0 {
		return "", fault.Invalid(problems...)
	}
	return host, nil
}

// storedHost returns a host in the form stored with tenants: the ASCII form that requests carry.
func storedHost(host string) (ascii string, valid bool) {
	ascii, err := idna.Lookup.ToASCII(normalHost(host))
	return ascii, err == nil && ascii != ""
}

var profileRule = "must be " + strings.Join(deal.ProfileNames, " or ")

// profile returns the funding policy profile that the tenant starts with.
func (in NewTenant) profile() string {
	if in.Policy == "" {
		return deal.ProfileNames[0]
	}
	return in.Policy
}

func (s Tenants) create(
	ctx context.Context, db *store.Store, in NewTenant, host string, parent *ent.Tenant,
) (made *ent.Tenant, err error) {
	err = db.Write(ctx, func(ctx context.Context, stx *store.Tx) error {
		create := stx.Tenant.Create().SetName(in.Name).SetHost(host)
		if in.Settings != nil {
			create.SetSettings(in.Settings)
		}
		if parent != nil {
			create.SetSandboxOfID(parent.ID).SetTimeZone(parent.TimeZone)
		}
		var err error
		made, err = create.Save(ctx)
		if store.IsDuplicate(err) {
			return fault.Conflictf("A tenant with this host already exists.").With("host", "is taken")
		}
		if err != nil {
			return err
		}
		ctx = auth.AsOperator(ctx, made.ID, time.UTC, requestIDOf(ctx))
		t := &unit.Tx{Tx: stx, Core: s.core, Actor: auth.From(ctx)}
		if err := createDefaults(ctx, t, in.profile()); err != nil {
			return fmt.Errorf("furnish tenant: %w", err)
		}
		t.AfterCommit(func() { s.access.directory.existenceIndex.addHost(host) })
		t.Record("tenant.create", "tenant", made.ID, nil, nil, made)
		if err := directoryChanged(ctx, t); err != nil {
			return err
		}
		return t.Flush(ctx)
	})
	return made, err
}

func requestIDOf(ctx context.Context) string {
	if a := auth.From(ctx); a != nil {
		return a.RequestID
	}
	return "cli_" + rand.Text()
}

// ProvisionSandbox creates a tenant's sandbox: a separate tenant that answers the tenant's test keys.
func (s Tenants) ProvisionSandbox(ctx context.Context, host string) (*ent.Tenant, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	parent, err := s.find(ctx, host)
	if err != nil {
		return nil, err
	}
	if parent.SandboxOfID != nil {
		return nil, fault.Conflictf("%s is itself a sandbox.", host)
	}
	exists, err := s.core.Store.Reader().Tenant.Query().Where(tenant.SandboxOfID(parent.ID)).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if exists {
		return nil, fault.Conflictf("%s already has a sandbox.", host)
	}
	policy, err := s.policyOf(ctx, parent.ID)
	if err != nil {
		return nil, err
	}
	in := NewTenant{Name: parent.Name + " (sandbox)", Policy: policy.Profile}
	return s.create(ctx, s.core.Store, in, sandboxPrefix+parent.Host, parent)
}

func (s Tenants) policyOf(ctx context.Context, tenantID int) (*ent.FundingPolicy, error) {
	ctx = auth.AsOperator(ctx, tenantID, time.UTC, requestIDOf(ctx))
	return s.core.Store.Reader().FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).First(ctx)
}

func (s Tenants) find(ctx context.Context, host string) (*ent.Tenant, error) {
	stored, _ := storedHost(host)
	row, err := s.core.Store.Reader().Tenant.Query().Where(tenant.Host(stored)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, fault.New(fault.NotFound, "No tenant has the host %s.", normalHost(host))
	}
	return row, err
}

// Names of the settings that Set accepts.
const (
	SettingTimeZone = "timeZone"
	SettingSecret   = "inboundWebhookSecret"
	SettingPolicy   = "policy"
)

// Set changes one setting of a tenant. Changes to the same tenant run one at a time.
func (s Tenants) Set(ctx context.Context, host, name, value string) error {
	if err := unit.RequireOperator(ctx); err != nil {
		return err
	}
	found, err := s.find(ctx, host)
	if err != nil {
		return err
	}
	ctx = auth.AsOperator(ctx, found.ID, time.UTC, requestIDOf(ctx))
	if name == SettingTimeZone {
		_, err := Company{s.core}.Update(ctx, CompanyInput{TimeZone: input.Some(value)})
		return err
	}
	_, err = Company{s.core}.edit(ctx, func(ctx context.Context, t *unit.Tx, before *ent.Tenant) (*ent.Tenant, error) {
		return before, set(ctx, t, before, name, value)
	})
	return err
}

// set changes a locked tenant.
func set(ctx context.Context, t *unit.Tx, row *ent.Tenant, name, value string) error {
	switch name {
	case SettingSecret:
		if len(value) < 16 || len(value) > 200 || !input.IsLine(value) {
			return fault.Field(SettingSecret, "must be 16 to 200 characters without control characters")
		}
		return setInboundSecret(ctx, t, row, value)
	case SettingPolicy:
		_, err := adoptPolicy(ctx, t, value)
		return err
	default:
		return fault.Field(name, "is not a setting; the settings are %s",
			strings.Join([]string{SettingTimeZone, SettingSecret, SettingPolicy}, ", "))
	}
}

// InboundSecretOf returns the context that the sealed secret is bound to.
func InboundSecretOf(tenantID int) string { return fmt.Sprintf("tenant %d inbound", tenantID) }

// adoptPolicy stores a profile as a new version of the tenant's funding policy; it returns nil if the profile
// is already active.
func adoptPolicy(ctx context.Context, t *unit.Tx, profile string) (*ent.FundingPolicy, error) {
	policy, ok := deal.Profile(profile)
	if !ok {
		return nil, fault.Field(SettingPolicy, "%s", profileRule)
	}
	version := 1
	switch latest, err := t.FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).First(ctx); {
	case ent.IsNotFound(err):
	case err != nil:
		return nil, err
	case latest.Profile == profile && slices.Equal(latest.Blocks, policy.Codes()):
		return nil, nil //nolint:nilnil // already active
	default:
		version = latest.Version + 1
	}
	return newPolicy(ctx, t, version, profile, policy)
}

// FundingPolicy returns the funding policy of the actor's tenant that is active.
func FundingPolicy(ctx context.Context, t *unit.Tx) (deal.Policy, error) {
	row, err := t.FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).First(ctx)
	if err != nil {
		return deal.Policy{}, fmt.Errorf("funding policy: %w", err)
	}
	return deal.ParsePolicy(slices.Clone(row.Blocks))
}

// AsOperator returns a context in which an operator acts inside a tenant, at the command line or through the
// admin services.
func (s Tenants) AsOperator(ctx context.Context, host string) (context.Context, error) {
	if err := unit.RequireOperator(ctx); err != nil {
		return nil, err
	}
	row, err := s.find(ctx, host)
	if err != nil {
		return nil, err
	}
	zone, err := time.LoadLocation(row.TimeZone)
	if err != nil {
		return nil, err
	}
	return auth.AsOperator(ctx, row.ID, zone, requestIDOf(ctx)), nil
}
