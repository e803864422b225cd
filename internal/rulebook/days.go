package rulebook

import "time"

// Day is a calendar day, counted from 1970-01-01.
type Day int

const dayForm = "2006-01-02"

// DayOf returns the calendar day of a time in its own location.
func DayOf(t time.Time) Day {
	y, m, d := t.Date()
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// ParseDay parses "2026-01-05".
func ParseDay(text string) (Day, error) {
	t, err := time.Parse(dayForm, text)
	return DayOf(t), err
}

func (d Day) date() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

func (d Day) String() string { return d.date().Format(dayForm) }

// At returns a time of the day.
func (d Day) At(hour int, place *time.Location) time.Time {
	y, m, n := d.date().Date()
	return time.Date(y, m, n, hour, 0, 0, 0, place)
}

// IsBanking reports whether the Federal Reserve settles on the day: no weekend and none of its eleven
// holidays. A holiday on a Sunday moves to Monday, one on a Saturday does not move.
func (d Day) IsBanking() bool {
	t := d.date()
	if t.Weekday() == time.Saturday || t.Weekday() == time.Sunday {
		return false
	}
	if holiday(t) {
		return false
	}
	return t.Weekday() != time.Monday || !fixedHoliday(t.AddDate(0, 0, -1))
}

func fixedHoliday(t time.Time) bool {
	switch m, d := t.Month(), t.Day(); m {
	case time.January:
		return d == 1
	case time.June:
		return d == 19
	case time.July:
		return d == 4
	case time.November:
		return d == 11
	case time.December:
		return d == 25
	default:
		return false
	}
}

func holiday(t time.Time) bool {
	nth := (t.Day()-1)/7 + 1
	monday, last := t.Weekday() == time.Monday, t.AddDate(0, 0, 7).Month() != t.Month()
	switch t.Month() {
	case time.January, time.February:
		if monday && nth == 3 { // Martin Luther King Jr., Washington
			return true
		}
	case time.May:
		if monday && last { // Memorial Day
			return true
		}
	case time.September:
		if monday && nth == 1 { // Labor Day
			return true
		}
	case time.October:
		if monday && nth == 2 { // Columbus Day
			return true
		}
	case time.November:
		if t.Weekday() == time.Thursday && nth == 4 { // Thanksgiving
			return true
		}
	default:
	}
	return fixedHoliday(t)
}

// NextBanking returns the first banking day after the day.
func (d Day) NextBanking() Day {
	d++
	for !d.IsBanking() {
		d++
	}
	return d
}

// PlusBanking returns the nth banking day after the day.
func (d Day) PlusBanking(n int) Day {
	for range n {
		d = d.NextBanking()
	}
	return d
}
