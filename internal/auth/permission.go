package auth

import (
	"fmt"
	"slices"
	"strings"
)

// Permission is something that a role lets members of staff do. What a scope allows a key is a permission of that name.
type Permission string

// EveryPermission stands in a role for all of them, those of later versions too.
const EveryPermission Permission = "*"

// The permissions that no key can have. Each is judged by name, beside the scope of the record it is about.
const (
	// EditCompanySettings is the right to change what holds for the whole company: its keys, its webhook endpoints, its
	// policies and templates. Whoever has it counts as an administrator. Which webhook endpoints there are is changed by the
	// scope webhooks:write, which is all that a key needs, and for a member of staff by this as well.
	EditCompanySettings Permission = "edit-company-settings"
	// ManageUsers is the right to look after members of staff and roles. Nobody can give away by it what they do not have.
	ManageUsers Permission = "users.manage"
	// ReadAudit is the right to read the audit trail.
	ReadAudit Permission = "audit.read"
	// ReadLedger is the right to read accounts, their balances and the entries of a deal or a syndicator.
	ReadLedger Permission = "ledger.read"
	// OverrideFunding is the right to fund a deal in spite of a funding block, with a reason.
	OverrideFunding Permission = "funding.override"
	// MakePayouts is the right to make a payout batch. A key has it never: whoever holds the key could approve as well.
	MakePayouts Permission = "payouts.make"
	// ApprovePayouts is the right to approve a payout batch that somebody else made.
	ApprovePayouts Permission = "payouts.approve"
	// ApproveStipulations is the right to say that what was received for a stipulation is good.
	ApproveStipulations Permission = "stipulations.approve"
	// WaiveStipulations is the right to do without a stipulation, with a reason.
	WaiveStipulations Permission = "stipulations.waive"
	// RunDecisions is the right to have a deal judged by the underwriting policy.
	RunDecisions Permission = "decisions.run"
	// ApproveDraws is the right to approve or decline a draw on a credit facility.
	ApproveDraws Permission = "draws.approve"
	// WriteOff is the right to give up what a deal still owes.
	WriteOff Permission = "deals.write-off"
	// ReleaseCollections is the right to end a hold on a deal's ACH debits: to record a new authorization or the merchant's
	// consent, or to resume after too many returns.
	ReleaseCollections Permission = "collections.release"
)

// StaffPermission is a permission that no key can have, with what it lets a member of staff do.
type StaffPermission struct {
	Permission Permission
	Doc        string
}

// StaffPermissions lists them.
var StaffPermissions = []StaffPermission{
	{EditCompanySettings, "Change company settings: API keys, webhook endpoints, policies, templates"},
	{ManageUsers, "Look after members of staff and their roles"},
	{ReadAudit, "Read the audit trail"},
	{ReadLedger, "Read accounts, balances and ledger entries"},
	{OverrideFunding, "Fund a deal in spite of a block, with a reason"},
	{MakePayouts, "Make a payout batch, for somebody else to approve"},
	{ApprovePayouts, "Approve a payout batch that somebody else made"},
	{ApproveStipulations, "Approve what was received for a stipulation"},
	{WaiveStipulations, "Waive a stipulation, with a reason"},
	{RunDecisions, "Run an underwriting decision"},
	{ApproveDraws, "Approve or decline draws on credit facilities"},
	{WriteOff, "Write off what a deal still owes"},
	{ReleaseCollections, "Release a hold on collections, with a note: a new authorization, consent, resuming after returns"},
}

// ParsePermission reads a permission; the error is a sentence for the caller.
func ParsePermission(s string) (Permission, error) {
	p := Permission(s)
	if p == EveryPermission || p.isStaffs() {
		return p, nil
	}
	if _, err := ParseScope(s); err == nil {
		return p, nil
	}
	return "", fmt.Errorf("is not a permission; write a scope, such as deals:write or *:read, or one of %s", staffNames())
}

func (p Permission) isStaffs() bool {
	for _, known := range StaffPermissions {
		if known.Permission == p {
			return true
		}
	}
	return false
}

func staffNames() string {
	names := make([]string, len(StaffPermissions))
	for i, p := range StaffPermissions {
		names[i] = string(p.Permission)
	}
	return strings.Join(names, ", ")
}

// Permissions is a set of permissions, as a role has it.
type Permissions []Permission

// PermissionsOf is a stored set.
func PermissionsOf(stored []string) Permissions {
	set := make(Permissions, len(stored))
	for i, s := range stored {
		set[i] = Permission(s)
	}
	return set
}

// Strings is the set for storage.
func (set Permissions) Strings() []string {
	out := make([]string, len(set))
	for i, p := range set {
		out[i] = string(p)
	}
	return out
}

// Grant reports whether the set holds p. Of scopes, write implies read, and *:read is read on everything.
func (set Permissions) Grant(p Permission) bool {
	if slices.Contains(set, p) || slices.Contains(set, EveryPermission) {
		return true
	}
	return p != EveryPermission && !p.isStaffs() && set.Scopes().Grant(Scope(p))
}

// Covers reports whether whoever has this set has everything that the other one grants.
func (set Permissions) Covers(other Permissions) bool {
	for _, p := range other {
		if !set.Grant(p) && (Scope(p) != ReadEverything || !set.readsAll()) {
			return false
		}
	}
	return true
}

func (set Permissions) readsAll() bool {
	for _, r := range Resources {
		if !set.Grant(Permission(Read(r))) {
			return false
		}
	}
	return true
}

// Scopes are those that the set grants.
func (set Permissions) Scopes() Scopes {
	if slices.Contains(set, EveryPermission) {
		return AllScopes()
	}
	var scopes Scopes
	for _, p := range set {
		if !p.isStaffs() {
			scopes = append(scopes, Scope(p))
		}
	}
	return scopes
}

// Permits reports whether a role with these permissions, as they are stored, has p.
func Permits(stored []string, p Permission) bool { return PermissionsOf(stored).Grant(p) }
