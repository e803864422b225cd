package ledger

import "paydown/internal/money"

// charge posts the house's charges on distributions that are not yet in the books. Each charge is computed on
// all distributions so far, and the difference to the books is posted.
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

// charged returns the amount credited to an account for the syndicator in entries of a kind.
func (k *book) charged(s Stake, a Account, kind Kind) money.Amount {
	return k.b.For(s.SyndicatorID, a, kind).Neg()
}

// withhold takes the one-time charges out of distributions, in proportion to the face. The total is rounded
// once; the fee is the total less the commission share. A commission that was clawed back is not withheld,
// and amounts withheld for it are returned.
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

// commissionReturned reports whether the deal's commission was posted and clawed back.
func (k *book) commissionReturned() bool {
	kinds := []Kind{Commission, Clawback}
	_, booked := k.b[Key{Account: CommissionExpense, Kind: Commission}]
	return booked && k.b.For(0, CommissionExpense, kinds...).IsZero()
}

// houseProfit is the house's part of the profit in the distributions. Under PRO_RATA, the recovered cost is
// the cost of the face used up by distributions, discounts and write-offs, so that a discount or a loss
// reduces the profit; a loss that the house covered counts as received. Charges are not deducted.
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
