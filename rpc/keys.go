package rpc

import (
	"context"

	"paydown/internal/auth"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
)

type keys struct{ service *service.Service }

func keyView(k *service.Key) *adminv1.Key {
	return &adminv1.Key{
		Id: number(k.ID), Name: k.Name, Purpose: k.Purpose, Kind: string(k.Kind), Scopes: k.Scopes.Strings(),
		LegacyFlags: k.LegacyFlags, Last4: k.TokenLast4, IpAllowList: k.IPAllowList, RateLimit: number(k.RateLimit),
		ExpiresAt: optAt(k.ExpiresAt), RetiresAt: optAt(k.RetiresAt), RevokedAt: optAt(k.RevokedAt),
		ReplacedById: optNumber(k.ReplacedByID), CreatedAt: at(k.CreatedAt), CallCount: k.CallCount,
		LastUsedAt: optAt(k.LastUsedAt), LastUsedAddress: k.LastUsedAddress,
	}
}

func (h keys) ListKeys(ctx context.Context, _ *adminv1.ListKeysRequest) (*adminv1.ListKeysResponse, error) {
	rows, err := h.service.Keys.List(ctx)
	return &adminv1.ListKeysResponse{Keys: viewed(rows, keyView)}, err
}

func (h keys) GetKey(ctx context.Context, req *adminv1.GetKeyRequest) (*adminv1.GetKeyResponse, error) {
	key, err := h.service.Keys.Get(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.GetKeyResponse{Key: keyView(key)}, nil
}

func (h keys) CreateKey(ctx context.Context, req *adminv1.CreateKeyRequest) (*adminv1.CreateKeyResponse, error) {
	in := service.NewKey{
		Name: req.GetName(), Purpose: req.GetPurpose(), Kind: auth.Live, Scopes: req.GetScopes(),
		LegacyFlags: req.GetLegacyFlags(), Allow: req.GetIpAllowList(), RateLimit: service.DefaultRateLimit,
	}
	if req.ExpiresDays != nil {
		in.ExpiresDays = new(int(req.GetExpiresDays()))
	}
	if req.GetKind() != "" {
		in.Kind = auth.KeyKind(req.GetKind())
	}
	if req.RateLimit != nil {
		in.RateLimit = int(req.GetRateLimit())
	}
	issued, err := h.service.Keys.Create(ctx, in)
	if err != nil {
		return nil, err
	}
	return &adminv1.CreateKeyResponse{Key: keyView(issued.Key), Token: issued.Token}, nil
}

func (h keys) UpdateKey(ctx context.Context, req *adminv1.UpdateKeyRequest) (*adminv1.UpdateKeyResponse, error) {
	in := service.KeyEdit{
		Name:    req.Name,
		Purpose: req.Purpose,
		Scopes:  listOf(req.GetScopes()),
		Allow:   listOf(req.GetIpAllowList()),
	}
	if req.RateLimit != nil {
		in.RateLimit = new(int(req.GetRateLimit()))
	}
	key, err := h.service.Keys.Edit(ctx, int(req.GetId()), in)
	if err != nil {
		return nil, err
	}
	return &adminv1.UpdateKeyResponse{Key: keyView(key)}, nil
}

// listOf returns nil if no list was sent, and a non-nil slice otherwise.
func listOf(given *adminv1.StringList) []string {
	if given == nil {
		return nil
	}
	return append([]string{}, given.GetValues()...)
}

func (h keys) RotateKey(ctx context.Context, req *adminv1.RotateKeyRequest) (*adminv1.RotateKeyResponse, error) {
	issued, err := h.service.Keys.Rotate(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.RotateKeyResponse{Key: keyView(issued.Key), Token: issued.Token}, nil
}

func (h keys) RevokeKey(ctx context.Context, req *adminv1.RevokeKeyRequest) (*adminv1.RevokeKeyResponse, error) {
	key, err := h.service.Keys.Revoke(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.RevokeKeyResponse{Key: keyView(key)}, nil
}

func (h keys) GetKeyUsage(ctx context.Context, req *adminv1.GetKeyUsageRequest) (*adminv1.GetKeyUsageResponse, error) {
	key, err := h.service.Keys.Get(ctx, int(req.GetId()))
	if err != nil {
		return nil, err
	}
	return &adminv1.GetKeyUsageResponse{
		CallCount: key.CallCount, LastUsedAt: optAt(key.LastUsedAt), LastUsedAddress: key.LastUsedAddress,
	}, nil
}
