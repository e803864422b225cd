package service

import (
	"paydown/internal/auth"
)

// access is what this process holds in memory to tell who may come in.
type access struct {
	*core
	directory *directory
	staff     *staff
	passwords *auth.Passwords
	usage     *usage
}

func newAccess(c *core, cost auth.PasswordCost) *access {
	a := &access{core: c, directory: newDirectory(c), staff: newStaff(), passwords: auth.NewPasswords(cost), usage: newUsage(c)}
	c.signals.moved[directoryMark], c.signals.moved[staffMark] = a.directory.forget, a.staff.forget
	return a
}
