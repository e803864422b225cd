package unit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/idempotencyrecord"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/store"
)

// IdempotencyWindow is how long a stored answer is replayed.
const IdempotencyWindow = 24 * time.Hour

// Idempotency makes a write happen once. A transport puts it into the context of the call.
type Idempotency struct {
	Key string
	// Request names the operation: method, path and query.
	Request string
	// BodyHash is the SHA-256 of the body's exact bytes.
	BodyHash [sha256.Size]byte
	// Render makes the answer of the write's result, inside the transaction. Where it is nil the answer takes more than the
	// result: the transaction keeps the result then, and the transport hands in the answer by Answered.
	Render func(result any) (status int, body []byte, err error)
	// Secret answers hold something that is shown once; they are stored encrypted. So is all that is kept without Render.
	Secret bool

	entered bool // Once has refused others in this process
}

// ReplayedError is the answer that an earlier call with the same key got. It travels as an error because the work was not
// done.
type ReplayedError struct {
	Status int
	Body   []byte
}

func (r *ReplayedError) Error() string { return "the answer to this Idempotency-Key was stored before" }

type idempotencyKey struct{}

// WithIdempotency puts it into the context.
func WithIdempotency(ctx context.Context, i *Idempotency) context.Context {
	return context.WithValue(ctx, idempotencyKey{}, i)
}

func IdempotencyOf(ctx context.Context) *Idempotency {
	i, _ := ctx.Value(idempotencyKey{}).(*Idempotency)
	return i
}

// claimOf names the write: tenant, key lineage (a rotated key inherits it), operation and Idempotency-Key.
func (i *Idempotency) claimOf(actor *auth.Actor) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00%s\x00%s",
		actor.TenantID, actor.Kind, actor.Lineage, i.Request, i.Key))
	return sum[:]
}

// IdempotencyKeyRule is what a key must be.
const IdempotencyKeyRule = "must be 1 to 255 visible ASCII characters"

// ValidIdempotencyKey reports whether it is that.
func ValidIdempotencyKey(s string) bool {
	return len(s) >= 1 && len(s) <= 255 &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < 0x21 || r > 0x7e })
}

// RefusesKey reports a fault that is about the Idempotency-Key of a call and not about what it asks for: the key was used
// otherwise, or a call with it is running.
func RefusesKey(f *fault.Error) bool {
	return f.Code == fault.IdempotencyKeyReused || f.Code == fault.Conflict && f.RetryAfter > 0
}

func stillRunning() error {
	f := fault.Conflictf("A request with this Idempotency-Key is still running.")
	f.RetryAfter = 1
	return f
}

// Once refuses a second call with the key while the first one is being answered in this process, for a transport that
// hands in the answer by itself, which releases it then.
func (c *Core) Once(ctx context.Context, i *Idempotency) (release func(), err error) {
	actor := auth.From(ctx)
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	release, err = c.enter(actor, i)
	i.entered = err == nil
	return release, err
}

// enter refuses a second call with the same key while the first is running in this process.
func (c *Core) enter(actor *auth.Actor, i *Idempotency) (release func(), err error) {
	if i == nil || i.entered {
		return func() {}, nil
	}
	claim := string(i.claimOf(actor))
	if _, taken := c.running.LoadOrStore(claim, struct{}{}); taken {
		return nil, stillRunning()
	}
	return func() { c.running.Delete(claim) }, nil
}

