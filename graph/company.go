package graph

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Viewer implements exec.QueryResolver.
func (r queryResolver) Viewer(ctx context.Context) (*service.Viewer, error) {
	return r.s.Users.Viewer(ctx)
}

// Company implements exec.QueryResolver.
func (r queryResolver) Company(ctx context.Context) (*ent.Tenant, error) {
	return r.s.Company.Get(ctx)
}

// FundingPolicy implements exec.QueryResolver.
func (r queryResolver) FundingPolicy(ctx context.Context) (*ent.FundingPolicy, error) {
	return r.s.Company.Policy(ctx)
}

// FundingPolicies implements exec.QueryResolver.
func (r queryResolver) FundingPolicies(ctx context.Context) ([]*ent.FundingPolicy, error) {
	return all(ctx, r.s.Company.Policies)
}

// FundingBlockRules implements exec.QueryResolver.
func (queryResolver) FundingBlockRules(context.Context) ([]*service.FundingBlock, error) {
	return service.FundingBlocks(), nil
}

// UpdateCompany implements exec.MutationResolver.
func (r mutationResolver) UpdateCompany(
	ctx context.Context, input model.Input, unchangedSince *time.Time,
) (*ent.Tenant, error) {
	in, err := decode[service.CompanyInput](ctx, r.schema, input, service.ForUpdate)
	if err != nil {
		return nil, err
	}
	in.UnchangedSince = unchangedSince
	return r.s.Company.Update(ctx, in)
}

// SaveFundingPolicy implements exec.MutationResolver.
func (r mutationResolver) SaveFundingPolicy(ctx context.Context, blocks []string) (*ent.FundingPolicy, error) {
	return r.s.Company.SavePolicy(ctx, blocks)
}

// RotateInboundSecret implements exec.MutationResolver.
func (r mutationResolver) RotateInboundSecret(ctx context.Context) (*service.InboundSecret, error) {
	return r.s.Company.RotateInboundSecret(ctx)
}

type viewerResolver struct{ *resolver }

// UnreadNotifications implements exec.ViewerResolver.
func (r viewerResolver) UnreadNotifications(ctx context.Context, x *service.Viewer) (int, error) {
	if x.User == nil {
		return 0, nil
	}
	return r.s.Notifications.Unread(ctx)
}

type companyResolver struct{ *resolver }

// Sandbox implements exec.CompanyResolver.
func (companyResolver) Sandbox(_ context.Context, x *ent.Tenant) (bool, error) {
	return x.SandboxOfID != nil, nil
}

// InboundSecretSet implements exec.CompanyResolver.
func (companyResolver) InboundSecretSet(_ context.Context, x *ent.Tenant) (*bool, error) {
	return new(len(x.InboundWebhookSecret) > 0), nil
}
