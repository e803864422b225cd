package ledger

// Kind is the event that an entry records. A reversal keeps the kind of the entry that it reverses, so that
// the sum of a kind's lines is its net amount. Code that stores a reversal links the two entries.
type Kind string

// The kinds.
const (
	Funding        Kind = "FUNDING"         // the purchase of the receivable and the money sent to the merchant
	Participation  Kind = "PARTICIPATION"   // a syndicator buys a participation from the wallet
	Commission     Kind = "COMMISSION"      // what the ISO earns on the deal
	Payment        Kind = "PAYMENT"         // a payment of any type, received or made
	ManagementFee  Kind = "MANAGEMENT_FEE"  // the house's fee on what a syndicator receives
	CAFWithholding Kind = "CAF_WITHHOLDING" // commission and management fee withheld from a distribution
	ProfitSplit    Kind = "PROFIT_SPLIT"    // the house's part of a syndicator's profit
	Renewal        Kind = "RENEWAL"         // a new deal pays off the old one
	Payout         Kind = "PAYOUT"          // money out to a syndicator or an ISO
	Clawback       Kind = "CLAWBACK"        // commission to be returned by the ISO
	WriteOff       Kind = "WRITE_OFF"       // the rest of the receivable is written off
	Recovery       Kind = "RECOVERY"        // money that comes in after the write-off
	Wallet         Kind = "WALLET"          // a syndicator deposits into or withdraws from the wallet
	Unapplied      Kind = "UNAPPLIED"       // corrections by Settle after a reversal; fees paid from a surplus
	Discount       Kind = "DISCOUNT"        // the part of the receivable that an early payoff forgives
	Disbursement   Kind = "DISBURSEMENT"    // the transfer of an advance failed, or was sent again
)

// Values lists the kinds, for the schema.
func (Kind) Values() []string {
	return []string{
		string(Funding), string(Participation), string(Commission), string(Payment), string(ManagementFee),
		string(CAFWithholding), string(ProfitSplit), string(Renewal), string(Payout), string(Clawback),
		string(WriteOff), string(Recovery), string(Wallet), string(Unapplied),
		string(Discount), string(Disbursement),
	}
}
