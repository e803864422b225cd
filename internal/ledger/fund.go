package ledger

import (
	"paydown/internal/fault"
	"paydown/internal/money"
)

// Fund posts the purchase of the receivable: the merchant gets the funded amount less the fees and less the
// payoff of the prior deal that this one renews (0.00 if none). The payoff stays in renewal clearing until
// the RENEWAL_PAYOFF payment on the prior deal, and fees paid by OFFSET, clear it (Pay).
func Fund(f Facts, fees, payoff money.Amount) ([]Entry, error) {
	net := f.Funded.Sub(fees).Sub(payoff)
	if net.Sign() < 0 {
		return nil, fault.Conflictf("The fees and the payoff of the prior deal must be at most the funded amount.")
	}
	kind, memo := Funding, "Receivable purchased"
	if payoff.Sign() > 0 {
		kind, memo = Renewal, "Receivable purchased, prior deal paid off"
	}
	return one(kind, memo,
		debit(Receivable, f.Payback),
		credit(Cash, net),
		credit(FeeIncome, fees),
		credit(RenewalClearing, payoff),
		credit(DeferredIncome, f.Payback.Sub(f.Funded)),
	)
}

// Draw posts a further purchase under a line of credit: the merchant gets the amount less the fee, and owes
// the payback in addition to the deal's outstanding balance. From then on the deal's facts include both, and
// Settle must follow, because income is recognized by the progress of the total receivable.
func Draw(amount, payback, fee money.Amount) ([]Entry, error) {
	if amount.Sign() <= 0 || fee.Sign() < 0 || !fee.Less(amount) || payback.Less(amount) {
		return nil, fault.Conflictf("A draw must be more than its fee, and its payback at least its amount.")
	}
	return one(Funding, "Draw paid out",
		debit(Receivable, payback),
		credit(Cash, amount.Sub(fee)),
		credit(FeeIncome, fee),
		credit(DeferredIncome, payback.Sub(amount)),
	)
}

// Participate posts the sale of the participations, one entry each: the wallet pays the cost less the share
// of the bank fee and, under UPFRONT, plus the charges; the house gives up its part of the deferred income
// and of the bank fee; the cash no longer belongs to the syndicator.
func Participate(f Facts) ([]Entry, error) {
	if err := f.Check(); err != nil {
		return nil, err
	}
	k := open(f, nil)
	for _, s := range k.stakes {
		paid := s.WalletDebit()
		lines := []Line{
			debitFor(s.SyndicatorID, SyndicatorWallet, paid),
			debitFor(s.SyndicatorID, FeeIncome, s.BankFee),
			debit(DeferredIncome, s.Face.Sub(s.Cost)),
			creditFor(s.SyndicatorID, Participations, s.Face),
			debit(Cash, paid),
			creditFor(s.SyndicatorID, RestrictedCash, paid),
		}
		if s.CAFRecognition != AsCollected {
			lines = append(lines,
				creditFor(s.SyndicatorID, CommissionExpense, s.Commission),
				creditFor(s.SyndicatorID, ManagementFees, s.Fee))
		}
		k.post(Participation, "Participation sold", lines...)
	}
	return k.done()
}

// OweCommission posts the commission that the ISO has earned.
func OweCommission(isoID int, amount money.Amount) ([]Entry, error) {
	if err := notNegative(amount); err != nil {
		return nil, err
	}
	return one(Commission, "Commission earned",
		debit(CommissionExpense, amount), creditISO(isoID, CommissionPayable, amount))
}

// ClawBack posts a paid commission that the ISO has to return.
func ClawBack(isoID int, amount money.Amount) ([]Entry, error) {
	if err := notNegative(amount); err != nil {
		return nil, err
	}
	return one(Clawback, "Commission clawed back",
		debitISO(isoID, DueFromISO, amount), credit(CommissionExpense, amount))
}

// PayISO posts an item of an ISO's payout: a paid commission or, if the amount is negative, a clawback that
// is set off against the payout.
func PayISO(isoID int, amount money.Amount) ([]Entry, error) {
	if amount.Sign() < 0 {
		return one(Payout, "Clawed-back commission set off",
			debitISO(isoID, DueFromISO, amount), credit(Cash, amount))
	}
	return one(Payout, "Commission paid", debitISO(isoID, CommissionPayable, amount), credit(Cash, amount))
}

// CancelClawback cancels what an ISO owes for a clawed-back commission whose transfer came back: the
// commission is owed to the ISO again, and the two amounts cancel out.
func CancelClawback(isoID int, amount money.Amount) ([]Entry, error) {
	if err := notNegative(amount); err != nil {
		return nil, err
	}
	return one(Clawback, "Clawed-back commission never arrived",
		debitISO(isoID, CommissionPayable, amount), creditISO(isoID, DueFromISO, amount))
}

// ReturnCommissionShares returns their part of the commission to the syndicators who fronted it, once the
// commission is clawed back or was never paid: UPFRONT charges go back to the wallet, and AS_COLLECTED
// amounts withheld so far to the payable. It must follow the entry that reverses the commission.
func ReturnCommissionShares(f Facts, b Balances) ([]Entry, error) {
	k := open(f, b)
	for _, s := range k.stakes {
		fronted := b.For(s.SyndicatorID, CommissionExpense, Participation, Clawback).Neg()
		k.post(Clawback, "Share of the commission returned",
			debitFor(s.SyndicatorID, CommissionExpense, fronted),
			creditFor(s.SyndicatorID, SyndicatorWallet, fronted),
			debitFor(s.SyndicatorID, RestrictedCash, fronted),
			credit(Cash, fronted))
	}
	k.charge()
	return k.done()
}

// FailDisbursement returns the cash of an advance whose transfer failed or was cancelled: it is in transit
// until it is sent again.
func FailDisbursement(amount money.Amount) ([]Entry, error) {
	if err := notNegative(amount); err != nil {
		return nil, err
	}
	return one(Disbursement, "Transfer of the advance failed", debit(Cash, amount), credit(InTransit, amount))
}

// ResendDisbursement takes out the cash again for an advance that is sent again.
func ResendDisbursement(amount money.Amount) ([]Entry, error) {
	if err := notNegative(amount); err != nil {
		return nil, err
	}
	return one(Disbursement, "Advance sent again", debit(InTransit, amount), credit(Cash, amount))
}

// PaySyndicator posts a payout to a syndicator; a negative amount is taken back.
func PaySyndicator(syndicatorID int, amount money.Amount) ([]Entry, error) {
	memo := "Distribution paid out"
	if amount.Sign() < 0 {
		memo = "Distribution taken back"
	}
	return one(Payout, memo, debitFor(syndicatorID, SyndicatorPayable, amount), credit(Cash, amount))
}

// MoveWallet posts a deposit to a syndicator's wallet or, if the amount is negative, a withdrawal. It belongs
// to no deal.
func MoveWallet(syndicatorID int, amount money.Amount) ([]Entry, error) {
	memo := "Paid into the wallet"
	if amount.Sign() < 0 {
		memo = "Drawn from the wallet"
	}
	return one(Wallet, memo,
		debitFor(syndicatorID, RestrictedCash, amount), creditFor(syndicatorID, SyndicatorWallet, amount))
}

func notNegative(amount money.Amount) error {
	if amount.Sign() < 0 {
		return fault.Field("amount", "must not be negative")
	}
	return nil
}
