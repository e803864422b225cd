// Package inbound applies the events that a tenant's own systems send.
package inbound

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Inbound Inbound
}

// New creates the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Inbound: Inbound{core},
	}
}
