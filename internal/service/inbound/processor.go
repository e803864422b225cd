package inbound

import (
	"context"
	"crypto/sha256"
	"fmt"
	"time"

	"paydown/ent"
	"paydown/ent/bouncecode"
	"paydown/ent/inboundevent"
	"paydown/ent/journal"
	"paydown/ent/payment"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/input"
	"paydown/internal/service/servicing"
	"paydown/internal/service/unit"
)

// ProcessorEventType is the type of an event from a payment processor.
type ProcessorEventType string

// processorSource is the source of payment processors' events.
const processorSource = "processor"

// The types of processor events.
const (
	PaymentSettled  ProcessorEventType = "payment.settled"
	PaymentReturned ProcessorEventType = "payment.returned"
)

// Values lists the types.
func (ProcessorEventType) Values() []string {
	return []string{string(PaymentSettled), string(PaymentReturned)}
}

// ProcessorEvent reports what happened to the transfer of a payment. It names the payment, or a transfer that
// is known to belong to one. If it names both, the transfer is stored on the payment.
type ProcessorEvent struct {
	Type               input.Opt[ProcessorEventType] `json:"type" need:"create"`
	PaymentID          input.Opt[int]                `json:"paymentId" check:"gte=1" doc:"Id of the payment; required if its transfer is not known yet"`
	ExternalTransferID input.Opt[string]             `json:"externalTransferId" check:"text" doc:"Transfer id at the processor" example:"tr_8841"`
	Amount             input.Opt[money.Amount]       `json:"amount" doc:"If given, must be the payment's amount" example:"515.88"`
	ReturnCode         input.Opt[string]             `json:"returnCode" check:"text" doc:"NACHA return reason code of a return, if known" example:"R01"`
	OccurredAt         input.Opt[civil.Moment]       `json:"occurredAt" doc:"When it happened at the processor; orders a settlement and a return of the same payment. Default: now" example:"2026-01-07T09:30:00Z"`
}

func (in ProcessorEvent) problems() []fault.Detail {
	var problems []fault.Detail
	if !in.PaymentID.Given() && in.ExternalTransferID.Or("") == "" {
		problems = append(problems, fault.Detail{
			Path: "externalTransferId", Message: "is required, or paymentId",
		})
	}
	if code, ok := in.ReturnCode.Get(); ok && in.Type.Or("") == PaymentReturned {
		if _, err := payment.Lookup(code); err != nil {
			problems = append(problems, fault.Detail{Path: "returnCode", Message: err.Error()})
		}
	}
	return problems
}

// applyProcessor moves a payment to PAID or BOUNCED like a PATCH of the payment, with the same consequences.
//
// Processors deliver events late, twice and out of order. So what counts is when something happened, not when
// it was received:
//   - A settlement of a PAID payment and a return of a BOUNCED payment change nothing, except that the return
//     adds a missing return code.
//   - If a return arrives before its settlement, the payment becomes BOUNCED and the settlement is skipped
//     because it is older. Only a settlement that is later than the return (or, if times are unknown, of another
//     transfer) is a new presentation and pays the payment again.
//   - A return of an earlier presentation that arrives after a new one was paid is skipped too.
//
// If the times do not show which presentation an event is about, it is stored for staff, not skipped.
//
// Any other move that the status table rejects is stored for staff with the reason.
func applyProcessor(ctx context.Context, t *unit.Tx, p input.Payload) (inboundOutcome, error) {
	in, err := input.FromPayload(p, ProcessorEvent.problems)
	if err != nil {
		return inboundOutcome{}, err
	}
	if err := claimTransfer(ctx, t, in); err != nil {
		return inboundOutcome{}, err
	}
	id, err := paymentOfTransfer(ctx, t, in)
	if err != nil {
		return inboundOutcome{}, err
	}
	d, before, err := servicing.LockPayment(ctx, t, id)
	if err != nil {
		return inboundOutcome{}, err
	}
	if amount, ok := in.Amount.Get(); ok && !amount.Equal(before.Amount) {
		return inboundOutcome{}, fault.Field("amount", "must be the amount of the payment")
	}
	e := transferEvent{in: in, before: before, zone: t.Zone()}
	if moment, ok := in.OccurredAt.Get(); ok {
		at := moment.At(e.zone)
		e.at = &at
		if err := t.RefuseFuture(at); err != nil {
			return inboundOutcome{}, err
		}
	}
	if err := noteTransfer(ctx, t, &e); err != nil {
		return inboundOutcome{}, err
	}
	change, err := changeBy(ctx, t, &e)
	if err != nil {
		return inboundOutcome{}, err
	}
	_, err = servicing.UpdatePayment(ctx, t, d, before, change, e.also...)
	return inboundOutcome{dealID: &d.ID, merchantID: &d.MerchantID}, err
}

