package pricing

import (
	"paydown/internal/fault"
	"paydown/internal/money"
)

// Basis says what a fee's or a commission's value is a part of.
type Basis string

// The bases of the public contract. A POINTS value is, like PERCENT_OF_FUNDED, a percentage of the funded amount, at most
// (factorRate − buyRate) × 100; so it needs both rates.
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

// BankFee is what is withheld from the advance as the bank fee: 0.00 where none is agreed, and where the amount that it
// is a percentage of is not known yet.
func (t Terms) BankFee() money.Amount { return t.part(t.BankFeeBasis, t.BankFeeValue) }

// Commission is what the broker earns when the deal funds: 0.00 in the cases of BankFee.
func (t Terms) Commission() money.Amount { return t.part(t.CommissionBasis, t.CommissionValue) }

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

// Fees are what is withheld from the advance: the bank fee, the application fee and the wire fee.
func (t Terms) Fees() money.Amount {
	fees := t.BankFee()
	for _, fee := range []*money.Amount{t.ApplicationFee, t.WireFee} {
		if fee != nil {
			fees = fees.Add(*fee)
		}
	}
	return fees
}

// NetDisbursement is what the merchant receives: the funded amount less the fees and less the payoff of a deal that
// this one renews (0.00 where it renews none). Terms that leave less than nothing are a conflict.
func (t Terms) NetDisbursement(payoff money.Amount) (money.Amount, error) {
	if t.FundedAmount == nil {
		return money.Zero, fault.Conflictf("The deal has no funded amount.")
	}
	net := t.FundedAmount.Sub(t.Fees()).Sub(payoff)
	if net.Sign() < 0 {
		return money.Zero, fault.Conflictf("The fees and the payoff of the prior deal are more than the funded amount.")
	}
	return net, nil
}
