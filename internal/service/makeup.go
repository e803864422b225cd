package service

import (
	"context"

	"paydown/ent"
	entpayment "paydown/ent/payment"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/payment"
	"paydown/internal/schedule"
)

// MakeUpInput says how the money of a bounced payment is asked for again.
type MakeUpInput struct {
	ScheduledDate Opt[civil.Date]     `json:"scheduledDate" doc:"The collection day after the last that is scheduled unless given; not before today and, by ACH, within 180 days of the first debit"`
	Method        Opt[payment.Method] `json:"method" doc:"ACH unless given, and not OFFSET; the money may be asked for by ACH twice more at most"`
}

// MakeUp schedules a payment that makes up for one that bounced: of the same amount and, unless said otherwise, on the
// collection day after the deal's last or, by ACH, on the last banking day on which it may debit, where that is earlier. A payment has
// one make-up; asking again returns the payment as it is, unless that one was called off.
func (s Payments) MakeUp(ctx context.Context, id int, in MakeUpInput) (*ent.Payment, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	if in.Method.Or(payment.ACH) == payment.Offset {
		return nil, fault.Field("method", noOffset)
	}
	return write(ctx, s.core, auth.Write("payments"), func(ctx context.Context, t *tx) (*ent.Payment, error) {
		d, bounced, err := t.lockPayment(ctx, id)
		if err != nil {
			return nil, err
		}
		if next, err := t.successorOf(ctx, bounced); err != nil || next != nil {
			return bounced, err
		}
		if err := collectionBounced(bounced); err != nil {
			return nil, err
		}
		method := in.Method.Or(payment.ACH)
		if method == payment.ACH {
			if err := t.notOnHold(ctx, d.ID, "method"); err != nil {
				return nil, err
			}
			if err := t.mayAskAgain(ctx, bounced, t.today(), "method"); err != nil {
				return nil, err
			}
		}
		day, err := t.makeUpDay(ctx, d, in.ScheduledDate)
		if err != nil {
			return nil, err
		}
		if method == payment.ACH {
			if day, err = t.dayToDebit(ctx, bounced, day, in.ScheduledDate.Given()); err != nil {
				return nil, err
			}
		}
		return t.succeed(ctx, d, bounced, day, method)
	})
}

// dayToDebit is the day on which a make-up debits: not after the last for which the money may be asked for by ACH. A day that was
// asked for is refused then; else the make-up comes on the last banking day that is left.
func (t *tx) dayToDebit(ctx context.Context, bounced *ent.Payment, day civil.Date, asked bool) (civil.Date, error) {
	if asked {
		return day, t.mayAskAgain(ctx, bounced, day, "scheduledDate")
	}
	first, _, err := t.firstAsked(ctx, bounced)
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
	if last.Before(t.today()) {
		return day, tooLateToDebit("method", first)
	}
	return last, nil
}

// makeUpDay is the day that is asked for, or else the collection day after the last that is scheduled.
func (t *tx) makeUpDay(ctx context.Context, d *ent.Deal, asked Opt[civil.Date]) (civil.Date, error) {
	if day, ok := asked.Get(); ok {
		if day.Before(t.today()) {
			return day, fault.Field("scheduledDate", "must not be before today")
		}
		return day, nil
	}
	last := t.today()
	latest, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.ScheduledDateNotNil(),
		entpayment.StatusIn(payment.Pending, payment.Submitted)).Order(entpayment.ByScheduledDate(descending())).First(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return last, err
	}
	if err == nil && latest.ScheduledDate.After(last) {
		last = *latest.ScheduledDate
	}
	plan, ok := termsOf(d, t.zone()).Plan()
	if !ok {
		return last, fault.Field("scheduledDate", "is required: the deal has no plan to collect by")
	}
	return plan.First(last), nil
}
