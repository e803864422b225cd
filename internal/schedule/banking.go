package schedule

import (
	"sync"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/us"

	"paydown/internal/civil"
)

// holidays are the eleven days on which the Reserve Banks, and with them the ACH network, are closed. Source: Federal
// Reserve Financial Services, holiday schedules. They keep a holiday that falls on a Sunday on the Monday after it; one
// that falls on a Saturday is not kept on another day, so the Friday before it is a banking day.
var holidays = federalReserve()

func federalReserve() []*cal.Holiday {
	cal.DefaultLoc = time.UTC // the library works in the machine's zone, where a midnight may not exist
	kept := &cal.Holiday{Observed: []cal.AltDay{{Day: time.Sunday, Offset: 1}}}
	var days []*cal.Holiday
	for _, h := range []*cal.Holiday{
		us.NewYear, us.MlkDay, us.PresidentsDay, us.MemorialDay, us.Juneteenth, us.IndependenceDay,
		us.LaborDay, us.ColumbusDay, us.VeteransDay, us.ThanksgivingDay, us.ChristmasDay,
	} {
		days = append(days, h.Clone(kept))
	}
	return days
}

// closures is a year's holidays as kept: for each month a set of days, bit d for the day d.
type closures [13]uint32

// years caches closures by year (int to *closures). A date has at most five digits of year, which bounds it.
var years sync.Map

func closuresIn(year int) *closures {
	if c, ok := years.Load(year); ok {
		return c.(*closures)
	}
	var c closures
	for _, h := range holidays {
		// A holiday not yet kept in that year has no day. None is kept in another year than its own.
		if _, on := h.Calc(year); !on.IsZero() {
			c[on.Month()] |= 1 << on.Day()
		}
	}
	kept, _ := years.LoadOrStore(year, &c)
	return kept.(*closures)
}

// IsBankingDay reports whether the Reserve Banks settle on d: no weekend and no holiday of theirs.
func IsBankingDay(d civil.Date) bool {
	return !isWeekend(d) && closuresIn(d.Year())[d.Month()]&(1<<d.Day()) == 0
}

// NextBankingDay is the first banking day after d.
func NextBankingDay(d civil.Date) civil.Date { return RollForward(d.AddDays(1)) }

// PreviousBankingDay is the last banking day before d.
func PreviousBankingDay(d civil.Date) civil.Date {
	for d = d.AddDays(-1); !IsBankingDay(d); {
		d = d.AddDays(-1)
	}
	return d
}

// RollForward is d where it is a banking day, else the first one after it.
func RollForward(d civil.Date) civil.Date {
	for !IsBankingDay(d) {
		d = d.AddDays(1)
	}
	return d
}

// AddBankingDays is the n-th banking day after d; d itself where n is 0 or less.
func AddBankingDays(d civil.Date, n int) civil.Date {
	for range n {
		d = NextBankingDay(d)
	}
	return d
}

func isWeekend(d civil.Date) bool { return d.Weekday() == time.Saturday || d.Weekday() == time.Sunday }

// weekday numbers the days of the week from Monday, 1, to Sunday, 7.
func weekday(d civil.Date) int { return (int(d.Weekday())+6)%7 + 1 }
