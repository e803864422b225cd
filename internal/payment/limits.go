package payment

import "paydown/internal/money"

// Room has the remaining amounts of a deal at the time when a payment becomes PAID. No amount is negative.
type Room struct {
	// Discount is the discount that the deal's payoff still grants on the payment's cleared date: zero after the
	// early-payoff window, in default, or without an early price. Earlier discounts are deducted.
	Discount money.Amount
	// Payable is the amount owed to the syndicator. PaidOut is the amount paid to the syndicator on the deal,
	// less returns.
	Payable, PaidOut money.Amount
	// Collected is the amount that the merchant has paid, without fees, less returns.
	Collected money.Amount
}

// Limit returns the maximum of a payment of the type and how to describe it; limited is false if there is
// none. The maximum applies to the absolute amount. Forgiving more than the discount is a write-off.
func (r Room) Limit(t Type, amount money.Amount) (most money.Amount, what string, limited bool) {
	back := amount.Sign() < 0
	switch {
	case t == EPODiscount:
		return r.Discount, "the early payoff grants a discount of", true
	case t.ToSyndicator() && back:
		return r.PaidOut, "what was paid out to the syndicator on this deal is", true
	case t.ToSyndicator():
		return r.Payable, "the syndicator is owed", true
	case t == AdvancePaybackAdjustment && back:
		return r.Collected, "what was collected is", true
	}
	return money.Zero, "", false
}

// Limited reports whether payments of this type and sign have a limit.
func Limited(t Type, amount money.Amount) bool {
	_, _, limited := Room{}.Limit(t, amount)
	return limited
}
