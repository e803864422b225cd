// Package identity is who may come in: tenants, keys, operators' tokens, members of staff, roles, sessions and second
// factors, and what every tenant begins with.
package identity

import (
	"context"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	AdminTokens AdminTokens
	Company     Company
	Keys        Keys
	Roles       Roles
	Sessions    Sessions
	Tenants     Tenants
	Users       Users

	access *access
}

// New makes the aggregates. cost is what a hash of a password costs.
func New(core *unit.Core, cost auth.PasswordCost) *Services {
	access := newAccess(core, cost)
	return &Services{
		AdminTokens: AdminTokens{core},
		Company:     Company{core},
		Keys:        Keys{core, access},
		Roles:       Roles{core},
		Sessions:    Sessions{core, access},
		Tenants:     Tenants{core, access},
		Users:       Users{core, access},
		access:      access,
	}
}

// Background is the work that goes on until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.access.watch, s.access.usage.run}
}

// PasswordLink is what the mail of a notification says of a link to choose a password; "" for one about something else.
func (s *Services) PasswordLink(ctx context.Context, tenant *ent.Tenant, row *ent.Notification) (string, error) {
	return s.access.passwordLink(ctx, tenant, row)
}
