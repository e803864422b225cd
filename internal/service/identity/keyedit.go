package identity

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// KeyEdit is what changes of a key. What is nil stays as it is; an empty list of addresses lets it be used from
// anywhere, and an empty purpose is none.
type KeyEdit struct {
	Name, Purpose *string
	Scopes, Allow []string
	RateLimit     *int // requests a minute; 0: none
}

func (in KeyEdit) changes() bool {
	return in.Name != nil || in.Purpose != nil || in.Scopes != nil || in.Allow != nil || in.RateLimit != nil
}

// Edit changes a key. One that pre-dates scopes has its flags until then, and scopes from then on: those that are given,
// or those that the flags stood for.
func (s Keys) Edit(ctx context.Context, id int, in KeyEdit) (*Key, error) {
	actor, err := keyKeeper(ctx)
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
		if err := mayLimit(actor, next.RateLimit, old.RateLimit); err != nil {
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

// over is the key as it will be.
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
