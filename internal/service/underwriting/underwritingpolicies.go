package underwriting

import (
	"bytes"
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/ent/tenant"
	"paydown/ent/underwritingpolicy"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/underwriting"
)

// UnderwritingPolicies is the aggregate of the versions of the tenant's underwriting policy. The newest is
// active; versions never change.
type UnderwritingPolicies struct{ core *unit.Core }

// UnderwritingPolicyInput is the input for a new version of the policy.
type UnderwritingPolicyInput struct {
	Name  input.Opt[string]          `json:"name" check:"name" need:"create" example:"Underwriting guidelines"`
	Rules input.Opt[json.RawMessage] `json:"rules" check:"object" need:"create" doc:"Points of each metric, limits of the categories and recommendations, flags, and limits of an offer"`
}

// List returns all versions, newest first.
func (s UnderwritingPolicies) List(ctx context.Context) ([]*ent.UnderwritingPolicy, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("compliance")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().UnderwritingPolicy.Query().Order(underwritingpolicy.ByVersion(unit.Descending())).All(ctx)
}

// Active returns the active version.
func (s UnderwritingPolicies) Active(ctx context.Context) (*ent.UnderwritingPolicy, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("compliance")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().UnderwritingPolicy.Query().
		Order(underwritingpolicy.ByVersion(unit.Descending())).First(ctx)
}

// ByIDs returns the existing versions among ids, by id.
func (s UnderwritingPolicies) ByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.UnderwritingPolicy, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().UnderwritingPolicy.Query())
}

// Save publishes the next version of the policy. If it equals the active version, nothing changes.
func (s UnderwritingPolicies) Save(ctx context.Context, in UnderwritingPolicyInput) (*ent.UnderwritingPolicy, error) {
	problems := input.Check(in, input.ForCreate)
	var policy underwriting.Policy
	if raw, given := in.Rules.Get(); given {
		var wrong []fault.Detail
		policy, wrong = underwriting.ReadPolicy(raw)
		problems = input.MergeProblems(problems, wrong)
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.UnderwritingPolicy, error) {
		return publishPolicy(ctx, t, in.Name.Or(""), policy)
	})
}

// publishPolicy stores and activates the next version of the policy. It locks the tenant's row until the
// transaction ends, so that versions of one tenant are created one after the other.
func publishPolicy(
	ctx context.Context, t *unit.Tx, name string, policy underwriting.Policy,
) (*ent.UnderwritingPolicy, error) {
	if _, err := t.Tenant.Query().Where(tenant.ID(t.Actor.TenantID), unit.Locked).OnlyID(ctx); err != nil {
		return nil, err
	}
	rules, err := json.Marshal(policy)
	if err != nil {
		return nil, err
	}
	latest, err := underwritingPolicy(ctx, t)
	if err != nil {
		return nil, err
	}
	if latest.Name == name && bytes.Equal(input.Canonical(latest.Rules), input.Canonical(rules)) {
		return latest, nil
	}
	created, err := t.UnderwritingPolicy.Create().SetName(name).SetVersion(latest.Version + 1).SetRules(rules).Save(ctx)
	if err == nil {
		t.Record("underwritingPolicy.create", "underwritingPolicy", created.ID, nil, nil, created)
	}
	return created, err
}

// underwritingPolicy returns the active policy.
func underwritingPolicy(ctx context.Context, t *unit.Tx) (*ent.UnderwritingPolicy, error) {
	return t.UnderwritingPolicy.Query().Order(underwritingpolicy.ByVersion(unit.Descending())).First(ctx)
}
