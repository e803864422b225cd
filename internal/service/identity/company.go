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

// Company is the actor's own tenant, as those look after it who may edit its settings. What only an operator decides,
// such as its host, is a matter of Tenants.
type Company struct{ core *unit.Core }

// CompanyInput is what changes of a company.
type CompanyInput struct {
	input.Unchanged
	Name     input.Opt[string] `json:"name" check:"name" need:"value"`
	TimeZone input.Opt[string] `json:"timeZone" check:"text" need:"value" doc:"IANA name" example:"America/New_York"`
}

// InboundSecret is a new secret that inbound events are signed with. It is shown this once.
type InboundSecret struct{ Secret string }

// FundingBlock is a row of the table of funding blocks, to be shown.
type FundingBlock struct {
	Code, Title string
	// At are the states on the way into which it is checked.
	At []deal.State
	// Hard says that nobody can override it.
	Hard bool
}

// FundingBlocks is the table, in its order.
func FundingBlocks() []*FundingBlock {
	blocks := make([]*FundingBlock, len(deal.BlockRules))
	for i, rule := range deal.BlockRules {
		blocks[i] = &FundingBlock{Code: string(rule.Code), Title: rule.Title, At: rule.At, Hard: rule.Hard}
	}
	return blocks
}

// Get returns the company.
func (s Company) Get(ctx context.Context) (*ent.Tenant, error) {
	actor, err := unit.RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	return s.core.Store.Reader().Tenant.Get(ctx, actor.TenantID)
}

// Update changes the company. Where it is in time holds from the next request on, everywhere within a second.
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

// inboundScopes are what whoever can sign inbound events can have done: payments settled and returned, statements delivered,
// documents signed.
var inboundScopes = auth.Scopes{auth.Write("payments"), auth.Write("statement-analysis"), auth.Write("deals")}

// RotateInboundSecret gives the company a new secret for inbound events and returns it, this once. The one before is good
// no more. Like the token of a key, it is for those alone who may do themselves what it lets its holder do.
func (s Company) RotateInboundSecret(ctx context.Context) (*InboundSecret, error) {
	actor, err := unit.RequirePermission(ctx, auth.EditCompanySettings)
	if err != nil {
		return nil, err
	}
	for _, scope := range inboundScopes {
		if !actor.Permissions.Grant(auth.Permission(scope)) {
			return nil, fault.New(fault.Forbidden, "This needs the scope %s: who has the secret can do as much.", scope)
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

// Policies lists the funding policies there have been, the one in force first.
func (s Company) Policies(ctx context.Context) ([]*ent.FundingPolicy, error) {
	if _, err := unit.RequirePermission(ctx, auth.EditCompanySettings); err != nil {
		return nil, err
	}
	rows, err := s.core.Store.Reader().FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).All(ctx)
	if err == nil && len(rows) > 0 {
		rows[0], err = asApplied(rows[0])
	}
	return rows, err
}

// Policy returns the funding policy in force.
func (s Company) Policy(ctx context.Context) (*ent.FundingPolicy, error) {
	if _, err := unit.RequirePermission(ctx, auth.EditCompanySettings); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().FundingPolicy.Query().Order(fundingpolicy.ByVersion(unit.Descending())).First(ctx)
	if err != nil {
		return nil, err
	}
	return asApplied(row)
}

// asApplied shows the policy in force with all the blocks that it has on: one that was stored before a block came with the
// others does not list that one.
func asApplied(row *ent.FundingPolicy) (*ent.FundingPolicy, error) {
	policy, err := deal.ParsePolicy(row.Blocks)
	if err == nil {
		row.Blocks = policy.Codes()
	}
	return row, err
}

// SavePolicy puts a funding policy with these blocks on in force, as a new version. Where the one in force has the same
// blocks it stays, and is returned.
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
		if latest, err = asApplied(latest); err != nil || slices.Equal(latest.Blocks, policy.Codes()) {
			return latest, err
		}
		return newPolicy(ctx, t, latest.Version+1, latest.Profile, policy)
	})
}

// newPolicy stores a funding policy under the next version; the company is locked.
func newPolicy(ctx context.Context, t *unit.Tx, version int, profile string, policy deal.Policy) (*ent.FundingPolicy, error) {
	row, err := t.FundingPolicy.Create().SetVersion(version).SetProfile(profile).SetBlocks(policy.Codes()).Save(ctx)
	if err == nil {
		t.Record("policy.create", "fundingPolicy", row.ID, nil, nil, row)
	}
	return row, err
}

// edit runs a change of the company, which is locked.
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

// lockCompany locks the actor's tenant, so that its settings change one after the other.
func lockCompany(ctx context.Context, t *unit.Tx) (*ent.Tenant, error) {
	row, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "tenant")
}

// setInboundSecret stores the secret of a company that is locked.
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

// isZone reports whether it is the name of a time zone that is the same everywhere.
func isZone(name string) bool {
	_, err := time.LoadLocation(name)
	return err == nil && name != "" && name != "Local"
}
