package identity

import (
	"paydown/internal/auth"
	"paydown/internal/service/unit"
)

// access holds the in-memory state that authentication uses in this process.
type access struct {
	core      *unit.Core
	directory *directory
	staff     *staff
	passwords *auth.Passwords
	signIns   *auth.SignInQueue
	known     knownNetworks
	usage     *usage
}

// turnsAHash is how many sign-ins are under way for each hash that is computed: one hashes, another reads or stores.
const turnsAHash = 2

func newAccess(c *unit.Core, cost auth.PasswordCost) *access {
	a := &access{
		core: c, directory: newDirectory(c), staff: newStaff(), passwords: auth.NewPasswords(cost), usage: newUsage(c),
	}
	a.signIns = auth.NewSignInQueue(turnsAHash * a.passwords.AtATime())
	c.Signals.Moved[directoryMark], c.Signals.Moved[staffMark] = a.directory.purge, a.staff.purge
	return a
}
