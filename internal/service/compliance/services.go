// Package compliance handles what the law requires for a deal: disclosures and UCC filings.
package compliance

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Disclosures Disclosures
	UCCFilings  UCCFilings
}

// New returns the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Disclosures: Disclosures{core},
		UCCFilings:  UCCFilings{core},
	}
}
