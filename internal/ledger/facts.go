package ledger

import (
	"slices"

	"paydown/internal/fault"
	"paydown/internal/money"
)

// FeeBasis is what a management fee is a percentage of.
type FeeBasis string

// The fee bases. The default is PERCENT_OF_COLLECTIONS.
const (
	PercentOfParticipation FeeBasis = "PERCENT_OF_PARTICIPATION" // of the price of the participation, charged once
	PercentOfCollections   FeeBasis = "PERCENT_OF_COLLECTIONS"   // of each distribution
)

// Values lists the bases, for the schema.
func (FeeBasis) Values() []string {
	return []string{string(PercentOfParticipation), string(PercentOfCollections)}
}

// CAFRecognition says when the house takes its one-time charges to a syndicator: the share of the commission
// and a management fee on the participation.
type CAFRecognition string

// The recognitions. The default is UPFRONT.
const (
	Upfront     CAFRecognition = "UPFRONT"      // out of the wallet, with the participation
	AsCollected CAFRecognition = "AS_COLLECTED" // out of each distribution, in proportion
)

// Values lists the recognitions, for the schema.
func (CAFRecognition) Values() []string { return []string{string(Upfront), string(AsCollected)} }

// ProfitAccrual says which part of a distribution is profit.
type ProfitAccrual string

// The accruals. The default is PRO_RATA.
const (
	ProRata   ProfitAccrual = "PRO_RATA"   // each dollar is part cost and part profit
	CostFirst ProfitAccrual = "COST_FIRST" // no profit until the cost is recovered
)

// Values lists the accruals, for the schema.
func (ProfitAccrual) Values() []string { return []string{string(ProRata), string(CostFirst)} }

// Facts are a deal's data for the ledger. They are the same for every event of the deal.
type Facts struct {
	Funded  money.Amount
	Payback money.Amount
	// Commission is the ISO's commission on the deal.
	Commission money.Amount
	// BankFee is the fee that the house deducts from the advance.
	BankFee      money.Amount
	Participants []Participant
}

// Participant is a syndicator's participation in a deal with its terms.
type Participant struct {
	SyndicatorID int
	// Percent is the share of the receivable.
	Percent              money.Rate
	ManagementFeePercent money.Rate
	ManagementFeeBasis   FeeBasis
	CAFRecognition       CAFRecognition
	ProfitAccrual        ProfitAccrual
	// ProfitSplitPercent is the syndicator's part of the profit in percent; nil means all of it.
	ProfitSplitPercent *money.Rate
	// LossProtected makes the house cover the cost that a syndicator loses in a write-off.
	LossProtected bool
	// SharesCommission makes the syndicator bear its share of the commission.
	SharesCommission bool
	// SharesBankFee credits the syndicator with its share of the bank fee at funding.
	SharesBankFee bool
}

// Stake is a participation in dollars.
type Stake struct {
	Participant
	// Cost is the price of the participation. Face is its share of the receivable.
	Cost, Face money.Amount
	// Commission and Fee are the one-time charges: the share of the commission and the management fee on the
	// participation. They do not include a fee on collections.
	Commission, Fee money.Amount
	// BankFee is the share of the bank fee credited to the syndicator.
	BankFee money.Amount
}

// Charges is the total of the one-time charges.
func (s Stake) Charges() money.Amount { return s.Commission.Add(s.Fee) }

// WalletDebit is the amount taken from the syndicator's wallet when the deal funds: the cost, less the share
// of the bank fee and, under UPFRONT, plus the charges.
func (s Stake) WalletDebit() money.Amount {
	debit := s.Cost.Sub(s.BankFee)
	if s.CAFRecognition == AsCollected {
		return debit
	}
	return debit.Add(s.Charges())
}

// Stakes returns the participations ordered by syndicator.
func (f Facts) Stakes() []Stake {
	sorted := slices.Clone(f.Participants)
	slices.SortFunc(sorted, func(a, b Participant) int { return a.SyndicatorID - b.SyndicatorID })
	percents := make([]money.Rate, len(sorted))
	for i, p := range sorted {
		percents[i] = p.Percent
	}
	costs, _ := money.Split(f.Funded, percents)
	faces, _ := money.Split(f.Payback, percents)
	commissions, _ := money.Split(f.Commission, percents)
	bankFees, _ := money.Split(f.BankFee, percents)

	stakes := make([]Stake, len(sorted))
	for i, p := range sorted {
		stakes[i] = Stake{Participant: p, Cost: costs[i], Face: faces[i]}
		if p.SharesCommission {
			stakes[i].Commission = commissions[i]
		}
		if p.SharesBankFee {
			stakes[i].BankFee = bankFees[i]
		}
		if p.ManagementFeeBasis == PercentOfParticipation {
			stakes[i].Fee = costs[i].Percent(p.ManagementFeePercent)
		}
	}
	return stakes
}

// Check refuses invalid participations: a duplicate syndicator, a share of zero, or a total of more than 100
// %.
func (f Facts) Check() error {
	var total money.Rate
	seen := map[int]bool{}
	for _, p := range f.Participants {
		if p.SyndicatorID == 0 {
			return fault.Conflictf("A participation must have a syndicator.")
		}
		if seen[p.SyndicatorID] {
			return fault.Conflictf("A syndicator can have only one participation in a deal.")
		}
		seen[p.SyndicatorID] = true
		if p.Percent.Sign() <= 0 {
			return fault.Conflictf("A participation must be more than 0 %%.")
		}
		total = money.RoundRate(total.Decimal().Add(p.Percent.Decimal()))
	}
	if total.Cmp(hundred) > 0 {
		return fault.Conflictf("The participations must be at most 100 %% in total.")
	}
	return nil
}

var hundred = money.MustRate("100")
