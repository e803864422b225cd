package disclosure

import (
	"time"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
)

// UnitPeriod is the interval that a financing is measured in: the most common interval of its payments.
// Paragraph (b)(5) of Regulation Z, Appendix J defines how days and months make up unit periods, and how many
// a year has. The zero value is invalid.
type UnitPeriod struct {
	of     measure
	length int // length in units of the measure
}

// measure is the base unit of a unit period.
type measure int

const (
	inDays   measure = iota // 365 per year
	inWeeks                 // 52 per year
	inHalves                // half months
	inMonths
	inYears
)

// Day is the unit period of daily payments, on every day or every business day; the dates of the payments
// determine which.
func Day() UnitPeriod { return UnitPeriod{inDays, 1} }

// Weeks is the unit period of payments every n weeks.
func Weeks(n int) UnitPeriod { return UnitPeriod{inWeeks, n} }

// HalfMonth is the unit period of payments twice a month.
func HalfMonth() UnitPeriod { return UnitPeriod{inHalves, 1} }

// Months is the unit period of payments every n months, up to eleven.
func Months(n int) UnitPeriod { return UnitPeriod{inMonths, n} }

// Year is the unit period of payments once a year.
func Year() UnitPeriod { return UnitPeriod{inYears, 1} }

// single returns the unit period of a financing with a single payment: its term, at most a year.
func single(from, to civil.Date) UnitPeriod {
	months, days := monthsBetween(from, to)
	switch {
	case months >= 12:
		return Year()
	case days == 0:
		return Months(months)
	default:
		return UnitPeriod{inDays, to.Sub(from)}
	}
}

// The lengths that Appendix J uses.
const (
	daysPerMonth  = 30
	daysPerWeek   = 7
	daysPerYear   = 365
	weeksPerYear  = 52
	monthsPerYear = 12
)

// perYear returns the number of unit periods in a year.
func (u UnitPeriod) perYear() decimal.Decimal {
	many := map[measure]int64{
		inDays: daysPerYear, inWeeks: weeksPerYear, inHalves: 2 * monthsPerYear, inMonths: monthsPerYear, inYears: 1,
	}[u.of]
	return decimal.NewFromInt(many).DivRound(decimal.NewFromInt(int64(u.length)), digits)
}

// between returns the unit periods from one day to a later one: whole ones, and the rest as a fraction.
func (u UnitPeriod) between(from, to civil.Date) (whole int, part decimal.Decimal) {
	months, days := monthsBetween(from, to)
	switch u.of {
	case inDays:
		return parts(to.Sub(from), u.length)
	case inWeeks:
		return parts(to.Sub(from), u.length*daysPerWeek)
	case inHalves:
		return parts(months*daysPerMonth+days, daysPerMonth/2)
	case inMonths:
		return parts(months*daysPerMonth+days, u.length*daysPerMonth)
	default:
		whole, over := months/monthsPerYear, months%monthsPerYear
		if days == 0 {
			_, part = parts(over, monthsPerYear)
			return whole, part
		}
		rest := monthsBefore(to, whole*monthsPerYear).Sub(from)
		return whole, decimal.NewFromInt(int64(rest)).DivRound(decimal.NewFromInt(daysPerYear), digits)
	}
}

// parts divides a number of days or months by the length of a unit period.
func parts(n, unit int) (whole int, part decimal.Decimal) {
	rest := decimal.NewFromInt(int64(n % unit))
	return n / unit, rest.DivRound(decimal.NewFromInt(int64(unit)), digits)
}

// monthsBetween counts whole months back from the later day, and the days from the earlier day to their
// start. A month runs from a day of one month to the same day of another, or to the last day of a month
// without that day.
func monthsBetween(from, to civil.Date) (months, days int) {
	months = monthsPerYear*(to.Year()-from.Year()) + int(to.Month()) - int(from.Month())
	if isLastOfMonth(to) && from.Day() >= to.Day() {
		return months, 0
	}
	if start := monthsBefore(to, months); !start.Before(from) {
		return months, start.Sub(from)
	}
	return months - 1, monthsBefore(to, months-1).Sub(from)
}

// monthsBefore returns the same day n months earlier, or the last day of a month without that day.
func monthsBefore(d civil.Date, n int) civil.Date {
	first := civil.Of(d.Year(), d.Month()-time.Month(n), 1)
	last := civil.Of(first.Year(), first.Month()+1, 1).AddDays(-1)
	return civil.Of(first.Year(), first.Month(), min(d.Day(), last.Day()))
}

func isLastOfMonth(d civil.Date) bool { return d.AddDays(1).Day() == 1 }
