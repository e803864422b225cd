// Package parties manages the parties of a tenant: merchants and their contacts, funders, ISOs, syndicators and
// their wallets, and the tables that describe them.
package parties

import (
	"paydown/internal/service/unit"
)

// Services are the aggregates of this package.
type Services struct {
	BounceCodes      BounceCodes
	CommissionOffers CommissionOffers
	Funders          Funders
	ISOs             ISOs
	Merchants        Merchants
	Portfolios       Portfolios
	Referrers        Referrers
	Syndicators      Syndicators
}

// New creates the aggregates.
func New(core *unit.Core) *Services {
	return &Services{
		BounceCodes:      BounceCodes{core},
		CommissionOffers: CommissionOffers{core},
		Funders:          Funders{core},
		ISOs:             ISOs{core},
		Merchants:        Merchants{core},
		Portfolios:       Portfolios{core},
		Referrers:        Referrers{core},
		Syndicators:      Syndicators{core},
	}
}
