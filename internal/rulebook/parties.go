package rulebook

// ISO is a broker.
type ISO struct{ ID int }

// Syndicator is somebody who takes parts of deals, on terms that parts begin with.
type Syndicator struct {
	ID   int
	Name string
	PartTerms
}

// PartTerms are the terms of a part of a deal.
type PartTerms struct {
	FeeOfCollections bool // the management fee is a percentage of collections, not of the purchase price
	FeePercent       Rate
	AsCollected      bool // charges are withheld from distributions, not debited at once
	CostFirst        bool // the profit is what exceeds the cost; else each dollar carries its part of the profit
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

	price, purchased Cents // what it cost and the part of the payback
	commission, fee  Cents // the charges, however they are taken
	bankFee          Cents // its part of the bank fee
	forgiven, lost   Cents // its shares of discounts and of write-offs
	returned         bool  // the commission went back to the syndicator: none of it is withheld any more
}
