package auth

import "time"

// Attempts is what is remembered of failed attempts to prove who one is.
type Attempts struct {
	Failures int
	Last     time.Time // when one was last judged
	Until    time.Time // before that none is judged
}

// NoAttempts is what is remembered of nobody. It is long ago rather than now, so that an attempt that began a moment
// before, or in a process whose clock is a little behind, need not wait.
var NoAttempts = Attempts{Last: time.Unix(0, 0).UTC(), Until: time.Unix(0, 0).UTC()}

// Throttle says how failed attempts slow further ones down: not at first, then longer with each, up to a bound. An
// attempt that comes too early is refused unjudged and makes nobody wait longer, so that who keeps trying is held to one
// attempt each time, and who stops is soon let in again.
type Throttle struct {
	Free        int           // failures that cost nothing
	First, Most time.Duration // the wait after the next one, doubling up to the most
	Forget      time.Duration // without a failure for so long everything is forgotten
}

// The throttles of signing in. What is counted at one account from one network slows its guesser down without touching
// the member, who is elsewhere. All networks together may guess more often at one account, and then one after the other;
// the network of the member's last sign-in stands outside of that, so that no stranger can lock a member out of the
// office. A network as a whole may fail for many accounts, and is then told to wait.
var (
	ThrottleOrigin  = Throttle{Free: 5, First: 2 * time.Second, Most: 15 * time.Minute, Forget: 2 * time.Hour}
	ThrottleAccount = Throttle{Free: 50, First: time.Second, Most: time.Minute, Forget: 2 * time.Hour}
	ThrottleNetwork = Throttle{Free: 30, First: 2 * time.Second, Most: time.Minute, Forget: 15 * time.Minute}
)

// Wait is how long it is until an attempt is judged; 0 where that is now.
func (Throttle) Wait(a Attempts, now time.Time) time.Duration { return max(0, a.Until.Sub(now)) }

// Failed is what is remembered once an attempt that was judged has failed.
func (t Throttle) Failed(a Attempts, now time.Time) Attempts {
	if now.Sub(a.Last) >= t.Forget {
		a.Failures = 0
	}
	a.Failures++
	a.Last = now
	if a.Failures >= t.Free {
		wait := t.Most
		if doublings := a.Failures - t.Free; doublings < 30 && t.First<<doublings < t.Most {
			wait = t.First << doublings
		}
		a.Until = now.Add(wait)
	}
	return a
}

// Forgiven is what is remembered where the attempt that Failed was told of has succeeded after all.
func (Throttle) Forgiven(a Attempts) Attempts {
	a.Failures = max(0, a.Failures-1)
	a.Until = NoAttempts.Until
	return a
}
