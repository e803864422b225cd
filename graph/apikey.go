package graph

import (
	"context"

	"paydown/graph/model"
	"paydown/internal/service"
)

// APIKeys implements exec.QueryResolver.
func (r queryResolver) APIKeys(ctx context.Context) ([]*service.Key, error) {
	return r.s.Keys.List(ctx)
}

// APIKey implements exec.QueryResolver.
func (r queryResolver) APIKey(ctx context.Context, id int) (*service.Key, error) {
	return r.s.Keys.Get(ctx, id)
}

// CreateAPIKey implements exec.MutationResolver.
func (r mutationResolver) CreateAPIKey(ctx context.Context, input model.Input) (*service.IssuedKey, error) {
	return create(ctx, r.resolver, input, r.s.Keys.CreateByStaff)
}

// UpdateAPIKey implements exec.MutationResolver.
func (r mutationResolver) UpdateAPIKey(ctx context.Context, id int, input model.Input) (*service.Key, error) {
	return update(ctx, r.resolver, id, input, r.s.Keys.Update)
}

// RotateAPIKey implements exec.MutationResolver.
func (r mutationResolver) RotateAPIKey(ctx context.Context, id int) (*service.IssuedKey, error) {
	return r.s.Keys.Rotate(ctx, id)
}

// RevokeAPIKey implements exec.MutationResolver.
func (r mutationResolver) RevokeAPIKey(ctx context.Context, id int) (*service.Key, error) {
	return r.s.Keys.Revoke(ctx, id)
}

type apiKeyResolver struct{ *resolver }

// Scopes implements exec.ApiKeyResolver.
func (apiKeyResolver) Scopes(_ context.Context, k *service.Key) ([]string, error) {
	return k.Scopes.Strings(), nil
}

// LegacyFlags implements exec.ApiKeyResolver.
func (apiKeyResolver) LegacyFlags(_ context.Context, k *service.Key) ([]string, error) {
	return append([]string{}, k.LegacyFlags...), nil
}

// IPAllowList implements exec.ApiKeyResolver.
func (apiKeyResolver) IPAllowList(_ context.Context, k *service.Key) ([]string, error) {
	return append([]string{}, k.IPAllowList...), nil
}

// Last4 implements exec.ApiKeyResolver.
func (apiKeyResolver) Last4(_ context.Context, k *service.Key) (string, error) {
	return k.TokenLast4, nil
}

// IsValid implements exec.ApiKeyResolver.
func (r apiKeyResolver) IsValid(_ context.Context, k *service.Key) (bool, error) {
	return r.s.Keys.ValidNow(k), nil
}

// CallCount implements exec.ApiKeyResolver.
func (apiKeyResolver) CallCount(_ context.Context, k *service.Key) (int, error) {
	return int(k.CallCount), nil
}
