// Package deal holds what a deal is, apart from its figures: its products, its states and the moves between them, and
// the funding blocks that stand in the way.
package deal

import "slices"

// Product is the kind of financing.
type Product string

// The products of the public contract.
const (
	MCA       Product = "MCA"
	Factoring Product = "FACTORING"
	TermLoan  Product = "TERM_LOAN"
	LOC       Product = "LOC"
	SBA       Product = "SBA"
	Equipment Product = "EQUIPMENT"
)

// Products lists them in the order of the contract.
var Products = []Product{MCA, Factoring, TermLoan, LOC, SBA, Equipment}

// Values lists the products, for the schema and for error messages.
func (Product) Values() []string { return names(Products) }

// State is where a deal stands.
type State string

// The states of the public contract.
const (
	Inception State = "INCEPTION"
	Submitted State = "SUBMITTED"
	Prefunded State = "PREFUNDED"
	Funded    State = "FUNDED"
	Defaulted State = "DEFAULTED"
	Closed    State = "CLOSED"
	Renewed   State = "RENEWED"
	Withdrawn State = "WITHDRAWN"
)

// States lists them in the order of the contract.
var States = []State{Inception, Submitted, Prefunded, Funded, Defaulted, Closed, Renewed, Withdrawn}

// Values lists the states.
func (State) Values() []string { return names(States) }

// Trigger is what moved a deal, as told in deal.state_changed.
type Trigger string

// The triggers of the public contract.
const (
	ByAPI         Trigger = "API"
	ByStaff       Trigger = "STAFF"
	ByAutomation  Trigger = "AUTOMATION"
	ByEarlyPayoff Trigger = "EARLY_PAYOFF"
)

// The two tables of moves: what a caller may ask for, and what only the system does as a consequence of something
// else (a renewal funds, a payoff bounces, a payment bounces after a write-off).
var (
	asked = map[State][]State{
		Inception: {Submitted, Withdrawn},
		Submitted: {Prefunded, Inception, Withdrawn},
		Prefunded: {Funded, Submitted, Withdrawn},
		Funded:    {Defaulted, Closed},
		Defaulted: {Funded, Closed},
		Withdrawn: {Inception},
	}
	automatic = map[State][]State{
		Funded:  {Renewed, Closed},
		Closed:  {Funded, Defaulted},
		Renewed: {Funded},
	}
)

// MayBeAsked reports whether a caller may ask for the move. The state a deal is in already is not a move.
func (s State) MayBeAsked(to State) bool { return slices.Contains(asked[s], to) }

// MayFollow reports whether the system may make the move by itself.
func (s State) MayFollow(to State) bool { return slices.Contains(automatic[s], to) }

// Moves lists what a caller may ask for in state s.
func (s State) Moves() []State { return asked[s] }

// TermsFrozen reports whether the deal's economics can no longer be edited.
func (s State) TermsFrozen() bool { return s != Inception && s != Submitted && s != Withdrawn }

// Live reports whether money is or was out on the deal: it has been funded.
func (s State) Live() bool {
	return s == Funded || s == Defaulted || s == Closed || s == Renewed
}

func names[T ~string](values []T) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = string(v)
	}
	return out
}
