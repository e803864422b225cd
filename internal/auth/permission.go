package auth

import (
	"fmt"
	"slices"
	"strings"
)

// Permission is something that a role lets members of staff do. Every scope of keys is also a permission of the
// same name.
type Permission string

// EveryPermission in a role grants all permissions, including those of later versions.
const EveryPermission Permission = "*"

// The permissions that no key can have. Each is required in addition to the scope of the record.
const (
	// EditCompanySettings allows changing settings of the whole company: its keys, webhook endpoints, policies and
	// templates. Whoever has it counts as an administrator. To change webhook endpoints, a key needs only the
	// scope webhooks:write; a member of staff needs this permission as well.
	EditCompanySettings Permission = "edit-company-settings"
	// ManageUsers allows managing members of staff and roles. Nobody can grant permissions that they do not have.
	ManageUsers Permission = "users.manage"
	// ReadAudit allows reading the audit trail.
	ReadAudit Permission = "audit.read"
	// ReadLedger allows reading accounts, their balances and the entries of a deal or a syndicator.
	ReadLedger Permission = "ledger.read"
	// OverrideFunding allows funding a deal despite a funding block, with a reason.
	OverrideFunding Permission = "funding.override"
	// MakePayouts allows creating a payout batch. No key can have it: its holder could approve the batch as well.
	MakePayouts Permission = "payouts.make"
	// ApprovePayouts allows approving a payout batch that someone else created.
	ApprovePayouts Permission = "payouts.approve"
	// ApproveStipulations allows approving what was received for a stipulation.
	ApproveStipulations Permission = "stipulations.approve"
	// WaiveStipulations allows waiving a stipulation, with a reason.
	WaiveStipulations Permission = "stipulations.waive"
	// RunDecisions allows running the underwriting policy on a deal.
	RunDecisions Permission = "decisions.run"
	// ApproveDraws allows approving or declining a draw on a credit facility.
	ApproveDraws Permission = "draws.approve"
	// WriteOff allows writing off a deal's outstanding balance.
	WriteOff Permission = "deals.write-off"
	// ReleaseCollections allows releasing a hold on a deal's ACH debits: recording a new authorization or the
	// merchant's consent, or resuming after too many returns.
	ReleaseCollections Permission = "collections.release"
)

// StaffPermission is a permission that no key can have, with its description.
type StaffPermission struct {
	Permission Permission
	Doc        string
}

// StaffPermissions lists them.
var StaffPermissions = []StaffPermission{
	{EditCompanySettings, "Change company settings: API keys, webhook endpoints, policies, templates"},
	{ManageUsers, "Manage members of staff and their roles"},
	{ReadAudit, "Read the audit trail"},
	{ReadLedger, "Read accounts, balances and ledger entries"},
	{OverrideFunding, "Fund a deal despite a funding block, with a reason"},
	{MakePayouts, "Create a payout batch for someone else to approve"},
	{ApprovePayouts, "Approve a payout batch that someone else created"},
	{ApproveStipulations, "Approve what was received for a stipulation"},
	{WaiveStipulations, "Waive a stipulation, with a reason"},
	{RunDecisions, "Run an underwriting decision"},
	{ApproveDraws, "Approve or decline draws on credit facilities"},
	{WriteOff, "Write off a deal's outstanding balance"},
	{ReleaseCollections, "Release a collection hold, with a note: new authorization, consent, resuming after returns"},
}

// ParsePermission parses a permission; the error is a message for the caller.
func ParsePermission(s string) (Permission, error) {
	p := Permission(s)
	if p == EveryPermission || p.isStaffs() {
		return p, nil
	}
	if _, err := ParseScope(s); err == nil {
		return p, nil
	}
	return "", fmt.Errorf("must be a scope, such as deals:write or *:read, or one of %s", staffNames())
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

// Permissions is a set of permissions, such as that of a role.
type Permissions []Permission

// PermissionsOf converts a stored set.
func PermissionsOf(stored []string) Permissions {
	set := make(Permissions, len(stored))
	for i, s := range stored {
		set[i] = Permission(s)
	}
	return set
}

// Strings converts the set for storage.
func (set Permissions) Strings() []string {
	out := make([]string, len(set))
	for i, p := range set {
		out[i] = string(p)
	}
	return out
}

// Grant reports whether the set grants p. A write scope implies read, and *:read grants read on everything.
func (set Permissions) Grant(p Permission) bool {
	if slices.Contains(set, p) || slices.Contains(set, EveryPermission) {
		return true
	}
	return p != EveryPermission && !p.isStaffs() && set.Scopes().Grant(Scope(p))
}

// Covers reports whether the set grants everything that the other one grants.
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

// Scopes returns the scopes that the set grants.
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

// Permits reports whether a role with these stored permissions has p.
func Permits(stored []string, p Permission) bool { return PermissionsOf(stored).Grant(p) }
