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

// ProcessorEventType is what a payment processor tells about a transfer.
type ProcessorEventType string

// processorSource is where the events of payment processors come in.
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

// ProcessorEvent says what became of the transfer that moves a payment. The payment is the one that is named, or the
// one that the transfer is known to belong to; where both are given the transfer is noted with the payment.
type ProcessorEvent struct {
	Type               input.Opt[ProcessorEventType] `json:"type" need:"create"`
	PaymentID          input.Opt[int]                `json:"paymentId" check:"gte=1" doc:"The payment; needed where its transfer is not known yet"`
	ExternalTransferID input.Opt[string]             `json:"externalTransferId" check:"text" doc:"What the processor calls the transfer" example:"tr_8841"`
	Amount             input.Opt[money.Amount]       `json:"amount" doc:"Where it is given it must be the payment's" example:"515.88"`
	ReturnCode         input.Opt[string]             `json:"returnCode" check:"text" doc:"NACHA return reason code of a return, where it is known" example:"R01"`
	OccurredAt         input.Opt[civil.Moment]       `json:"occurredAt" doc:"When the processor saw it; decides between a settlement and a return of one payment. Now unless given" example:"2026-01-07T09:30:00Z"`
}

func (in ProcessorEvent) problems() []fault.Detail {
	var problems []fault.Detail
	if !in.PaymentID.Given() && in.ExternalTransferID.Or("") == "" {
		problems = append(problems, fault.Detail{
			Path: "externalTransferId", Message: "name the payment: externalTransferId or paymentId is required",
		})
	}
	if code, ok := in.ReturnCode.Get(); ok && in.Type.Or("") == PaymentReturned {
		if _, err := payment.Lookup(code); err != nil {
			problems = append(problems, fault.Detail{Path: "returnCode", Message: err.Error()})
		}
	}
	return problems
}

// applyProcessor moves a payment to PAID or BOUNCED as PATCH of it would, with all that follows from that.
//
// Processors deliver late, twice and out of order, so the time at which something happened decides, not the time at
// which we hear of it:
//   - a settlement of a payment that is PAID changes nothing, and so does the return of one that is BOUNCED, but that
//     it adds the return code where none was known;
//   - a return that comes before its settlement bounces the payment, and the settlement that follows is passed over,
//     since it is older. Only one later than the return or, where the times are not told, of another transfer, is a new
//     presentation and pays the payment again;
//   - the return of an earlier presentation, heard again after a new one was paid, is passed over too.
//
// Where the times do not tell which presentation an event is about, it is kept for staff and not passed over.
//
// What the status table refuses beyond that is for staff: the event is kept with the reason.
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
		return inboundOutcome{}, fault.Field("amount", "is not the amount of the payment")
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

// transferEvent is a processor's event together with the payment it is about.
type transferEvent struct {
	in     ProcessorEvent
	before *ent.Payment
	zone   *time.Location
	at     *time.Time // nil where the processor does not say
	// other reports that the event is about another transfer than the one that the payment is known by.
	other bool
	also  []input.Change
}

// claimTransfer has events about one transfer follow each other: what it is known to belong to is read and noted under
// the claim, so that two events at once cannot settle two payments by it. It is taken before any row is locked.
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

// paymentOfTransfer finds the payment that the event is about.
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
			Path: "externalTransferId", Message: "no payment is known by this transfer; name it by paymentId as well",
		})
	}
	return 0, fault.Field("externalTransferId", "is the transfer of several payments; name one by paymentId")
}

