package rpc

import (
	"context"
	"errors"
	"net/http"
	"time"

	"paydown/internal/fault"
	"paydown/internal/gate"
)

const (
	// judgeEvery is how often it is looked whether the caller of a stream would still be let in.
	judgeEvery = 500 * time.Millisecond
	// lastWords is how long a client may take to read why its stream was ended.
	lastWords = 5 * time.Second
)

// errOver is the end of a stream whose handler has returned.
var errOver = errors.New("rpc: the stream is over")

// watched is the context of a call that streams, which ends before end is called once its caller would not be let in any
// more, or may do other things than before, or the server stops, with the reason as its cause; or because the client has
// gone or the call has taken as long as any may. The connection then has no more time than it takes to say so: a handler
// that waits for its client, to send or to read, would not notice. The request is read all that time: it has to be another
// than the one that the handler gets, which Connect writes headers into.
func watched(
	r *http.Request, connection *http.ResponseController, g *gate.Gate, stop <-chan struct{},
) (ctx context.Context, end context.CancelFunc) {
	limited, cancel := context.WithTimeout(r.Context(), streamTimeout)
	ctx, because := context.WithCancelCause(limited)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		because(judged(ctx, r, g, stop))
		if !errors.Is(context.Cause(ctx), errOver) {
			// Where there are none to set, the connection is not one that anybody waits on.
			_ = connection.SetWriteDeadline(time.Now().Add(lastWords))
			_ = connection.SetReadDeadline(time.Unix(1, 0))
		}
	}()
	return ctx, func() { because(errOver); <-gone; cancel() }
}

// judged returns why a stream is to end: once its context has, as soon as its caller would not be let in as before, or once
// the server is to stop.
func judged(ctx context.Context, r *http.Request, g *gate.Gate, stop <-chan struct{}) error {
	look := time.NewTicker(judgeEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-stop:
			return fault.New(fault.Unavailable, "The server is about to stop; call again.")
		case <-look.C:
		}
		err := g.Still(r.WithContext(ctx))
		if errors.Is(err, gate.ErrChanged) {
			err = fault.New(fault.Unauthorized, "What you may do has changed; call again.")
		}
		if fault.As(err) != nil { // any other error: it could not be told this time
			return err
		}
	}
}
