package identity

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// KeyEdit holds the changes to a key. A nil field stays unchanged. An empty Allow list permits any address;
// an empty purpose clears it.
type KeyEdit struct {
	Name, Purpose *string
	Scopes, Allow []string
	RateLimit     *int // requests per minute; 0: no limit
}

func (in KeyEdit) changes() bool {
	return in.Name != nil || in.Purpose != nil || in.Scopes != nil || in.Allow != nil || in.RateLimit != nil
}

// Edit changes a key. A key with legacy flags gets scopes instead: those given, or those that the flags stood
// for.
func (s Keys) Edit(ctx context.Context, id int, in KeyEdit) (*Key, error) {
	actor, err := keyManager(ctx)
	if err != nil {
		return nil, err
	}
	return unit.Transact(ctx, s.core, actor, func(ctx context.Context, t *unit.Tx) (*Key, error) {
		old, err := lockValidKey(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if !in.changes() {
			return keyOf(old), nil
		}
		next := in.over(old)
		if err := checkRateLimit(actor, next.RateLimit, old.RateLimit); err != nil {
			return nil, err
		}
		scopes, allow, err := checkKey(next)
		if err != nil {
			return nil, err
		}
		update := t.APIKey.UpdateOne(old).SetName(next.Name).SetScopes(scopes.Strings()).ClearLegacyFlags().
			SetRateLimit(next.RateLimit)
		if next.Purpose == "" {
			update.ClearPurpose()
		} else {
			update.SetPurpose(next.Purpose)
		}
		if len(allow) == 0 {
			update.ClearIPAllowList()
		} else {
			update.SetIPAllowList(allow)
		}
		after, err := update.Save(ctx)
		if err != nil {
			return nil, err
		}
		t.Record("key.update", "apiKey", id, nil, old, after)
		return keyOf(after), directoryChanged(ctx, t)
	})
}

// over returns the key with the changes applied.
func (in KeyEdit) over(old *ent.APIKey) NewKey {
	next := NewKey{
		Name: old.Name, Kind: auth.KeyKind(old.Kind), Scopes: keyOf(old).Scopes.Strings(), Allow: old.IPAllowList,
		RateLimit: old.RateLimit,
	}
	if old.Purpose != nil {
		next.Purpose = *old.Purpose
	}
	if in.Name != nil {
		next.Name = *in.Name
	}
	if in.Purpose != nil {
		next.Purpose = *in.Purpose
	}
	if in.Scopes != nil {
		next.Scopes = in.Scopes
	}
	if in.Allow != nil {
		next.Allow = in.Allow
	}
	if in.RateLimit != nil {
		next.RateLimit = *in.RateLimit
	}
	return next
}
