package demo

import (
	"context"
	"slices"

	"paydown/internal/auth"
	"paydown/internal/service"
)

// The working keys. They are known again by their name and purpose together.
const (
	fullKey    = "demo"
	readingKey = "demo read-only"
	purpose    = "Made by paydown demo, whose next run replaces it"
	rateLimit  = 6000 // requests a minute
)

// hasKeys reports whether an earlier run created keys of a tenant, which it does once all companies are complete.
func hasKeys(ctx context.Context, s *service.Service, host string) (bool, error) {
	ctx, err := s.Tenants.AsOperator(ctx, host)
	if err != nil {
		return false, err
	}
	keys, err := s.Keys.List(ctx)
	return slices.ContainsFunc(keys, isWorking), err
}

// isWorking reports a key that a run made, revoked or not.
func isWorking(k *service.Key) bool {
	return k.Purpose != nil && *k.Purpose == purpose && (k.Name == fullKey || k.Name == readingKey)
}

// workingKeys makes fresh keys of a tenant, and revokes those of earlier runs.
func workingKeys(ctx context.Context, s *service.Service, host string) ([]Key, error) {
	ctx, err := s.Tenants.AsOperator(ctx, host)
	if err != nil {
		return nil, err
	}
	earlier, err := s.Keys.List(ctx)
	if err != nil {
		return nil, err
	}
	var keys []Key
	for _, k := range []struct {
		name   string
		scopes auth.Scopes
	}{{fullKey, auth.AllScopes()}, {readingKey, auth.Scopes{auth.ReadEverything}}} {
		issued, err := s.Keys.Create(ctx, service.NewKey{
			Name: k.name, Purpose: purpose, Kind: auth.Live, Scopes: k.scopes.Strings(), RateLimit: rateLimit,
		})
		if err != nil {
			return nil, err
		}
		keys = append(keys, Key{k.name, issued.Token})
	}
	for _, k := range earlier {
		if k.RevokedAt == nil && isWorking(k) {
			if _, err := s.Keys.Revoke(ctx, k.ID); err != nil {
				return nil, err
			}
		}
	}
	return keys, nil
}
