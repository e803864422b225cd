package unit

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/store"
)

// IdempotencyWindow is how long a stored answer is replayed.
const IdempotencyWindow = 24 * time.Hour

// IdempotencyKeyRule is what a key must be.
const IdempotencyKeyRule = "must be 1 to 255 visible ASCII characters"

// ValidIdempotencyKey reports whether a key is as IdempotencyKeyRule says.
func ValidIdempotencyKey(s string) bool {
	return len(s) >= 1 && len(s) <= 255 &&
		!strings.ContainsFunc(s, func(r rune) bool { return r < 0x21 || r > 0x7e })
}

// Idempotency identifies a request that is to be carried out once, however often it is sent.
type Idempotency struct {
	Key string
	// Request names the operation: method, path and query.
	Request string
	// BodyHash is the SHA-256 of the body's exact bytes.
	BodyHash [sha256.Size]byte
	// Secret says that the answer holds something that is shown once; it is then stored encrypted.
	Secret bool
}

// claimOf names the write: tenant, key lineage (a rotated key inherits it), operation and Idempotency-Key.
func (i Idempotency) claimOf(actor *auth.Actor) []byte {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s\x00%d\x00%s\x00%s",
		actor.TenantID, actor.Kind, actor.Lineage, i.Request, i.Key))
	return sum[:]
}

// Answer is the response to a request with an Idempotency-Key.
type Answer struct {
	Status int
	Body   []byte
	// Replayed is set if an earlier call got this answer and this call changed nothing.
	Replayed bool
}

// ErrReplayed stops the work of a call whose answer was stored before. Once and OnceAnswered return the stored
// answer.
var ErrReplayed = fault.New(fault.Conflict, "This request was carried out before.")

// call is a request with an Idempotency-Key while it is handled.
type call struct {
	Idempotency
	// render makes the answer from the result of the write, inside the transaction; nil if the answer takes more
	// than the result.
	render func(result any) (status int, body []byte, err error)
	// stored is the answer of an earlier call, rendered the answer of this one. unanswered is set while only the
	// result of the write is stored. refused is the reason why the key is not valid for this call.
	stored, rendered *Answer
	unanswered       bool
	refused          error
}

type callKey struct{}

// callOf returns the call of the context, or nil.
func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// Unkeyed returns a context whose writes do not belong to the Idempotency-Key of the request.
func Unkeyed(ctx context.Context) context.Context {
	return context.WithValue(ctx, callKey{}, (*call)(nil))
}

// Once runs work at most once per Idempotency-Key. The write in work stores its rendered answer in its own
// transaction. If an earlier call with the key was answered, Once returns that answer and changes nothing. Errors:
// those of work; a conflict while another call with the key runs; idempotency_key_reused if the key came with
// another body.
func (c *Core) Once(
	ctx context.Context, i Idempotency, render func(result any) (status int, body []byte, err error),
	work func(context.Context) (any, error),
) (Answer, error) {
	call := &call{Idempotency: i, render: render}
	release, err := c.enter(auth.From(ctx), i)
	if err != nil {
		return Answer{}, err
	}
	defer release()
	result, err := work(context.WithValue(ctx, callKey{}, call))
	switch {
	case call.stored != nil:
		return *call.stored, nil
	case err != nil:
		return Answer{}, err
	case call.rendered != nil:
		return *call.rendered, nil
	}
	status, body, err := render(result) // of a request that had nothing to change
	return Answer{Status: status, Body: body}, err
}

// storeWithin bounds how long OnceAnswered waits for an answer to be stored.
const storeWithin = 5 * time.Second

