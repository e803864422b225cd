package pricing

import (
	"github.com/shopspring/decimal"

	"paydown/internal/fault"
	"paydown/internal/money"
)

// Basis says what a fee or commission value is a percentage of.
type Basis string

// The bases in the API. A POINTS value is, like PERCENT_OF_FUNDED, a percentage of the funded amount, at most
// (factorRate − buyRate) × 100; so it requires both rates.
const (
	PercentOfFunded  Basis = "PERCENT_OF_FUNDED"
	PercentOfPayback Basis = "PERCENT_OF_PAYBACK"
	Points           Basis = "POINTS"
	Flat             Basis = "FLAT"
)

// Values lists the bases, for the schema and for error messages.
func (Basis) Values() []string {
	return []string{string(PercentOfFunded), string(PercentOfPayback), string(Points), string(Flat)}
}

// BankFee is the amount withheld from the advance as the bank fee: 0.00 if none is agreed, or if its base
// amount is not known yet.
func (t Terms) BankFee() money.Amount { return t.part(t.BankFeeBasis, t.BankFeeValue) }

// Commission is the ISO's commission when the deal funds: 0.00 in the same cases as BankFee.
func (t Terms) Commission() money.Amount { return t.part(t.CommissionBasis, t.CommissionValue) }

// margin is the number of points between the buy rate and the factor rate, which must both be known.
func (t Terms) margin() decimal.Decimal {
	return t.FactorRate.Decimal().Sub(t.BuyRate.Decimal()).Shift(2)
}

func (t Terms) part(basis *Basis, value *money.Rate) money.Amount {
	if basis == nil || value == nil {
		return money.Zero
	}
	switch {
	case *basis == Flat:
		return money.Round(value.Decimal())
	case *basis == PercentOfPayback && t.PaybackAmount != nil:
		return t.PaybackAmount.Percent(*value)
	case (*basis == PercentOfFunded || *basis == Points) && t.FundedAmount != nil:
		return t.FundedAmount.Percent(*value)
	default:
		return money.Zero
	}
}

// Fees is the total withheld from the advance: the bank fee, the application fee and the wire fee.
func (t Terms) Fees() money.Amount {
	fees := t.BankFee()
	for _, fee := range []*money.Amount{t.ApplicationFee, t.WireFee} {
		if fee != nil {
			fees = fees.Add(*fee)
		}
	}
	return fees
}

// NetDisbursement is the amount that the merchant receives: the funded amount less the fees and less the
// payoff of the prior deal that this one renews (0.00 if none). A negative result is a conflict.
func (t Terms) NetDisbursement(payoff money.Amount) (money.Amount, error) {
	if t.FundedAmount == nil {
		return money.Zero, fault.Conflictf("The deal has no funded amount.")
	}
	net := t.FundedAmount.Sub(t.Fees()).Sub(payoff)
	if net.Sign() < 0 {
		return money.Zero, fault.Conflictf("The fees and the payoff of the prior deal must be at most the funded amount.")
	}
	return net, nil
}
