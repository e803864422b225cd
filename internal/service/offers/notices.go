package offers

import (
	"fmt"

	"paydown/internal/service/workspace"
)

// Notifications about a merchant's response on the public offer page.

func acceptedNotice(o *offer) workspace.Notice {
	return offerNotice(o, "accepted",
		"The deal now has the terms of the offer, and its other offers are void. See the funding blocks for next steps.")
}

func counteredNotice(o *offer) workspace.Notice {
	return offerNotice(o, "countered", "The merchant asked for different terms. Accept or reject the counter.")
}

func declinedNotice(o *offer) workspace.Notice {
	return offerNotice(o, "declined", "The merchant declined the offer. See the offer for the reason, if one was given.")
}

func offerNotice(o *offer, what, next string) workspace.Notice {
	return workspace.Notice{
		Kind: "offer." + what, Title: fmt.Sprintf("An offer for deal %s was %s", o.deal.DealNumber, what),
		Entity: "deal", EntityID: o.deal.ID,
		Body: fmt.Sprintf("Offer %d for deal %s was %s on its public page.\n\n%s",
			o.approval.ID, o.deal.DealNumber, what, next),
	}
}
