// Package compliance is what the law asks of a deal: disclosures and UCC filings.
package compliance

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	Disclosures Disclosures
	UCCFilings  UCCFilings
}

// New makes the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		Disclosures: Disclosures{core},
		UCCFilings:  UCCFilings{core},
	}
}
