package deal

import (
	"slices"

	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/pricing"
)

// OfferTerms are the terms of an offer; nil is a term that it leaves open.
type OfferTerms struct {
	FundedAmount  *money.Amount
	PaybackAmount *money.Amount
	FactorRate    *money.Rate
	TermDays      *int
	// BankFeePercent is the bank fee in per cent of the funded amount.
	BankFeePercent *money.Rate
	// EPODiscount is what the merchant saves by paying off early.
	EPODiscount *money.Amount
}

// Complete works out what follows from what was given: of the funded amount, the payback amount and the factor rate any
// two give the third, by the rules of a deal's pricing. named are the fields that are being set (fundedAmount …): of the
// three, what is not named gives way, the payback amount first and then the factor rate. Where the terms are senseless
// or disagree, problems holds all of it under the fields at fault.
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

// checkDiscount refuses an early payoff that would be dearer than the payback amount or cheaper than what was funded.
func (t OfferTerms) checkDiscount() []fault.Detail {
	if t.EPODiscount.Sign() <= 0 {
		return []fault.Detail{{Path: "epoDiscount", Message: "must be more than zero"}}
	}
	if t.FundedAmount == nil || t.PaybackAmount == nil || !t.PaybackAmount.Sub(*t.FundedAmount).Less(*t.EPODiscount) {
		return nil
	}
	return []fault.Detail{{Path: "epoDiscount", Message: "must not be more than what is paid back above the funded amount"}}
}

// Missing names the terms without which an offer cannot be sent.
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

// OfferCounter is what a merchant asks for in the place of an offer's terms; nil keeps the offer's own.
type OfferCounter struct {
	Amount         *money.Amount // to be funded
	Factor         *money.Rate
	TermDays       *int
	BankFeePercent *money.Rate
}

// counterFields are the fields of a counter by those of the terms that they stand for.
var counterFields = map[string]string{
	"fundedAmount": "counterAmount", "factorRate": "counterFactor", "termDays": "counterTermDays",
	"bankFeePercent": "counterBankFeePercent", "paybackAmount": "counterAmount", "epoDiscount": "counterFactor",
}

// Countered are the terms of the offer that would answer a counter: those asked for, and the rest as it was. The payback
// amount follows; a discount on early payoff that the new terms leave no room for is dropped. Where a counter asks for
// nothing else than was offered, or for what cannot be, problems says so under its fields.
func (t OfferTerms) Countered(c OfferCounter) (OfferTerms, []fault.Detail) {
	next := t
	asks := take(&next.FundedAmount, c.Amount, money.Amount.Equal)
	asks = take(&next.FactorRate, c.Factor, money.Rate.Equal) || asks
	asks = take(&next.TermDays, c.TermDays, func(a, b int) bool { return a == b }) || asks
	asks = take(&next.BankFeePercent, c.BankFeePercent, money.Rate.Equal) || asks
	if !asks {
		return t, []fault.Detail{{Path: "counterAmount", Message: "a counter asks for at least one term that differs from the offer's"}}
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

// take puts a wanted term in the place of the present one; it reports whether the two differ.
func take[T any](term **T, wanted *T, equal func(T, T) bool) bool {
	if wanted == nil || *term != nil && equal(**term, *wanted) {
		return false
	}
	*term = wanted
	return true
}
