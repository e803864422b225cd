package auth

import "time"

// Attempts are the recorded failed attempts to authenticate.
type Attempts struct {
	Failures int
	Last     time.Time // time of the last attempt that was checked
	Until    time.Time // earlier attempts are refused unchecked
}

// NoAttempts is the initial state. Its times are long ago rather than now, so that an attempt that began a
// moment before, or in a process whose clock is slightly behind, need not wait.
var NoAttempts = Attempts{Last: time.Unix(0, 0).UTC(), Until: time.Unix(0, 0).UTC()}

// Throttle defines how failed attempts slow further ones down: not at first, then with longer and longer waits,
// up to a maximum. An attempt that comes too early is refused unchecked and extends no wait. So someone who
// keeps trying gets one attempt per wait, and someone who stops can soon sign in again.
type Throttle struct {
	Free        int           // failures without a wait
	First, Most time.Duration // the first wait, and the maximum that it doubles up to
	Forget      time.Duration // after so long without a failure, the count restarts
}

// The throttles of signing in. Counting by account and network slows a guesser down without affecting the
// member, who is elsewhere. All networks together may guess more often at one account, one attempt at a time.
// The network of the member's last sign-in is exempt from that, so that others cannot lock a member out of
// the office. A network that fails for many accounts has to wait.
var (
	ThrottleOrigin  = Throttle{Free: 5, First: 2 * time.Second, Most: 15 * time.Minute, Forget: 2 * time.Hour}
	ThrottleAccount = Throttle{Free: 50, First: time.Second, Most: time.Minute, Forget: 2 * time.Hour}
	ThrottleNetwork = Throttle{Free: 30, First: 2 * time.Second, Most: time.Minute, Forget: 15 * time.Minute}
)

// Wait returns how long until an attempt is checked; 0 means now.
func (Throttle) Wait(a Attempts, now time.Time) time.Duration { return max(0, a.Until.Sub(now)) }

// Failed returns the state after a checked attempt has failed.
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

// Forgiven returns the state if an attempt counted by Failed has succeeded after all.
func (Throttle) Forgiven(a Attempts) Attempts {
	a.Failures = max(0, a.Failures-1)
	a.Until = NoAttempts.Until
	return a
}
