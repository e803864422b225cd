// Package inbound applies the events that a company's own systems send.
package inbound

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Inbound Inbound
}

// New makes the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Inbound: Inbound{core},
	}
}
