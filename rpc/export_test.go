package rpc

import (
	"strings"

	"paydown/rpc/adminv1/adminv1connect"
)

// Put replaces the handlers for keys and operations, behind the same interceptors.
func (s *Server) Put(keys adminv1connect.KeyServiceHandler, operations adminv1connect.OperationsServiceHandler) {
	path, handler := adminv1connect.NewKeyServiceHandler(keys, s.options()...)
	s.handlers[strings.Trim(path, "/")] = handler
	path, handler = adminv1connect.NewOperationsServiceHandler(operations, s.options()...)
	s.handlers[strings.Trim(path, "/")] = handler
}

// OpenStreams is the number of streaming calls.
func (s *Server) OpenStreams() int {
	s.streams.mu.Lock()
	defer s.streams.mu.Unlock()
	return s.streams.open
}

// Limits of a message and of a caller's streams.
const (
	MaxMessage         = maxMessage
	MaxRead            = maxRead
	MaxStreamsOfCaller = maxStreamsOfCaller
)
