package service

import (
	"bytes"
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/ent/tenant"
	"paydown/ent/underwritingpolicy"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/underwriting"
)

// UnderwritingPolicies are the versions of the company's rule book. The newest is in force; none ever changes.
type UnderwritingPolicies struct{ *core }

// UnderwritingPolicyInput is a version of the rule book as somebody writes it.
type UnderwritingPolicyInput struct {
	Name  Opt[string]          `json:"name" check:"name" need:"create" example:"Underwriting guidelines"`
	Rules Opt[json.RawMessage] `json:"rules" check:"object" need:"create" doc:"What each metric is worth, where the categories and the recommendations lie, what raises a flag, what limits an offer"`
}

// List returns all versions, the newest first.
func (s UnderwritingPolicies) List(ctx context.Context) ([]*ent.UnderwritingPolicy, error) {
	if _, err := permit(ctx, auth.Read("compliance")); err != nil {
		return nil, err
	}
	return s.store.Reader().UnderwritingPolicy.Query().Order(underwritingpolicy.ByVersion(descending())).All(ctx)
}

// InForce returns the version that decisions are made by.
func (s UnderwritingPolicies) InForce(ctx context.Context) (*ent.UnderwritingPolicy, error) {
	if _, err := permit(ctx, auth.Read("compliance")); err != nil {
		return nil, err
	}
	return s.store.Reader().UnderwritingPolicy.Query().Order(underwritingpolicy.ByVersion(descending())).First(ctx)
}

// ByIDs returns those of the versions that there are, by id.
func (s UnderwritingPolicies) ByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.UnderwritingPolicy, error) {
	return byIDs(ctx, through, ids, s.store.Reader().UnderwritingPolicy.Query())
}

// Save puts the next version of the rule book in force. One that says what the version in force says changes nothing.
func (s UnderwritingPolicies) Save(ctx context.Context, in UnderwritingPolicyInput) (*ent.UnderwritingPolicy, error) {
	problems := Check(in, ForCreate)
	var policy underwriting.Policy
	if raw, given := in.Rules.Get(); given {
		var wrong []fault.Detail
		policy, wrong = underwriting.ReadPolicy(raw)
		problems = mergeProblems(problems, wrong)
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	return settle(ctx, s.core, func(ctx context.Context, t *tx) (*ent.UnderwritingPolicy, error) {
		return t.adoptUnderwriting(ctx, in.Name.Or(""), policy)
	})
}

// adoptUnderwriting puts the next version of the rule book in force. Versions of one tenant are made one after the other:
// its row stays locked until the transaction ends.
func (t *tx) adoptUnderwriting(ctx context.Context, name string, policy underwriting.Policy) (*ent.UnderwritingPolicy, error) {
	if _, err := t.Tenant.Query().Where(tenant.ID(t.actor.TenantID), locked).OnlyID(ctx); err != nil {
		return nil, err
	}
	rules, err := json.Marshal(policy)
	if err != nil {
		return nil, err
	}
	latest, err := t.underwritingPolicy(ctx)
	if err != nil {
		return nil, err
	}
	if latest.Name == name && bytes.Equal(canonical(latest.Rules), canonical(rules)) {
		return latest, nil
	}
	made, err := t.UnderwritingPolicy.Create().SetName(name).SetVersion(latest.Version + 1).SetRules(rules).Save(ctx)
	if err == nil {
		t.record("underwritingPolicy.create", "underwritingPolicy", made.ID, nil, nil, made)
	}
	return made, err
}

// underwritingPolicy is the policy in force.
func (t *tx) underwritingPolicy(ctx context.Context) (*ent.UnderwritingPolicy, error) {
	return t.UnderwritingPolicy.Query().Order(underwritingpolicy.ByVersion(descending())).First(ctx)
}
