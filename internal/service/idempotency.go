package service

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"paydown/ent"
	"paydown/ent/idempotencyrecord"
	"paydown/internal/auth"
	"paydown/internal/fault"
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
	// Render makes the answer of the write's result, inside the transaction.
	Render func(result any) (status int, body []byte, err error)
	// Secret answers hold something that is shown once; they are stored encrypted.
	Secret bool
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

func idempotencyOf(ctx context.Context) *Idempotency {
	i, _ := ctx.Value(idempotencyKey{}).(*Idempotency)
	return i
}

// claimOf names the write: tenant, key lineage (a rotated key inherits it), operation and Idempotency-Key.
func (i *Idempotency) claimOf(actor *auth.Actor) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00%s\x00%s",
		actor.TenantID, actor.Kind, actor.Lineage, i.Request, i.Key))
	return sum[:]
}

func stillRunning() error {
	f := fault.Conflictf("A request with this Idempotency-Key is still running.")
	f.RetryAfter = 1
	return f
}

// enter refuses a second call with the same key while the first is running in this process.
func (c *core) enter(actor *auth.Actor, i *Idempotency) (release func(), err error) {
	if i == nil {
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
func (t *tx) claim(ctx context.Context, i *Idempotency) error {
	if i == nil {
		return nil
	}
	claim := i.claimOf(t.actor)
	free, err := t.TryClaim(ctx, claim)
	if err != nil {
		return fmt.Errorf("claim the idempotency key: %w", err)
	}
	if !free {
		return stillRunning()
	}
	stored, err := t.IdempotencyRecord.Query().Where(idempotencyrecord.Claim(claim)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
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
		if body, err = t.core.secrets.Unseal(body, string(claim)); err != nil {
			return fmt.Errorf("unseal a stored answer: %w", err)
		}
	}
	return &ReplayedError{Status: stored.Status, Body: body}
}

// keepAnswer stores the answer in the transaction of the write.
func (t *tx) keepAnswer(ctx context.Context, i *Idempotency, result any) error {
	if i == nil {
		return nil
	}
	status, body, err := i.Render(result)
	if err != nil {
		return fmt.Errorf("render the answer: %w", err)
	}
	claim := i.claimOf(t.actor)
	if i.Secret {
		body = t.core.secrets.Seal(body, string(claim))
	}
	return t.IdempotencyRecord.Create().SetClaim(claim).SetBodyHash(i.BodyHash[:]).
		SetStatus(status).SetBody(body).SetSealed(i.Secret).Exec(ctx)
}
