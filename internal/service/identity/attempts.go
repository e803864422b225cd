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

// attempt is one try to prove who one is. It counts as failed from the start, so that tries at the same moment cannot
// outrun the count, and is taken back when it succeeds. The counts are in the database: however many processes there are,
// nobody gets more tries.
type attempt struct {
	what    proof
	origin  string // the account from this network
	account string // the account from anywhere
	network string // any account from this network
	// judged is false where the try came too early. It is refused whatever it is, after the same work.
	judged   bool
	failures int // of the account from this network, with this one
}

// proof is what an attempt would prove.
type proof string

const (
	byPassword proof = "password"
	byCode     proof = "code"
)

// beginAttempt begins a try at an account, which need not exist. familiar says that the member was signed in from this network
// before: what others do from elsewhere does not hold them up. Where the network as a whole has to wait the error says
// for how long; it tells nothing of any account.
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
		a.judged = auth.ThrottleOrigin.Wait(counts[a.origin].Attempts, tx.At()) == 0 &&
			(familiar || auth.ThrottleAccount.Wait(counts[a.account].Attempts, tx.At()) == 0)
		for who, throttle := range a.throttles() {
			if who != a.network && !a.judged {
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

// counter names what is counted, so that nobody reads an address or what was typed for one out of the database.
func counter(c *unit.Core, parts ...string) string {
	raw := [][]byte{[]byte("login throttle")}
	for _, p := range parts {
		raw = append(raw, []byte(p))
	}
	return parts[0] + ":" + hex.EncodeToString(c.Secrets.Sign(raw...))
}

// tooManyAttempts tells a network to wait.
func tooManyAttempts(wait time.Duration) error {
	f := fault.New(fault.RateLimited, "Too many attempts to sign in. Wait a little before you try again.")
	f.RetryAfter = int(math.Ceil(wait.Seconds()))
	return f
}

// count is a locked row of counts.
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

// succeeded takes an attempt back: with it goes what failed before at the account from this network.
func succeeded(ctx context.Context, t *unit.Tx, a *attempt) error {
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

// refusal is what the audit trail keeps of an attempt that failed.
type refusal struct {
	Proof    proof  `json:"proof"`
	Reason   string `json:"reason"`
	Address  string `json:"address"`
	Failures int    `json:"failures"`
}

// refused puts an attempt that failed into the audit trail: the first, second, fourth, eighth … in a row, so that a flood
// of them leaves a trace and no flood there. It does so for members and for made-up ones alike; member is nil for those.
func refused(ctx context.Context, c *unit.Core, a *attempt, member *ent.User, host *TenantEntry, from Origin) error {
	if !a.judged || a.failures&(a.failures-1) != 0 {
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
		Kind: auth.BySystem, Name: "sign-in", TenantID: host.ID, Zone: host.Zone, Surface: from.Surface, RequestID: from.RequestID,
	}
	_, err := unit.Transact(auth.With(ctx, actor), c, actor, func(_ context.Context, t *unit.Tx) (int, error) {
		t.Record("user.refuse", "user", id, nil, nil, why)
		return 0, nil
	})
	return err
}