// transferEvent is a processor's event with its payment.
type transferEvent struct {
	in     ProcessorEvent
	before *ent.Payment
	zone   *time.Location
	at     *time.Time // nil if the processor does not say
	// other reports that the event is about another transfer than the one that the payment is known by.
	other bool
	also  []input.Change
}

// claimTransfer serializes events about one transfer: the payment it belongs to is read and stored under the
// claim, so that two simultaneous events cannot settle two payments with one transfer. It must be taken before
// any row is locked.
func claimTransfer(ctx context.Context, t *unit.Tx, in ProcessorEvent) error {
	transfer := in.ExternalTransferID.Or("")
	if transfer == "" {
		return nil
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "transfer\x00%d\x00%s", t.Actor.TenantID, transfer))
	if err := t.Claim(ctx, sum[:]); err != nil {
		return fmt.Errorf("claim the transfer: %w", err)
	}
	return nil
}

// paymentOfTransfer finds the payment of the event.
func paymentOfTransfer(ctx context.Context, t *unit.Tx, in ProcessorEvent) (int, error) {
	if id, given := in.PaymentID.Get(); given {
		err := t.Require(ctx, unit.Reference{Path: "paymentId", Record: "Payment", ID: &id})
		return id, err
	}
	ids, err := t.Payment.Query().Where(entpayment.ExternalTransferID(in.ExternalTransferID.Or(""))).Limit(2).IDs(ctx)
	if err != nil {
		return 0, err
	}
	switch len(ids) {
	case 1:
		return ids[0], nil
	case 0:
		return 0, fault.UnknownReference(fault.Detail{
			Path: "externalTransferId", Message: "no payment has this transfer; set paymentId too",
		})
	}
	return 0, fault.Field("externalTransferId", "belongs to several payments; set paymentId")
}

// noteTransfer stores the transfer on a payment that has none. A returned payment may be presented again by
// another transfer; otherwise a different transfer means that the event is not about this payment.
func noteTransfer(ctx context.Context, t *unit.Tx, e *transferEvent) error {
	transfer := e.in.ExternalTransferID.Or("")
	known := e.before.ExternalTransferID
	if transfer == "" || (known != nil && *known == transfer) {
		return nil
	}
	e.other = known != nil
	if e.other && (e.before.Status != payment.Bounced || e.in.Type.Or("") != PaymentSettled) {
		return fault.Field("externalTransferId", "must be the transfer of this payment")
	}
	taken, err := t.Payment.Query().
		Where(entpayment.ExternalTransferID(transfer), entpayment.IDNEQ(e.before.ID)).Exist(ctx)
	if err != nil {
		return err
	}
	if taken {
		return fault.Field("externalTransferId", "must not be the transfer of another payment")
	}
	e.also = append(e.also, input.Set(entpayment.FieldExternalTransferID, transfer))
	return nil
}

// changeBy returns what the event changes in the payment; nothing if it is already known or outdated.
func changeBy(ctx context.Context, t *unit.Tx, e *transferEvent) (servicing.PaymentUpdate, error) {
	if e.in.Type.Or("") == PaymentSettled {
		return e.settlement()
	}
	var in servicing.PaymentUpdate
	earlier, err := ofEarlierEpisode(ctx, t, e)
	if earlier || err != nil {
		e.also = nil
		return in, err
	}
	if code, given := e.in.ReturnCode.Get(); given && e.before.BounceCodeID == nil {
		id, err := t.BounceCode.Query().Where(bouncecode.Code(code)).OnlyID(ctx)
		if ent.IsNotFound(err) {
			return in, fault.Field("returnCode", "%s", payment.ErrReturnCode)
		}
		if err != nil {
			return in, err
		}
		in.BounceCodeID = input.Some(id)
	}
	if e.before.Status == payment.Bounced {
		return in, nil
	}
	in.Status = input.Some(payment.Bounced)
	if e.at != nil {
		e.also = append(e.also, input.Set(entpayment.FieldReturnedAt, *e.at))
	}
	return in, nil
}

