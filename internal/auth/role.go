package auth

import "slices"

// Role is a role that every tenant begins with. From then on it is the tenant's own, to rename and to change.
type Role struct {
	Code        string // names it on the command line, and for ever
	Name        string
	Permissions Permissions
}

// Admin is the code of the role that can always look after users and settings, whatever else is taken from it, so that
// no company locks itself out.
const Admin = "admin"

// Accounting is the code of the role that books, reconciles and pays.
const Accounting = "accounting"

// Indispensable are the permissions that Admin keeps, and that some active member of staff always has.
var Indispensable = Permissions{EditCompanySettings, ManageUsers}

// Roles are the roles that every tenant begins with.
var Roles = []Role{
	{Admin, "Admin", Permissions{EveryPermission}},
	{"underwriter", "Underwriter", Permissions{
		"deals:write", "merchants:write", "submissions:write", "applications:write", "statement-analysis:write",
		"compliance:write", "communications:write", "leads:read", "renewals:read", "payments:read", "isos:read",
		"funders:read", "syndicators:read", "credit-facilities:read", RunDecisions, ApproveStipulations, WaiveStipulations,
	}},
	{"funder", "Funder", Permissions{
		"deals:write", "payments:write", "compliance:write", "credit-facilities:write", "merchants:read",
		"submissions:read", "applications:read", "statement-analysis:read", "renewals:read", "payouts:read", "isos:read",
		"funders:read", "syndicators:read", "communications:write", ApproveStipulations, ApproveDraws, ReadLedger,
	}},
	{"collections", "Collections", Permissions{
		"deals:write", "payments:write", "communications:write", "merchants:write", "renewals:read", "submissions:read",
		"compliance:read", "statement-analysis:read", "syndicators:read", ReadLedger, ReleaseCollections,
	}},
	{"sales", "Sales", Permissions{
		"leads:write", "merchants:write", "applications:write", "deals:write", "submissions:write", "renewals:write",
		"communications:write", "statement-analysis:write", "isos:read", "funders:read", "payments:read",
	}},
	{Accounting, "Accounting", Permissions{
		Permission(ReadEverything), "payments:write", "payouts:write", "syndicators:write", MakePayouts, ApprovePayouts, WriteOff,
		ReadLedger, ReadAudit, ReleaseCollections,
	}},
	{"read-only", "Read only", Permissions{Permission(ReadEverything), ReadLedger}},
}

// RoleCoded is the role with that code, as tenants begin with it.
func RoleCoded(code string) (Role, bool) {
	i := slices.IndexFunc(Roles, func(r Role) bool { return r.Code == code })
	if i < 0 {
		return Role{}, false
	}
	return Roles[i], true
}