// OnceAnswered is Once for a transport whose answer contains more than the result of the write, such as records
// read after the commit. The write stores its result; the answer replaces it before it is returned. If a process
// ends in between, the next call answers from the stored result. answer makes the answer and reports whether it
// may be stored: an error that may not happen again must not be.
func (c *Core) OnceAnswered(
	ctx context.Context, i Idempotency, answer func(context.Context) (a Answer, lasting bool),
) (Answer, error) {
	call := &call{Idempotency: i}
	actor := auth.From(ctx)
	release, err := c.enter(actor, i)
	if err != nil {
		return Answer{}, err
	}
	defer release()
	own, lasting := answer(context.WithValue(ctx, callKey{}, call))
	switch {
	case call.refused != nil:
		return Answer{}, call.refused
	case call.stored != nil:
		return *call.stored, nil
	case !lasting || !call.unanswered:
		return own, nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), storeWithin)
	defer cancel()
	kept, err := c.storeLate(ctx, actor, i, own)
	if err != nil {
		c.Log.ErrorContext(ctx, "store the answer of a write that was made; it is not made again", "error", err)
		return own, nil
	}
	return kept, nil
}

// storeLate stores the answer to a write whose result is stored. It returns the answer that another process has
// stored for the key, if any.
func (c *Core) storeLate(ctx context.Context, actor *auth.Actor, i Idempotency, own Answer) (Answer, error) {
	counts := own
	err := c.Store.Write(ctx, func(ctx context.Context, stx *store.Tx) error {
		t := &Tx{Tx: stx, Core: c, Actor: actor}
		counts = own
		stored, err := t.stored(ctx, i)
		switch {
		case err != nil || stored == nil:
			return err
		case stored.Status != unanswered:
			counts = Answer{Status: stored.Status, Body: stored.Body, Replayed: true}
			return nil
		}
		if err := t.IdempotencyRecord.DeleteOne(stored.row).Exec(ctx); err != nil {
			return err
		}
		return t.storeAnswer(ctx, i, own.Status, own.Body, true)
	})
	return counts, err
}

// enter refuses a second call with the same key while the first runs in this process.
func (c *Core) enter(actor *auth.Actor, i Idempotency) (release func(), err error) {
	if actor == nil {
		return nil, auth.ErrNoActor
	}
	claim := string(i.claimOf(actor))
	if _, taken := c.running.LoadOrStore(claim, struct{}{}); taken {
		return nil, stillRunning()
	}
	return func() { c.running.Delete(claim) }, nil
}

func stillRunning() error {
	f := fault.Conflictf("A request with this Idempotency-Key is still running.")
	f.RetryAfter = 1
	return f
}

// begin claims the call's key for the transaction. done means that the write was made before: result is then its
// result, or the answer is in call.stored and the error is ErrReplayed.
func (call *call) begin(ctx context.Context, t *Tx, result any) (done bool, err error) {
	if call == nil {
		return false, nil
	}
	call.stored, call.rendered, call.unanswered, call.refused = nil, nil, false, nil // the transaction may be a repetition
	stored, err := t.stored(ctx, call.Idempotency)
	if fault.As(err) != nil {
		call.refused = err
	}
	switch {
	case err != nil || stored == nil:
		return false, err
	case stored.Status == unanswered:
		call.unanswered = true
		return true, json.Unmarshal(stored.Body, result)
	default:
		call.stored = &Answer{Status: stored.Status, Body: stored.Body, Replayed: true}
		return true, ErrReplayed
	}
}

// keep stores the answer in the transaction of the write, or its result if render is nil.
func (call *call) keep(ctx context.Context, t *Tx, result any) error {
	if call == nil {
		return nil
	}
	if call.render == nil {
		body, err := json.Marshal(result)
		if err != nil {
			return fmt.Errorf("keep the result: %w", err)
		}
		call.unanswered = true
		return t.storeAnswer(ctx, call.Idempotency, unanswered, body, true)
	}
	status, body, err := call.render(result)
	if err != nil {
		return fmt.Errorf("render the answer: %w", err)
	}
	call.rendered = &Answer{Status: status, Body: body}
	return t.storeAnswer(ctx, call.Idempotency, status, body, call.Secret)
}
