package service

import (
	"context"

	"paydown/ent/apikey"
	"paydown/internal/auth"
)

// KeyInput is what a member of staff sets of a new key. Its limit of requests is the usual one, and no key pre-dates
// scopes any more: whatever else NewKey offers is for operators.
type KeyInput struct {
	Name        Opt[string]      `json:"name" check:"name" need:"create"`
	Purpose     Opt[string]      `json:"purpose" check:"text"`
	Kind        Opt[apikey.Kind] `json:"kind" need:"create"`
	Scopes      Opt[[]string]    `json:"scopes" check:"text" need:"create"`
	ExpiresDays Opt[int]         `json:"expiresDays"`
	IPAllowList Opt[[]string]    `json:"ipAllowList" check:"text"`
}

// KeyUpdate is what changes of a key: what is absent stays as it is.
type KeyUpdate struct {
	Name        Opt[string]   `json:"name" check:"name" need:"value"`
	Purpose     Opt[string]   `json:"purpose" check:"text"`
	Scopes      Opt[[]string] `json:"scopes" check:"text" need:"value"`
	IPAllowList Opt[[]string] `json:"ipAllowList" check:"text"`
}

// Make is Create, of a member of staff's input.
func (s Keys) Make(ctx context.Context, in KeyInput) (*IssuedKey, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return s.Create(ctx, NewKey{
		Name: in.Name.Or(""), Purpose: in.Purpose.Or(""), Kind: auth.KeyKind(in.Kind.Or("")), Scopes: in.Scopes.Or(nil),
		ExpiresDays: in.ExpiresDays.Ptr(), Allow: in.IPAllowList.Or(nil), RateLimit: DefaultRateLimit,
	})
}

// Update is Edit, of a member of staff's input.
func (s Keys) Update(ctx context.Context, id int, in KeyUpdate) (*Key, error) {
	if err := checked(in, ForUpdate); err != nil {
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
