package schedule_test

import (
	"slices"
	"testing"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/schedule"
)

var bankingDaily = schedule.Plan{Frequency: schedule.Daily, Rule: schedule.BankingDays}

func plan(f schedule.Frequency, r schedule.Rule, day int) schedule.Plan {
	return schedule.Plan{Frequency: f, Rule: r, CollectionDay: &day}
}

func TestHalfAYearOfBankingDays(t *testing.T) {
	first := civil.Must("2026-01-06")
	dates := bankingDaily.Dates(first, 126)
	if last := dates[125]; last.String() != "2026-07-06" || !bankingDaily.Last(first, 126).Equal(last) {
		t.Errorf("the last is %s", last)
	}
	if !slices.ContainsFunc(dates, civil.Must("2026-07-03").Equal) {
		t.Error("Friday 3 July does not collect, though a Saturday holiday is not moved")
	}
	if n := bankingDaily.CountWithin(first, civil.Must("2026-07-06")); n != 126 {
		t.Errorf("counts %d", n)
	}
}

func TestCollectionDays(t *testing.T) {
	for name, c := range map[string]struct {
		plan  schedule.Plan
		first string
		want  []string
	}{
		"banking days skip a weekend and a holiday": {
			bankingDaily, "2026-01-16", []string{"2026-01-16", "2026-01-20", "2026-01-21"},
		},
		"weekdays skip a weekend only": {
			schedule.Plan{Frequency: schedule.Daily, Rule: schedule.Weekdays},
			"2026-01-16",
			[]string{"2026-01-16", "2026-01-19", "2026-01-20"},
		},
		"every day skips nothing": {
			schedule.Plan{Frequency: schedule.Daily, Rule: schedule.EveryDay},
			"2026-01-16",
			[]string{"2026-01-16", "2026-01-17", "2026-01-18", "2026-01-19"},
		},
		"custom days collect on Mondays and Sundays, holiday or not": {
			plan(schedule.Daily, schedule.CustomDays, 1+64), "2026-01-16",
			[]string{"2026-01-18", "2026-01-19", "2026-01-25"},
		},
		"weekly on Monday moves off a holiday and back": {
			plan(schedule.Weekly, schedule.BankingDays, 1), "2026-01-12",
			[]string{"2026-01-12", "2026-01-20", "2026-01-26"},
		},
		"weekly may begin on a day moved to": {
			plan(schedule.Weekly, schedule.BankingDays, 1), "2026-01-20", []string{"2026-01-20", "2026-01-26"},
		},
		"weekly waits for its weekday": {
			plan(schedule.Weekly, schedule.BankingDays, 3), "2026-01-16", []string{"2026-01-21", "2026-01-28"},
		},
		"weekly moves off a holiday under any rule": {
			plan(schedule.Weekly, schedule.EveryDay, 1), "2026-01-13", []string{"2026-01-20"},
		},
		"monthly on the 31st keeps to the month's end, then to a banking day": {
			plan(schedule.Monthly, schedule.BankingDays, 31), "2026-01-01",
			[]string{"2026-02-02", "2026-03-02", "2026-03-31", "2026-04-30", "2026-06-01", "2026-06-30"},
		},
		"monthly on the 29th in a leap year": {
			plan(schedule.Monthly, schedule.BankingDays, 29), "2028-02-01", []string{"2028-02-29", "2028-03-29"},
		},
		"monthly may begin on a day moved to from the month before": {
			plan(schedule.Monthly, schedule.BankingDays, 31), "2026-02-02", []string{"2026-02-02", "2026-03-02"},
		},
		"monthly on the first crosses the year": {
			plan(schedule.Monthly, schedule.BankingDays, 1), "2026-11-15", []string{"2026-12-01", "2027-01-04"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, d := range c.plan.Dates(civil.Must(c.first), len(c.want)) {
				got = append(got, d.String())
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestTheFirstCollectionDayIsAfterTheDayGiven(t *testing.T) {
	monday := plan(schedule.Weekly, schedule.BankingDays, 1)
	if d := monday.First(civil.Must("2026-01-05")); d.String() != "2026-01-12" {
		t.Errorf("after a collection day: %s", d)
	}
	if d := monday.First(civil.Must("2026-01-18")); d.String() != "2026-01-20" {
		t.Errorf("before a holiday: %s", d)
	}
}

func TestCountingOverNoDays(t *testing.T) {
	day := civil.Must("2026-01-06")
	if n := bankingDaily.CountWithin(day, day.AddDays(-1)); n != 0 {
		t.Errorf("an empty range holds %d", n)
	}
	if n := bankingDaily.CountWithin(day, day); n != 1 {
		t.Errorf("a collection day holds %d", n)
	}
	if len(bankingDaily.Dates(day, 0)) != 0 || !bankingDaily.Last(day, 0).IsZero() {
		t.Error("no payments have dates")
	}
}

func TestValidateNamesWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		plan schedule.Plan
		want []string
	}{
		"weekly without a day": {
			schedule.Plan{Frequency: schedule.Weekly, Rule: schedule.BankingDays}, []string{"collectionDay"},
		},
		"weekly on a Saturday": {plan(schedule.Weekly, schedule.BankingDays, 6), []string{"collectionDay"}},
		"weekly on day 0":      {plan(schedule.Weekly, schedule.BankingDays, 0), []string{"collectionDay"}},
		"monthly without a day": {
			schedule.Plan{Frequency: schedule.Monthly, Rule: schedule.BankingDays}, []string{"collectionDay"},
		},
		"monthly on the 32nd": {plan(schedule.Monthly, schedule.BankingDays, 32), []string{"collectionDay"}},
		"custom days without a set": {
			schedule.Plan{Frequency: schedule.Daily, Rule: schedule.CustomDays}, []string{"collectionDay"},
		},
		"custom days with an empty set":  {plan(schedule.Daily, schedule.CustomDays, 0), []string{"collectionDay"}},
		"custom days with an eighth day": {plan(schedule.Daily, schedule.CustomDays, 128), []string{"collectionDay"}},
		"daily with a day":               {plan(schedule.Daily, schedule.BankingDays, 1), []string{"collectionDay"}},
		"weekly on custom days":          {plan(schedule.Weekly, schedule.CustomDays, 1), []string{"collectionSchedule"}},
		"nothing known": {
			schedule.Plan{Frequency: "YEARLY", Rule: "FRIDAYS"}, []string{"collectionFrequency", "collectionSchedule"},
		},
		"daily":                    {bankingDaily, nil},
		"weekly on Friday":         {plan(schedule.Weekly, schedule.Weekdays, 5), nil},
		"monthly on the 31st":      {plan(schedule.Monthly, schedule.EveryDay, 31), nil},
		"custom days, all of them": {plan(schedule.Daily, schedule.CustomDays, 127), nil},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.plan.Validate()
			var paths []string
			if f := fault.As(err); f != nil {
				for _, d := range f.Details {
					paths = append(paths, d.Path)
				}
			}
			if (err == nil) != (c.want == nil) || !slices.Equal(paths, c.want) {
				t.Errorf("%v, want problems at %v", err, c.want)
			}
		})
	}
}

func TestAnInvalidPlanHasNoCollectionDays(t *testing.T) {
	invalid := schedule.Plan{Frequency: schedule.Daily, Rule: schedule.CustomDays}
	day := civil.Must("2026-01-06")
	if !invalid.First(day).IsZero() || len(invalid.Dates(day, 3)) != 0 || !invalid.PaymentsPerYear().IsZero() {
		t.Error("an invalid plan has collection days")
	}
}

func TestPaymentsPerMonth(t *testing.T) {
	for want, p := range map[string]schedule.Plan{
		"21":                 bankingDaily,
		"21.75":              {Frequency: schedule.Daily, Rule: schedule.Weekdays},
		"30.42":              {Frequency: schedule.Daily, Rule: schedule.EveryDay},
		"8.6666666666666667": plan(schedule.Daily, schedule.CustomDays, 2+8),
		"4.3333333333333333": plan(schedule.Weekly, schedule.BankingDays, 5),
		"1":                  plan(schedule.Monthly, schedule.BankingDays, 5),
	} {
		if got := p.PaymentsPerMonth().String(); got != want {
			t.Errorf("%v: %s, want %s", p, got, want)
		}
	}
}
