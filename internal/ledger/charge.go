package ledger

import "paydown/internal/money"

// charge books what the house takes out of the distributions made so far and has not taken yet. Each charge is worked
// out on all that was distributed, and the difference to the books is posted.
func (k *book) charge() {
	var fees, withheld, splits []Line
	for _, s := range k.stakes {
		distributed := k.b.distributed(s.SyndicatorID)
		if s.ManagementFeeBasis != PercentOfParticipation {
			received := distributed.Add(k.b.recoveredFor(s.SyndicatorID))
			due := received.Percent(s.ManagementFeePercent).
				Sub(k.charged(s, ManagementFees, ManagementFee))
			fees = append(fees,
				debitFor(s.SyndicatorID, SyndicatorPayable, due), creditFor(s.SyndicatorID, ManagementFees, due))
		}
		if s.CAFRecognition == AsCollected {
			withheld = append(withheld, k.withhold(s, distributed)...)
		}
		due := k.houseProfit(s, distributed).Sub(k.charged(s, FactorIncome, ProfitSplit))
		splits = append(splits,
			debitFor(s.SyndicatorID, SyndicatorPayable, due), creditFor(s.SyndicatorID, FactorIncome, due))
	}
	k.post(ManagementFee, "Management fee on collections", fees...)
	k.post(CAFWithholding, "Commission share and management fee withheld", withheld...)
	k.post(ProfitSplit, "The house's part of the profit", splits...)
}

// charged is what the books credit an account with for the syndicator in entries of a kind.
func (k *book) charged(s Stake, a Account, kind Kind) money.Amount {
	return k.b.For(s.SyndicatorID, a, kind).Neg()
}

// withhold takes the one-time charges out of the distributions in proportion to the face. The total is rounded once;
// the fee is what the commission share leaves of it. A commission that was taken back is not withheld, and what was
// withheld of it before comes back.
func (k *book) withhold(s Stake, distributed money.Amount) []Line {
	if k.commissionReturned() {
		s.Commission = money.Zero
	}
	commission := money.Cumulative(s.Commission, distributed, s.Face)
	fee := money.Cumulative(s.Charges(), distributed, s.Face).Sub(commission)
	commission = commission.Sub(k.charged(s, CommissionExpense, CAFWithholding))
	fee = fee.Sub(k.charged(s, ManagementFees, CAFWithholding))
	return []Line{
		debitFor(s.SyndicatorID, SyndicatorPayable, commission.Add(fee)),
		creditFor(s.SyndicatorID, CommissionExpense, commission),
		creditFor(s.SyndicatorID, ManagementFees, fee),
	}
}

// commissionReturned reports whether the commission of the deal was booked and has been taken back.
func (k *book) commissionReturned() bool {
	kinds := []Kind{Commission, Clawback}
	_, booked := k.b[Key{Account: CommissionExpense, Kind: Commission}]
	return booked && k.b.For(0, CommissionExpense, kinds...).IsZero()
}

// houseProfit is the house's part of the profit in what was distributed. Under PRO_RATA the cost that has come back is
// that of the face used up by distributions, discounts and write-offs, so that a discount or a loss lowers the profit;
// what the house made good of a loss counts as received. Charges are not deducted.
func (k *book) houseProfit(s Stake, distributed money.Amount) money.Amount {
	if s.ProfitSplitPercent == nil {
		return money.Zero
	}
	received, returned := distributed, s.Cost
	if s.ProfitAccrual != CostFirst {
		used := distributed.Add(k.b.For(s.SyndicatorID, Participations, Discount, WriteOff))
		returned = money.Cumulative(s.Cost, used, s.Face)
		received = received.Add(k.b.madeGood(s.SyndicatorID))
	}
	profit := money.Max(money.Zero, received.Sub(returned))
	return profit.Sub(profit.Percent(*s.ProfitSplitPercent))
}
