package civil_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"
	_ "time/tzdata" // time zone data on every machine

	"paydown/internal/civil"
)

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func at(t time.Time) string { return t.Format(time.RFC3339Nano) }

func TestMomentIsTimestampOrStartOfDay(t *testing.T) {
	newYork := zone(t, "America/New_York")
	for in, want := range map[string]string{
		`"2026-01-05T14:30:00Z"`:           "2026-01-05T14:30:00Z",
		`"2026-01-05T09:30:00-05:00"`:      "2026-01-05T14:30:00Z",
		`"2026-01-05T09:30:00\u002d05:00"`: "2026-01-05T14:30:00Z", // some encoders escape signs
		`"2026-01-05T14:30:00.5Z"`:         "2026-01-05T14:30:00.5Z",
		`"2026-01-05T14:30:00.123999999Z"`: "2026-01-05T14:30:00.123Z",
		`"2026-01-05"`:                     "2026-01-05T05:00:00Z",
		`"2026-07-05"`:                     "2026-07-05T04:00:00Z",
		`"2026-03-08"`:                     "2026-03-08T05:00:00Z", // clocks go forward at 2
		`"2028-02-29"`:                     "2028-02-29T05:00:00Z",
		`"1000-01-01T00:00:00Z"`:           "1000-01-01T00:00:00Z",
		`"9999-12-31T23:59:59.999Z"`:       "9999-12-31T23:59:59.999Z",
		`"9999-12-31"`:                     "9999-12-31T05:00:00Z",
		`"9999-12-31T23:59:59.9999999Z"`:   "9999-12-31T23:59:59.999Z",
		`"0999-12-31T23:00:00-02:00"`:      "1000-01-01T01:00:00Z",
		`"1969-12-31T23:59:59.0009+00:00"`: "1969-12-31T23:59:59Z",
		`"2026-01-05T23:59:59.9999+14:00"`: "2026-01-05T09:59:59.999Z",
	} {
		var m civil.Moment
		if err := json.Unmarshal([]byte(in), &m); err != nil {
			t.Errorf("%s: %v", in, err)
		} else if got := m.At(newYork); at(got) != want || got.Location() != time.UTC {
			t.Errorf("%s is %s, want %s", in, got, want)
		}
	}
}

func TestInvalidMomentsAreRefused(t *testing.T) {
	for _, in := range []string{
		`""`, `" "`, `null`, `true`, `1767623400`, `{}`, `["2026-01-05"]`,
		`"2026-01-05T14:30:00"`, `"2026-01-05T14:30Z"`, `"2026-01-05 14:30:00Z"`, `"2026-01-05T14:30:00,5Z"`,
		`"2026-01-05T24:00:00Z"`, `"2026-01-05T14:60:00Z"`, `"2026-01-05T14:30:60Z"`, `"2026-01-05T4:30:00Z"`,
		`"2026-01-05T14:30:00+24:00"`, `"2026-01-05T14:30:00+0500"`, `"2026-01-05T14:30:00Z "`, `" 2026-01-05"`,
		`"2026-02-29"`, `"2026-13-01"`, `"2026-00-10"`, `"2026-1-5"`, `"01/05/2026"`, `"20260105"`, `"2026-01"`,
		`"0999-12-31T23:59:59Z"`, `"1000-01-01T00:00:00+01:00"`, `"9999-12-31T23:59:59-01:00"`,
		`"10000-01-01T00:00:00Z"`, `"10000-01-01"`, `"0999-12-31"`, `"1000-01-01"`, `"-001-01-01"`, `"now"`,
	} {
		m := civil.Moment{}
		if err := m.UnmarshalJSON([]byte(in)); !errors.Is(err, civil.ErrMoment) {
			t.Errorf("%s: %v", in, err)
		}
		if m != (civil.Moment{}) {
			t.Errorf("%s: a refused input leaves %s behind", in, m)
		}
	}
}

