// Package pipeline manages submissions to funders, the tenant's submission statuses, and the end of offers.
package pipeline

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Submissions Submissions
}

// New creates the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Submissions: Submissions{core},
	}
}
