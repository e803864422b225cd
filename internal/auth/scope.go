package auth

import (
	"fmt"
	"slices"
	"strings"
)

// Scope is a permission on one resource: "deals:read", "deals:write", or "*:read".
type Scope string

// Resources are the resources of scopes, in the order of the public contract.
var Resources = []string{
	"deals", "merchants", "leads", "payments", "submissions", "isos", "funders", "syndicators", "payouts", "renewals",
	"credit-facilities", "compliance", "applications", "communications", "statement-analysis", "webhooks",
}

// ReadEverything is the only scope that is not for a single resource.
const ReadEverything Scope = "*:read"

// Read and Write return a scope of a resource.
func Read(resource string) Scope  { return Scope(resource + ":read") }
func Write(resource string) Scope { return Scope(resource + ":write") }

// ParseScope parses a scope; the error is a message for the caller.
func ParseScope(s string) (Scope, error) {
	if Scope(s) == ReadEverything {
		return ReadEverything, nil
	}
	resource, verb, ok := strings.Cut(s, ":")
	if !ok || (verb != "read" && verb != "write") || !slices.Contains(Resources, resource) {
		return "", fmt.Errorf("must be RESOURCE:read, RESOURCE:write or *:read, with one of the resources %s",
			strings.Join(Resources, ", "))
	}
	return Scope(s), nil
}

// Scopes is a set of scopes.
type Scopes []Scope

// AllScopes returns write on every resource.
func AllScopes() Scopes {
	all := make(Scopes, len(Resources))
	for i, r := range Resources {
		all[i] = Write(r)
	}
	return all
}

// Grant reports whether the set grants s: write implies read, and *:read grants read on everything.
func (set Scopes) Grant(s Scope) bool {
	resource, verb, _ := strings.Cut(string(s), ":")
	for _, have := range set {
		if have == s {
			return true
		}
		if verb == "read" && (have == ReadEverything || have == Write(resource)) {
			return true
		}
	}
	return false
}

// Strings converts the set for storage.
func (set Scopes) Strings() []string {
	out := make([]string, len(set))
	for i, s := range set {
		out[i] = string(s)
	}
	return out
}

// ScopesOf converts a stored set.
func ScopesOf(stored []string) Scopes {
	set := make(Scopes, len(stored))
	for i, s := range stored {
		set[i] = Scope(s)
	}
	return set
}

// The permission flags of keys that predate scopes.
const (
	LegacyLeads = "adminApiAbleToAccessLeadApi"
	LegacyApp   = "adminApiAbleToAccessApp"
)

// LegacyFlags lists them.
var LegacyFlags = []string{LegacyLeads, LegacyApp}

// LegacyScopes returns the scopes of a key that predates scopes: one flag means write on leads, the other write
// on everything else.
func LegacyScopes(flags []string) Scopes {
	var set Scopes
	for _, r := range Resources {
		flag := LegacyApp
		if r == "leads" {
			flag = LegacyLeads
		}
		if slices.Contains(flags, flag) {
			set = append(set, Write(r))
		}
	}
	return set
}
