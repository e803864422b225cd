package identity

import (
	"context"

	"paydown/ent/apikey"
	"paydown/internal/auth"
	"paydown/internal/service/input"
)

// KeyInput holds what a member of staff may set on a new key. The rate limit is the default, and legacy flags
// are not available: only operators can set these fields of NewKey.
type KeyInput struct {
	Name        input.Opt[string]      `json:"name" check:"name" need:"create"`
	Purpose     input.Opt[string]      `json:"purpose" check:"text"`
	Kind        input.Opt[apikey.Kind] `json:"kind" need:"create"`
	Scopes      input.Opt[[]string]    `json:"scopes" check:"text" need:"create"`
	ExpiresDays input.Opt[int]         `json:"expiresDays"`
	IPAllowList input.Opt[[]string]    `json:"ipAllowList" check:"text"`
}

// KeyUpdate holds a member of staff's changes to a key. An absent field stays unchanged.
type KeyUpdate struct {
	Name        input.Opt[string]   `json:"name" check:"name" need:"value"`
	Purpose     input.Opt[string]   `json:"purpose" check:"text"`
	Scopes      input.Opt[[]string] `json:"scopes" check:"text" need:"value"`
	IPAllowList input.Opt[[]string] `json:"ipAllowList" check:"text"`
}

// CreateByStaff creates a key from a member of staff's input.
func (s Keys) CreateByStaff(ctx context.Context, in KeyInput) (*IssuedKey, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.Create(ctx, NewKey{
		Name: in.Name.Or(""), Purpose: in.Purpose.Or(""), Kind: auth.KeyKind(in.Kind.Or("")), Scopes: in.Scopes.Or(nil),
		ExpiresDays: in.ExpiresDays.Ptr(), Allow: in.IPAllowList.Or(nil), RateLimit: DefaultRateLimit,
	})
}

// Update changes a key from a member of staff's input.
func (s Keys) Update(ctx context.Context, id int, in KeyUpdate) (*Key, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	edit := KeyEdit{Name: in.Name.Ptr()}
	if !in.Purpose.Absent() {
		edit.Purpose = new(in.Purpose.Or(""))
	}
	if given, ok := in.Scopes.Get(); ok {
		edit.Scopes = append([]string{}, given...)
	}
	if !in.IPAllowList.Absent() {
		edit.Allow = append([]string{}, in.IPAllowList.Or(nil)...)
	}
	return s.Edit(ctx, id, edit)
}
