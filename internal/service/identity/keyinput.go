package identity

import (
	"context"

	"paydown/ent/apikey"
	"paydown/internal/auth"
	"paydown/internal/service/input"
)

// KeyInput is what a member of staff sets of a new key. Its limit of requests is the usual one, and no key pre-dates
// scopes any more: whatever else NewKey offers is for operators.
type KeyInput struct {
	Name        input.Opt[string]      `json:"name" check:"name" need:"create"`
	Purpose     input.Opt[string]      `json:"purpose" check:"text"`
	Kind        input.Opt[apikey.Kind] `json:"kind" need:"create"`
	Scopes      input.Opt[[]string]    `json:"scopes" check:"text" need:"create"`
	ExpiresDays input.Opt[int]         `json:"expiresDays"`
	IPAllowList input.Opt[[]string]    `json:"ipAllowList" check:"text"`
}

// KeyUpdate is what changes of a key: what is absent stays as it is.
type KeyUpdate struct {
	Name        input.Opt[string]   `json:"name" check:"name" need:"value"`
	Purpose     input.Opt[string]   `json:"purpose" check:"text"`
	Scopes      input.Opt[[]string] `json:"scopes" check:"text" need:"value"`
	IPAllowList input.Opt[[]string] `json:"ipAllowList" check:"text"`
}

// Make is Create, of a member of staff's input.
func (s Keys) Make(ctx context.Context, in KeyInput) (*IssuedKey, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.Create(ctx, NewKey{
		Name: in.Name.Or(""), Purpose: in.Purpose.Or(""), Kind: auth.KeyKind(in.Kind.Or("")), Scopes: in.Scopes.Or(nil),
		ExpiresDays: in.ExpiresDays.Ptr(), Allow: in.IPAllowList.Or(nil), RateLimit: DefaultRateLimit,
	})
}

// Update is Edit, of a member of staff's input.
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