func TestStartOfDayFollowsTheTimeZone(t *testing.T) {
	for _, c := range []struct{ zone, day, want string }{
		{"America/New_York", "2026-11-01", "2026-11-01T04:00:00Z"},
		{"America/Los_Angeles", "2026-01-05", "2026-01-05T08:00:00Z"},
		{"Pacific/Honolulu", "2026-01-05", "2026-01-05T10:00:00Z"},
		{"Asia/Kolkata", "2026-01-05", "2026-01-04T18:30:00Z"},
		{"America/Santiago", "2025-09-07", "2025-09-07T04:00:00Z"}, // 0:00 is skipped: the day starts at 1:00
		{"America/Havana", "2025-11-02", "2025-11-02T04:00:00Z"},   // 0:00 occurs twice: the first
		{"Asia/Amman", "2021-10-29", "2021-10-28T21:00:00Z"},       // the same, east of Greenwich
	} {
		m, err := civil.ParseMoment(c.day)
		if err != nil {
			t.Fatal(err)
		}
		if got := at(m.At(zone(t, c.zone))); got != c.want {
			t.Errorf("%s in %s begins %s, want %s", c.day, c.zone, got, c.want)
		}
	}
}

// In every time zone, the moment of a date is the first instant of that day.
func TestStartOfDayIsEarliestInstant(t *testing.T) {
	for _, name := range []string{
		"UTC", "America/New_York", "America/Chicago", "America/Denver", "America/Phoenix", "America/Los_Angeles",
		"America/Anchorage", "America/Puerto_Rico", "Pacific/Guam", "America/Havana", "America/Santiago",
		"America/Asuncion", "Atlantic/Azores", "Africa/Cairo", "Asia/Beirut", "Asia/Amman", "Asia/Tehran",
		"Australia/Lord_Howe", "Pacific/Chatham", "Europe/London",
	} {
		z := zone(t, name)
		for d := civil.Must("2019-01-01"); d.Year() < 2030; d = d.AddDays(1) {
			m, err := civil.ParseMoment(d.String())
			if err != nil {
				t.Fatal(err)
			}
			start := m.At(z)
			if !civil.On(start, z).Equal(d) || !civil.On(start.Add(-time.Millisecond), z).Equal(d.AddDays(-1)) {
				t.Errorf("%s in %s begins %s", d, name, start)
			}
		}
	}
}

func TestMomentKeepsFormat(t *testing.T) {
	for in, want := range map[string]string{
		"2026-01-05":                "2026-01-05",
		"2026-01-05T09:30:00-05:00": "2026-01-05T14:30:00.000Z",
	} {
		m, err := civil.ParseMoment(in)
		if err != nil {
			t.Fatal(err)
		}
		written, err := json.Marshal(m)
		if err != nil || string(written) != `"`+want+`"` || m.String() != want {
			t.Errorf("%s is written %s, %v", in, written, err)
		}
	}
}

func FuzzMoment(f *testing.F) {
	for _, s := range []string{"2026-01-05", "2026-01-05T14:30:00.123456Z", "9999-12-31T23:59:59-01:00", "1000-01-01"} {
		f.Add(s)
	}
	utc, samoa := time.UTC, time.FixedZone("east", 14*60*60)
	f.Fuzz(func(t *testing.T, s string) {
		m, err := civil.ParseMoment(s)
		if err != nil {
			if !errors.Is(err, civil.ErrMoment) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		for _, z := range []*time.Location{utc, samoa} {
			got := m.At(z)
			if got.Year() < 1000 || got.Year() > 9999 || got.Nanosecond()%int(time.Millisecond) != 0 {
				t.Fatalf("%q is %s", s, got)
			}
		}
		again, err := civil.ParseMoment(m.String())
		if err != nil || again != m {
			t.Fatalf("%q is written %q, which reads as %s, %v", s, m, again, err)
		}
	})
}

func TestStartOfDay(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"UTC", "America/New_York", "America/Sao_Paulo", "Asia/Beirut"} {
		zone, err := time.LoadLocation(name)
		if err != nil {
			t.Fatal(err)
		}
		for day := civil.Of(2018, time.January, 1); day.Year() == 2018; day = day.AddDays(1) {
			moment, err := civil.ParseMoment(day.String())
			if err != nil {
				t.Fatal(err)
			}
			at := moment.At(zone)
			if !civil.IsBeginning(at, zone) {
				t.Errorf("%s in %s does not begin at %s", day, name, at)
			}
			for _, off := range []time.Duration{-time.Millisecond, time.Millisecond, 12 * time.Hour} {
				if civil.IsBeginning(at.Add(off), zone) {
					t.Errorf("%s in %s begins at %s too", day, name, at.Add(off))
				}
			}
		}
	}
}
