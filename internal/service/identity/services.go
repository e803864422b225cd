// Package identity manages tenants, API keys, admin tokens, members of staff, roles, sessions and second
// factors, and creates a new tenant's default data.
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

// New returns the aggregates. cost is the cost of hashing a password.
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

// Background returns the background jobs. Each runs until its context ends.
func (s *Services) Background() []func(context.Context) {
	return []func(context.Context){s.access.watch, s.access.usage.run}
}

// PasswordLink returns the text with the link to choose a password for the mail of a notification; "" if the
// notification has none.
func (s *Services) PasswordLink(ctx context.Context, tenant *ent.Tenant, row *ent.Notification) (string, error) {
	return s.access.passwordLink(ctx, tenant, row)
}
