// Package civil has Date, a calendar day without a time or time zone, such as the day of a payment, a birth
// or a filing.
package civil

import (
	"database/sql/driver"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Layout is the only format of dates: YYYY-MM-DD.
const Layout = time.DateOnly

// ErrDate is the error for an input that is not a date; callers may see it.
var ErrDate = errors.New("must be a date written as YYYY-MM-DD")

// Date is a calendar day. The zero value is no day.
type Date struct{ t time.Time } // midnight UTC of the day

// Of returns the date of a year, month and day; days beyond the end of the month roll over, as with
// time.Date.
func Of(year int, month time.Month, day int) Date {
	return Date{time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
}

// On returns the day of t in the given time zone.
func On(t time.Time, zone *time.Location) Date {
	y, m, d := t.In(zone).Date()
	return Of(y, m, d)
}

// Parse parses YYYY-MM-DD, years 1000 to 9999; the error is ErrDate.
func Parse(s string) (Date, error) {
	t, err := time.Parse(Layout, s)
	if err != nil || t.Year() < 1000 {
		return Date{}, ErrDate
	}
	return Date{t}, nil
}

// Must is Parse for constants in the code. It panics if s is not a date.
func Must(s string) Date {
	d, err := Parse(s)
	if err != nil {
		panic("civil: " + s + " is not a date") // s is a constant, never input
	}
	return d
}

// IsZero reports whether d is the zero value.
func (d Date) IsZero() bool { return d.t.IsZero() }

// Year, Month, Day and Weekday return the parts of the date.
func (d Date) Year() int             { return d.t.Year() }
func (d Date) Month() time.Month     { return d.t.Month() }
func (d Date) Day() int              { return d.t.Day() }
func (d Date) Weekday() time.Weekday { return d.t.Weekday() }

// AddDays returns the day n days later, or earlier if n is negative.
func (d Date) AddDays(n int) Date { return Date{d.t.AddDate(0, 0, n)} }

// Sub returns the number of days from o to d.
func (d Date) Sub(o Date) int { return int((d.t.Unix() - o.t.Unix()) / secondsPerDay) }

const secondsPerDay = 24 * 60 * 60

// Before, After and Equal compare two days.
func (d Date) Before(o Date) bool { return d.t.Before(o.t) }
func (d Date) After(o Date) bool  { return d.t.After(o.t) }
func (d Date) Equal(o Date) bool  { return d.t.Equal(o.t) }

// Midnight returns the start of the day in the given time zone, which is usually but not everywhere at 0:00.
func (d Date) Midnight(zone *time.Location) time.Time {
	return beginning(d, zone)
}

// UTC returns midnight UTC of the day, for libraries that represent a day as a time.
func (d Date) UTC() time.Time { return d.t }

// String returns the API format, YYYY-MM-DD.
func (d Date) String() string { return d.t.Format(Layout) }

// MarshalJSON writes the API format as a JSON string.
func (d Date) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, d.String()), nil }

// UnmarshalJSON reads the API format; the error is ErrDate.
func (d *Date) UnmarshalJSON(raw []byte) error {
	if len(raw) != len(Layout)+2 || raw[0] != '"' {
		return ErrDate
	}
	parsed, err := Parse(string(raw[1 : len(raw)-1]))
	if err != nil {
		return err
	}
	*d = parsed
	return nil
}

// Value stores the API format in a column of type date.
func (d Date) Value() (driver.Value, error) { return d.String(), nil }

// Scan reads a column of type date of either database.
func (d *Date) Scan(src any) error {
	switch v := src.(type) {
	case time.Time:
		*d = Of(v.Year(), v.Month(), v.Day())
		return nil
	case string:
		return d.scanText(v)
	case []byte:
		return d.scanText(string(v))
	default:
		return fmt.Errorf("scan date: unexpected %T", src)
	}
}

func (d *Date) scanText(s string) error {
	if len(s) > len(Layout) {
		s = s[:len(Layout)]
	}
	parsed, err := Parse(s)
	if err != nil {
		return fmt.Errorf("scan date: %w", err)
	}
	*d = parsed
	return nil
}
