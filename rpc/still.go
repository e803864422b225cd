package rpc

import (
	"context"
	"errors"
	"net/http"
	"time"

	"paydown/internal/fault"
	"paydown/internal/gate"
)

// judgeEvery is how often it is looked whether the caller of a stream would still be let in.
const judgeEvery = 500 * time.Millisecond

// watched is the context of a call that streams. It ends once its caller would not be let in any more, or may do other
// things than before, or the server stops, with the reason as its cause. The request is read all that time: it has to be
// another than the one that the handler gets, which Connect writes headers into.
func watched(r *http.Request, g *gate.Gate, stop <-chan struct{}) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(r.Context())
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		look := time.NewTicker(judgeEvery)
		defer look.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-stop:
				end(fault.New(fault.Unavailable, "The server is about to stop; call again."))
				return
			case <-look.C:
			}
			err := g.Still(r)
			if errors.Is(err, gate.ErrChanged) {
				err = fault.New(fault.Unauthorized, "What you may do has changed; call again.")
			}
			if fault.As(err) != nil && ctx.Err() == nil { // any other error: it could not be told this time
				end(err)
				return
			}
		}
	}()
	return ctx, func() { end(nil); <-gone }
}
