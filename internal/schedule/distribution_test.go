package schedule_test

import (
	"fmt"
	"testing"

	"paydown/internal/civil"
	"paydown/internal/schedule"
)

func TestAFrequencyIsReadWhateverItsCase(t *testing.T) {
	for text, want := range map[string]schedule.Distribution{
		"WEEKLY": schedule.DistributeWeekly, "weekly": schedule.DistributeWeekly,
		"Semimonthly": schedule.DistributeSemimonthly,
		"daily":       schedule.DistributeDaily, "Biweekly": schedule.DistributeBiweekly,
		"monthly": schedule.DistributeMonthly,
	} {
		if got, ok := schedule.ParseDistribution(text); got != want || !ok {
			t.Errorf("%q is %q %t", text, got, ok)
		}
	}
	if got, ok := schedule.ParseDistribution(" weekly\n"); got != schedule.DistributeWeekly || !ok {
		t.Errorf("with blanks around it is %q %t", got, ok)
	}
	for _, text := range []string{"", "manual", "on request", "WEEKLY, on Fridays", "quarterly"} {
		f, ok := schedule.ParseDistribution(text)
		if ok {
			t.Errorf("%q is %q", text, f)
		}
		if _, drafts := f.Drafts(civil.Must("2026-01-05")); drafts {
			t.Errorf("%q drafts", text)
		}
	}
}

func TestTheDaysOnWhichBatchesAreDrafted(t *testing.T) {
	for _, c := range []struct {
		frequency schedule.Distribution
		on, want  string // the period; "" where nothing is drafted
	}{
		{schedule.DistributeDaily, "2026-01-06", "2026-01-05 to 2026-01-05"},
		{schedule.DistributeDaily, "2026-01-05", "2026-01-02 to 2026-01-04"}, // a Monday, for Friday and the weekend
		{schedule.DistributeDaily, "2026-01-03", ""},
		{schedule.DistributeDaily, "2026-01-20", "2026-01-16 to 2026-01-19"}, // after Martin Luther King Day
		{schedule.DistributeDaily, "2026-01-19", ""},
		{schedule.DistributeWeekly, "2026-01-12", "2026-01-05 to 2026-01-11"},
		{schedule.DistributeWeekly, "2026-01-13", ""},
		{schedule.DistributeWeekly, "2026-01-19", ""},
		{schedule.DistributeWeekly, "2026-01-20", "2026-01-12 to 2026-01-18"}, // Monday is a holiday
		{schedule.DistributeBiweekly, "2026-01-05", "2025-12-22 to 2026-01-04"},
		{schedule.DistributeBiweekly, "2026-01-12", ""},
		{schedule.DistributeBiweekly, "2026-01-20", "2026-01-05 to 2026-01-18"},
		{schedule.DistributeBiweekly, "2026-05-26", "2026-05-11 to 2026-05-24"},    // Memorial Day
		{schedule.DistributeSemimonthly, "2026-01-02", "2025-12-16 to 2025-12-31"}, // New Year's Day
		{schedule.DistributeSemimonthly, "2026-01-01", ""},
		{schedule.DistributeSemimonthly, "2026-01-16", "2026-01-01 to 2026-01-15"},
		{schedule.DistributeSemimonthly, "2026-05-18", "2026-05-01 to 2026-05-15"}, // the 16th is a Saturday
		{schedule.DistributeSemimonthly, "2026-05-16", ""},
		{schedule.DistributeMonthly, "2026-02-02", "2026-01-01 to 2026-01-31"}, // the 1st is a Sunday
		{schedule.DistributeMonthly, "2026-02-01", ""},
		{schedule.DistributeMonthly, "2024-03-01", "2024-02-01 to 2024-02-29"},
		{schedule.DistributeMonthly, "2024-03-04", ""},
	} {
		p, drafts := c.frequency.Drafts(civil.Must(c.on))
		got := ""
		if drafts {
			got = fmt.Sprintf("%s to %s", p.From, p.To)
		}
		if got != c.want {
			t.Errorf("%s on %s: %q, want %q", c.frequency, c.on, got, c.want)
		}
	}
}

// Over ten years of each frequency, one batch covers each day and is drafted once, on a banking day after it;
// Latest finds the last drafted batch on every day.
func TestPeriodsLeaveNoDayOut(t *testing.T) {
	for _, name := range schedule.Distribution("").Values() {
		f := schedule.Distribution(name)
		var last schedule.Period
		for day := civil.Must("2020-01-01"); day.Before(civil.Must("2030-01-01")); day = day.AddDays(1) {
			p, drafts := f.Drafts(day)
			if drafts {
				if !schedule.IsBankingDay(day) || !p.To.Before(day) || p.To.Before(p.From) {
					t.Fatalf("%s drafts on %s for %v", f, day, p)
				}
				if !last.To.IsZero() && !p.From.Equal(last.To.AddDays(1)) {
					t.Fatalf("%s: %v follows %v", f, p, last)
				}
				last = p
			}
			latest, ok := f.Latest(day)
			if !last.To.IsZero() && (!ok || latest != last) {
				t.Fatalf("%s: on %s the latest is %v, drafted was %v", f, day, latest, last)
			}
		}
	}
}
