package reports

import (
	"context"
	"strconv"
	"time"

	"paydown/ent"
	"paydown/ent/deal"
	"paydown/ent/payment"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/service/books"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Figures are totals over many records.
type Figures struct{ core *unit.Core }

// CollectionDay has the amounts that were scheduled, collected and returned on a day.
type CollectionDay struct {
	Date civil.Date
	// BankingDay reports whether banks move money on this day.
	BankingDay                   bool
	Expected, Collected, Bounced books.Tally
}

// maxCalendarDays is the maximum number of days in a calendar.
const maxCalendarDays = 400

// Calendar lists the days of a range: every banking day, and other days with amounts. Expected is the total
// scheduled for the day as installments and fees, without cancelled payments. Collected is the total of
// payments that are PAID and cleared on the day. Bounced is the total of payments that were returned on the
// day and not paid since. Discounts and offsets, which move no money, are excluded.
func (s Figures) Calendar(ctx context.Context, from, to civil.Date) ([]*CollectionDay, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("payments"))
	if err != nil {
		return nil, err
	}
	switch days := to.Sub(from) + 1; {
	case days < 1:
		return nil, fault.Field("to", "must not be before from")
	case days > maxCalendarDays:
		return nil, fault.Field("to", "must be within %d days of from", maxCalendarDays)
	}
	return s.calendar(ctx, actor, from, to)
}

func (s Figures) calendar(ctx context.Context, actor *auth.Actor, from, to civil.Date) ([]*CollectionDay, error) {
	figures, err := s.core.Store.DayFigures(ctx, actor.TenantID, from, to)
	if err != nil {
		return nil, err
	}
	days := map[string]*CollectionDay{}
	on := func(key string) *CollectionDay {
		if days[key] == nil {
			days[key] = &CollectionDay{}
		}
		return days[key]
	}
	for _, f := range figures {
		if f.Of == "expected" {
			on(f.Key).Expected.Add(f)
		} else {
			on(f.Key).Collected.Add(f)
		}
	}
	// The day of a return is determined in the company's time zone.
	zone := unit.ZoneOf(actor)
	returns, err := s.core.Store.Reader().Payment.Query().Where(entpayment.ReturnedAtGTE(from.Midnight(zone)),
		entpayment.ReturnedAtLT(to.AddDays(1).Midnight(zone)), entpayment.StatusEQ(payment.Bounced),
		entpayment.DirectionEQ(payment.In)).Select(entpayment.FieldReturnedAt, entpayment.FieldAmount).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range returns {
		on(civil.On(*p.ReturnedAt, zone).String()).Bounced.Add(store.Figure{Count: 1, Cents: p.Amount.Cents()})
	}
	var calendar []*CollectionDay
	for day := from; !day.After(to); day = day.AddDays(1) {
		banking := schedule.IsBankingDay(day)
		d := days[day.String()]
		if d == nil && !banking {
			continue
		}
		if d == nil {
			d = &CollectionDay{}
		}
		d.Date, d.BankingDay = day, banking
		calendar = append(calendar, d)
	}
	return calendar, nil
}

// Bounce is a returned payment without a make-up payment, and the action that its return code requires.
type Bounce struct {
	Payment   *ent.Payment
	Code      *string
	Title     *string
	Action    *payment.ReturnAction
	Retryable bool
	Fee       *money.Amount
}

// withoutMakeUp selects returned payments of merchants without a make-up payment. If the make-up payment was
// cancelled, a payment counts only while its deal is still collecting.
func withoutMakeUp() predicate.Payment {
	return entpayment.And(entpayment.StatusEQ(payment.Bounced), entpayment.DirectionEQ(payment.In), entpayment.Or(
		entpayment.MadeUpByIDIsNil(),
		entpayment.And(entpayment.HasMadeUpByWith(entpayment.StatusEQ(payment.Cancelled)),
			entpayment.HasDealWith(entdeal.StateEQ(deal.Funded)))))
}

// Bounces lists returned payments without a make-up payment, the latest first.
func (s Figures) Bounces(ctx context.Context, limit int) ([]*Bounce, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	if limit < 1 || limit > list.MaxLimit {
		return nil, fault.Field("limit", "must be an integer from 1 to %d", list.MaxLimit)
	}
	rows, err := s.core.Store.Reader().Payment.Query().Where(withoutMakeUp()).WithBounceCode().
		Order(entpayment.ByReturnedAt(unit.Descending()), entpayment.ByID(unit.Descending())).Limit(limit).All(ctx)
	bounces := make([]*Bounce, len(rows))
	for i, p := range rows {
		bounces[i] = &Bounce{Payment: p}
		if c := p.Edges.BounceCode; c != nil {
			bounces[i].Code, bounces[i].Title, bounces[i].Action = &c.Code, &c.Title, &c.Action
			bounces[i].Retryable, bounces[i].Fee = c.Retryable, c.Fee
		}
	}
	return bounces, err
}

