package service

import (
	"context"
	"strconv"
	"time"

	"paydown/ent"
	entdeal "paydown/ent/deal"
	entpayment "paydown/ent/payment"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/schedule"
	"paydown/internal/store"
)

// Figures are numbers over many records, for whoever looks after them.
type Figures struct{ *core }

// Tally is a number of records and what they add up to.
type Tally struct {
	Count  int
	Amount money.Amount
}

func (t *Tally) add(f store.Figure) {
	t.Count += f.Count
	t.Amount = t.Amount.Add(money.Cents(f.Cents))
}

// CollectionDay is what was to be collected on a day, what was, and what came back on it.
type CollectionDay struct {
	Date civil.Date
	// BankingDay reports whether banks move money on it.
	BankingDay                   bool
	Expected, Collected, Bounced Tally
}

// maxCalendarDays bounds the calendar.
const maxCalendarDays = 400

// Calendar lists the days from one to another: each banking day, and others on which there is something. Expected is what is
// scheduled for the day, by instalments or as a fee, and not called off; collected is what is PAID and cleared on it, and
// bounced what came back on it and has not been paid since. What moves no money, discounts and offsets, is left out.
func (s Figures) Calendar(ctx context.Context, from, to civil.Date) ([]*CollectionDay, error) {
	actor, err := permit(ctx, auth.Read("payments"))
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
	figures, err := s.store.DayFigures(ctx, actor.TenantID, from, to)
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
			on(f.Key).Expected.add(f)
		} else {
			on(f.Key).Collected.add(f)
		}
	}
	// The day of a return is that of an instant where the company is.
	zone := zoneOf(actor)
	returns, err := s.store.Reader().Payment.Query().Where(entpayment.ReturnedAtGTE(from.Midnight(zone)),
		entpayment.ReturnedAtLT(to.AddDays(1).Midnight(zone)), entpayment.StatusEQ(payment.Bounced),
		entpayment.DirectionEQ(payment.In)).Select(entpayment.FieldReturnedAt, entpayment.FieldAmount).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, p := range returns {
		on(civil.On(*p.ReturnedAt, zone).String()).Bounced.add(store.Figure{Count: 1, Cents: p.Amount.Cents()})
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

// Bounce is a payment that came back and that nothing makes up for yet, with what its return code says is to be done.
type Bounce struct {
	Payment   *ent.Payment
	Code      *string
	Title     *string
	Action    *payment.ReturnAction
	Retryable bool
	Fee       *money.Amount
}

// notMadeUp are the merchants' payments that came back and that nothing makes up for: where what was to do so was called off,
// it is only while the deal still collects.
func notMadeUp() predicate.Payment {
	return entpayment.And(entpayment.StatusEQ(payment.Bounced), entpayment.DirectionEQ(payment.In), entpayment.Or(
		entpayment.MadeUpByIDIsNil(),
		entpayment.And(entpayment.HasMadeUpByWith(entpayment.StatusEQ(payment.Cancelled)), entpayment.HasDealWith(entdeal.StateEQ(deal.Funded)))))
}

// Bounces lists payments that came back and are not made up for, the latest first.
func (s Figures) Bounces(ctx context.Context, limit int) ([]*Bounce, error) {
	if _, err := permit(ctx, auth.Read("payments")); err != nil {
		return nil, err
	}
	if limit < 1 || limit > MaxLimit {
		return nil, fault.Field("limit", "must be an integer from 1 to %d", MaxLimit)
	}
	rows, err := s.store.Reader().Payment.Query().Where(notMadeUp()).WithBounceCode().
		Order(entpayment.ByReturnedAt(descending()), entpayment.ByID(descending())).Limit(limit).All(ctx)
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

// StageFigures are the deals in a state, and what they fund or funded.
type StageFigures struct {
	State deal.State
	Deals Tally
}

// MonthFigures are the deals that funded in a month, which begins on a day.
type MonthFigures struct {
	Month civil.Date
	Deals Tally
}

// Dashboard are the figures that a day begins with.
type Dashboard struct {
	Pipeline     []*StageFigures
	FundedVolume []*MonthFigures
	// Defaults are the deals in default and what they owe, StipulationsReceived those that wait for a verdict.
	Defaults, StipulationsReceived Tally
	// What else needs doing: returned payments that are not made up for, offers that end within three days, payouts to approve,
	// draws to judge, deals to renew and money to send. Each is nil for whoever may not read such records.
	Bounces, OffersExpiring, PayoutsToApprove, DrawsToJudge, Renewals, Disbursements *Tally
}

const (
	dashboardMonths = 12
	dashboardDays   = 30
	offersSoon      = 3 * 24 * time.Hour
)

// Dashboard reads the figures of the day, and the volume of twelve months, this one among them. It takes three statements,
// however much there is.
func (s Figures) Dashboard(ctx context.Context) (*Dashboard, error) {
	actor, err := permit(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	d, now := &Dashboard{}, s.store.Now()
	today := civil.On(now, zoneOf(actor))
	if d.Pipeline, err = s.pipeline(ctx, actor); err != nil {
		return nil, err
	}
	if d.FundedVolume, err = s.volume(ctx, actor, today); err != nil {
		return nil, err
	}
	desk, err := s.store.DeskFigures(ctx, actor.TenantID, now, now.Add(offersSoon))
	if err != nil {
		return nil, err
	}
	tallies := map[string]*Tally{"stipulations": &d.StipulationsReceived, "defaults": &d.Defaults}
	for name, of := range map[string]struct {
		resource string
		into     **Tally
	}{
		"bounces": {"payments", &d.Bounces}, "offers": {"submissions", &d.OffersExpiring}, "payouts": {"payouts", &d.PayoutsToApprove},
		"draws": {"credit-facilities", &d.DrawsToJudge}, "renewals": {"renewals", &d.Renewals},
		"disbursements": {"payments", &d.Disbursements},
	} {
		if actor.May(auth.Read(of.resource)) {
			*of.into = &Tally{}
			tallies[name] = *of.into
		}
	}
	for _, f := range desk {
		if into := tallies[f.Key]; into != nil {
			into.add(f)
		}
	}
	return d, nil
}

// LastDays is the calendar of thirty days up to today.
func (s Figures) LastDays(ctx context.Context) ([]*CollectionDay, error) {
	actor, err := permit(ctx, auth.Read("payments"))
	if err != nil {
		return nil, err
	}
	today := civil.On(s.store.Now(), zoneOf(actor))
	return s.calendar(ctx, actor, today.AddDays(1-dashboardDays), today)
}

// pipeline has every state, those without deals too.
func (s Figures) pipeline(ctx context.Context, actor *auth.Actor) ([]*StageFigures, error) {
	figures, err := s.store.PipelineFigures(ctx, actor.TenantID)
	if err != nil {
		return nil, err
	}
	stages, of := make([]*StageFigures, len(deal.States)), map[string]*StageFigures{}
	for i, state := range deal.States {
		stages[i] = &StageFigures{State: state}
		of[string(state)] = stages[i]
	}
	for _, f := range figures {
		of[f.Key].Deals.add(f)
	}
	return stages, nil
}

func (s Figures) volume(ctx context.Context, actor *auth.Actor, today civil.Date) ([]*MonthFigures, error) {
	months, bounds := make([]*MonthFigures, dashboardMonths), make([]time.Time, dashboardMonths+1)
	for i := range bounds {
		month := civil.Of(today.Year(), today.Month()-dashboardMonths+1+time.Month(i), 1)
		bounds[i] = month.Midnight(zoneOf(actor))
		if i < dashboardMonths {
			months[i] = &MonthFigures{Month: month}
		}
	}
	figures, err := s.store.VolumeFigures(ctx, actor.TenantID, bounds)
	if err != nil {
		return nil, err
	}
	for _, f := range figures {
		i, err := strconv.Atoi(f.Key)
		if err != nil {
			return nil, err
		}
		months[i].Deals.add(f)
	}
	return months, nil
}
