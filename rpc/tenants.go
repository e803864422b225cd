package rpc

import (
	"context"

	"paydown/ent"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
)

type tenants struct{ service *service.Service }

func tenantView(t *ent.Tenant) *adminv1.Tenant {
	return &adminv1.Tenant{
		Id: number(t.ID), Name: t.Name, Host: t.Host, TimeZone: t.TimeZone, SandboxOfId: optNumber(t.SandboxOfID),
		TakesInboundWebhooks: len(t.InboundWebhookSecret) > 0, CreatedAt: at(t.CreatedAt), UpdatedAt: at(t.UpdatedAt),
	}
}

func policyView(p *ent.FundingPolicy) *adminv1.FundingPolicy {
	return &adminv1.FundingPolicy{
		Version: number(p.Version), Profile: p.Profile, Blocks: p.Blocks, CreatedAt: at(p.CreatedAt),
	}
}

func (h tenants) CreateTenant(
	ctx context.Context, req *adminv1.CreateTenantRequest,
) (*adminv1.CreateTenantResponse, error) {
	row, err := h.service.Tenants.Create(ctx, service.NewTenant{
		Name: req.GetName(), Host: req.GetHost(), Policy: req.GetPolicy(),
	})
	if err != nil {
		return nil, err
	}
	return &adminv1.CreateTenantResponse{Tenant: tenantView(row)}, nil
}

func (h tenants) ListTenants(
	ctx context.Context, _ *adminv1.ListTenantsRequest,
) (*adminv1.ListTenantsResponse, error) {
	rows, err := h.service.Tenants.List(ctx)
	return &adminv1.ListTenantsResponse{Tenants: viewed(rows, tenantView)}, err
}

func (h tenants) GetTenant(ctx context.Context, _ *adminv1.GetTenantRequest) (*adminv1.GetTenantResponse, error) {
	row, err := h.service.Company.Get(ctx)
	if err != nil {
		return nil, err
	}
	return &adminv1.GetTenantResponse{Tenant: tenantView(row)}, nil
}

func (h tenants) UpdateTenantSettings(
	ctx context.Context, req *adminv1.UpdateTenantSettingsRequest,
) (*adminv1.UpdateTenantSettingsResponse, error) {
	var in service.CompanyInput
	if req.Name != nil {
		in.Name = service.Some(req.GetName())
	}
	if req.TimeZone != nil {
		in.TimeZone = service.Some(req.GetTimeZone())
	}
	row, err := h.service.Company.Update(ctx, in)
	if err != nil {
		return nil, err
	}
	return &adminv1.UpdateTenantSettingsResponse{Tenant: tenantView(row)}, nil
}

func (h tenants) RotateInboundSecret(
	ctx context.Context, req *adminv1.RotateInboundSecretRequest,
) (*adminv1.RotateInboundSecretResponse, error) {
	if secret := req.GetSecret(); secret != "" {
		err := h.service.Tenants.Set(ctx, req.GetTenant(), service.SettingSecret, secret)
		return &adminv1.RotateInboundSecretResponse{Secret: secret}, err
	}
	made, err := h.service.Company.RotateInboundSecret(ctx)
	if err != nil {
		return nil, err
	}
	return &adminv1.RotateInboundSecretResponse{Secret: made.Secret}, nil
}

func (h tenants) ProvisionSandbox(
	ctx context.Context, req *adminv1.ProvisionSandboxRequest,
) (*adminv1.ProvisionSandboxResponse, error) {
	row, err := h.service.Tenants.ProvisionSandbox(ctx, req.GetTenant())
	if err != nil {
		return nil, err
	}
	return &adminv1.ProvisionSandboxResponse{Tenant: tenantView(row)}, nil
}

func (h tenants) GetFundingPolicy(
	ctx context.Context, _ *adminv1.GetFundingPolicyRequest,
) (*adminv1.GetFundingPolicyResponse, error) {
	row, err := h.service.Company.Policy(ctx)
	if err != nil {
		return nil, err
	}
	return &adminv1.GetFundingPolicyResponse{Policy: policyView(row)}, nil
}

func (h tenants) SetFundingPolicy(
	ctx context.Context, req *adminv1.SetFundingPolicyRequest,
) (*adminv1.SetFundingPolicyResponse, error) {
	if profile := req.GetProfile(); profile != "" {
		if err := h.service.Tenants.Set(ctx, req.GetTenant(), service.SettingPolicy, profile); err != nil {
			return nil, err
		}
		answer, err := h.GetFundingPolicy(ctx, nil)
		return &adminv1.SetFundingPolicyResponse{Policy: answer.GetPolicy()}, err
	}
	row, err := h.service.Company.SavePolicy(ctx, req.GetBlocks())
	if err != nil {
		return nil, err
	}
	return &adminv1.SetFundingPolicyResponse{Policy: policyView(row)}, nil
}
