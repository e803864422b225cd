package identity

import (
	"context"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/fundingpolicy"
	"paydown/ent/tenant"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// Company is the actor's own tenant, for members who may edit company settings. Settings that only an
// operator may change, such as the host, are in Tenants.
type Company struct{ core *unit.Core }

// CompanyInput holds the changes to a company.
type CompanyInput struct {
	input.Unchanged
	Name     input.Opt[string] `json:"name" check:"name" need:"value"`
	TimeZone input.Opt[string] `json:"timeZone" check:"text" need:"value" doc:"IANA name" example:"America/New_York"`
}

// InboundSecret is a new secret for signing inbound events. It is shown only once.
type InboundSecret struct{ Secret string }

// FundingBlock is a row of the table of funding blocks, for display.
type FundingBlock struct {
	Code, Title string
	// At are the target states of the moves that check this block.
	At []deal.State
	// Hard means that nobody can override the block.
	Hard bool
}

// FundingBlocks returns the table in its defined order.
func FundingBlocks() []*FundingBlock {
	blocks := make([]*FundingBlock, len(deal.BlockRules))
	for i, rule := range deal.BlockRules {
		blocks[i] = &FundingBlock{Code: string(rule.Code), Title: rule.Title, At: rule.At, Hard: rule.Hard}
	}
	return blocks
}

// Get returns the company of the actor. Errors: forbidden, not found.
func (s Company) Get(ctx context.Context) (*ent.Tenant, error) {
	actor, err := unit.RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	return s.core.Store.Reader().Tenant.Get(ctx, actor.TenantID)
}

// Update changes the company. A new time zone applies from the next request on, in every process within a
// second.
func (s Company) Update(ctx context.Context, in CompanyInput) (*ent.Tenant, error) {
	problems := input.Check(in, input.ForUpdate)
	if zone, ok := in.TimeZone.Get(); ok && !isZone(zone) {
		problems = input.MergeProblems(problems, []fault.Detail{{Path: SettingTimeZone, Message: zoneRule}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return s.edit(ctx, func(ctx context.Context, t *unit.Tx, before *ent.Tenant) (*ent.Tenant, error) {
		if err := t.Unchanged(ctx, in.Unchanged, "tenant", "company", before.ID, before.UpdatedAt); err != nil {
			return nil, err
		}
		update := t.Tenant.Update().Where(tenant.ID(before.ID))
		after, err := unit.Update(ctx, t, "tenant", before.ID, before, in, update.Mutation(), update.Save)
		if err != nil || after == before {
			return after, err
		}
		return after, directoryChanged(ctx, t)
	})
}

// inboundScopes are the scopes that a holder of the inbound secret effectively has: inbound events clear and
// return payments, deliver bank statements and complete signatures.
var inboundScopes = auth.Scopes{auth.Write("payments"), auth.Write("statement-analysis"), auth.Write("deals")}

// RotateInboundSecret replaces the company's secret for inbound events and returns the new one, which is
// shown only once. The old secret stops working immediately. As with an API key's token, the caller must have
// every scope that the secret grants.
func (s Company) RotateInboundSecret(ctx context.Context) (*InboundSecret, error) {
	actor, err := unit.RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	for _, scope := range inboundScopes {
		if !actor.Permissions.Grant(auth.Permission(scope)) {
			return nil, fault.New(fault.Forbidden, "The scope %s is required, because the secret grants it.", scope)
		}
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*InboundSecret, error) {
		before, err := lockCompany(ctx, t)
		if err != nil {
			return nil, err
		}
		secret := webhook.NewSecret()
		return &InboundSecret{secret}, setInboundSecret(ctx, t, before, secret)
	})
}

// Policies lists all versions of the funding policy, newest first. The newest is active.
func (s Company) Policies(ctx context.Context) ([]*ent.FundingPolicy, error) {
	if _, err := unit.RequirePermission(ctx, auth.EditCompanySettings); err != nil {
		return nil, err
	}
	rows, err := s.core.Store.Reader().FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).All(ctx)
	if err == nil && len(rows) > 0 {
		rows[0], err = withAllBlocks(rows[0])
	}
	return rows, err
}

// Policy returns the funding policy that is active.
func (s Company) Policy(ctx context.Context) (*ent.FundingPolicy, error) {
	if _, err := unit.RequirePermission(ctx, auth.EditCompanySettings); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).First(ctx)
	if err != nil {
		return nil, err
	}
	return withAllBlocks(row)
}

// withAllBlocks completes the list of enabled blocks of the active policy: a policy that was stored before a
// block existed does not list it.
func withAllBlocks(row *ent.FundingPolicy) (*ent.FundingPolicy, error) {
	policy, err := deal.ParsePolicy(row.Blocks)
	if err == nil {
		row.Blocks = policy.Codes()
	}
	return row, err
}

// SavePolicy stores a funding policy with these active blocks as a new version and publishes it. If the
// active policy has the same blocks, SavePolicy returns it unchanged.
func (s Company) SavePolicy(ctx context.Context, blocks []string) (*ent.FundingPolicy, error) {
	if problems := deal.PolicyProblems("blocks", blocks); len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	policy, err := deal.ParsePolicy(blocks)
	if err != nil {
		return nil, err
	}
	actor, err := unit.RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.FundingPolicy, error) {
		if _, err := lockCompany(ctx, t); err != nil {
			return nil, err
		}
		latest, err := t.FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).First(ctx)
		if err != nil {
			return nil, err
		}
		if latest, err = withAllBlocks(latest); err != nil || slices.Equal(latest.Blocks, policy.Codes()) {
			return latest, err
		}
		return newPolicy(ctx, t, latest.Version+1, latest.Profile, policy)
	})
}

// newPolicy stores a funding policy under the given version. The company must be locked.
func newPolicy(
	ctx context.Context, t *unit.Tx, version int, profile string, policy deal.Policy,
) (*ent.FundingPolicy, error) {
	row, err := t.FundingPolicy.Create().SetVersion(version).SetProfile(profile).SetBlocks(policy.Codes()).Save(ctx)
	if err == nil {
		t.Record("policy.create", "fundingPolicy", row.ID, nil, nil, row)
	}
	return row, err
}

// edit locks the company and runs a change of it.
func (s Company) edit(
	ctx context.Context, change func(context.Context, *unit.Tx, *ent.Tenant) (*ent.Tenant, error),
) (*ent.Tenant, error) {
	actor, err := unit.RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*ent.Tenant, error) {
		before, err := lockCompany(ctx, t)
		if err != nil {
			return nil, err
		}
		return change(ctx, t, before)
	})
}

// lockCompany locks the actor's tenant, so that changes of its settings run one at a time.
func lockCompany(ctx context.Context, t *unit.Tx) (*ent.Tenant, error) {
	row, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "tenant")
}

// setInboundSecret stores the secret of a locked company.
func setInboundSecret(ctx context.Context, t *unit.Tx, before *ent.Tenant, secret string) error {
	sealed := t.Core.Secrets.Seal([]byte(secret), InboundSecretOf(before.ID))
	after, err := t.Tenant.UpdateOneID(before.ID).SetInboundWebhookSecret(sealed).Save(ctx)
	if err != nil {
		return err
	}
	t.Record("tenant.update", "tenant", before.ID, nil, before, after)
	return directoryChanged(ctx, t)
}

const zoneRule = "must be an IANA time zone, such as America/New_York"

// isZone reports whether name is an IANA time zone. "Local" is not: it depends on the machine.
func isZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil && name != "" && name != "Local"
}
