// Package disclosure is the commercial-financing disclosures that some states require of a financing to a business:
// which deals need one and what it shows. It reads no clock and no database.
package disclosure

import "paydown/internal/money"

// salesBased is the product that is repaid out of sales, to which some of the laws are limited.
const salesBased = "MCA"

// Rule is the law of a state on commercial-financing disclosures, as far as it decides whether a deal needs one and
// what makes it good. What a law exempts by who provides the financing (banks, say, or somebody who does it five times a
// year) or by what secures it is not judged: where in doubt a disclosure is made.
type Rule struct {
	// State is the two letters of the state of the merchant's principal place of business.
	State string
	// Limit is the largest amount that the law covers; 0.00 where it covers every amount.
	Limit money.Amount
	// Below is true where Limit itself is no longer covered.
	Below bool
	// SalesBasedOnly is true where the law covers only financing that is repaid out of sales.
	SalesBasedOnly bool
	// APR is true where an annual percentage rate must be shown.
	APR bool
	// Signed is true where the merchant must sign the disclosure before the deal is funded.
	Signed bool
	// Law is where to read it.
	Law string
}

var (
	quarterMillion  = money.Must("250000")
	halfMillion     = money.Must("500000")
	million         = money.Must("1000000")
	twoHalfMillions = money.Must("2500000")
)

// Rules is the table of the states with such a law, in order of their letters.
var Rules = []Rule{
	{State: "CA", Limit: halfMillion, APR: true, Signed: true, Law: "Cal. Fin. Code § 22800 et seq."},
	{State: "CT", Limit: quarterMillion, SalesBasedOnly: true, Signed: true, Law: "Conn. Gen. Stat. § 36a-861 et seq."},
	{State: "FL", Limit: halfMillion, Law: "Fla. Stat. § 559.961 et seq."},
	{State: "GA", Limit: halfMillion, Law: "Ga. Code § 10-1-393.18"},
	{State: "KS", Limit: halfMillion, Law: "Kan. Stat. § 75-784"},
	{State: "LA", SalesBasedOnly: true, Law: "La. Rev. Stat. § 9:3137.10"},
	{State: "MO", Limit: halfMillion, Law: "Mo. Rev. Stat. § 427.300"},
	{State: "NY", Limit: twoHalfMillions, APR: true, Signed: true, Law: "N.Y. Fin. Serv. Law § 801 et seq."},
	{State: "TX", Limit: million, Below: true, SalesBasedOnly: true, Signed: true, Law: "Tex. Fin. Code § 398.001 et seq."},
	{State: "UT", Limit: million, Law: "Utah Code § 7-27-101 et seq."},
	{State: "VA", Limit: halfMillion, SalesBasedOnly: true, Signed: true, Law: "Va. Code § 6.2-2228 et seq."},
}

// Required is the law under which a deal needs a disclosure; ok is false where it needs none. The state is the two
// letters of the merchant's principal place of business, the product its name in the public contract, and the amount
// what is financed, or the limit of a line of credit.
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