// StageFigures are the number of deals in a state and their funded amounts.
type StageFigures struct {
	State deal.State
	Deals books.Tally
}

// MonthFigures are the deals that funded in a month; the month is given by its first day.
type MonthFigures struct {
	Month civil.Date
	Deals books.Tally
}

// Dashboard has the figures of the start page.
type Dashboard struct {
	Pipeline     []*StageFigures
	FundedVolume []*MonthFigures
	// Defaults are the deals in default and what they owe. StipulationsReceived are the stipulations to review.
	Defaults, StipulationsReceived books.Tally
	// Other work to do: returned payments without a make-up payment, offers that expire within three days,
	// payouts to approve, draws to review, deals to renew and disbursements to send. Each is nil if the actor
	// may not read such records.
	Bounces, OffersExpiring, PayoutsToApprove, DrawsToReview, Renewals, Disbursements *books.Tally
}

const (
	dashboardMonths = 12
	dashboardDays   = 30
	offersSoon      = 3 * 24 * time.Hour
)

// Dashboard returns today's figures and the volume of the last twelve months, including this one. It runs
// three statements, independent of the amount of data.
func (s Figures) Dashboard(ctx context.Context) (*Dashboard, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	d, now := &Dashboard{}, s.core.Store.Now()
	today := civil.On(now, unit.ZoneOf(actor))
	if d.Pipeline, err = s.pipeline(ctx, actor); err != nil {
		return nil, err
	}
	if d.FundedVolume, err = s.volume(ctx, actor, today); err != nil {
		return nil, err
	}
	queue, err := s.core.Store.WorkQueueFigures(ctx, actor.TenantID, now, now.Add(offersSoon))
	if err != nil {
		return nil, err
	}
	tallies := map[string]*books.Tally{"stipulations": &d.StipulationsReceived, "defaults": &d.Defaults}
	for name, of := range map[string]struct {
		resource string
		into     **books.Tally
	}{
		"bounces": {"payments", &d.Bounces}, "offers": {"submissions", &d.OffersExpiring},
		"payouts": {"payouts", &d.PayoutsToApprove},
		"draws":   {"credit-facilities", &d.DrawsToReview}, "renewals": {"renewals", &d.Renewals},
		"disbursements": {"payments", &d.Disbursements},
	} {
		if actor.May(auth.Read(of.resource)) {
			*of.into = &books.Tally{}
			tallies[name] = *of.into
		}
	}
	for _, f := range queue {
		if into := tallies[f.Key]; into != nil {
			into.Add(f)
		}
	}
	return d, nil
}

// LastDays returns the calendar of the thirty days up to today.
func (s Figures) LastDays(ctx context.Context) ([]*CollectionDay, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("payments"))
	if err != nil {
		return nil, err
	}
	today := civil.On(s.core.Store.Now(), unit.ZoneOf(actor))
	return s.calendar(ctx, actor, today.AddDays(1-dashboardDays), today)
}

// pipeline includes every state, even without deals.
func (s Figures) pipeline(ctx context.Context, actor *auth.Actor) ([]*StageFigures, error) {
	figures, err := s.core.Store.PipelineFigures(ctx, actor.TenantID)
	if err != nil {
		return nil, err
	}
	stages, of := make([]*StageFigures, len(deal.States)), map[string]*StageFigures{}
	for i, state := range deal.States {
		stages[i] = &StageFigures{State: state}
		of[string(state)] = stages[i]
	}
	for _, f := range figures {
		of[f.Key].Deals.Add(f)
	}
	return stages, nil
}

func (s Figures) volume(ctx context.Context, actor *auth.Actor, today civil.Date) ([]*MonthFigures, error) {
	months, bounds := make([]*MonthFigures, dashboardMonths), make([]time.Time, dashboardMonths+1)
	for i := range bounds {
		month := civil.Of(today.Year(), today.Month()-dashboardMonths+1+time.Month(i), 1)
		bounds[i] = month.Midnight(unit.ZoneOf(actor))
		if i < dashboardMonths {
			months[i] = &MonthFigures{Month: month}
		}
	}
	figures, err := s.core.Store.VolumeFigures(ctx, actor.TenantID, bounds)
	if err != nil {
		return nil, err
	}
	for _, f := range figures {
		i, err := strconv.Atoi(f.Key)
		if err != nil {
			return nil, err
		}
		months[i].Deals.Add(f)
	}
	return months, nil
}
