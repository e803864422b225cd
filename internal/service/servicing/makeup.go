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

// MakeUpInput says how the money of a bounced payment is asked for again.
type MakeUpInput struct {
	ScheduledDate input.Opt[civil.Date]     `json:"scheduledDate" doc:"The collection day after the last that is scheduled unless given; not before today and, by ACH, within 180 days of the first debit"`
	Method        input.Opt[payment.Method] `json:"method" doc:"ACH unless given, and not OFFSET; the money may be asked for by ACH twice more at most"`
}

// MakeUp schedules a payment that makes up for one that bounced: of the same amount and, unless said otherwise, on the
// collection day after the deal's last or, by ACH, on the last banking day on which it may debit, where that is earlier. A payment has
// one make-up; asking again returns the payment as it is, unless that one was called off.
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
			if err := mayAskAgain(ctx, t, bounced, t.Today(), "method"); err != nil {
				return nil, err
			}
		}
		day, err := makeUpDay(ctx, t, d, in.ScheduledDate)
		if err != nil {
			return nil, err
		}
		if method == payment.ACH {
			if day, err = dayToDebit(ctx, t, bounced, day, in.ScheduledDate.Given()); err != nil {
				return nil, err
			}
		}
		return succeed(ctx, t, d, bounced, day, method)
	})
}

// dayToDebit is the day on which a make-up debits: not after the last for which the money may be asked for by ACH. A day that was
// asked for is refused then; else the make-up comes on the last banking day that is left.
func dayToDebit(ctx context.Context, t *unit.Tx, bounced *ent.Payment, day civil.Date, asked bool) (civil.Date, error) {
	if asked {
		return day, mayAskAgain(ctx, t, bounced, day, "scheduledDate")
	}
	first, _, err := firstAsked(ctx, t, bounced)
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

// makeUpDay is the day that is asked for, or else the collection day after the last that is scheduled.
func makeUpDay(ctx context.Context, t *unit.Tx, d *ent.Deal, asked input.Opt[civil.Date]) (civil.Date, error) {
	if day, ok := asked.Get(); ok {
		if day.Before(t.Today()) {
			return day, fault.Field("scheduledDate", "must not be before today")
		}
		return day, nil
	}
	last := t.Today()
	latest, err := t.Payment.Query().Where(entpayment.DealID(d.ID), entpayment.ScheduledDateNotNil(),
		entpayment.StatusIn(payment.Pending, payment.Submitted)).Order(entpayment.ByScheduledDate(unit.Descending())).First(ctx)
	if err != nil && !ent.IsNotFound(err) {
		return last, err
	}
	if err == nil && latest.ScheduledDate.After(last) {
		last = *latest.ScheduledDate
	}
	plan, ok := books.TermsOf(d, t.Zone()).Plan()
	if !ok {
		return last, fault.Field("scheduledDate", "is required: the deal has no plan to collect by")
	}
	return plan.First(last), nil
}
