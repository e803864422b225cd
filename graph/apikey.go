package graph

import (
	"context"

	"paydown/internal/service"
)

// APIKeys implements exec.QueryResolver.
func (r queryResolver) APIKeys(ctx context.Context) ([]*service.Key, error) {
	return r.s.Keys.List(ctx)
}

type apiKeyResolver struct{ *resolver }

// Scopes implements exec.ApiKeyResolver.
func (apiKeyResolver) Scopes(_ context.Context, k *service.Key) ([]string, error) {
	return k.Scopes.Strings(), nil
}
