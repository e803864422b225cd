package rpc

import (
	"strings"

	"paydown/rpc/adminv1/adminv1connect"
)

// Put serves other handlers in the place of those for keys and for operations, behind the same interceptors.
func (s *Server) Put(keys adminv1connect.KeyServiceHandler, operations adminv1connect.OperationsServiceHandler) {
	path, handler := adminv1connect.NewKeyServiceHandler(keys, s.options()...)
	s.handlers[strings.Trim(path, "/")] = handler
	path, handler = adminv1connect.NewOperationsServiceHandler(operations, s.options()...)
	s.handlers[strings.Trim(path, "/")] = handler
}

// OpenStreams is how many calls stream.
func (s *Server) OpenStreams() int {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	return s.streams.open
}

// What a message and a caller's streams are bound by.
const (
	MaxMessage         = maxMessage
	MaxRead            = maxRead
	MaxStreamsOfCaller = maxStreamsOfCaller
)
