package auth

import (
	"slices"
	"time"
)

// Four eyes: nobody checks what they made themselves. Who made or changed an account, or was shown a token that opens it,
// counts as its holder too for a while, or an administrator could check their own work through somebody else's account.

// AccessWindow is how long somebody who had access to a member's account counts as that member.
const AccessWindow = 30 * 24 * time.Hour

// AccountAccess says that one member of staff could act as another.
type AccountAccess struct {
	ID      int // of the record that says so
	Account int // the member whose account it is
	By      int // the member who had access
	Until   time.Time
}

// Tie is a person who stands behind both the maker and the checker.
type Tie struct {
	Person int
	// Maker and Checker lead from the account of each to the person, access by access. One that is empty is the person's own.
	Maker, Checker []AccountAccess
	// Until is when nobody ties the two any more, as things are; zero where that never ends.
	Until time.Time
}

// FourEyes returns what ties a checker to any of the makers by the accesses that count at the moment; nil where nothing
// does. Of several ties it is the one that lasts longest.
func FourEyes(makers []int, checker int, accesses []AccountAccess) *Tie {
	var found *Tie
	behindChecker := behind(checker, accesses)
	for _, maker := range makers {
		for person, m := range behind(maker, accesses) {
			c, both := behindChecker[person]
			if !both {
				continue
			}
			tie := &Tie{Person: person, Maker: m.path, Checker: c.path, Until: sooner(m.until, c.until)}
			if found == nil || tie.outdoes(found) {
				found = tie
			}
		}
	}
	return found
}

// outdoes orders ties: the one that lasts longer, then the shorter one, then by person, so that the answer is always the same.
func (t *Tie) outdoes(other *Tie) bool {
	if !t.Until.Equal(other.Until) {
		return outlasts(t.Until, other.Until)
	}
	length := func(t *Tie) int { return len(t.Maker) + len(t.Checker) }
	if length(t) != length(other) {
		return length(t) < length(other)
	}
	return t.Person < other.Person
}

// standing is how somebody came to stand behind an account, and until when; the zero time has no end.
type standing struct {
	until time.Time
	path  []AccountAccess
}

// behind are the people who can act by a member's account: the member, whoever had access to it, whoever had access to
// theirs, and so on. Each is there by the way that lasts longest.
func behind(member int, accesses []AccountAccess) map[int]standing {
	known := map[int]standing{member: {}}
	for grown := true; grown; {
		grown = false
		for _, a := range accesses {
			from, ok := known[a.Account]
			if !ok {
				continue
			}
			until := sooner(from.until, a.Until)
			if had, ok := known[a.By]; ok && !outlasts(until, had.until) {
				continue
			}
			known[a.By] = standing{until, append(slices.Clone(from.path), a)}
			grown = true
		}
	}
	return known
}

// outlasts reports whether a is after b, where the zero time has no end.
func outlasts(a, b time.Time) bool {
	return !b.IsZero() && (a.IsZero() || a.After(b))
}

func sooner(a, b time.Time) time.Time {
	if outlasts(a, b) {
		return b
	}
	return a
}
