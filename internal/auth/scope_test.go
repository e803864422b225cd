package auth_test

import (
	"slices"
	"strings"
	"testing"

	"paydown/internal/auth"
)

func TestScopes(t *testing.T) {
	want := strings.Fields(`deals merchants leads payments submissions isos funders syndicators payouts renewals
		credit-facilities compliance applications communications statement-analysis webhooks`)
	if !slices.Equal(auth.Resources, want) {
		t.Errorf("resources are %v", auth.Resources)
	}
	for _, r := range want {
		for _, s := range []auth.Scope{auth.Read(r), auth.Write(r)} {
			if got, err := auth.ParseScope(string(s)); err != nil || got != s {
				t.Errorf("%s is read as %s, %v", s, got, err)
			}
		}
	}
	if got, err := auth.ParseScope("*:read"); err != nil || got != auth.ReadEverything {
		t.Errorf("*:read is read as %s, %v", got, err)
	}
	for _, s := range []string{
		"", "*", "*:write", "*:*", "deals", "deals:", ":read", "deals:delete", "deals:READ", "Deals:read", "deals:read ",
		"deals:read:write", "disclosures:read", "keys:write",
	} {
		if _, err := auth.ParseScope(s); err == nil || s != "" && strings.Contains(err.Error(), `"`+s) {
			t.Errorf("%q: %v", s, err)
		}
	}
}

func TestScopeGrants(t *testing.T) {
	for _, c := range []struct {
		have    string
		want    auth.Scope
		granted bool
	}{
		{"deals:read", "deals:read", true},
		{"deals:write", "deals:write", true},
		{"deals:write", "deals:read", true},
		{"deals:read", "deals:write", false},
		{"deals:write", "payments:read", false},
		{"*:read", "webhooks:read", true},
		{"*:read", "webhooks:write", false},
		{"leads:read *:read", "leads:write", false},
		{"leads:read deals:write", "deals:read", true},
		{"", "deals:read", false},
		{"statement-analysis:write", "statement-analysis:read", true},
	} {
		set := auth.ScopesOf(strings.Fields(c.have))
		if set.Grant(c.want) != c.granted {
			t.Errorf("[%s] grants %s: want %t", c.have, c.want, c.granted)
		}
		actor := auth.Actor{Scopes: set}
		if actor.May(c.want) != c.granted {
			t.Errorf("an actor with [%s] may %s: want %t", c.have, c.want, c.granted)
		}
	}
}

func TestAllScopesIsWriteOnEverything(t *testing.T) {
	all := auth.AllScopes()
	for _, r := range auth.Resources {
		if !all.Grant(auth.Write(r)) || !all.Grant(auth.Read(r)) {
			t.Errorf("%s is missing", r)
		}
	}
	if stored := all.Strings(); !slices.Equal(auth.ScopesOf(stored), all) {
		t.Errorf("stored as %v", stored)
	}
}

func TestLegacyKeysKeepWorking(t *testing.T) {
	for flags, want := range map[string]func(resource string) bool{
		"":                            func(string) bool { return false },
		"adminApiAbleToAccessLeadApi": func(r string) bool { return r == "leads" },
		"adminApiAbleToAccessApp":     func(r string) bool { return r != "leads" },
		"adminApiAbleToAccessApp adminApiAbleToAccessLeadApi": func(string) bool { return true },
		"adminApiAbleToDoAnything":                            func(string) bool { return false },
	} {
		set := auth.LegacyScopes(strings.Fields(flags))
		for _, r := range auth.Resources {
			if set.Grant(auth.Write(r)) != want(r) || set.Grant(auth.Read(r)) != want(r) {
				t.Errorf("[%s] on %s: %v", flags, r, set)
			}
		}
	}
}
