package payment

import "paydown/internal/money"

// Room is what the payments of a deal may still take, at the moment at which one of them becomes PAID. No amount is
// negative.
type Room struct {
	// Discount is what the deal's payoff still forgives on the payment's cleared date: none after the early-payoff window,
	// in default, or where no early price was agreed. Discounts that stand have been subtracted.
	Discount money.Amount
	// Payable is what the syndicator is owed, PaidOut what was paid to the syndicator on the deal less what came back.
	Payable, PaidOut money.Amount
	// Collected is what the merchant has paid, fees apart, less what came back.
	Collected money.Amount
}

// Limit is the most that a payment of the type may take of the room, and what the limit is called; limited is false where
// there is none. It is compared with the size of the amount, whichever its sign. What is forgiven beyond it is a write-off.
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

// Limited reports whether payments of the type and the sign of the amount have a limit.
func Limited(t Type, amount money.Amount) bool {
	_, _, limited := Room{}.Limit(t, amount)
	return limited
}
