package deal

import (
	"slices"
	"time"

	"paydown/internal/status"
)

// OfferState is where a funder's offer stands.
type OfferState string

// The states. The last three end an offer.
const (
	OfferDraft     OfferState = "DRAFT"
	OfferSent      OfferState = "SENT"
	OfferAccepted  OfferState = "ACCEPTED"
	OfferCountered OfferState = "COUNTERED" // the merchant has asked for other terms, and waits
	OfferDeclined  OfferState = "DECLINED"  // by the merchant
	OfferVoid      OfferState = "VOID"      // withdrawn, or another offer took its place
	OfferLapsed    OfferState = "EXPIRED"   // past its date
)

var offerStates = []OfferState{
	OfferDraft, OfferSent, OfferAccepted, OfferCountered, OfferDeclined, OfferVoid, OfferLapsed,
}

// Values lists the states, for the schema and for error messages.
func (OfferState) Values() []string { return names(offerStates) }

// OfferLife is how long an offer stands unless it says otherwise.
const OfferLife = 14 * 24 * time.Hour

// offerMoves is the table of allowed moves. A counter is answered by a new offer, which voids the old one, or by the old
// one standing again. An accepted offer is voided by the acceptance of another, or withdrawn while the deal's terms may
// still change.
var offerMoves = status.Table[OfferState]{
	OfferDraft:     {OfferSent, OfferVoid},
	OfferSent:      {OfferAccepted, OfferCountered, OfferDeclined, OfferVoid, OfferLapsed},
	OfferCountered: {OfferSent, OfferDeclined, OfferVoid, OfferLapsed},
	OfferAccepted:  {OfferVoid},
}

// CanBecome reports whether an offer may move from s to next. The state it is in already is not a move.
func (s OfferState) CanBecome(next OfferState) bool { return slices.Contains(offerMoves[s], next) }

// AwaitsMerchant reports whether an offer in this state is out and can expire.
func (s OfferState) AwaitsMerchant() bool { return s == OfferSent || s == OfferCountered }

// Ended reports whether nothing can come of an offer any more.
func (s OfferState) Ended() bool { return len(offerMoves[s]) == 0 }

// At is the state at an instant of an offer that is stored in state s: one that is out is EXPIRED from expiresAt on,
// whether that was stored already or not. An offer without an end, nil, does not expire.
func (s OfferState) At(now time.Time, expiresAt *time.Time) OfferState {
	if s.AwaitsMerchant() && expiresAt != nil && !now.Before(*expiresAt) {
		return OfferLapsed
	}
	return s
}

// AllowedOfferMove is nil where an offer in state from may become to, and otherwise a conflict that names both and what
// would be possible.
func AllowedOfferMove(from, to OfferState) error {
	return offerMoves.CheckField("offer", "state", from, to)
}
