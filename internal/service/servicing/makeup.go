package servicing

import (
	"context"

	"paydown/ent"
	"paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/collections"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
)

// MakeUpInput is the input for scheduling a make-up payment.
type MakeUpInput struct {
	ScheduledDate input.Opt[civil.Date]     `json:"scheduledDate" doc:"Default: the collection day after the last scheduled payment; not before today and, by ACH, within 180 days of the first debit"`
	Method        input.Opt[payment.Method] `json:"method" doc:"Default: ACH; not OFFSET; ACH may debit the money at most twice more"`
}

// MakeUp schedules a make-up payment for a returned payment: the same amount and, unless a day is given, on the
// collection day after the deal's last scheduled payment. By ACH it is no later than the last banking day on
// which the money may still be debited. A payment has one make-up; a repeated call returns the returned payment
// unchanged, unless its make-up was canceled.
func (s Payments) MakeUp(ctx context.Context, id int, in MakeUpInput) (*ent.Payment, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	if in.Method.Or(payment.ACH) == payment.Offset {
		return nil, fault.Field("method", noOffset)
	}
	return unit.Write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *unit.Tx) (*ent.Payment, error) {
		d, bounced, err := LockPayment(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if next, err := successorOf(ctx, t, bounced); err != nil || next != nil {
			return bounced, err
		}
		if err := collectionBounced(bounced); err != nil {
			return nil, err
		}
		method := in.Method.Or(payment.ACH)
		if method == payment.ACH {
			if err := collections.RefuseOnHold(ctx, t, d.ID, "method"); err != nil {
				return nil, err
			}
			if err := checkRetryLimits(ctx, t, bounced, t.Today(), "method"); err != nil {
				return nil, err
			}
		}
		day, err := makeUpDay(ctx, t, d, in.ScheduledDate)
		if err != nil {
			return nil, err
		}
		if method == payment.ACH {
			if day, err = checkDebitDay(ctx, t, bounced, day, in.ScheduledDate.Given()); err != nil {
				return nil, err
			}
		}
		return createSuccessor(ctx, t, d, bounced, day, method)
	})
}

// checkDebitDay returns the day on which an ACH make-up debits. If the caller asked for a day that is too late,
// it fails; otherwise it moves the day to the last banking day on which the money may still be debited.
func checkDebitDay(
	ctx context.Context, t *unit.Tx, bounced *ent.Payment, day civil.Date, requested bool,
) (civil.Date, error) {
	if requested {
		return day, checkRetryLimits(ctx, t, bounced, day, "scheduledDate")
	}
	first, _, err := firstDebit(ctx, t, bounced)
	if err != nil {
		return day, err
	}
	last := payment.LastRetry(first)
	if !day.After(last) {
		return day, nil
	}
	if !schedule.IsBankingDay(last) {
		last = schedule.PreviousBankingDay(last)
	}
	if last.Before(t.Today()) {
		return day, tooLateToDebit("method", first)
	}
	return last, nil
}

// makeUpDay returns the requested day or, by default, the collection day after the last scheduled payment.
func makeUpDay(ctx context.Context, t *unit.Tx, d *ent.Deal, requested input.Opt[civil.Date]) (civil.Date, error) {
	if day, ok := requested.Get(); ok {
		if day.Before(t.Today()) {
			return day, fault.Field("scheduledDate", "must not be before today")
		}
		return day, nil
	}
	last := t.Today()
	latest, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.ScheduledDateNotNil(),
		entpayment.StatusIn(payment.Pending, payment.Submitted)).
		Order(entpayment.ByScheduledDate(unit.Descending())).First(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return last, err
	}
	if err == nil && latest.ScheduledDate.After(last) {
		last = *latest.ScheduledDate
	}
	plan, ok := books.TermsOf(d, t.Zone()).Plan()
	if !ok {
		return last, fault.Field("scheduledDate", "is required: the deal has no payment schedule")
	}
	return plan.First(last), nil
}
