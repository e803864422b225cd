package schedule

import (
	"sync"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/us"

	"paydown/internal/civil"
)

// holidays are the eleven days on which the Reserve Banks, and with them the ACH network, are closed. A
// holiday on a Sunday is observed on the following Monday. A holiday on a Saturday is not moved, so the
// Friday before it is a banking day. Source: Federal Reserve Financial Services, holiday schedules.
var holidays = federalReserve()

func federalReserve() []*cal.Holiday {
	cal.DefaultLoc = time.UTC // the library uses the local time zone, in which midnight may not exist
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

// closures are the observed holidays of a year: for each month a set of days, bit d for day d.
type closures [13]uint32

// years caches closures by year (int to *closures). Its size is limited, because years have at most five
// digits.
var years sync.Map

func closuresIn(year int) *closures {
	if c, ok := years.Load(year); ok {
		return c.(*closures)
	}
	var c closures
	for _, h := range holidays {
		// A holiday that did not exist in that year has no date. All are observed in their own year.
		if _, on := h.Calc(year); !on.IsZero() {
			c[on.Month()] |= 1 << on.Day()
		}
	}
	kept, _ := years.LoadOrStore(year, &c)
	return kept.(*closures)
}

// IsBankingDay reports whether the Reserve Banks settle on d: not on weekends and holidays.
func IsBankingDay(d civil.Date) bool {
	return !isWeekend(d) && closuresIn(d.Year())[d.Month()]&(1<<d.Day()) == 0
}

// NextBankingDay returns the first banking day after d.
func NextBankingDay(d civil.Date) civil.Date { return RollForward(d.AddDays(1)) }

// PreviousBankingDay returns the last banking day before d.
func PreviousBankingDay(d civil.Date) civil.Date {
	for d = d.AddDays(-1); !IsBankingDay(d); {
		d = d.AddDays(-1)
	}
	return d
}

// RollForward returns d if it is a banking day, else the next banking day.
func RollForward(d civil.Date) civil.Date {
	for !IsBankingDay(d) {
		d = d.AddDays(1)
	}
	return d
}

// AddBankingDays returns the n-th banking day after d; d itself if n is 0 or less.
func AddBankingDays(d civil.Date, n int) civil.Date {
	for range n {
		d = NextBankingDay(d)
	}
	return d
}

func isWeekend(d civil.Date) bool { return d.Weekday() == time.Saturday || d.Weekday() == time.Sunday }

// weekday numbers the days of the week from 1 (Monday) to 7 (Sunday).
func weekday(d civil.Date) int { return (int(d.Weekday())+6)%7 + 1 }
