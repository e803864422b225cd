// Package deal defines a deal apart from its figures: products, states and the moves between them, and the
// funding blocks that prevent a move.
package deal

import "slices"

// Product is the kind of financing.
type Product string

// The products in the API.
const (
	MCA       Product = "MCA"
	Factoring Product = "FACTORING"
	TermLoan  Product = "TERM_LOAN"
	LOC       Product = "LOC"
	SBA       Product = "SBA"
	Equipment Product = "EQUIPMENT"
)

// Products lists all products in the order of the API.
var Products = []Product{MCA, Factoring, TermLoan, LOC, SBA, Equipment}

// Values lists the products, for the schema and for error messages.
func (Product) Values() []string { return names(Products) }

// State is the state of a deal.
type State string

// The states in the API.
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

// States lists all states in the order of the API.
var States = []State{Inception, Submitted, Prefunded, Funded, Defaulted, Closed, Renewed, Withdrawn}

// Values lists the states.
func (State) Values() []string { return names(States) }

// Trigger is what moved a deal, as reported in deal.state_changed.
type Trigger string

// The triggers in the API.
const (
	ByAPI         Trigger = "API"
	ByStaff       Trigger = "STAFF"
	ByAutomation  Trigger = "AUTOMATION"
	ByEarlyPayoff Trigger = "EARLY_PAYOFF"
)

// The two tables of moves: those that a caller may request, and those that only the system makes as a
// consequence (a renewal funds, a payoff is returned, a payment is returned after a write-off).
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

// MayBeAsked reports whether a caller may request the move. A move to the same state is not a move.
func (s State) MayBeAsked(to State) bool { return slices.Contains(asked[s], to) }

// MayFollow reports whether the system may make the move.
func (s State) MayFollow(to State) bool { return slices.Contains(automatic[s], to) }

// Moves lists the states that a caller may request from state s.
func (s State) Moves() []State { return asked[s] }

// TermsFrozen reports whether the deal's economics can no longer be changed.
func (s State) TermsFrozen() bool { return s != Inception && s != Submitted && s != Withdrawn }

// Live reports whether the deal has been funded, so that money is or was out.
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
