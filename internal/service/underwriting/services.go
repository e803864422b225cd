// Package underwriting evaluates deals: statement analyses, policies, decisions and stipulations.
package underwriting

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Analyses     Analyses
	Decisions    Decisions
	Stipulations Stipulations
	Policies     UnderwritingPolicies
}

// New creates the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Analyses:     Analyses{core},
		Decisions:    Decisions{core},
		Stipulations: Stipulations{core},
		Policies:     UnderwritingPolicies{core},
	}
}
