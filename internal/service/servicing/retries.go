package servicing

import (
	"context"
	"errors"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service/collections"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// A bounced payment has one successor, which stands in madeUpById: a retry, by which the same amount is debited again
// before long, or a make-up, which follows the last payment of the plan or comes in another way. Either way ACH asks for the
// money at most twice more, and within 180 days.

// RetryInput says when a returned debit is presented again.
type RetryInput struct {
	ScheduledDate input.Opt[civil.Date] `json:"scheduledDate" doc:"A banking day, not before today; the next one unless given"`
}

// Retry presents a returned ACH debit again, as a payment of its own of the same amount, where its return code lets it be
// retried. A payment has one successor; asking again returns the payment as it is, unless that one was called off.
func (s Payments) Retry(ctx context.Context, id int, in RetryInput) (*ent.Payment, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.Payment, error) {
		d, bounced, err := LockPayment(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if next, err := successorOf(ctx, t, bounced); err != nil || next != nil {
			return bounced, err
		}
		if err := mayRetry(ctx, t, bounced); err != nil {
			return nil, err
		}
		day, err := retryDay(t, in.ScheduledDate)
		if err != nil {
			return nil, err
		}
		if err := mayAskAgain(ctx, t, bounced, day, "scheduledDate"); err != nil {
			return nil, err
		}
		return succeed(ctx, t, d, bounced, day, payment.ACH)
	})
}

// mayRetry refuses what is no returned collection by ACH, and one whose code does not let it be retried.
func mayRetry(ctx context.Context, t *unit.Tx, bounced *ent.Payment) error {
	if err := collectionBounced(bounced); err != nil {
		return err
	}
	if bounced.Method != nil && *bounced.Method != payment.ACH {
		return fault.Conflictf("Only an ACH debit is retried; this payment came by %s.", *bounced.Method).
			With("id", "names a payment by %s: make it up instead", *bounced.Method)
	}
	code, err := codeOf(ctx, t, bounced)
	if err != nil {
		return err
	}
	switch {
	case code == nil:
		return fault.Conflictf("The return code of the payment is not known, so that it cannot be retried.").
			With("bounceCodeId", "is needed to retry the payment")
	case !code.Retryable:
		return fault.Conflictf("A debit that was returned with %s, %s, is not retried.", code.Code, code.Title).
			With("bounceCodeId", "names %s, which is not retryable", code.Code)
	}
	return collections.RefuseOnHold(ctx, t, bounced.DealID, "dealId")
}

// collectionBounced refuses what is no collection that has bounced.
func collectionBounced(p *ent.Payment) error {
	if p.Status == payment.Bounced && p.Type.ReducesReceivable() && p.Amount.Sign() > 0 {
		return nil
	}
	return fault.Conflictf("Only a collection that has bounced is made up.").With("id", "names a payment that is %s", p.Status)
}

func retryDay(t *unit.Tx, asked input.Opt[civil.Date]) (civil.Date, error) {
	day, given := asked.Get()
	switch {
	case !given:
		return schedule.NextBankingDay(t.Today()), nil
	case day.Before(t.Today()):
		return day, fault.Field("scheduledDate", "must not be before today")
	case !schedule.IsBankingDay(day):
		return day, fault.Field("scheduledDate", "must be a banking day")
	}
	return day, nil
}

// successorOf is the payment that asks again for the money of one that bounced; nil where there is none, or none any more, since
// it was called off.
func successorOf(ctx context.Context, t *unit.Tx, bounced *ent.Payment) (*ent.Payment, error) {
	if bounced.MadeUpByID == nil {
		return nil, nil //nolint:nilnil // there is none
	}
	next, err := t.Payment.Get(ctx, *bounced.MadeUpByID)
	if err != nil || next.Status == payment.Cancelled {
		return nil, err
	}
	return next, nil
}

// succeed schedules a payment of the amount of one that bounced, as its successor, and returns the bounced one.
func succeed(
	ctx context.Context, t *unit.Tx, d *ent.Deal, bounced *ent.Payment, day civil.Date, method payment.Method,
) (*ent.Payment, error) {
	made, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.AdvancePayback).SetAmount(bounced.Amount).
		SetScheduledDate(day).SetDirection(payment.In).SetSource(t.Source()).SetMethod(method).
		SetNillableLocDrawID(bounced.LocDrawID).Save(ctx)
	if err != nil {
		return nil, err
	}
	after, err := UpdatePayment(ctx, t, d, bounced, PaymentUpdate{MadeUpByID: input.Some(made.ID)})
	if err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "payment", made)
	return after, nil
}

