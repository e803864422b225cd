package civil_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"paydown/internal/civil"
)

func TestDatesOnTheWire(t *testing.T) {
	for _, s := range []string{"1000-01-01", "2024-02-29", "2026-12-31", "9999-12-31"} {
		var d civil.Date
		if err := json.Unmarshal([]byte(`"`+s+`"`), &d); err != nil {
			t.Errorf("%s: %v", s, err)
		}
		written, err := json.Marshal(d)
		if err != nil || string(written) != `"`+s+`"` {
			t.Errorf("%s is written %s, %v", s, written, err)
		}
	}
}

func TestInvalidDatesAreRefused(t *testing.T) {
	for _, in := range []string{
		`""`, `null`, `20260105`, `true`, `{}`, `"2026-1-5"`, `"2026-02-29"`, `"2026-02-30"`, `"2026-13-01"`, `"2026-01-00"`,
		`"0999-12-31"`, `"0000-01-01"`, `"-026-01-05"`, `"10000-01-01"`, `"2026/01/05"`, `"01-05-2026"`, `" 2026-01-05"`,
		`"2026-01-05T00:00:00Z"`, `"2026-01-5\u0030"`, `"２０２６-01-05"`,
	} {
		var d civil.Date
		if err := d.UnmarshalJSON([]byte(in)); !errors.Is(err, civil.ErrDate) || !d.IsZero() {
			t.Errorf("%s is %s, %v", in, d, err)
		}
	}
}

func TestDayDependsOnZone(t *testing.T) {
	instant := time.Date(2026, time.January, 6, 3, 0, 0, 0, time.UTC)
	for name, want := range map[string]string{"UTC": "2026-01-06", "America/New_York": "2026-01-05"} {
		if got := civil.On(instant, zone(t, name)); got.String() != want {
			t.Errorf("in %s it is %s", name, got)
		}
	}
	midnight := civil.Must("2026-01-05").Midnight(zone(t, "America/New_York"))
	if got := midnight.UTC().Format(time.RFC3339); got != "2026-01-05T05:00:00Z" {
		t.Errorf("midnight is %s", got)
	}
}

func TestDaysAreCountedAcrossMonthsAndLeapYears(t *testing.T) {
	for _, c := range []struct {
		from string
		days int
		to   string
	}{
		{"2026-01-31", 1, "2026-02-01"},
		{"2024-02-28", 1, "2024-02-29"},
		{"2026-02-28", 1, "2026-03-01"},
		{"2026-03-01", -1, "2026-02-28"},
		{"2026-01-05", 365, "2027-01-05"},
		{"2026-01-05", 0, "2026-01-05"},
	} {
		from, to := civil.Must(c.from), civil.Must(c.to)
		if got := from.AddDays(c.days); !got.Equal(to) {
			t.Errorf("%s + %d is %s, want %s", from, c.days, got, to)
		}
		if got := to.Sub(from); got != c.days {
			t.Errorf("%s - %s is %d, want %d", to, from, got, c.days)
		}
		if from.Before(to) != (c.days > 0) || from.After(to) != (c.days < 0) {
			t.Errorf("%s and %s compare wrongly", from, to)
		}
	}
}

func TestPartsOfADate(t *testing.T) {
	d := civil.Of(2026, time.February, 30) // rolls over
	if d.Year() != 2026 || d.Month() != time.March || d.Day() != 2 || d.Weekday() != time.Monday {
		t.Errorf("is %s, a %s", d, d.Weekday())
	}
	if !(civil.Date{}).IsZero() || d.IsZero() {
		t.Error("the zero value is not distinguished from a day")
	}
	if got := d.UTC(); !got.Equal(time.Date(2026, time.March, 2, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("as a time it is %s", got)
	}
}

func TestDatesInADatabase(t *testing.T) {
	want := civil.Must("2026-01-05")
	stored, err := want.Value()
	if err != nil || stored != "2026-01-05" {
		t.Errorf("stores %v, %v", stored, err)
	}
	for name, src := range map[string]any{
		"the PostgreSQL driver's time": time.Date(2026, time.January, 5, 0, 0, 0, 0, time.FixedZone("", 0)),
		"text":                         "2026-01-05",
		"bytes":                        []byte("2026-01-05"),
		"text with a time":             "2026-01-05 00:00:00+00:00",
	} {
		var d civil.Date
		if err := d.Scan(src); err != nil || !d.Equal(want) {
			t.Errorf("%s: %s, %v", name, d, err)
		}
	}
	for _, src := range []any{nil, int64(20260105), "soon", []byte("2026-02-30")} {
		var d civil.Date
		if err := d.Scan(src); err == nil {
			t.Errorf("%v is read as %s", src, d)
		}
	}
}

func TestMustPanicsOnInvalidDates(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	civil.Must("tomorrow")
}
