package rpc

import (
	"context"
	"errors"
	"net/http"
	"time"

	"paydown/internal/fault"
	"paydown/internal/middleware"
)

const (
	// reauthorizeEvery is how often the caller of a stream is authorized again.
	reauthorizeEvery = 500 * time.Millisecond
	// closeTimeout is how long a client may take to read why its stream was ended.
	closeTimeout = 5 * time.Second
)

// errFinished is the cause of a stream whose handler has returned.
var errFinished = errors.New("rpc: the stream has finished")

// watched returns the context of a streaming call. The context ends when end is called, when the client is
// gone, after streamTimeout, when the server stops, or when the caller is no longer authorized or its
// permissions have changed. Its cause is the reason. The connection then gets only closeTimeout to send the
// reason, because a handler that waits for its client would not notice the end of the context.
//
// r is read the whole time. It must not be the request that the handler gets, because Connect writes headers
// into that one.
func watched(
	r *http.Request, connection *http.ResponseController, g *middleware.Chain, stop <-chan struct{},
) (ctx context.Context, end context.CancelFunc) {
	limited, cancel := context.WithTimeout(r.Context(), streamTimeout)
	ctx, because := context.WithCancelCause(limited)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		because(reauthorized(ctx, r, g, stop))
		if !errors.Is(context.Cause(ctx), errFinished) {
			// A connection without deadlines blocks nobody.
			_ = connection.SetWriteDeadline(time.Now().Add(closeTimeout))
			_ = connection.SetReadDeadline(time.Unix(1, 0))
		}
	}()
	return ctx, func() { because(errFinished); <-gone; cancel() }
}

// reauthorized blocks until a stream must end and returns the reason: its context ended, its caller is no
// longer authorized as before, or the server stops.
func reauthorized(ctx context.Context, r *http.Request, g *middleware.Chain, stop <-chan struct{}) error {
	look := time.NewTicker(reauthorizeEvery)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-stop:
			return fault.New(fault.Unavailable, "The server is stopping; please call again.")
		case <-look.C:
		}
		err := g.Reauthorize(r.WithContext(ctx))
		if errors.Is(err, middleware.ErrChanged) {
			err = fault.New(fault.Unauthorized, "Your permissions have changed; please call again.")
		}
		if fault.As(err) != nil { // any other error: it could not be told this time
			return err
		}
	}
}
