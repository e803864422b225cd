package auth_test

import (
	"strings"
	"testing"

	"paydown/internal/auth"
)

func set(permissions string) auth.Permissions { return auth.PermissionsOf(strings.Fields(permissions)) }

func TestPermissions(t *testing.T) {
	for _, c := range []struct {
		have    string
		want    auth.Permission
		granted bool
	}{
		{"*", "deals:write", true},
		{"*", auth.ManageUsers, true},
		{"*", auth.EveryPermission, true},
		{"*:read", "deals:read", true},
		{"*:read", "deals:write", false},
		{"*:read", auth.ReadAudit, false},
		{"*:read", auth.EveryPermission, false},
		{"deals:write", "deals:read", true},
		{"deals:write audit.read", auth.ReadAudit, true},
		{"deals:write", auth.WriteOff, false},
		{"deals.write-off", "deals:write", false},
		{"", "deals:read", false},
	} {
		if got := set(c.have).Grant(c.want); got != c.granted {
			t.Errorf("[%s] grants %s: %t", c.have, c.want, got)
		}
		if got := auth.Permits(strings.Fields(c.have), c.want); got != c.granted {
			t.Errorf("stored as [%s] permits %s: %t", c.have, c.want, got)
		}
		actor := auth.Actor{Kind: auth.ByUser, Permissions: set(c.have), Scopes: set(c.have).Scopes()}
		if got := actor.Has(c.want); got != c.granted {
			t.Errorf("a member with [%s] has %s: %t", c.have, c.want, got)
		}
	}
}

func TestKeyHasOnlyScopes(t *testing.T) {
	key := auth.Actor{Kind: auth.ByKey, Scopes: auth.AllScopes()}
	for _, p := range auth.StaffPermissions {
		if key.Has(p.Permission) {
			t.Errorf("a key has %s", p.Permission)
		}
		if _, err := auth.ParseScope(string(p.Permission)); err == nil {
			t.Errorf("%s is a scope as well", p.Permission)
		}
	}
	if !key.Has("deals:write") || key.Has(auth.EveryPermission) {
		t.Error("a key's scopes are not its permissions")
	}
}

func TestCovers(t *testing.T) {
	for _, c := range []struct {
		have, other string
		covers      bool
	}{
		{"*", "* users.manage deals:write", true},
		{"users.manage deals:write", "deals:read users.manage", true},
		{"users.manage deals:read", "deals:write", false},
		{"users.manage", "*", false},
		{"*:read", "*:read deals:read", true},
		{"deals:read", "*:read", false},
		{strings.Join(auth.AllScopes().Strings(), " "), "*:read", true},
		{"", "", true},
	} {
		if got := set(c.have).Covers(set(c.other)); got != c.covers {
			t.Errorf("[%s] covers [%s]: %t", c.have, c.other, got)
		}
	}
}

func TestDefaultRoles(t *testing.T) {
	want := strings.Fields("admin underwriter funder collections sales accounting read-only")
	if len(auth.Roles) != len(want) {
		t.Fatalf("there are %d roles", len(auth.Roles))
	}
	for i, code := range want {
		role, ok := auth.RoleCoded(code)
		if !ok || auth.Roles[i].Code != code || role.Name == "" {
			t.Errorf("role %d is %+v", i, auth.Roles[i])
		}
		for _, p := range role.Permissions {
			if parsed, err := auth.ParsePermission(string(p)); err != nil || parsed != p {
				t.Errorf("%s: %s %v", code, p, err)
			}
		}
		if role.Permissions.Covers(auth.RequiredPermissions) != (code == auth.Admin) {
			t.Errorf("%s may look after settings and users, or admin may not", code)
		}
	}
	for _, role := range auth.Roles {
		if role.Code == "read-only" {
			for _, r := range auth.Resources {
				if p := auth.Permission(auth.Write(r)); role.Permissions.Grant(p) {
					t.Errorf("read-only grants %s", p)
				}
			}
		}
	}
	for _, bad := range []string{"", "deals", "**", "users.Manage", "*:write", "everything"} {
		if _, err := auth.ParsePermission(bad); err == nil {
			t.Errorf("%q is a permission", bad)
		}
	}
}
