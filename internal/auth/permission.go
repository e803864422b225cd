package auth

import "slices"

// Permission is something that a role lets members of staff do. What a scope allows a key is a permission of that name.
type Permission string

// EditCompanySettings is the right to change what holds for the whole company: its keys, its webhook endpoints. Whoever
// has it counts as an administrator.
const EditCompanySettings Permission = "edit-company-settings"

// EveryPermission stands in a role for all of them.
const EveryPermission Permission = "*"

// Permits reports whether a role with these permissions, as they are stored, has p.
func Permits(stored []string, p Permission) bool {
	return slices.Contains(stored, string(p)) || slices.Contains(stored, string(EveryPermission))
}
