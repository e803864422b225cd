package ledger

import (
	"slices"

	"paydown/internal/fault"
	"paydown/internal/money"
)

// FeeBasis says what a management fee is a percentage of.
type FeeBasis string

// The bases. One that is not set is PERCENT_OF_COLLECTIONS.
const (
	PercentOfParticipation FeeBasis = "PERCENT_OF_PARTICIPATION" // of what the syndicator paid for the share, charged once
	PercentOfCollections   FeeBasis = "PERCENT_OF_COLLECTIONS"   // of each distribution
)

// Values lists the bases, for the schema.
func (FeeBasis) Values() []string {
	return []string{string(PercentOfParticipation), string(PercentOfCollections)}
}

// CAFRecognition says when the house takes what it charges a syndicator once: the share of the commission and a
// management fee on the participation.
type CAFRecognition string

// The recognitions. One that is not set is UPFRONT.
const (
	Upfront     CAFRecognition = "UPFRONT"      // out of the wallet, with the participation
	AsCollected CAFRecognition = "AS_COLLECTED" // out of each distribution, in proportion
)

// Values lists the recognitions, for the schema.
func (CAFRecognition) Values() []string { return []string{string(Upfront), string(AsCollected)} }

// ProfitAccrual says which part of a distribution is profit.
type ProfitAccrual string

// The accruals. One that is not set is PRO_RATA.
const (
	ProRata   ProfitAccrual = "PRO_RATA"   // each dollar returns some cost and bears some profit
	CostFirst ProfitAccrual = "COST_FIRST" // there is no profit until the cost is back
)

// Values lists the accruals, for the schema.
func (ProfitAccrual) Values() []string { return []string{string(ProRata), string(CostFirst)} }

// Facts are what the books need to know of a deal. They are the same for every event of the deal.
type Facts struct {
	Funded  money.Amount
	Payback money.Amount
	// Commission is what the ISO earns on the deal.
	Commission money.Amount
	// BankFee is what the house withholds from the advance as the bank fee.
	BankFee      money.Amount
	Participants []Participant
}

// Participant is a syndicator's part of a deal and the terms it was bought on.
type Participant struct {
	SyndicatorID int
	// Percent is the share of the receivable.
	Percent              money.Rate
	ManagementFeePercent money.Rate
	ManagementFeeBasis   FeeBasis
	CAFRecognition       CAFRecognition
	ProfitAccrual        ProfitAccrual
	// ProfitSplitPercent is the part of the profit that the syndicator keeps; nil is all of it.
	ProfitSplitPercent *money.Rate
	// LossProtected has the house make good the cost that a write-off leaves the syndicator with.
	LossProtected bool
	// SharesCommission has the syndicator bear its share of the commission.
	SharesCommission bool
	// SharesBankFee credits the syndicator with its share of the bank fee when it takes part.
	SharesBankFee bool
}

// Stake is a participation in money.
type Stake struct {
	Participant
	// Cost is what the syndicator pays for the share, Face what the share is of the receivable.
	Cost, Face money.Amount
	// Commission and Fee are what the house charges once: the share of the commission and the management fee on the
	// participation. A fee on collections is not among them.
	Commission, Fee money.Amount
	// BankFee is the share of the bank fee that the syndicator is credited with.
	BankFee money.Amount
}

// Charges are what the house charges once.
func (s Stake) Charges() money.Amount { return s.Commission.Add(s.Fee) }

// WalletDebit is what leaves the syndicator's wallet when the deal funds: the cost, less the share of the bank fee, and
// under UPFRONT the charges.
func (s Stake) WalletDebit() money.Amount {
	debit := s.Cost.Sub(s.BankFee)
	if s.CAFRecognition == AsCollected {
		return debit
	}
	return debit.Add(s.Charges())
}

// Stakes are the participations in order of syndicator.
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

// Check reports participations that cannot be: twice the same syndicator, a share of nothing, more than the whole.
func (f Facts) Check() error {
	var total money.Rate
	seen := map[int]bool{}
	for _, p := range f.Participants {
		if p.SyndicatorID == 0 {
			return fault.Conflictf("A participation names no syndicator.")
		}
		if seen[p.SyndicatorID] {
			return fault.Conflictf("A syndicator takes part in the deal twice.")
		}
		seen[p.SyndicatorID] = true
		if p.Percent.Sign() <= 0 {
			return fault.Conflictf("A participation must be more than 0 %%.")
		}
		total = money.RoundRate(total.Decimal().Add(p.Percent.Decimal()))
	}
	if total.Cmp(hundred) > 0 {
		return fault.Conflictf("The participations come to more than 100 %%.")
	}
	return nil
}

var hundred = money.MustRate("100")
