package schedule

import (
	"iter"
	"math/bits"
	"strings"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/fault"
)

// Plan determines the collection days. The meaning of CollectionDay depends on the other fields:
//
//	DAILY, CUSTOM_DAYS   a set of weekdays, 1 (Monday) + 2 + 4 + 8 + 16 + 32 + 64 (Sunday): 1 to 127
//	DAILY, other rules   not used, and refused
//	WEEKLY               a weekday, 1 (Monday) to 5 (Friday)
//	MONTHLY              a day of the month, 1 to 31; the last day of a shorter month
//
// A WEEKLY or MONTHLY day that is not a banking day moves forward to the next banking day. It never reaches
// the day of the next payment, because banks are never closed for a week, so payments keep their order and
// never share a day.
//
// A plan that Validate refuses has no collection days.
type Plan struct {
	Frequency     Frequency
	Rule          Rule
	CollectionDay *int
}

// The fields of a plan's problems.
const (
	pathFrequency     = "collectionFrequency"
	pathRule          = "collectionSchedule"
	pathCollectionDay = "collectionDay"
)

// Validate returns all problems of the plan as one validation fault, or nil.
func (p Plan) Validate() error {
	problems := p.problems()
	if len(problems) == 0 {
		return nil
	}
	return fault.Invalid(problems...)
}

func (p Plan) problems() (problems []fault.Detail) {
	refuse := func(path, message string) { problems = append(problems, fault.Detail{Path: path, Message: message}) }
	known := true
	switch p.Frequency {
	case Daily, Weekly, Monthly:
	default:
		known = false
		refuse(pathFrequency, "must be one of "+strings.Join(p.Frequency.Values(), ", "))
	}
	switch p.Rule {
	case BankingDays, Weekdays, EveryDay:
	case CustomDays:
		if known && p.Frequency != Daily {
			known = false
			refuse(pathRule, "can be CUSTOM_DAYS only if collectionFrequency is DAILY")
		}
	default:
		known = false
		refuse(pathRule, "must be one of "+strings.Join(p.Rule.Values(), ", "))
	}
	if !known {
		return problems
	}
	most, meaning := p.collectionDays()
	switch {
	case most == 0 && p.CollectionDay != nil:
		refuse(pathCollectionDay, "must be absent for DAILY collections unless collectionSchedule is CUSTOM_DAYS")
	case most > 0 && p.CollectionDay == nil:
		refuse(pathCollectionDay, "is required: "+meaning)
	case most > 0 && (*p.CollectionDay < 1 || *p.CollectionDay > most):
		refuse(pathCollectionDay, "must be "+meaning)
	}
	return problems
}

// collectionDays returns the maximum of CollectionDay and its meaning; 0 if the plan does not use it.
func (p Plan) collectionDays() (most int, meaning string) {
	switch {
	case p.Frequency == Weekly:
		return 5, "a weekday from 1 (Monday) to 5 (Friday)"
	case p.Frequency == Monthly:
		return 31, "a day of the month from 1 to 31"
	case p.Rule == CustomDays:
		return 127, "a sum of weekdays (Monday 1, Tuesday 2, Wednesday 4 … Sunday 64) from 1 to 127"
	default:
		return 0, ""
	}
}

// From iterates over the collection days on and after the given day, in order and without end.
func (p Plan) From(day civil.Date) iter.Seq[civil.Date] {
	if p.Validate() != nil {
		return func(func(civil.Date) bool) {}
	}
	switch p.Frequency {
	case Weekly:
		return p.weeksFrom(day)
	case Monthly:
		return p.monthsFrom(day)
	default:
		return p.daysFrom(day)
	}
}

func (p Plan) daysFrom(day civil.Date) iter.Seq[civil.Date] {
	return func(yield func(civil.Date) bool) {
		for d := day; ; d = d.AddDays(1) {
			if p.collectsDailyOn(d) && !yield(d) {
				return
			}
		}
	}
}

// weeksFrom, like monthsFrom, starts one period early, because the previous day may have moved forward to the
// given one.
func (p Plan) weeksFrom(day civil.Date) iter.Seq[civil.Date] {
	return func(yield func(civil.Date) bool) {
		due := day.AddDays(*p.CollectionDay - weekday(day) - 7)
		for ; ; due = due.AddDays(7) {
			if d := RollForward(due); !d.Before(day) && !yield(d) {
				return
			}
		}
	}
}

func (p Plan) monthsFrom(day civil.Date) iter.Seq[civil.Date] {
	return func(yield func(civil.Date) bool) {
		for month := day.Month() - 1; ; month++ {
			end := civil.Of(day.Year(), month+1, 0)
			due := end.AddDays(min(*p.CollectionDay, end.Day()) - end.Day())
			if d := RollForward(due); !d.Before(day) && !yield(d) {
				return
			}
		}
	}
}

func (p Plan) collectsDailyOn(d civil.Date) bool {
	switch p.Rule {
	case BankingDays:
		return IsBankingDay(d)
	case Weekdays:
		return !isWeekend(d)
	case CustomDays:
		return *p.CollectionDay&(1<<(weekday(d)-1)) != 0
	default:
		return true
	}
}

// First returns the first collection day after the given one: the default day of a deal's first payment after
// its funding, and the day of a payment appended after the last. It returns the zero date if the plan is
// invalid.
func (p Plan) First(after civil.Date) civil.Date {
	for d := range p.From(after.AddDays(1)) {
		return d
	}
	return civil.Date{}
}

// Dates returns n collection days, starting with the first one on or after the given day.
func (p Plan) Dates(first civil.Date, n int) []civil.Date {
	if n < 1 {
		return nil
	}
	dates := make([]civil.Date, 0, min(n, MaxPayments))
	for d := range p.From(first) {
		dates = append(dates, d)
		if len(dates) == n {
			break
		}
	}
	return dates
}

// Last returns the last of Dates(first, n); the zero date if there are none.
func (p Plan) Last(first civil.Date, n int) (last civil.Date) {
	if n < 1 {
		return last
	}
	for d := range p.From(first) {
		last = d
		if n--; n == 0 {
			break
		}
	}
	return last
}

// CountWithin returns the number of collection days from first to last, inclusive.
func (p Plan) CountWithin(first, last civil.Date) (n int) {
	for d := range p.From(first) {
		if d.After(last) {
			break
		}
		n++
	}
	return n
}

// PaymentsPerYear is twelve times the conventional number of payments in an average month, exactly: 21 on
// banking days, 21.75 on weekdays, 30.42 on every day, 52/12 for each collected weekday, 1 on a day of the
// month. It is 0 if the plan is invalid.
func (p Plan) PaymentsPerYear() decimal.Decimal {
	switch {
	case p.Validate() != nil:
		return decimal.Zero
	case p.Frequency == Weekly:
		return decimal.New(52, 0)
	case p.Frequency == Monthly:
		return decimal.New(12, 0)
	case p.Rule == BankingDays:
		return decimal.New(252, 0)
	case p.Rule == Weekdays:
		return decimal.New(261, 0)
	case p.Rule == CustomDays:
		return decimal.New(52*int64(bits.OnesCount(uint(*p.CollectionDay))), 0)
	default:
		return decimal.New(36504, -2)
	}
}

// PaymentsPerMonth is PaymentsPerYear divided by 12, rounded to 16 decimals. Use PaymentsPerYear for exact
// results.
func (p Plan) PaymentsPerMonth() decimal.Decimal {
	return p.PaymentsPerYear().DivRound(decimal.New(12, 0), 16)
}
