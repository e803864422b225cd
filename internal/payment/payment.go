// Package payment defines payments: types, statuses and the moves between them, and the Nacha return codes
// with their consequences for collection.
package payment

import "slices"

// Type is the purpose of a payment.
type Type string

// The types in the API.
const (
	OriginalAdvancePayback        Type = "ORIGINAL_ADVANCE_PAYBACK"
	AdvancePayback                Type = "ADVANCE_PAYBACK"
	AdvancePaybackAdjustment      Type = "ADVANCE_PAYBACK_ADJUSTMENT"
	ParticipationPayout           Type = "PARTICIPATION_PAYOUT"
	ParticipationPayoutAdjustment Type = "PARTICIPATION_PAYOUT_ADJUSTMENT"
	BounceFee                     Type = "BOUNCE_FEE"
	WireFee                       Type = "WIRE_FEE"
	UCCFee                        Type = "UCC_FEE"
	ApplicationFee                Type = "APPLICATION_FEE"
	OtherFee                      Type = "OTHER_FEE"
	EPODiscount                   Type = "EPO_DISCOUNT"
	RenewalPayoff                 Type = "RENEWAL_PAYOFF"
)

// Values lists the types, for the schema and for error messages.
func (Type) Values() []string {
	return []string{
		string(OriginalAdvancePayback), string(AdvancePayback), string(AdvancePaybackAdjustment),
		string(ParticipationPayout), string(ParticipationPayoutAdjustment),
		string(BounceFee), string(WireFee), string(UCCFee), string(ApplicationFee), string(OtherFee),
		string(EPODiscount), string(RenewalPayoff),
	}
}

// Signed reports whether a payment of the type may be negative.
func (t Type) Signed() bool {
	return t == AdvancePaybackAdjustment || t == ParticipationPayoutAdjustment
}

// Fees returns the five types of fees that a merchant pays.
func Fees() []Type { return []Type{BounceFee, WireFee, UCCFee, ApplicationFee, OtherFee} }

// IsFee reports whether the type is one of the fees.
func (t Type) IsFee() bool { return slices.Contains(Fees(), t) }

// AgainstReceivable returns the types whose paid payments reduce what the merchant owes.
func AgainstReceivable() []Type {
	return []Type{OriginalAdvancePayback, AdvancePayback, AdvancePaybackAdjustment, EPODiscount, RenewalPayoff}
}

// ReducesReceivable reports whether payments of the type reduce what the merchant owes.
func (t Type) ReducesReceivable() bool { return slices.Contains(AgainstReceivable(), t) }

// ToSyndicator reports whether the payment goes to a syndicator, who must then be given.
func (t Type) ToSyndicator() bool {
	return t == ParticipationPayout || t == ParticipationPayoutAdjustment
}

// MayOffset reports whether a payment of the type can be made without moving money, by offset against the
// renewing deal.
func (t Type) MayOffset() bool { return t == RenewalPayoff || t == EPODiscount }

// MayReturn reports whether a payment of the type and method (nil: unknown) can be returned by a bank.
// Discounts and offsets move no money, so they cannot.
func (t Type) MayReturn(m *Method) bool { return t != EPODiscount && (m == nil || *m != Offset) }

// Status is the status of a payment.
type Status string

// The statuses in the API.
const (
	Pending   Status = "PENDING"
	Submitted Status = "SUBMITTED"
	Paid      Status = "PAID"
	Bounced   Status = "BOUNCED"
	Cancelled Status = "CANCELLED"
)

// Values lists the statuses.
func (Status) Values() []string {
	return []string{string(Pending), string(Submitted), string(Paid), string(Bounced), string(Cancelled)}
}

// moves is the table of allowed status changes. BOUNCED → PAID starts a new episode, and is allowed only if
// no make-up payment replaces the returned one; the caller checks that, because it needs the record.
var moves = map[Status][]Status{
	Pending:   {Submitted, Paid, Bounced, Cancelled},
	Submitted: {Paid, Bounced, Cancelled},
	Paid:      {Bounced},
	Cancelled: {Paid},
	Bounced:   {Paid},
}

// CanBecome reports whether a payment may move from s to next. A move to the same status is not a move.
func (s Status) CanBecome(next Status) bool { return slices.Contains(moves[s], next) }

// Next lists the statuses that s may move to.
func (s Status) Next() []Status { return moves[s] }

// Frozen reports whether amount, type and deal of a payment in this status can no longer change.
func (s Status) Frozen() bool { return s == Paid || s == Bounced }

// Initial reports whether a payment may be created in the status.
func (s Status) Initial() bool { return s == Pending || s == Submitted || s == Paid }

// Method is how the money moves.
type Method string

// The methods in the API.
const (
	ACH    Method = "ACH"
	Wire   Method = "WIRE"
	Check  Method = "CHECK"
	Cash   Method = "CASH"
	Other  Method = "OTHER"
	Offset Method = "OFFSET"
)

// Values lists the methods.
func (Method) Values() []string {
	return []string{string(ACH), string(Wire), string(Check), string(Cash), string(Other), string(Offset)}
}

// Direction is from the funder's view: IN is collected, OUT is paid out.
type Direction string

// The directions.
const (
	In  Direction = "IN"
	Out Direction = "OUT"
)

// Values lists the directions.
func (Direction) Values() []string { return []string{string(In), string(Out)} }

// DirectionOf returns the direction of payments of the type.
func DirectionOf(t Type) Direction {
	if t.ToSyndicator() {
		return Out
	}
	return In
}

// Source says who created or moved a payment.
type Source string

// The sources.
const (
	FromSchedule  Source = "SCHEDULE"
	FromAPI       Source = "API"
	FromStaff     Source = "STAFF"
	FromProcessor Source = "PROCESSOR"
	FromSystem    Source = "SYSTEM"
)

// Values lists the sources.
func (Source) Values() []string {
	return []string{string(FromSchedule), string(FromAPI), string(FromStaff), string(FromProcessor), string(FromSystem)}
}
