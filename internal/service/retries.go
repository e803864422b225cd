package service

import (
	"context"
	"errors"

	"paydown/ent"
	"paydown/ent/journal"
	entpayment "paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/schedule"
)

// A bounced payment has one successor, which stands in madeUpById: a retry, by which the same amount is debited again
// before long, or a make-up, which follows the last payment of the plan or comes in another way. Either way ACH asks for the
// money at most twice more, and within 180 days.

// RetryInput says when a returned debit is presented again.
type RetryInput struct {
	ScheduledDate Opt[civil.Date] `json:"scheduledDate" doc:"A banking day, not before today; the next one unless given"`
}

// Retry presents a returned ACH debit again, as a payment of its own of the same amount, where its return code lets it be
// retried. A payment has one successor; asking again returns the payment as it is, unless that one was called off.
func (s Payments) Retry(ctx context.Context, id int, in RetryInput) (*ent.Payment, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.Payment, error) {
		d, bounced, err := t.lockPayment(ctx, id)
		if err != nil {
			return nil, err
		}
		if next, err := t.successorOf(ctx, bounced); err != nil || next != nil {
			return bounced, err
		}
		if err := t.mayRetry(ctx, bounced); err != nil {
			return nil, err
		}
		day, err := t.retryDay(in.ScheduledDate)
		if err != nil {
			return nil, err
		}
		if err := t.mayAskAgain(ctx, bounced, day, "scheduledDate"); err != nil {
			return nil, err
		}
		return t.succeed(ctx, d, bounced, day, payment.ACH)
	})
}

// mayRetry refuses what is no returned collection by ACH, and one whose code does not let it be retried.
func (t *tx) mayRetry(ctx context.Context, bounced *ent.Payment) error {
	if err := collectionBounced(bounced); err != nil {
		return err
	}
	if bounced.Method != nil && *bounced.Method != payment.ACH {
		return fault.Conflictf("Only an ACH debit is retried; this payment came by %s.", *bounced.Method).
			With("id", "names a payment by %s: make it up instead", *bounced.Method)
	}
	code, err := t.codeOf(ctx, bounced)
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
	return t.notOnHold(ctx, bounced.DealID, "dealId")
}

// collectionBounced refuses what is no collection that has bounced.
func collectionBounced(p *ent.Payment) error {
	if p.Status == payment.Bounced && p.Type.ReducesReceivable() && p.Amount.Sign() > 0 {
		return nil
	}
	return fault.Conflictf("Only a collection that has bounced is made up.").With("id", "names a payment that is %s", p.Status)
}

func (t *tx) retryDay(asked Opt[civil.Date]) (civil.Date, error) {
	day, given := asked.Get()
	switch {
	case !given:
		return schedule.NextBankingDay(t.today()), nil
	case day.Before(t.today()):
		return day, fault.Field("scheduledDate", "must not be before today")
	case !schedule.IsBankingDay(day):
		return day, fault.Field("scheduledDate", "must be a banking day")
	}
	return day, nil
}

// successorOf is the payment that asks again for the money of one that bounced; nil where there is none, or none any more, since
// it was called off.
func (t *tx) successorOf(ctx context.Context, bounced *ent.Payment) (*ent.Payment, error) {
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
func (t *tx) succeed(
	ctx context.Context, d *ent.Deal, bounced *ent.Payment, day civil.Date, method payment.Method,
) (*ent.Payment, error) {
	made, err := t.Payment.Create().SetDealID(d.ID).SetType(payment.AdvancePayback).SetAmount(bounced.Amount).
		SetScheduledDate(day).SetDirection(payment.In).SetSource(t.source()).SetMethod(method).
		SetNillableLocDrawID(bounced.LocDrawID).Save(ctx)
	if err != nil {
		return nil, err
	}
	after, err := t.updatePayment(ctx, d, bounced, PaymentUpdate{MadeUpByID: Some(made.ID)})
	if err != nil {
		return nil, err
	}
	alsoMade(t, "payment", made)
	return after, nil
}

// maySucceed judges a payment that is named as the successor of one that bounced: one by ACH asks for the same money again,
// and, unless it is over already, debits the merchant.
func (t *tx) maySucceed(ctx context.Context, bounced, next *ent.Payment) error {
	debits := payment.Debits(next.Status, next.Type, next.Amount, next.Method)
	if debits {
		if err := t.notOnHold(ctx, next.DealID, "madeUpById"); err != nil {
			return err
		}
	}
	if !debits && (next.Method == nil || *next.Method != payment.ACH) {
		return nil
	}
	return t.mayAskAgain(ctx, bounced, t.debitsOn(next, next.Status), "madeUpById")
}

// debitsOn is the day on which a payment of a status by ACH asks for its money, or asked for it: one that is scheduled does so on
// its day, or today where that is over.
func (t *tx) debitsOn(p *ent.Payment, status payment.Status) civil.Date {
	today := t.today()
	switch {
	case p.InitiatedAt != nil:
		return civil.On(*p.InitiatedAt, t.zone())
	case status == payment.Pending && p.ScheduledDate != nil && p.ScheduledDate.After(today):
		return *p.ScheduledDate
	}
	return today
}

// mayAskAgain refuses one ACH debit too many for the same money, and one too late: the debits that came back are counted,
// back to the first. path is the field that asks for it.
func (t *tx) mayAskAgain(ctx context.Context, bounced *ent.Payment, on civil.Date, path string) error {
	first, debits, err := t.firstAsked(ctx, bounced)
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
func (t *tx) firstAsked(ctx context.Context, bounced *ent.Payment) (day civil.Date, debits int, err error) {
	first, debits, err := t.firstOf(ctx, bounced)
	if err != nil {
		return day, 0, err
	}
	day, err = t.firstPresented(ctx, first)
	return day, debits, err
}

// firstOf is the payment that a bounced one goes back to, which succeeds none, and how many ACH debits came back after it.
func (t *tx) firstOf(ctx context.Context, bounced *ent.Payment) (first *ent.Payment, debits int, err error) {
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
func (t *tx) firstPresented(ctx context.Context, p *ent.Payment) (civil.Date, error) {
	posted, err := t.Journal.Query().Where(journal.PaymentID(p.ID)).Order(journal.ByID()).First(ctx)
	switch {
	case err == nil:
		return posted.EffectiveDate, nil
	case !ent.IsNotFound(err):
		return civil.Date{}, err
	case p.InitiatedAt != nil:
		return civil.On(*p.InitiatedAt, t.zone()), nil
	case p.ReturnedAt != nil:
		return civil.On(*p.ReturnedAt, t.zone()), nil
	}
	return civil.On(p.CreatedAt, t.zone()), nil
}