// claim takes the key for this transaction, or ends it with the stored answer. On PostgreSQL an advisory lock refuses
// a second call while the first is running in another process; the unique index on the claim is what finally makes
// the write happen once.
func (t *Tx) claim(ctx context.Context, i *Idempotency) error {
	if i == nil {
		return nil
	}
	stored, err := t.storedAnswer(ctx, i)
	if err != nil || stored == nil {
		return err
	}
	if stored.CreatedAt.Before(t.At().Add(-IdempotencyWindow)) {
		// It may be gone already: what has expired is purged beside us.
		_, err := t.IdempotencyRecord.Delete().Where(idempotencyrecord.ID(stored.ID)).Exec(ctx)
		return err
	}
	if !bytes.Equal(stored.BodyHash, i.BodyHash[:]) {
		return fault.New(fault.IdempotencyKeyReused, "This Idempotency-Key was used with a different body.")
	}
	body := stored.Body
	if stored.Sealed {
		if body, err = t.Core.Secrets.Unseal(body, string(stored.Claim)); err != nil {
			return fmt.Errorf("unseal a stored answer: %w", err)
		}
	}
	if stored.Status == unanswered {
		return &resumedError{body}
	}
	return &ReplayedError{Status: stored.Status, Body: body}
}

// storedAnswer takes the key for this transaction and returns what is stored under it; nil where nothing is.
func (t *Tx) storedAnswer(ctx context.Context, i *Idempotency) (*ent.IdempotencyRecord, error) {
	claim := i.claimOf(t.Actor)
	free, err := t.TryClaim(ctx, claim)
	if err != nil {
		return nil, fmt.Errorf("claim the idempotency key: %w", err)
	}
	if !free {
		return nil, stillRunning()
	}
	stored, err := t.IdempotencyRecord.Query().Where(idempotencyrecord.Claim(claim)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // nothing is stored
	}
	return stored, err
}

// unanswered is the status of a record that holds the result of a write and not yet the answer.
const unanswered = 0

// resumedError is the result of a write that was done before, and whose answer was not stored: its process ended between
// the two. The work goes on with the result as if it had been done now.
type resumedError struct{ result []byte }

func (*resumedError) Error() string { return "the work for this Idempotency-Key was done before" }

// resumed is the result that the error carries, where it carries one.
func resumed[T any](err error, result *T) error {
	if done, ok := errors.AsType[*resumedError](err); ok {
		return json.Unmarshal(done.result, result)
	}
	return err
}

// keepAnswer stores the answer, or the result that it will be made of, in the transaction of the write.
func (t *Tx) keepAnswer(ctx context.Context, i *Idempotency, result any) error {
	if i == nil {
		return nil
	}
	var body []byte
	var err error
	status := unanswered
	if i.Render != nil {
		status, body, err = i.Render(result)
	} else {
		body, err = json.Marshal(result)
	}
	if err != nil {
		return fmt.Errorf("render the answer: %w", err)
	}
	return t.storeAnswer(ctx, i, status, body)
}

func (t *Tx) storeAnswer(ctx context.Context, i *Idempotency, status int, body []byte) error {
	claim, sealed := i.claimOf(t.Actor), i.Secret || i.Render == nil
	if sealed {
		body = t.Core.Secrets.Seal(body, string(claim))
	}
	return t.IdempotencyRecord.Create().SetClaim(claim).SetBodyHash(i.BodyHash[:]).
		SetStatus(status).SetBody(body).SetSealed(sealed).Exec(ctx)
}

// Answered stores the answer to a call whose write kept its result. It returns the answer that counts: where another
// process has stored one for the same key meanwhile, it is that. A call that wrote nothing leaves nothing.
func (c *Core) Answered(ctx context.Context, i *Idempotency, status int, body []byte) (int, []byte, error) {
	actor := auth.From(ctx)
	if actor == nil {
		return 0, nil, auth.ErrNoActor
	}
	err := c.Store.Write(ctx, func(ctx context.Context, stx *store.Tx) error {
		t := &Tx{Tx: stx, Core: c, Actor: actor}
		err := t.claim(ctx, i)
		if _, unanswered := errors.AsType[*resumedError](err); !unanswered {
			return err
		}
		if _, err := t.IdempotencyRecord.Delete().Where(idempotencyrecord.Claim(i.claimOf(actor))).Exec(ctx); err != nil {
			return err
		}
		return t.storeAnswer(ctx, i, status, body)
	})
	if stored, ok := errors.AsType[*ReplayedError](err); ok {
		return stored.Status, stored.Body, nil
	}
	return status, body, err
}
