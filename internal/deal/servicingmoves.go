package deal

import "paydown/internal/status"

// Statuses of the records that follow a funding, named as in their schema.
const (
	lineActive    = "ACTIVE"
	lineSuspended = "SUSPENDED"
	lineClosed    = "CLOSED"

	drawRequested = "REQUESTED"
	drawApproved  = "APPROVED"
	drawFunded    = "FUNDED"
	drawDeclined  = "DECLINED"

	renewalEligible  = "ELIGIBLE"
	renewalContacted = "CONTACTED"
	renewalRenewed   = "RENEWED"
	renewalDismissed = "DISMISSED"

	batchDraft    = "DRAFT"
	batchApproved = "APPROVED"
	batchPaid     = "PAID"
	batchPartial  = "PARTIAL"

	itemPending    = "PENDING"
	itemPaid       = "PAID"
	itemHeld       = "HELD"
	itemFailed     = "FAILED"
	itemClawedBack = "CLAWED_BACK"

	transferPending   = "PENDING"
	transferSent      = "SENT"
	transferSettled   = "SETTLED"
	transferFailed    = "FAILED"
	transferCancelled = "CANCELLED"
)

// Lines are the moves of a line of credit that staff request. LineOf has the moves that follow from the
// deal's state.
var Lines = status.Table[string]{
	lineActive:    {lineSuspended, lineClosed},
	lineSuspended: {lineActive, lineClosed},
}

// Draws are the moves of a draw that staff make. Whether a paid draw is repaid depends on collections.
var Draws = status.Table[string]{
	drawRequested: {drawApproved, drawDeclined},
	drawApproved:  {drawFunded, drawDeclined},
}

// Opportunities are the moves of a renewal opportunity. Only the system sets RENEWED, when the renewal funds.
var Opportunities = status.Table[string]{
	renewalEligible:  {renewalContacted, renewalDismissed, renewalRenewed},
	renewalContacted: {renewalDismissed, renewalRenewed},
}

// Batches are the moves of a payout batch. A batch that is partly paid is PARTIAL until the rest is paid.
var Batches = status.Table[string]{
	batchDraft:    {batchApproved},
	batchApproved: {batchPaid, batchPartial},
	batchPartial:  {batchPaid},
	batchPaid:     {batchPartial},
}

// Items are the moves of an item of a payout batch. A paid item fails if its transfer comes back, even if it
// was clawed back by then.
var Items = status.Table[string]{
	itemPending: {itemPaid, itemHeld, itemFailed, itemClawedBack},
	itemHeld:    {itemPending, itemClawedBack},
	itemFailed:  {itemPending, itemClawedBack},
	itemPaid:    {itemFailed, itemClawedBack},

	itemClawedBack: {itemFailed},
}

// Transfers are the moves of a disbursement. A failed one can be sent again.
var Transfers = status.Table[string]{
	transferPending: {transferSent, transferFailed, transferCancelled},
	transferSent:    {transferSettled, transferFailed},
	transferSettled: {transferFailed},
	transferFailed:  {transferSent, transferCancelled},
}
