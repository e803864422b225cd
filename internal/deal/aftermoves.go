package deal

import "paydown/internal/status"

// Statuses of the records that follow a funding, in the words of their schema.
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

// Lines are the moves of a line of credit that staff ask for. What a line does because its deal moves is LineOf's.
var Lines = status.Table[string]{
	lineActive:    {lineSuspended, lineClosed},
	lineSuspended: {lineActive, lineClosed},
}

// Draws are the moves of a draw that staff make. Whether one that was paid out is repaid follows from what was collected.
var Draws = status.Table[string]{
	drawRequested: {drawApproved, drawDeclined},
	drawApproved:  {drawFunded, drawDeclined},
}

// Opportunities are the moves of an opportunity to renew. RENEWED is the system's alone: the renewal has funded.
var Opportunities = status.Table[string]{
	renewalEligible:  {renewalContacted, renewalDismissed, renewalRenewed},
	renewalContacted: {renewalDismissed, renewalRenewed},
}

// Batches are the moves of a payout batch. One of which a part is paid is PARTIAL until the rest is.
var Batches = status.Table[string]{
	batchDraft:    {batchApproved},
	batchApproved: {batchPaid, batchPartial},
	batchPartial:  {batchPaid},
	batchPaid:     {batchPartial},
}

// Items are the moves of a line of a payout batch. What was paid fails where the transfer comes back, also where it was clawed
// back by then.
var Items = status.Table[string]{
	itemPending: {itemPaid, itemHeld, itemFailed, itemClawedBack},
	itemHeld:    {itemPending, itemClawedBack},
	itemFailed:  {itemPending, itemClawedBack},
	itemPaid:    {itemFailed, itemClawedBack},

	itemClawedBack: {itemFailed},
}

// Transfers are the moves of a disbursement. One that failed may be sent once more.
var Transfers = status.Table[string]{
	transferPending: {transferSent, transferFailed, transferCancelled},
	transferSent:    {transferSettled, transferFailed},
	transferSettled: {transferFailed},
	transferFailed:  {transferSent, transferCancelled},
}
