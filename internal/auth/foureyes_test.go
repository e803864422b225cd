package auth_test

import (
	"testing"
	"time"

	"paydown/internal/auth"
)

func TestFourEyes(t *testing.T) {
	const admin, ann, bob, cy, other = 1, 2, 3, 4, 5
	day := func(n int) time.Time { return time.Date(2026, 5, n, 0, 0, 0, 0, time.UTC) }
	opened := func(account, by, until int) auth.AccountAccess {
		return auth.AccountAccess{ID: 100*account + by, Account: account, By: by, Until: day(until)}
	}
	for name, c := range map[string]struct {
		makers   []int
		checker  int
		accesses []auth.AccountAccess
		person   int // 0: nothing ties them
		until    time.Time
		links    int
	}{
		"two people":                   {[]int{ann}, bob, nil, 0, time.Time{}, 0},
		"nobody made it":               {nil, bob, []auth.AccountAccess{opened(bob, admin, 9)}, 0, time.Time{}, 0},
		"the same person":              {[]int{ann}, ann, nil, ann, time.Time{}, 0},
		"one of the makers":            {[]int{ann, bob}, bob, nil, bob, time.Time{}, 0},
		"the maker opened the checker": {[]int{admin}, ann, []auth.AccountAccess{opened(ann, admin, 9)}, admin, day(9), 1},
		"the checker opened the maker": {[]int{ann}, admin, []auth.AccountAccess{opened(ann, admin, 9)}, admin, day(9), 1},
		"a third opened both": {
			[]int{ann},
			bob,
			[]auth.AccountAccess{opened(ann, admin, 9), opened(bob, admin, 7)},
			admin, day(7), 2,
		},
		"a third opened one": {[]int{ann}, bob, []auth.AccountAccess{opened(ann, admin, 9)}, 0, time.Time{}, 0},
		"by way of another account": {
			[]int{admin},
			bob,
			[]auth.AccountAccess{opened(bob, cy, 9), opened(cy, admin, 8)},
			admin, day(8), 2,
		},
		"both by way of others": {
			[]int{ann},
			bob,
			[]auth.AccountAccess{opened(ann, cy, 9), opened(cy, admin, 8), opened(bob, other, 6), opened(other, admin, 12)},
			admin, day(6), 4,
		},
		"the longest of several ties": {
			[]int{ann},
			bob,
			[]auth.AccountAccess{opened(bob, ann, 5), opened(bob, admin, 9), opened(ann, admin, 8)},
			admin, day(8), 2,
		},
		"the longest of several ways": {
			[]int{admin},
			bob,
			[]auth.AccountAccess{opened(bob, admin, 3), opened(bob, cy, 9), opened(cy, admin, 8), opened(bob, admin, 6)},
			admin, day(8), 2,
		},
		"a circle": {
			[]int{cy},
			bob,
			[]auth.AccountAccess{opened(ann, bob, 9), opened(bob, ann, 9), opened(admin, admin, 9)},
			0,
			time.Time{},
			0,
		},
		"each opened the other": {
			[]int{ann},
			bob,
			[]auth.AccountAccess{opened(ann, bob, 9), opened(bob, ann, 7)},
			bob, day(9), 1,
		},
	} {
		tie := auth.FourEyes(c.makers, c.checker, c.accesses)
		if c.person == 0 {
			if tie != nil {
				t.Errorf("%s: tied by %+v", name, tie)
			}
			continue
		}
		if tie == nil {
			t.Errorf("%s: nothing ties them", name)
			continue
		}
		if tie.Person != c.person || !tie.Until.Equal(c.until) || len(tie.Maker)+len(tie.Checker) != c.links {
			t.Errorf("%s: tied by %+v, want %d until %s by %d accesses", name, tie, c.person, c.until, c.links)
		}
		at := c.checker
		for _, a := range tie.Checker {
			if a.Account != at {
				t.Errorf("%s: %+v does not lead from %d", name, tie.Checker, c.checker)
			}
			at = a.By
		}
		if at != tie.Person {
			t.Errorf("%s: %+v leads to %d, not to %d", name, tie.Checker, at, tie.Person)
		}
	}
}
