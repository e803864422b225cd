// Package seeds fills a demo with a past that the services alone would take months to make.
package seeds

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Seeds Seeds
}

// New makes the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Seeds: Seeds{core},
	}
}
