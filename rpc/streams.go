package rpc

import (
	"sync"

	"paydown/internal/fault"
	"paydown/internal/gate"
)

// The bounds of how many calls stream at a time: in this process, and of one caller.
const (
	maxStreams         = 500
	maxStreamsOfCaller = 20
	// streamsRetry is after how many seconds one of them may have ended.
	streamsRetry = 5
)

// streams counts the calls that stream.
type streams struct {
	mu   sync.Mutex
	open int
	of   map[streamer]int
}

// streamer is whose streams are counted: a member of staff, or an operator by what let them in.
type streamer struct {
	tenant, id int
	credential string
}

// enter counts a stream until leave is called. The error is that there are too many.
func (s *streams) enter(in *gate.Passage) (leave func(), err error) {
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
		return nil, tooMany(fault.Unavailable, "Too many calls stream.")
	case s.of[caller] >= maxStreamsOfCaller:
		return nil, tooMany(fault.RateLimited, "%d of your calls stream, and more cannot.", maxStreamsOfCaller)
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
