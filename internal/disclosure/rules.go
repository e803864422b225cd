// Package disclosure implements the commercial-financing disclosures that some states require: which deals
// need one, and what it shows. It reads no clock and no database.
package disclosure

import "paydown/internal/money"

// salesBased is the product that is repaid from sales; some laws cover only this product.
const salesBased = "MCA"

// Rule is a state's law on commercial-financing disclosures, with what decides whether a deal needs one and
// what makes it valid. Exemptions by provider (for example banks, or providers of at most five financings a
// year) or by collateral are not modeled: in case of doubt, a disclosure is made.
type Rule struct {
	// State is the two-letter code of the state of the merchant's principal place of business.
	State string
	// Limit is the largest amount that the law covers; 0.00 means every amount.
	Limit money.Amount
	// Below means that Limit itself is not covered.
	Below bool
	// SalesBasedOnly means that the law covers only financing that is repaid from sales.
	SalesBasedOnly bool
	// APR means that an annual percentage rate must be shown.
	APR bool
	// Signed means that the merchant must sign the disclosure before the deal funds.
	Signed bool
	// Law is the citation of the law.
	Law string
}

var (
	quarterMillion  = money.Must("250000")
	halfMillion     = money.Must("500000")
	million         = money.Must("1000000")
	twoHalfMillions = money.Must("2500000")
)

// Rules is the table of states with such a law, ordered by code.
var Rules = []Rule{
	{State: "CA", Limit: halfMillion, APR: true, Signed: true, Law: "Cal. Fin. Code § 22800 et seq."},
	{State: "CT", Limit: quarterMillion, SalesBasedOnly: true, Signed: true, Law: "Conn. Gen. Stat. § 36a-861 et seq."},
	{State: "FL", Limit: halfMillion, Law: "Fla. Stat. § 559.961 et seq."},
	{State: "GA", Limit: halfMillion, Law: "Ga. Code § 10-1-393.18"},
	{State: "KS", Limit: halfMillion, Law: "Kan. Stat. § 75-784"},
	{State: "LA", SalesBasedOnly: true, Law: "La. Rev. Stat. § 9:3137.10"},
	{State: "MO", Limit: halfMillion, Law: "Mo. Rev. Stat. § 427.300"},
	{State: "NY", Limit: twoHalfMillions, APR: true, Signed: true, Law: "N.Y. Fin. Serv. Law § 801 et seq."},
	{
		State: "TX", Limit: million, Below: true, SalesBasedOnly: true, Signed: true,
		Law: "Tex. Fin. Code § 398.001 et seq.",
	},
	{State: "UT", Limit: million, Law: "Utah Code § 7-27-101 et seq."},
	{State: "VA", Limit: halfMillion, SalesBasedOnly: true, Signed: true, Law: "Va. Code § 6.2-2228 et seq."},
}

// Required returns the law under which a deal needs a disclosure; ok is false if it needs none. state is the
// two-letter code of the merchant's principal place of business, product its name in the API, and amount the
// amount financed or the limit of a line of credit.
func Required(state, product string, amount money.Amount) (rule Rule, ok bool) {
	for _, r := range Rules {
		if r.State == state && r.covers(product, amount) {
			return r, true
		}
	}
	return Rule{}, false
}

func (r Rule) covers(product string, amount money.Amount) bool {
	switch {
	case r.SalesBasedOnly && product != salesBased:
		return false
	case r.Limit.IsZero():
		return true
	case r.Below:
		return amount.Less(r.Limit)
	default:
		return !r.Limit.Less(amount)
	}
}
