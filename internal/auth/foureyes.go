package auth

import (
	"slices"
	"time"
)

// Four eyes: nobody approves their own work. Whoever created or changed an account, or saw a token for it,
// counts as its holder for a while. Otherwise an administrator could approve their own work through another
// account.

// AccessWindow is how long a member with access to another member's account counts as that member.
const AccessWindow = 30 * 24 * time.Hour

// AccountAccess records that one member of staff could act as another.
type AccountAccess struct {
	ID      int // of the record
	Account int // the member whose account it is
	By      int // the member who had access
	Until   time.Time
}

// Tie is a person who stands behind both the maker and the checker.
type Tie struct {
	Person int
	// Maker and Checker are the chains of accesses from each account to the person. An empty chain means the
	// person's own account.
	Maker, Checker []AccountAccess
	// Until is when the tie ends; zero means never.
	Until time.Time
}

// FourEyes returns the tie between a checker and any of the makers under the accesses in force, or nil. Of
// several ties it returns the one that lasts longest.
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

// outdoes orders ties, so that the answer is deterministic: the one that lasts longer first, then the shorter
// one, then by person.
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

// standing is how a person came to stand behind an account, and until when; the zero time means no end.
type standing struct {
	until time.Time
	path  []AccountAccess
}

// behind returns the people who can act through a member's account: the member, those who had access to it,
// those who had access to theirs, and so on. For each it keeps the chain that lasts longest.
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

// outlasts reports whether a is after b; the zero time means no end.
func outlasts(a, b time.Time) bool {
	return !b.IsZero() && (a.IsZero() || a.After(b))
}

func sooner(a, b time.Time) time.Time {
	if outlasts(a, b) {
		return b
	}
	return a
}
