package offers

import (
	"fmt"

	"paydown/internal/service/workspace"
)

// The notices of what a merchant did on the page of an offer.

func acceptedNotice(o *offer) workspace.Notice {
	return offerNotice(o, "accepted", "The deal has the terms of the offer now, and its other offers are void. What is next is in its funding blocks.")
}

func counteredNotice(o *offer) workspace.Notice {
	return offerNotice(o, "countered", "The merchant asks for other terms. The offer waits for an answer: accept the counter or let the offer stand.")
}

func declinedNotice(o *offer) workspace.Notice {
	return offerNotice(o, "declined", "The merchant does not take the offer. If a reason was given, it is with the offer.")
}

func offerNotice(o *offer, what, next string) workspace.Notice {
	return workspace.Notice{
		Kind: "offer." + what, Title: fmt.Sprintf("An offer for deal %s was %s", o.deal.DealNumber, what),
		Entity: "deal", EntityID: o.deal.ID,
		Body: fmt.Sprintf("Offer %d for deal %s was %s on its public page.\n\n%s", o.approval.ID, o.deal.DealNumber, what, next),
	}
}
