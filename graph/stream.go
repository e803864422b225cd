package graph

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"paydown/internal/fault"
	"paydown/internal/middleware"
)

// Subscriptions are answered as a stream of server-sent events, one request each: the distinct connections mode
// of the GraphQL over SSE protocol. Each result is an event `next`; the last event is `complete`. A stream that
// ends without it was cut: because its reader was too slow, the server stops, or the caller's permissions have
// changed. A client that reconnects with the id of the last event misses nothing.
//
// gqlgen's own transport is not used: it limits neither body nor time, and writes after the handler has
// returned.

const (
	streamMedia = "text/event-stream"

	// keepAlive is how often a comment is sent on an idle stream, so that intermediaries keep the connection open.
	keepAlive = 15 * time.Second
	// reauthorizeEvery is how often the caller is authorized again.
	reauthorizeEvery = 500 * time.Millisecond
	// readWithin is how long a reader may take for one event.
	readWithin = 10 * time.Second

	// Limits of concurrent streams: per process, per tenant and per caller.
	maxStreams         = 1_000
	maxStreamsOfTenant = 100
	maxStreamsOfCaller = 20
)

// streams counts the open streams.
type streams struct {
	every, keepAlive, readWithin time.Duration

	mu       sync.Mutex
	stopping chan struct{}
	stopped  bool
	open     int
	of       map[streamer]int
}

// streamer identifies a caller; without a kind it is the tenant.
type streamer struct {
	tenant int
	kind   string
	id     int
}

func newStreams() *streams {
	return &streams{
		every: reauthorizeEvery, keepAlive: keepAlive, readWithin: readWithin, stopping: make(chan struct{}),
		of: map[streamer]int{},
	}
}

// EndStreams ends all streams and refuses new ones. Clients reconnect to another process.
func (s *Server) EndStreams() {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	if !s.streams.stopped {
		s.streams.stopped = true
		close(s.streams.stopping)
	}
}

// enter counts a stream until leave is called, or returns an error if there are too many.
func (s *streams) enter(in *middleware.RequestInfo) (leave func(), err error) {
	actor := in.Caller.Actor
	tenant := streamer{tenant: actor.TenantID}
	caller := streamer{actor.TenantID, string(actor.Kind), actor.ID}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.stopped:
		return nil, tooMany(fault.Unavailable, "The server is stopping.")
	case s.open >= maxStreams:
		return nil, tooMany(fault.Unavailable, "Too many streams are open.")
	case s.of[tenant] >= maxStreamsOfTenant:
		return nil, tooMany(fault.RateLimited, "The company has %d streams open, the maximum.", maxStreamsOfTenant)
	case s.of[caller] >= maxStreamsOfCaller:
		return nil, tooMany(fault.RateLimited, "You have %d streams open, the maximum.", maxStreamsOfCaller)
	}
	s.open++
	s.of[tenant]++
	s.of[caller]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
		for _, whose := range []streamer{tenant, caller} {
			if s.of[whose]--; s.of[whose] == 0 {
				delete(s.of, whose)
			}
		}
	}, nil
}

func tooMany(code fault.Code, format string, args ...any) error {
	f := fault.New(code, format, args...)
	f.RetryAfter = 5
	return f
}

// stream answers a subscription until its reader leaves or may no longer read.
func (s *Server) stream(w http.ResponseWriter, r *http.Request, operation *graphql.OperationContext) {
	leave, err := s.streams.enter(middleware.FromContext(r.Context()))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	defer leave()
	ctx, cancel := context.WithCancel(r.Context())
	events, begun := make(chan []byte), make(chan struct{})
	var pump sync.WaitGroup
	pump.Go(func() { s.pump(ctx, operation, events, begun) })
	defer pump.Wait()
	defer cancel()
	select {
	case <-begun: // from the start of the response, the reader gets everything that happens
	case <-s.streams.stopping:
		return
	case <-ctx.Done():
		return
	}
	out := newEventWriter(w, s.streams.readWithin)
	if out.write(":\n\n") != nil {
		return
	}
	look, idle := time.NewTicker(s.streams.every), time.NewTicker(s.streams.keepAlive)
	defer look.Stop()
	defer idle.Stop()
	for err == nil {
		select {
		case event, more := <-events:
			if !more {
				_ = out.write(completed)
				return
			}
			err = out.write(next(event))
		case <-idle.C:
			err = out.write(":\n\n")
		case <-look.C:
			err = s.chain.Reauthorize(r)
			if f := fault.As(err); f != nil {
				_ = out.write(next(rendered(&graphql.Response{Errors: gqlerror.List{s.shown(ctx, f)}})) + completed)
			} else if err != nil && !errors.Is(err, middleware.ErrChanged) {
				err = nil // the database is not responding, so it reports no events either
			}
		case <-s.streams.stopping:
			return
		case <-ctx.Done():
			return
		}
	}
}

// pump executes a subscription and passes its events on, one after the other, until there are no more. It
// closes begun once the subscription is active.
func (s *Server) pump(
	ctx context.Context, operation *graphql.OperationContext, events chan<- []byte, begun chan<- struct{},
) {
	defer close(events)
	begin := sync.OnceFunc(func() { close(begun) })
	defer begin()
	defer func() {
		if p := recover(); p != nil {
			middleware.LogPanic(ctx, s.log, p)
		}
	}()
	ctx = graphql.StartOperationTrace(ctx)
	respond, ctx := s.exec.DispatchOperation(withSiblings(ctx, s.explain), operation)
	begin()
	for {
		response := respond(withSiblings(ctx, s.explain)) // an event's records are not siblings of earlier ones
		if response == nil {
			return
		}
		select {
		case events <- rendered(response):
		case <-ctx.Done():
			return
		}
	}
}

// completed is the last event of a stream. It has empty data, because browsers ignore events without data.
const completed = "event: complete\ndata: \n\n"

// next is an event with a response, which must not contain line breaks.
func next(body []byte) string { return "event: next\ndata: " + string(body) + "\n\n" }

// eventWriter writes events to a reader and requires that each is read in time.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
	within  time.Duration
}

func newEventWriter(w http.ResponseWriter, within time.Duration) *eventWriter {
	h := w.Header()
	h.Set("Content-Type", streamMedia+"; charset=utf-8")
	h.Set("X-Accel-Buffering", "no") // prevents proxies from buffering events
	out := &eventWriter{w, http.NewResponseController(w), within}
	// The request's read deadline would end the connection. A reader that leaves is noticed without it.
	_ = out.control.SetReadDeadline(time.Time{})
	return out
}

// write sends events immediately; it returns an error if the reader has left or is too slow.
func (o *eventWriter) write(events string) error {
	_ = o.control.SetWriteDeadline(time.Now().Add(o.within))
	if _, err := o.w.Write([]byte(events)); err != nil {
		return err
	}
	if err := o.control.Flush(); err != nil {
		return err
	}
	return o.control.SetWriteDeadline(
		time.Time{},
	) // over HTTP/2 a deadline would end the stream even while nothing is written
}