// maySucceed judges a payment that is named as the successor of one that bounced: one by ACH asks for the same money again,
// and, unless it is over already, debits the merchant.
func maySucceed(ctx context.Context, t *unit.Tx, bounced, next *ent.Payment) error {
	debits := payment.Debits(next.Status, next.Type, next.Amount, next.Method)
	if debits {
		if err := collections.RefuseOnHold(ctx, t, next.DealID, "madeUpById"); err != nil {
			return err
		}
	}
	if !debits && (next.Method == nil || *next.Method != payment.ACH) {
		return nil
	}
	return mayAskAgain(ctx, t, bounced, debitsOn(t, next, next.Status), "madeUpById")
}

// debitsOn is the day on which a payment of a status by ACH asks for its money, or asked for it: one that is scheduled does so on
// its day, or today where that is over.
func debitsOn(t *unit.Tx, p *ent.Payment, status payment.Status) civil.Date {
	today := t.Today()
	switch {
	case p.InitiatedAt != nil:
		return civil.On(*p.InitiatedAt, t.Zone())
	case status == payment.Pending && p.ScheduledDate != nil && p.ScheduledDate.After(today):
		return *p.ScheduledDate
	}
	return today
}

// mayAskAgain refuses one ACH debit too many for the same money, and one too late: the debits that came back are counted,
// back to the first. path is the field that asks for it.
func mayAskAgain(ctx context.Context, t *unit.Tx, bounced *ent.Payment, on civil.Date, path string) error {
	first, debits, err := firstAsked(ctx, t, bounced)
	if err != nil {
		return err
	}
	limit := payment.CheckRetry(first, on, debits)
	switch {
	case errors.Is(limit, payment.ErrRetryLimit):
		return fault.Conflictf("The money was asked for by ACH as often as may be; it has to come in another way.").
			With(path, "asks for an ACH debit, and %s", limit)
	case limit != nil:
		return tooLateToDebit(path, first)
	}
	return nil
}

// tooLateToDebit refuses an ACH debit for money that was first asked for on a day too long before.
func tooLateToDebit(path string, first civil.Date) error {
	return fault.Conflictf("It is too late to ask for the money by ACH; it has to come in by another method.").
		With(path, "asks for an ACH debit later than %s, %d days after the first one, of %s; the money may come by another method",
			payment.LastRetry(first), payment.RetryWindowDays, first)
}

// firstAsked is the day on which the money of a payment that bounced was first asked for, and how many ACH debits for it came
// back since.
func firstAsked(ctx context.Context, t *unit.Tx, bounced *ent.Payment) (day civil.Date, debits int, err error) {
	first, debits, err := firstOf(ctx, t, bounced)
	if err != nil {
		return day, 0, err
	}
	day, err = firstPresented(ctx, t, first)
	return day, debits, err
}

// firstOf is the payment that a bounced one goes back to, which succeeds none, and how many ACH debits came back after it.
func firstOf(ctx context.Context, t *unit.Tx, bounced *ent.Payment) (first *ent.Payment, debits int, err error) {
	for first = bounced; ; {
		earlier, err := t.Payment.Query().Where(entpayment.MadeUpByID(first.ID)).Only(ctx)
		if ent.IsNotFound(err) {
			return first, debits, nil
		}
		if err != nil {
			return nil, 0, err
		}
		if first.Method == nil || *first.Method == payment.ACH {
			debits++
		}
		first = earlier
	}
}

// firstPresented is the day on which a payment settled first or, where it never did, was initiated, returned or made.
func firstPresented(ctx context.Context, t *unit.Tx, p *ent.Payment) (civil.Date, error) {
	posted, err := t.Journal.Query().Where(journal.PaymentID(p.ID)).Order(journal.ByID()).First(ctx)
	switch {
	case err == nil:
		return posted.EffectiveDate, nil
	case !ent.IsNotFound(err):
		return civil.Date{}, err
	case p.InitiatedAt != nil:
		return civil.On(*p.InitiatedAt, t.Zone()), nil
	case p.ReturnedAt != nil:
		return civil.On(*p.ReturnedAt, t.Zone()), nil
	}
	return civil.On(p.CreatedAt, t.Zone()), nil
}
