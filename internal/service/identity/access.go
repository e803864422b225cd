package identity

import (
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// access is what this process holds in memory to tell who may come in.
type access struct {
	core      *unit.Core
	directory *directory
	staff     *staff
	passwords *auth.Passwords
	usage     *usage
}

func newAccess(c *unit.Core, cost auth.PasswordCost) *access {
	a := &access{core: c, directory: newDirectory(c), staff: newStaff(), passwords: auth.NewPasswords(cost), usage: newUsage(c)}
	c.Signals.Moved[directoryMark], c.Signals.Moved[staffMark] = a.directory.forget, a.staff.forget
	return a
}
