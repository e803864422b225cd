// Package pipeline is where deals stand with funders: submissions, the statuses that a tenant defines, and what ends
// offers.
package pipeline

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Submissions Submissions
}

// New makes the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Submissions: Submissions{core},
	}
}
