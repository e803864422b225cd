package rest_test

import (
	"context"
	"slices"
	"testing"

	"paydown/ent/apikey"
	"paydown/ent/auditentry"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service"
)

// Flags imply scopes until the key is edited, also through rotations; from then on it has its own scopes.
func TestEditedLegacyKeyHasScopes(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "older.test")
		ctx := a.Operator(t, host)
		flags := func(id int) []string {
			key, err := a.Store.Reader().APIKey.Get(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			return key.LegacyFlags
		}
		older := func() *service.IssuedKey {
			return a.NewKey(
				t, host, service.NewKey{Name: "old", Kind: auth.Live, LegacyFlags: []string{auth.LegacyLeads}, RateLimit: 500},
			)
		}
		shown := func(token string) []any {
			scopes, _ := a.As(host, token).Get(t, "/whoami")["scopes"].([]any)
			return scopes
		}

		first := older()
		rotated, err := a.Keys.Rotate(ctx, first.Key.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range []*service.IssuedKey{first, rotated} {
			if !slices.Equal(flags(key.Key.ID), []string{auth.LegacyLeads}) ||
				!slices.Equal(shown(key.Token), []any{"leads:write"}) {
				t.Errorf("key %d has the flags %v and shows %v", key.Key.ID, flags(key.Key.ID), shown(key.Token))
			}
		}
		if _, err := a.Keys.Edit(ctx, rotated.Key.ID, service.KeyEdit{}); err != nil || flags(rotated.Key.ID) == nil {
			t.Errorf("an edit of nothing: %v, flags %v", err, flags(rotated.Key.ID))
		}

		// An edit of something else keeps the implied scopes.
		if _, err := a.Keys.Edit(ctx, rotated.Key.ID, service.KeyEdit{Name: new("renamed")}); err != nil {
			t.Fatal(err)
		}
		if len(flags(rotated.Key.ID)) != 0 || !slices.Equal(shown(rotated.Token), []any{"leads:write"}) {
			t.Errorf("after an edit the flags are %v and the scopes %v", flags(rotated.Key.ID), shown(rotated.Token))
		}
		a.As(host, rotated.Token).Do(t, "GET", "/deals", nil).Problem(t, 403, "forbidden")
		// An edit of the scopes replaces them at once.
		c := a.As(host, rotated.Token)
		if _, err := a.Keys.Edit(ctx, rotated.Key.ID, service.KeyEdit{Scopes: []string{"deals:read"}}); err != nil {
			t.Fatal(err)
		}
		c.Get(t, "/deals")
		c.Do(t, "GET", "/leads", nil).Problem(t, 403, "forbidden")
		if me := c.Get(t, "/whoami"); me["name"] != "renamed" || me.In("rateLimit").Int("limit") != 500 {
			t.Errorf("whoami: %v", me)
		}
		// The previous key is unaffected.
		a.As(host, first.Token).Get(t, "/leads")
		n, err := a.Store.Reader().
			AuditEntry.Query().
			Where(auditentry.Action("key.update"), auditentry.EntityID(rotated.Key.ID)).
			Count(ctx)
		if err != nil || n != 2 {
			t.Errorf("%d edits are on record, %v", n, err)
		}
	})
}

func TestKeyEdit(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host, other := a.Tenant(t, "edit.test"), a.Tenant(t, "elsewhere.test")
		key := a.NewKey(t, host, service.NewKey{
			Name: "k", Purpose: "sync", Kind: auth.Live, Scopes: []string{"leads:read"}, Allow: []string{"203.0.113.7"},
			RateLimit: 5,
		})
		c := a.As(host, key.Token)
		edit := func(ctx context.Context, in service.KeyEdit) error {
			_, err := a.Keys.Edit(ctx, key.Key.ID, in)
			return err
		}
		ctx := a.Operator(t, host)
		c.Do(t, "GET", "/whoami", nil).Problem(t, 403, "forbidden")
		if err := edit(ctx, service.KeyEdit{Allow: []string{}, Purpose: new(""), RateLimit: new(0)}); err != nil {
			t.Fatal(err)
		}
		me := c.Get(t, "/whoami")
		if me["purpose"] != nil || len(me["ipAllowList"].([]any)) != 0 || me.In("rateLimit")["limit"] != nil ||
			me["name"] != "k" {
			t.Errorf("whoami: %v", me)
		}
		for what, in := range map[string]service.KeyEdit{
			"name": {Name: new("")}, "scopes.0": {Scopes: []string{"deals:delete"}}, "scopes": {Scopes: []string{}},
			"ipAllowList.0": {Allow: []string{"nowhere"}}, "rateLimit": {RateLimit: new(-1)},
		} {
			f := fault.As(edit(ctx, in))
			if f == nil || f.Code != fault.Validation || len(f.Details) != 1 || f.Details[0].Path != what {
				t.Errorf("%s: %v", what, f)
			}
		}
		if f := fault.As(edit(a.Operator(t, other), service.KeyEdit{Name: new("x")})); f == nil || f.Code != fault.NotFound {
			t.Errorf("another tenant's: %v", f)
		}
		own := auth.With(
			ctx, &auth.Actor{Kind: auth.ByKey, ID: key.Key.ID, TenantID: key.Key.TenantID, Scopes: auth.AllScopes()},
		)
		if f := fault.As(edit(own, service.KeyEdit{Name: new("x")})); f == nil || f.Code != fault.Forbidden {
			t.Errorf("by a key: %v", f)
		}
		if _, err := a.Keys.Revoke(ctx, key.Key.ID); err != nil {
			t.Fatal(err)
		}
		if f := fault.As(edit(ctx, service.KeyEdit{Name: new("x")})); f == nil || f.Code != fault.Conflict {
			t.Errorf("a key that has ended: %v", f)
		}
		if n, err := a.Store.Reader().APIKey.Query().Where(apikey.Name("x")).Count(ctx); err != nil || n != 0 {
			t.Errorf("%d keys were renamed, %v", n, err)
		}
	})
}
