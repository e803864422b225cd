package identity

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// Viewer describes the caller.
type Viewer struct {
	Kind string    // USER or KEY
	User *ent.User // with the role; nil for a key
	// APIKey is nil for a member of staff.
	APIKey  *Key
	Company *ent.Tenant
	// Permissions are the caller's staff permissions. Scopes are all of the caller's scopes, including implied
	// ones.
	Permissions, Scopes []string
	ReadOnly            bool
}

// Viewer returns the caller's own identity. It requires no scope.
func (s Users) Viewer(ctx context.Context) (*Viewer, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	v := &Viewer{
		Kind: string(actor.Kind), Permissions: staffPermissionsOf(actor), Scopes: scopesOf(actor), ReadOnly: actor.ReadOnly,
	}
	var err error
	if v.Company, err = s.core.Store.Reader().Tenant.Get(ctx, actor.TenantID); err != nil {
		return nil, err
	}
	if actor.IsUser() {
		v.User, err = s.Get(ctx, actor.ID)
		return v, err
	}
	v.APIKey, err = ownKey(ctx, s.core, actor)
	return v, err
}

func staffPermissionsOf(actor *auth.Actor) []string {
	held := []string{}
	for _, p := range auth.StaffPermissions {
		if actor.Has(p.Permission) {
			held = append(held, string(p.Permission))
		}
	}
	return held
}

func scopesOf(actor *auth.Actor) []string {
	held := []string{}
	for _, resource := range auth.Resources {
		for _, scope := range []auth.Scope{auth.Read(resource), auth.Write(resource)} {
			if actor.May(scope) {
				held = append(held, string(scope))
			}
		}
	}
	return held
}

// ownKey returns the calling key. A test key acts in the sandbox but belongs to the company.
func ownKey(ctx context.Context, c *unit.Core, actor *auth.Actor) (*Key, error) {
	row, err := c.Store.Reader().APIKey.Get(auth.AllTenants(ctx,
		"a key reads its own record, and may act in its company's sandbox"), actor.ID)
	if err != nil {
		return nil, unit.NotFound(err, "API key")
	}
	return keyOf(row), nil
}
