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

// Tie is a person who is behind both the maker and the checker.
type Tie struct {
	Person int
	// Maker and Checker are the chains of accesses from each account to the person. An empty chain means the
	// person's own account.
	Maker, Checker []AccountAccess
	// Until is when the tie ends; zero means never.
	Until time.Time
}

// FourEyes returns the tie between a checker and any of the makers under the active accesses, or nil. Of
// several ties it returns the one that lasts longest.
func FourEyes(makers []int, checker int, accesses []AccountAccess) *Tie {
	var found *Tie
	behindChecker := peopleBehind(checker, accesses)
	for _, maker := range makers {
		for person, m := range peopleBehind(maker, accesses) {
			c, both := behindChecker[person]
			if !both {
				continue
			}
			tie := &Tie{Person: person, Maker: m.path, Checker: c.path, Until: earlier(m.until, c.until)}
			if found == nil || tie.ranksBefore(found) {
				found = tie
			}
		}
	}
	return found
}

// ranksBefore orders ties, so that the answer is deterministic: the one that lasts longer first, then the shorter
// one, then by person.
func (t *Tie) ranksBefore(other *Tie) bool {
	if !t.Until.Equal(other.Until) {
		return endsAfter(t.Until, other.Until)
	}
	length := func(t *Tie) int { return len(t.Maker) + len(t.Checker) }
	if length(t) != length(other) {
		return length(t) < length(other)
	}
	return t.Person < other.Person
}

// accessChain is the chain of accesses that puts a person behind an account, and its end; the zero time means no end.
type accessChain struct {
	until time.Time
	path  []AccountAccess
}

// peopleBehind returns the people who can act through a member's account: the member, those who had access to it,
// those who had access to theirs, and so on. For each it keeps the chain that lasts longest.
func peopleBehind(member int, accesses []AccountAccess) map[int]accessChain {
	known := map[int]accessChain{member: {}}
	for grown := true; grown; {
		grown = false
		for _, a := range accesses {
			from, ok := known[a.Account]
			if !ok {
				continue
			}
			until := earlier(from.until, a.Until)
			if had, ok := known[a.By]; ok && !endsAfter(until, had.until) {
				continue
			}
			known[a.By] = accessChain{until, append(slices.Clone(from.path), a)}
			grown = true
		}
	}
	return known
}

// endsAfter reports whether a is after b; the zero time means no end.
func endsAfter(a, b time.Time) bool {
	return !b.IsZero() && (a.IsZero() || a.After(b))
}

func earlier(a, b time.Time) time.Time {
	if endsAfter(a, b) {
		return b
	}
	return a
}
