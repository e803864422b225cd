// Package origination handles incoming business: leads, forms, applications, conversions and signature
// requests.
package origination

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	ApplicationPages  ApplicationPages
	Applications      Applications
	Forms             Forms
	Leads             Leads
	SignatureRequests SignatureRequests
}

// New returns the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		ApplicationPages:  ApplicationPages{core},
		Applications:      Applications{core},
		Forms:             Forms{core},
		Leads:             Leads{core},
		SignatureRequests: SignatureRequests{core},
	}
}
