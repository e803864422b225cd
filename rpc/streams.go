package rpc

import (
	"sync"

	"paydown/internal/fault"
	"paydown/internal/middleware"
)

// Limits on concurrent streaming calls: per process, and per caller.
const (
	maxStreams         = 500
	maxStreamsOfCaller = 20
	// streamsRetry is the Retry-After of a refused stream, in seconds.
	streamsRetry = 5
)

// streams counts the open streaming calls.
type streams struct {
	mu   sync.Mutex
	open int
	of   map[streamer]int
}

// streamer identifies a caller: a member of staff, or an operator by credential.
type streamer struct {
	tenant, id int
	credential string
}

// enter counts a stream until leave is called, or returns an error if there are too many.
func (s *streams) enter(in *middleware.RequestInfo) (leave func(), err error) {
	var caller streamer
	if in.Operator != nil {
		caller.credential = in.Operator.Credential
	} else {
		caller.tenant, caller.id = in.Caller.Actor.TenantID, in.Caller.Actor.ID
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.open >= maxStreams:
		return nil, tooMany(fault.Unavailable, "Too many streaming calls are open.")
	case s.of[caller] >= maxStreamsOfCaller:
		return nil, tooMany(fault.RateLimited, "You have %d streaming calls open, the maximum.", maxStreamsOfCaller)
	}
	s.open++
	s.of[caller]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
		if s.of[caller]--; s.of[caller] == 0 {
			delete(s.of, caller)
		}
	}, nil
}

func tooMany(code fault.Code, format string, args ...any) error {
	f := fault.New(code, format, args...)
	f.RetryAfter = streamsRetry
	return f
}
