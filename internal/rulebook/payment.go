package rulebook

// The payment types that the rules distinguish.
const (
	Original         = "ORIGINAL_ADVANCE_PAYBACK"
	Advance          = "ADVANCE_PAYBACK"
	Adjustment       = "ADVANCE_PAYBACK_ADJUSTMENT"
	Discount         = "EPO_DISCOUNT"
	RenewalPayoff    = "RENEWAL_PAYOFF"
	SyndicatorPayout = "PARTICIPATION_PAYOUT"
	BounceFee        = "BOUNCE_FEE"
	OtherFee         = "OTHER_FEE"
)

// The statuses of payments and of payout items.
const (
	Pending   = "PENDING"
	Paid      = "PAID"
	Bounced   = "BOUNCED"
	Cancelled = "CANCELLED"
	Failed    = "FAILED"
	Carried   = "CARRIED"
	Held      = "HELD"
)

// Payment is one payment on a deal.
type Payment struct {
	ID         int // the product's id; 0 until known
	Deal       *Deal
	Type       string
	Amount     Cents
	Status     string
	Offset     bool        // paid by offset against the renewing deal
	Syndicator *Syndicator // of a payout
	Cleared    Day
	ReturnedOn Day
	Code       string   // Nacha return code of the latest return
	Forgives   *Payment // the discount of the early payoff that this payment completes

	episode   int
	order     int     // when it was paid, among all of the company's payments
	shares    []Cents // of a discount: the parts' shares of it
	recovery  bool    // it was paid after the deal was written off
	surcharge bool
	ofBounce  *Payment // of a bounce fee: the returned payment
}

// IsFee reports whether the payment is one of the five fees.
func (p *Payment) IsFee() bool {
	switch p.Type {
	case BounceFee, OtherFee, "WIRE_FEE", "UCC_FEE", "APPLICATION_FEE":
		return true
	}
	return false
}

// IsRecovery reports whether the payment counts as a recovery after a write-off.
func (p *Payment) IsRecovery() bool { return p.recovery }
