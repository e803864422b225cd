package rulebook

// The types of payments that the rules tell apart.
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

// The statuses of payments and of the items of payouts.
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
	ID         int // the product's; 0 until it is known
	Deal       *Deal
	Type       string
	Amount     Cents
	Status     string
	Offset     bool        // settled against the deal that renews
	Syndicator *Syndicator // of a payout
	Cleared    Day
	ReturnedOn Day
	Code       string   // NACHA return code of the latest return
	Forgives   *Payment // the discount of the early payoff that this payment completes

	episode   int
	order     int     // when it was paid, among all of the company's payments
	shares    []Cents // of a discount: what the parts forgave
	recovery  bool    // it was paid after the deal was written off
	surcharge bool
	ofBounce  *Payment // of a bounce fee: what bounced
}

// IsFee reports whether it is one of the five fees.
func (p *Payment) IsFee() bool {
	switch p.Type {
	case BounceFee, OtherFee, "WIRE_FEE", "UCC_FEE", "APPLICATION_FEE":
		return true
	}
	return false
}

// IsRecovery reports whether it counts as a recovery of what was written off.
func (p *Payment) IsRecovery() bool { return p.recovery }
