package service

import (
	"context"

	"paydown/internal/store"
)

// QueueDepth tells how far behind the deliveries of all tenants are, for operators. Every process sees the same.
func (s *Service) QueueDepth(ctx context.Context) (*store.QueueDepth, error) {
	return s.store.QueueDepth(ctx)
}

// SendsInFlight is how many deliveries this process is trying at the moment.
func (s *Service) SendsInFlight() int {
	if s.dispatcher == nil {
		return 0
	}
	return s.dispatcher.InFlight()
}
