package identity

import (
	"context"
	"encoding/hex"
	"math"
	"strconv"
	"time"

	"paydown/ent"
	"paydown/ent/loginthrottle"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// attempt is one try to prove an identity. It counts as failed from the start, so that concurrent tries
// cannot exceed the limit, and the failure is removed when the try succeeds. The counts are in the database:
// more processes do not allow more tries.
type attempt struct {
	what    proof
	origin  string // the account from this network
	account string // the account from anywhere
	network string // any account from this network
	// allowed is false if the try came too early. Such a try is refused even with the right password, after the
	// same work.
	allowed  bool
	failures int // of the account from this network, including this one
}

// proof is what an attempt proves: the password or the second factor.
type proof string

const (
	byPassword proof = "password"
	byCode     proof = "code"
)

// beginAttempt starts a try at an account, which need not exist. familiar means that the member has signed in
// from this network before; failures from other networks then do not delay the member. If the whole network
// has to wait, the error says for how long. It reveals nothing about any account.
func beginAttempt(
	ctx context.Context, c *unit.Core, tenantID int, what proof, account string, from Origin, familiar bool,
) (*attempt, error) {
	tenant := strconv.Itoa(tenantID)
	a := &attempt{
		what:    what,
		origin:  counter(c, "origin", string(what), tenant, account, from.Network),
		account: counter(c, "account", string(what), tenant, account),
		network: counter(c, "network", from.Network),
	}
	err := c.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		counts, err := a.lock(ctx, tx)
		if err != nil {
			return err
		}
		if wait := auth.ThrottleNetwork.Wait(counts[a.network].Attempts, tx.At()); wait > 0 {
			return tooManyAttempts(wait)
		}
		a.allowed = auth.ThrottleOrigin.Wait(counts[a.origin].Attempts, tx.At()) == 0 &&
			(familiar || auth.ThrottleAccount.Wait(counts[a.account].Attempts, tx.At()) == 0)
		for who, throttle := range a.throttles() {
			if who != a.network && !a.allowed {
				continue
			}
			if err := counts[who].set(ctx, tx, throttle.Failed(counts[who].Attempts, tx.At())); err != nil {
				return err
			}
		}
		a.failures = counts[a.origin].Failures
		return nil
	})
	return a, err
}

func (a *attempt) throttles() map[string]auth.Throttle {
	return map[string]auth.Throttle{
		a.origin: auth.ThrottleOrigin, a.account: auth.ThrottleAccount, a.network: auth.ThrottleNetwork,
	}
}

// counter returns the name of a count. It is a hash, so that the database shows neither addresses nor what
// was typed as one.
func counter(c *unit.Core, parts ...string) string {
	raw := [][]byte{[]byte("login throttle")}
	for _, p := range parts {
		raw = append(raw, []byte(p))
	}
	return parts[0] + ":" + hex.EncodeToString(c.Secrets.Sign(raw...))
}

// tooManyAttempts is the error for a network that has to wait.
func tooManyAttempts(wait time.Duration) error {
	f := fault.New(fault.RateLimited, "Too many sign-in attempts. Wait before you try again.")
	f.RetryAfter = int(math.Ceil(wait.Seconds()))
	return f
}

// count is a locked row with the failures of one counter.
type count struct {
	id int
	auth.Attempts
}

// lock locks the counts of an attempt, always in the same order.
func (a *attempt) lock(ctx context.Context, tx *store.Tx) (map[string]*count, error) {
	who := []string{a.account, a.network, a.origin}
	if err := tx.OpenThrottles(ctx, who...); err != nil {
		return nil, err
	}
	rows, err := tx.LoginThrottle.Query().Where(loginthrottle.WhoIn(who...), unit.Locked).
		Order(loginthrottle.ByWho()).All(ctx)
	if err != nil {
		return nil, err
	}
	counts := map[string]*count{}
	for _, row := range rows {
		counts[row.Who] = &count{row.ID, auth.Attempts{Failures: row.Failures, Last: row.LastAt, Until: row.Until}}
	}
	return counts, nil
}

func (n *count) set(ctx context.Context, tx *store.Tx, to auth.Attempts) error {
	n.Attempts = to
	return tx.LoginThrottle.Update().Where(loginthrottle.ID(n.id)).
		SetFailures(to.Failures).SetLastAt(to.Last).SetUntil(to.Until).Exec(ctx)
}

// recordSuccess removes the failure of this attempt and earlier failures of the account from this network.
func recordSuccess(ctx context.Context, t *unit.Tx, a *attempt) error {
	counts, err := a.lock(ctx, t.Tx)
	if err != nil {
		return err
	}
	for who, throttle := range a.throttles() {
		to := throttle.Forgiven(counts[who].Attempts)
		if who == a.origin {
			to = auth.NoAttempts
		}
		if err := counts[who].set(ctx, t.Tx, to); err != nil {
			return err
		}
	}
	return nil
}

// refusal is the audit trail's record of a failed attempt.
type refusal struct {
	Proof    proof  `json:"proof"`
	Reason   string `json:"reason"`
	Address  string `json:"address"`
	Failures int    `json:"failures"`
}

// refused records a failed attempt in the audit trail. It records the first, second, fourth, eighth … failure
// in a row, so that a flood of attempts leaves a trace without flooding the trail. member is nil if the
// account does not exist; unknown accounts are recorded the same way.
func refused(ctx context.Context, c *unit.Core, a *attempt, member *ent.User, host *TenantEntry, from Origin) error {
	if !a.allowed || a.failures&(a.failures-1) != 0 {
		return nil
	}
	why := refusal{Proof: a.what, Reason: "wrong", Address: from.Address, Failures: a.failures}
	id := 0
	switch {
	case member == nil:
		why.Reason = "unknown"
	case !member.IsActive:
		id, why.Reason = member.ID, "disabled"
	default:
		id = member.ID
	}
	actor := &auth.Actor{
		Kind: auth.BySystem, Name: "sign-in", TenantID: host.ID, Zone: host.Zone, Surface: from.Surface,
		RequestID: from.RequestID,
	}
	_, err := unit.Transact(auth.With(ctx, actor), c, actor, func(_ context.Context, t *unit.Tx) (int, error) {
		t.Record("user.refuse", "user", id, nil, nil, why)
		return 0, nil
	})
	return err
}
