package deal

import (
	"slices"

	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
)

// OfferTerms are the terms of an offer; a nil term is open.
type OfferTerms struct {
	FundedAmount  *money.Amount
	PaybackAmount *money.Amount
	FactorRate    *money.Rate
	TermDays      *int
	// BankFeePercent is the bank fee in percent of the funded amount.
	BankFeePercent *money.Rate
	// EPODiscount is the merchant's discount for an early payoff.
	EPODiscount *money.Amount
}

// Complete derives missing terms: any two of funded amount, payback amount and factor rate determine the
// third, by the pricing rules of deals. named are the fields that the caller sets (fundedAmount …). Of the
// three, a field that is not named is recomputed, the payback amount first, then the factor rate. If the
// terms are invalid or contradictory, problems lists everything under the fields at fault.
func (t OfferTerms) Complete(named ...string) (full OfferTerms, problems []fault.Detail) {
	is := func(f pricing.Field) bool { return slices.Contains(named, string(f)) }
	switch {
	case t.FundedAmount == nil || t.PaybackAmount == nil || t.FactorRate == nil:
	case !is(pricing.FundedAmount) && !is(pricing.PaybackAmount) && !is(pricing.FactorRate):
	case !is(pricing.PaybackAmount):
		t.PaybackAmount = nil
	case !is(pricing.FactorRate):
		t.FactorRate = nil
	case !is(pricing.FundedAmount):
		t.FundedAmount = nil
	}
	priced := pricing.Terms{
		FundedAmount: t.FundedAmount, PaybackAmount: t.PaybackAmount, FactorRate: t.FactorRate, TermDays: t.TermDays,
	}
	if t.BankFeePercent != nil {
		priced.BankFeeBasis, priced.BankFeeValue = new(pricing.PercentOfFunded), t.BankFeePercent
	}
	priced, _, problems = pricing.Derive(priced, pricing.Context{})
	for i := range problems {
		if problems[i].Path == string(pricing.BankFeeValue) {
			problems[i].Path = "bankFeePercent"
		}
	}
	t.FundedAmount, t.PaybackAmount, t.FactorRate = priced.FundedAmount, priced.PaybackAmount, priced.FactorRate
	if len(problems) == 0 && t.EPODiscount != nil {
		problems = t.checkDiscount()
	}
	return t, problems
}

// checkDiscount refuses a discount that makes an early payoff cost more than the payback amount or less than
// the funded amount.
func (t OfferTerms) checkDiscount() []fault.Detail {
	if t.EPODiscount.Sign() <= 0 {
		return []fault.Detail{{Path: "epoDiscount", Message: "must be greater than 0"}}
	}
	if t.FundedAmount == nil || t.PaybackAmount == nil || !t.PaybackAmount.Sub(*t.FundedAmount).Less(*t.EPODiscount) {
		return nil
	}
	return []fault.Detail{{Path: "epoDiscount", Message: "must be at most paybackAmount minus fundedAmount"}}
}

// Missing returns the names of the missing terms that an offer needs before it can be sent.
func (t OfferTerms) Missing() []string {
	var missing []string
	if t.FundedAmount == nil {
		missing = append(missing, string(pricing.FundedAmount))
	}
	if t.PaybackAmount == nil {
		missing = append(missing, string(pricing.PaybackAmount))
	}
	if t.FactorRate == nil {
		missing = append(missing, string(pricing.FactorRate))
	}
	return missing
}

// OfferCounter is a merchant's counter to an offer; a nil field keeps the offered term.
type OfferCounter struct {
	Amount         *money.Amount // funded amount
	Factor         *money.Rate
	TermDays       *int
	BankFeePercent *money.Rate
}

// counterFields maps fields of the terms to fields of a counter.
var counterFields = map[string]string{
	"fundedAmount": "counterAmount", "factorRate": "counterFactor", "termDays": "counterTermDays",
	"bankFeePercent": "counterBankFeePercent", "paybackAmount": "counterAmount", "epoDiscount": "counterFactor",
}

// Countered returns the terms of an offer that would grant a counter: the requested terms, and the others
// unchanged. The payback amount is recomputed. An early payoff discount that is too large for the new terms
// is dropped. If a counter requests no change or invalid terms, problems says so under its fields.
func (t OfferTerms) Countered(c OfferCounter) (OfferTerms, []fault.Detail) {
	next := t
	asks := take(&next.FundedAmount, c.Amount, money.Amount.Equal)
	asks = take(&next.FactorRate, c.Factor, money.Rate.Equal) || asks
	asks = take(&next.TermDays, c.TermDays, func(a, b int) bool { return a == b }) || asks
	asks = take(&next.BankFeePercent, c.BankFeePercent, money.Rate.Equal) || asks
	if !asks {
		return t, []fault.Detail{{
			Path: "counterAmount", Message: "at least one counter field must differ from the offer's terms",
		}}
	}
	next.PaybackAmount = nil
	full, problems := next.Complete()
	if len(problems) == 1 && problems[0].Path == "epoDiscount" {
		next.EPODiscount = nil
		full, problems = next.Complete()
	}
	for i := range problems {
		if field, ok := counterFields[problems[i].Path]; ok {
			problems[i].Path = field
		}
	}
	return full, problems
}

// take replaces a term with the wanted one, and reports whether they differ.
func take[T any](term **T, wanted *T, equal func(T, T) bool) bool {
	if wanted == nil || *term != nil && equal(**term, *wanted) {
		return false
	}
	*term = wanted
	return true
}
