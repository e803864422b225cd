package rulebook

// Basis is the unit of a fee or commission value.
type Basis string

// The bases.
const (
	OfFunded  Basis = "PERCENT_OF_FUNDED"
	OfPayback Basis = "PERCENT_OF_PAYBACK"
	Points    Basis = "POINTS"
	Flat      Basis = "FLAT"
)

// Terms are the pricing terms of a deal. Zero values are absent.
type Terms struct {
	Funded               Cents
	Factor, Buy          Rate
	Payments             int
	BankFeeBasis         Basis
	BankFeeValue         Rate
	ApplicationFee, Wire Cents
	CommissionBasis      Basis
	CommissionValue      Rate
	EPOFactor            Rate
	EPODays              int
	DefaultSurcharge     Cents
}

// Payback is the purchased amount.
func (t Terms) Payback() Cents { return t.Funded.times(t.Factor) }

// Payment returns the periodic payment, rounded up, and the last one, which is the rest.
func (t Terms) Payment() (each, last Cents) {
	n := Cents(t.Payments)
	each = (t.Payback() + n - 1) / n
	return each, t.Payback() - (n-1)*each
}

func (t Terms) value(basis Basis, value Rate) Cents {
	switch basis {
	case OfFunded, Points: // points are at most (factor − buy rate) × 100; this is checked elsewhere
		return t.Funded.percent(value)
	case OfPayback:
		return t.Payback().percent(value)
	case Flat:
		return fraction([]int64{int64(value), 100}, int64(Whole))
	}
	return 0
}

// BankFee is only the bank fee; a syndicator may take part in it.
func (t Terms) BankFee() Cents { return t.value(t.BankFeeBasis, t.BankFeeValue) }

// Fees is the total withheld from the advance.
func (t Terms) Fees() Cents { return t.BankFee() + t.ApplicationFee + t.Wire }

// Commission is the ISO's commission when the deal funds.
func (t Terms) Commission() Cents { return t.value(t.CommissionBasis, t.CommissionValue) }