// noteTransfer has the transfer stored with a payment that is known by none yet. A payment that bounced may be
// presented again by another transfer; any other difference means that the event is not about this payment.
func noteTransfer(ctx context.Context, t *unit.Tx, e *transferEvent) error {
	transfer := e.in.ExternalTransferID.Or("")
	known := e.before.ExternalTransferID
	if transfer == "" || (known != nil && *known == transfer) {
		return nil
	}
	e.other = known != nil
	if e.other && (e.before.Status != payment.Bounced || e.in.Type.Or("") != PaymentSettled) {
		return fault.Field("externalTransferId", "is not the transfer of this payment")
	}
	taken, err := t.Payment.Query().
		Where(entpayment.ExternalTransferID(transfer), entpayment.IDNEQ(e.before.ID)).Exist(ctx)
	if err != nil {
		return err
	}
	if taken {
		return fault.Field("externalTransferId", "is the transfer of another payment")
	}
	e.also = append(e.also, input.Set(entpayment.FieldExternalTransferID, transfer))
	return nil
}

// changeBy is what the event changes of the payment; nothing, where it tells what is known or what has been overtaken.
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
	switch e.before.Status { //nolint:exhaustive // any other may be paid for the first time
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

// presentsAgain reports whether the settlement is of a new presentation of a payment that bounced: later than the
// return or, where the times are not known, by another transfer. Another transfer that is not later than the return is
// no news of the presentation that came back, nor surely of one since, and an event with neither time nor transfer tells
// nothing about it: staff must say which.
func (e *transferEvent) presentsAgain() (bool, error) {
	if e.at == nil && e.in.ExternalTransferID.Or("") == "" {
		return false, fault.Field("occurredAt", "is needed, or externalTransferId: the payment was returned, and only they "+
			"tell whether it was settled before or after that")
	}
	if e.at == nil || e.before.ReturnedAt == nil {
		return e.other, nil
	}
	later := e.compare(*e.at, *e.before.ReturnedAt) > 0
	if e.other && !later {
		return false, fault.Field("occurredAt", "is not after the return of the payment, yet the transfer is another one")
	}
	return later, nil
}

// ofEarlierEpisode reports a return that came before the settlement of a payment that had bounced before and was paid
// anew. That can be told where the processor itself said when it was settled; what staff marked as paid may have been
// settled on any day before, so that a return from before that day is for staff.
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
			return false, fault.Field("occurredAt", "is before the day on which the payment was marked as paid again; "+
				"whether it is the latest presentation that came back cannot be told")
		}
		return false, nil
	}
	order := e.compare(*e.at, *settled)
	if order == 0 {
		return false, fault.Field("occurredAt", "is the time at which the payment was settled; "+
			"whether it is the latest presentation that came back cannot be told")
	}
	return order < 0, nil
}

// settledAt is when the processor says that the payment's last paid episode was settled; nil where somebody else paid
// it, or where the processor did not say. The event was applied at the instant at which the episode was posted.
func settledAt(ctx context.Context, t *unit.Tx, p *ent.Payment, zone *time.Location) (*time.Time, error) {
	posted, err := t.Journal.Query().
		Where(journal.PaymentID(p.ID), journal.Episode(p.Episode), journal.ReversesIDIsNil()).
		Order(journal.ByID()).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil //nolint:nilnil // it is not known
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
		moment, told := in.OccurredAt.Get()
		if !told || in.Type.Or("") != PaymentSettled || !in.about(p) {
			continue
		}
		if at := moment.At(zone); civil.On(at, zone).Equal(*p.ClearedDate) {
			return &at, nil
		}
	}
	return nil, nil //nolint:nilnil // it is not known
}

// about reports whether the event names the payment.
func (in ProcessorEvent) about(p *ent.Payment) bool {
	if id, given := in.PaymentID.Get(); given {
		return id == p.ID
	}
	return p.ExternalTransferID != nil && *p.ExternalTransferID == in.ExternalTransferID.Or("")
}

// compare orders two times. The first instant of a day stands for the day, since that is what is kept of a time that
// was told as a date: it is neither before nor after anything else on that day.
func (e *transferEvent) compare(a, b time.Time) int {
	if civil.IsBeginning(a, e.zone) || civil.IsBeginning(b, e.zone) {
		return civil.On(a, e.zone).Sub(civil.On(b, e.zone))
	}
	return a.Compare(b)
}