func (e *transferEvent) settlement() (servicing.PaymentUpdate, error) {
	var in servicing.PaymentUpdate
	switch e.before.Status { //nolint:exhaustive // in any other status this is the first settlement
	case payment.Paid:
		return in, nil
	case payment.Bounced:
		again, err := e.presentsAgain()
		if !again || err != nil {
			e.also = nil
			return in, err
		}
	}
	in.Status = input.Some(payment.Paid)
	if e.at != nil {
		in.ClearedDate = input.Some(civil.On(*e.at, e.zone))
	}
	return in, nil
}

// presentsAgain reports whether the settlement is a new presentation of a returned payment: later than the
// return or, if times are unknown, by another transfer. Two cases are ambiguous and left to staff: another
// transfer that is not later than the return, and an event without time and transfer.
func (e *transferEvent) presentsAgain() (bool, error) {
	if e.at == nil && e.in.ExternalTransferID.Or("") == "" {
		return false, fault.Field("occurredAt", "is required, or externalTransferId: the payment was returned, and only "+
			"they show whether it settled before or after that")
	}
	if e.at == nil || e.before.ReturnedAt == nil {
		return e.other, nil
	}
	later := e.compare(*e.at, *e.before.ReturnedAt) > 0
	if e.other && !later {
		return false, fault.Field("occurredAt", "must be after the return of the payment: the transfer is a different one")
	}
	return later, nil
}

// ofEarlierEpisode reports whether a return is older than the latest settlement of a payment that had been
// returned before and paid again. That is certain only if the processor reported the time of settlement. A
// payment that staff marked PAID may have settled on any earlier day, so a return from before that day is left
// to staff.
func ofEarlierEpisode(ctx context.Context, t *unit.Tx, e *transferEvent) (bool, error) {
	p := e.before
	if p.Status != payment.Paid || p.Episode < 2 || p.ClearedDate == nil || e.at == nil {
		return false, nil
	}
	settled, err := settledAt(ctx, t, p, e.zone)
	if err != nil {
		return false, err
	}
	if settled == nil {
		if civil.On(*e.at, e.zone).Before(*p.ClearedDate) {
			return false, fault.Field("occurredAt", "is before the day the payment was marked as paid again; "+
				"it is unclear whether the latest presentation was returned")
		}
		return false, nil
	}
	order := e.compare(*e.at, *settled)
	if order == 0 {
		return false, fault.Field("occurredAt", "is the time the payment settled; "+
			"it is unclear whether the latest presentation was returned")
	}
	return order < 0, nil
}

// settledAt returns when the payment's last paid episode settled according to the processor; nil if another
// source paid it or the processor gave no time. The event was applied at the instant the episode was posted.
func settledAt(ctx context.Context, t *unit.Tx, p *ent.Payment, zone *time.Location) (*time.Time, error) {
	posted, err := t.Journal.Query().
		Where(journal.PaymentID(p.ID), journal.Episode(p.Episode), journal.ReversesIDIsNil()).
		Order(journal.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // not known
	}
	if err != nil {
		return nil, err
	}
	rows, err := t.InboundEvent.Query().Where(
		inboundevent.DealID(p.DealID), inboundevent.Source(processorSource),
		inboundevent.StateEQ(inboundevent.StateAPPLIED), inboundevent.AppliedAt(posted.OccurredAt),
	).Order(inboundevent.ByID(unit.Descending())).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		payload, err := input.ParsePayload(row.Payload)
		if err != nil {
			return nil, err
		}
		in, err := input.FromPayload(payload, ProcessorEvent.problems)
		if err != nil {
			return nil, err
		}
		moment, given := in.OccurredAt.Get()
		if !given || in.Type.Or("") != PaymentSettled || !in.about(p) {
			continue
		}
		if at := moment.At(zone); civil.On(at, zone).Equal(*p.ClearedDate) {
			return &at, nil
		}
	}
	return nil, nil //nolint:nilnil // not known
}

// about reports whether the event names the payment.
func (in ProcessorEvent) about(p *ent.Payment) bool {
	if id, given := in.PaymentID.Get(); given {
		return id == p.ID
	}
	return p.ExternalTransferID != nil && *p.ExternalTransferID == in.ExternalTransferID.Or("")
}

// compare compares two times. The first instant of a day means the whole day, because that is how a date
// without a time is stored: it is neither before nor after any other time on that day.
func (e *transferEvent) compare(a, b time.Time) int {
	if civil.IsBeginning(a, e.zone) || civil.IsBeginning(b, e.zone) {
		return civil.On(a, e.zone).Sub(civil.On(b, e.zone))
	}
	return a.Compare(b)
}
