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

// A returned payment has one successor, named in madeUpById: a retry, which debits the same amount again soon,
// or a make-up payment, which follows the last scheduled payment or comes by another method. In both cases the
// money may be debited by ACH at most twice more, within 180 days (Nacha's limit on reinitiated entries).

// RetryInput is the input for retrying a returned debit.
type RetryInput struct {
	ScheduledDate input.Opt[civil.Date] `json:"scheduledDate" doc:"A banking day, not before today; default: the next one"`
}

// Retry debits a returned ACH payment again, as a new payment of the same amount, if its return code is
// retryable. A payment has one successor; a repeated call returns the returned payment unchanged, unless its
// successor was canceled.
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
		if err := checkRetryLimits(ctx, t, bounced, day, "scheduledDate"); err != nil {
			return nil, err
		}
		return createSuccessor(ctx, t, d, bounced, day, payment.ACH)
	})
}

// mayRetry rejects a payment that is not a returned ACH collection, or whose return code is not retryable.
func mayRetry(ctx context.Context, t *unit.Tx, bounced *ent.Payment) error {
	if err := collectionBounced(bounced); err != nil {
		return err
	}
	if bounced.Method != nil && *bounced.Method != payment.ACH {
		return fault.Conflictf("Only an ACH debit can be retried; this payment came by %s.", *bounced.Method).
			With("id", "must name an ACH payment, not one by %s: make it up instead", *bounced.Method)
	}
	code, err := codeOf(ctx, t, bounced)
	if err != nil {
		return err
	}
	switch {
	case code == nil:
		return fault.Conflictf("The payment cannot be retried: its return code is not known.").
			With("bounceCodeId", "is required to retry the payment")
	case !code.Retryable:
		return fault.Conflictf("A debit returned with %s, %s, cannot be retried.", code.Code, code.Title).
			With("bounceCodeId", "names %s, which is not retryable", code.Code)
	}
	return collections.RefuseOnHold(ctx, t, bounced.DealID, "dealId")
}

// collectionBounced rejects a payment that is not a returned collection.
func collectionBounced(p *ent.Payment) error {
	if p.Status == payment.Bounced && p.Type.ReducesReceivable() && p.Amount.Sign() > 0 {
		return nil
	}
	return fault.Conflictf("Only a BOUNCED collection can be made up.").
		With("id", "must name a BOUNCED collection, not a payment that is %s", p.Status)
}

func retryDay(t *unit.Tx, requested input.Opt[civil.Date]) (civil.Date, error) {
	day, given := requested.Get()
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

// successorOf returns the payment that retries or makes up for a returned one; nil if there is none or it was
// canceled.
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

// createSuccessor schedules a payment of the same amount as the successor of a returned one, and returns the
// returned one.
func createSuccessor(
	ctx context.Context, t *unit.Tx, d *ent.Deal, bounced *ent.Payment, day civil.Date, method payment.Method,
) (*ent.Payment, error) {
	created, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.AdvancePayback).SetAmount(bounced.Amount).
		SetScheduledDate(day).SetDirection(payment.In).SetSource(t.Source()).SetMethod(method).
		SetNillableLocDrawID(bounced.LocDrawID).Save(ctx)
	if err != nil {
		return nil, err
	}
	after, err := UpdatePayment(ctx, t, d, bounced, PaymentUpdate{MadeUpByID: input.Some(created.ID)})
	if err != nil {
		return nil, err
	}
	unit.AlsoCreated(t, "payment", created)
	return after, nil
}

// maySucceed checks a payment that is named as the successor of a returned one. A successor that debits must
// not be on a deal on hold, and one by ACH counts against the retry limits.
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
	return checkRetryLimits(ctx, t, bounced, debitsOn(t, next, next.Status), "madeUpById")
}

// debitsOn returns the day on which an ACH payment debits, or did debit: a scheduled payment debits on its
// scheduled date, or today if that has passed.
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

// checkRetryLimits rejects an ACH debit if the same money was already debited too often or too long ago. It
// counts the returned debits back to the first one. path is the request field to name in the error.
func checkRetryLimits(ctx context.Context, t *unit.Tx, bounced *ent.Payment, on civil.Date, path string) error {
	first, debits, err := firstDebit(ctx, t, bounced)
	if err != nil {
		return err
	}
	limit := payment.CheckRetry(first, on, debits)
	switch {
	case errors.Is(limit, payment.ErrRetryLimit):
		return fault.Conflictf("The ACH retry limit is reached; collect the money by another method.").
			With(path, "asks for an ACH debit, and %s", limit)
	case limit != nil:
		return tooLateToDebit(path, first)
	}
	return nil
}

// tooLateToDebit is the error for an ACH debit after the retry window.
func tooLateToDebit(path string, first civil.Date) error {
	return fault.Conflictf("It is too late to debit the money by ACH; collect it by another method.").
		With(path, "asks for an ACH debit after %s, %d days after the first one on %s; use another method",
			payment.LastRetry(first), payment.RetryWindowDays, first)
}

// firstDebit returns the day on which the money of a returned payment was first debited, and how many of its
// ACH debits were returned since.
func firstDebit(ctx context.Context, t *unit.Tx, bounced *ent.Payment) (day civil.Date, debits int, err error) {
	first, debits, err := firstOf(ctx, t, bounced)
	if err != nil {
		return day, 0, err
	}
	day, err = firstPresented(ctx, t, first)
	return day, debits, err
}

// firstOf returns the payment at the start of a returned payment's chain of successors, and how many ACH debits
// were returned after it.
func firstOf(
	ctx context.Context, t *unit.Tx, bounced *ent.Payment,
) (first *ent.Payment, debits int, err error) {
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

// firstPresented returns the day on which a payment first cleared or, if it never did, was initiated, returned
// or created.
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
