package unit

import (
	"bytes"
	"context"
	"fmt"

	"paydown/ent"
	"paydown/ent/idempotencyrecord"
	"paydown/internal/fault"
	"paydown/internal/store"
)

// unanswered is the status of a record that holds the result of a write and not yet the answer.
const unanswered = 0

// storedAnswer is an idempotency record, decrypted.
type storedAnswer struct {
	row    *ent.IdempotencyRecord
	Status int
	Body   []byte
}

// stored claims the key for this transaction and returns the record stored under it, or nil. On PostgreSQL an
// advisory lock refuses a second call while the first runs in another process. The unique index on the claim
// guarantees that a write happens once.
func (t *Tx) stored(ctx context.Context, i Idempotency) (*storedAnswer, error) {
	claim := i.claimOf(t.Actor)
	free, err := t.TryClaim(ctx, claim)
	if err != nil {
		return nil, fmt.Errorf("claim the idempotency key: %w", err)
	}
	if !free {
		return nil, stillRunning()
	}
	row, err := t.IdempotencyRecord.Query().Where(idempotencyrecord.Claim(claim)).Only(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // nothing is stored
	}
	if err != nil {
		return nil, err
	}
	if row.CreatedAt.Before(t.At().Add(-IdempotencyWindow)) {
		// It may be gone already: expired records are purged at the same time.
		_, err := t.IdempotencyRecord.Delete().Where(idempotencyrecord.ID(row.ID)).Exec(ctx)
		return nil, err
	}
	if !bytes.Equal(row.BodyHash, i.BodyHash[:]) {
		return nil, fault.New(fault.IdempotencyKeyReused, "This Idempotency-Key was used with a different body.")
	}
	body := row.Body
	if row.Sealed {
		if body, err = t.Core.Secrets.Unseal(body, string(row.Claim)); err != nil {
			return nil, fmt.Errorf("unseal a stored answer: %w", err)
		}
	}
	return &storedAnswer{row: row, Status: row.Status, Body: body}, nil
}

// storeAnswer stores an answer, encrypted if sealed is set.
func (t *Tx) storeAnswer(ctx context.Context, i Idempotency, status int, body []byte, sealed bool) error {
	claim := i.claimOf(t.Actor)
	if sealed {
		body = t.Core.Secrets.Seal(body, string(claim))
	}
	return t.AddAnswer(ctx, store.AnswerRow{
		Claim: claim, BodyHash: i.BodyHash[:], Status: status, Body: body, Sealed: sealed,
	})
}
