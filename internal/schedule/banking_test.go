package schedule_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"paydown/internal/civil"
	"paydown/internal/schedule"
)

// As published by Federal Reserve Financial Services for the year, without holidays on a Saturday.
var published = map[int][]string{
	2021: {"01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"},
	2022: {"01-17", "02-21", "05-30", "06-20", "07-04", "09-05", "10-10", "11-11", "11-24", "12-26"},
	2023: {"01-02", "01-16", "02-20", "05-29", "06-19", "07-04", "09-04", "10-09", "11-23", "12-25"},
	2026: {"01-01", "01-19", "02-16", "05-25", "06-19", "09-07", "10-12", "11-11", "11-26", "12-25"},
	2027: {"01-01", "01-18", "02-15", "05-31", "07-05", "09-06", "10-11", "11-11", "11-25"},
}

func TestBankingDaysFollowThePublishedHolidays(t *testing.T) {
	for year, want := range published {
		var closed []string
		for d := civil.Of(year, time.January, 1); d.Year() == year; d = d.AddDays(1) {
			weekend := d.Weekday() == time.Saturday || d.Weekday() == time.Sunday
			if !weekend && !schedule.IsBankingDay(d) {
				closed = append(closed, d.String()[5:])
			}
			if weekend && schedule.IsBankingDay(d) {
				t.Errorf("%s is a banking day", d)
			}
		}
		if !slices.Equal(closed, want) {
			t.Errorf("%d: closed on %v, want %v", year, closed, want)
		}
	}
}

func TestJuneteenthIsKeptOnlySinceItExists(t *testing.T) {
	if !schedule.IsBankingDay(civil.Must("2020-06-19")) {
		t.Error("Friday 19 June 2020 is closed")
	}
	if schedule.IsBankingDay(civil.Must("2024-06-19")) {
		t.Error("Wednesday 19 June 2024 is open")
	}
}

func TestStepsBetweenBankingDays(t *testing.T) {
	saturday, monday, tuesday := civil.Must("2026-01-17"), civil.Must("2026-01-19"), civil.Must("2026-01-20")
	friday := civil.Must("2026-01-16")
	for name, got := range map[string][2]civil.Date{
		"next leaves the day itself":             {schedule.NextBankingDay(tuesday), tuesday.AddDays(1)},
		"next skips a weekend and a holiday":     {schedule.NextBankingDay(friday), tuesday},
		"previous skips a holiday and a weekend": {schedule.PreviousBankingDay(tuesday), friday},
		"a closed day rolls forward":             {schedule.RollForward(saturday), tuesday},
		"an open day stays":                      {schedule.RollForward(friday), friday},
		"days are added across a long weekend":   {schedule.AddBankingDays(friday, 5), civil.Must("2026-01-26")},
		"no days added change nothing":           {schedule.AddBankingDays(monday, 0), monday},
	} {
		if !got[0].Equal(got[1]) {
			t.Errorf("%s: %s, want %s", name, got[0], got[1])
		}
	}
}

func TestTheCalendarMayBeAskedConcurrently(t *testing.T) {
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for year := 1900; year < 1960; year++ {
				if schedule.IsBankingDay(civil.Of(year, time.December, 25)) {
					t.Errorf("Christmas %d is a banking day", year)
				}
			}
		})
	}
	asking.Wait()
}

func BenchmarkDates(b *testing.B) {
	first := civil.Must("2026-01-06")
	for b.Loop() {
		bankingDaily.Dates(first, 126)
	}
}
