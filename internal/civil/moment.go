package civil

import (
	"encoding/json"
	"errors"
	"regexp"
	"time"
)

// ErrMoment is the error for an input that is neither a timestamp nor a date; callers may see it.
var ErrMoment = errors.New(
	"must be a timestamp with its offset, such as 2026-01-05T14:30:00Z, or a date written as YYYY-MM-DD")

// Moment is a time in the input of a caller: a timestamp, or a date, which means the start of that day in the
// tenant's time zone. The zero value is no moment.
type Moment struct {
	t   time.Time // UTC, in milliseconds
	day Date      // instead of t
}

// ParseMoment parses RFC 3339 with an offset, or YYYY-MM-DD, in the years 1000 to 9999; the error is
// ErrMoment.
func ParseMoment(s string) (Moment, error) {
	if day, err := Parse(s); err == nil {
		// East of Greenwich, the first day of the year 1000 starts in the year 999 in UTC.
		if !day.After(firstDay) {
			return Moment{}, ErrMoment
		}
		return Moment{day: day}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil || !timestamp.MatchString(s) {
		return Moment{}, ErrMoment
	}
	t = inMilliseconds(t)
	if t.Year() < 1000 || t.Year() > 9999 {
		return Moment{}, ErrMoment
	}
	return Moment{t: t}, nil
}

var (
	firstDay = Of(1000, time.January, 1)
	// timestamp is the format of RFC 3339; package time also accepts a decimal comma, a one-digit hour and any
	// offset.
	timestamp = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$`)
)

// At returns the moment for a tenant in the time zone, in UTC, truncated to milliseconds.
func (m Moment) At(zone *time.Location) time.Time {
	if m.day.IsZero() {
		return m.t
	}
	return inMilliseconds(beginning(m.day, zone))
}

// beginning returns the first instant of the day in the time zone. It is not always midnight: if clocks go
// forward at midnight there is none, and if they go back over midnight there are two.
func beginning(d Date, zone *time.Location) time.Time {
	t := time.Date(d.t.Year(), d.t.Month(), d.t.Day(), 0, 0, 0, 0, zone)
	since, until := t.ZoneBounds()
	if On(t, zone).Before(d) {
		return until
	}
	if before := since.Add(-time.Nanosecond); t.Equal(since) && On(before, zone).Equal(d) {
		_, offset := t.Zone()
		_, earlier := before.Zone()
		return t.Add(time.Duration(offset-earlier) * time.Second)
	}
	return t
}

// IsBeginning reports whether the time is the start of a day in the time zone, as At returns it for a date.
func IsBeginning(t time.Time, zone *time.Location) bool {
	return t.Equal(beginning(On(t, zone), zone))
}

func inMilliseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// String returns the input: a date, or a timestamp in UTC.
func (m Moment) String() string {
	if m.day.IsZero() {
		return m.t.Format("2006-01-02T15:04:05.000Z07:00")
	}
	return m.day.String()
}

// MarshalJSON writes String as a JSON string.
func (m Moment) MarshalJSON() ([]byte, error) { return json.Marshal(m.String()) }

// UnmarshalJSON reads a JSON string; the error is ErrMoment.
func (m *Moment) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil {
		return ErrMoment
	}
	parsed, err := ParseMoment(s)
	if err != nil {
		return err
	}
	*m = parsed
	return nil
}
