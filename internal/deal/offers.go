package deal

import (
	"slices"
	"time"

	"paydown/internal/status"
)

// OfferState is the state of an offer.
type OfferState string

// The states of an offer. The last three are final.
const (
	OfferDraft     OfferState = "DRAFT"
	OfferSent      OfferState = "SENT"
	OfferAccepted  OfferState = "ACCEPTED"
	OfferCountered OfferState = "COUNTERED" // the merchant has asked for other terms and is waiting for an answer
	OfferDeclined  OfferState = "DECLINED"  // by the merchant
	OfferVoid      OfferState = "VOID"      // withdrawn or replaced by another offer
	OfferLapsed    OfferState = "EXPIRED"   // past its date
)

var offerStates = []OfferState{
	OfferDraft, OfferSent, OfferAccepted, OfferCountered, OfferDeclined, OfferVoid, OfferLapsed,
}

// Values lists the states, for the schema and for error messages.
func (OfferState) Values() []string { return names(offerStates) }

// OfferLife is the default time from sending an offer until it expires.
const OfferLife = 14 * 24 * time.Hour

// offerMoves is the table of allowed moves. A counter is answered by a new offer, which voids the old one, or
// by reopening the old one. An accepted offer becomes void if another is accepted, or if it is withdrawn
// while the deal's terms can still change.
var offerMoves = status.Table[OfferState]{
	OfferDraft:     {OfferSent, OfferVoid},
	OfferSent:      {OfferAccepted, OfferCountered, OfferDeclined, OfferVoid, OfferLapsed},
	OfferCountered: {OfferSent, OfferDeclined, OfferVoid, OfferLapsed},
	OfferAccepted:  {OfferVoid},
}

// CanBecome reports whether an offer may move from s to next. A move to the same state is not a move.
func (s OfferState) CanBecome(next OfferState) bool { return slices.Contains(offerMoves[s], next) }

// AwaitsMerchant reports whether an offer in this state is open and can expire.
func (s OfferState) AwaitsMerchant() bool { return s == OfferSent || s == OfferCountered }

// Ended reports whether the state is final.
func (s OfferState) Ended() bool { return len(offerMoves[s]) == 0 }

// At returns the state at a given time of an offer that is stored in state s: an open offer is EXPIRED from
// expiresAt on, even if that is not stored yet. An offer without expiresAt does not expire.
func (s OfferState) At(now time.Time, expiresAt *time.Time) OfferState {
	if s.AwaitsMerchant() && expiresAt != nil && !now.Before(*expiresAt) {
		return OfferLapsed
	}
	return s
}

// AllowedOfferMove returns nil if an offer may move between the states, and otherwise a conflict with both
// states and the possible ones.
func AllowedOfferMove(from, to OfferState) error {
	return offerMoves.CheckField("offer", "state", from, to)
}
