package reports

import (
	"context"

	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/unit"
)

// ReturnRates are the return rates of a company's ACH debits up to today, compared with Nacha's limits.
type ReturnRates struct {
	From, To civil.Date
	// Debits is the number of debits initiated in the period.
	Debits int
	Rates  []*ReturnRate
}

// ReturnRate is one return rate; rate and limit are in percent.
type ReturnRate struct {
	Kind        payment.ReturnRateKind
	Returns     int
	Rate, Limit money.Rate
	Level       payment.ReturnRateLevel
}

// ReturnRates counts the debits and returns of the last payment.ReturnRateDays days, including today, in one
// statement.
func (s Figures) ReturnRates(ctx context.Context) (*ReturnRates, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("payments"))
	if err != nil {
		return nil, err
	}
	zone := unit.ZoneOf(actor)
	to := civil.On(s.core.Store.Now(), zone)
	from := to.AddDays(1 - payment.ReturnRateDays)
	counts, err := s.core.Store.ReturnCounts(ctx, actor.TenantID, from.Midnight(zone))
	if err != nil {
		return nil, err
	}
	of := map[payment.ReturnRateKind]int{
		payment.UnauthorizedRate: counts.Unauthorized, payment.AdministrativeRate: counts.Administrative,
		payment.OverallRate: counts.Overall,
	}
	rates := &ReturnRates{From: from, To: to, Debits: counts.Debits}
	for _, limit := range payment.ReturnRateLimits {
		returns := of[limit.Kind]
		rates.Rates = append(rates.Rates, &ReturnRate{
			Kind: limit.Kind, Returns: returns, Rate: payment.ReturnRate(returns, counts.Debits), Limit: limit.Limit,
			Level: limit.Level(returns, counts.Debits),
		})
	}
	return rates, nil
}
