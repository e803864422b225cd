package auth

import "slices"

// Role is a default role of new tenants. Tenants can rename and change their roles.
type Role struct {
	Code        string // permanent name on the command line
	Name        string
	Permissions Permissions
}

// Admin is the code of the role that can always manage users and settings, so that no company locks itself out.
const Admin = "admin"

// Accounting is the code of the role that books, reconciles and pays.
const Accounting = "accounting"

// RequiredPermissions are the permissions that Admin always keeps, and that some active member of staff must have.
var RequiredPermissions = Permissions{EditCompanySettings, ManageUsers}

// Roles are the default roles of new tenants.
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
		Permission(ReadEverything), "payments:write", "payouts:write", "syndicators:write", MakePayouts, ApprovePayouts,
		WriteOff,
		ReadLedger, ReadAudit, ReleaseCollections,
	}},
	{"read-only", "Read only", Permissions{Permission(ReadEverything), ReadLedger}},
}

// RoleCoded returns the default role with that code.
func RoleCoded(code string) (Role, bool) {
	i := slices.IndexFunc(Roles, func(r Role) bool { return r.Code == code })
	if i < 0 {
		return Role{}, false
	}
	return Roles[i], true
}
