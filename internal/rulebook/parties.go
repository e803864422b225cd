package rulebook

// ISO is a broker.
type ISO struct{ ID int }

// Syndicator buys parts of deals, with default terms for them.
type Syndicator struct {
	ID   int
	Name string
	PartTerms
}

// PartTerms are the terms of a part of a deal.
type PartTerms struct {
	FeeOfCollections bool // management fee as a percentage of collections instead of the purchase price
	FeePercent       Rate
	AsCollected      bool // charges are withheld from distributions, not debited at once
	CostFirst        bool // profit is what exceeds the cost; otherwise each dollar includes its part of the profit
	SplitPercent     Rate // the syndicator's part of the profit; 0: all of it
	SharesBankFee    bool
	Fronts           bool // bears its part of the commission
	Protected        bool // the house bears its loss
}

// Part is a syndicator's part of a deal.
type Part struct {
	*Syndicator
	PartTerms
	Share Rate // per cent

	price, purchased Cents // the cost and the part of the payback
	commission, fee  Cents // the charges, regardless of how they are taken
	bankFee          Cents // its part of the bank fee
	forgiven, lost   Cents // its shares of discounts and of write-offs
	returned         bool  // the commission was returned to the syndicator and is no longer withheld
}
