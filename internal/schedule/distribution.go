package schedule

import (
	"strings"
	"time"

	"paydown/internal/civil"
)

// Distribution is how often a syndicator is paid: it determines on which days a payout batch is drafted and
// which period it covers. The periods of a frequency are contiguous, so that one batch covers each day.
//
// A batch is drafted on the day after its period or, if that is not a banking day, on the next banking day.
// The period does not change. All days are in the tenant's time zone: civil.On(instant, zone).
type Distribution string

// The frequencies. Their drafting days and rules are product decisions.
const (
	// DistributeDaily drafts on every banking day, for the days since the previous banking day.
	DistributeDaily Distribution = "DAILY"
	// DistributeWeekly drafts on Mondays, for the week from Monday to Sunday.
	DistributeWeekly Distribution = "WEEKLY"
	// DistributeBiweekly drafts on every other Monday, for two weeks. The weeks count from Monday, January 5,
	// 1970 for all syndicators, so that nothing has to be stored per syndicator.
	DistributeBiweekly Distribution = "BIWEEKLY"
	// DistributeSemimonthly drafts on the 1st and the 16th, for the preceding half month.
	DistributeSemimonthly Distribution = "SEMIMONTHLY"
	// DistributeMonthly drafts on the 1st, for the preceding month.
	DistributeMonthly Distribution = "MONTHLY"
)

// Values lists the frequencies.
func (Distribution) Values() []string {
	return []string{
		string(DistributeDaily), string(DistributeWeekly), string(DistributeBiweekly), string(DistributeSemimonthly),
		string(DistributeMonthly),
	}
}

// ParseDistribution parses a syndicator's distributionFrequency, ignoring case. It returns false for any
// other text, which people may have entered: such a syndicator's batches are drafted only manually.
func ParseDistribution(text string) (Distribution, bool) {
	text = strings.TrimSpace(text)
	for _, known := range Distribution("").Values() {
		if strings.EqualFold(text, known) {
			return Distribution(known), true
		}
	}
	return "", false
}

// Period is the days that a batch covers, both inclusive.
type Period struct{ From, To civil.Date }

// DraftedOn returns the day on which the batch of a period is drafted.
func (p Period) DraftedOn() civil.Date { return RollForward(p.To.AddDays(1)) }

// Drafts reports whether a batch is drafted on a day, and for which period.
func (f Distribution) Drafts(day civil.Date) (Period, bool) {
	p, ok := f.Latest(day)
	return p, ok && p.DraftedOn().Equal(day)
}

// Latest returns the last period whose batch is drafted on or before a day, for late drafting: everything up
// to the end of this period that a syndicator's last batch does not cover is due. It returns false for an
// invalid frequency.
func (f Distribution) Latest(day civil.Date) (Period, bool) {
	p, ok := f.periodBefore(day)
	if ok && p.DraftedOn().After(day) { // its batch waits for the next banking day
		p, ok = f.periodBefore(p.From)
	}
	return p, ok
}

// firstMonday is the start of the biweekly periods.
var firstMonday = civil.Of(1970, time.January, 5)

// periodBefore returns the last period that ends before a day.
func (f Distribution) periodBefore(day civil.Date) (Period, bool) {
	month := civil.Of(day.Year(), day.Month(), 1)
	switch f {
	case DistributeDaily:
		to := day.AddDays(-1)
		if next := RollForward(day); !next.Equal(day) {
			to = PreviousBankingDay(day).AddDays(-1) // the next banking day's batch covers the days since
		}
		return Period{PreviousBankingDay(to.AddDays(1)), to}, true
	case DistributeWeekly:
		monday := day.AddDays(1 - weekday(day))
		return Period{monday.AddDays(-7), monday.AddDays(-1)}, true
	case DistributeBiweekly:
		begun := ((day.Sub(firstMonday) % 14) + 14) % 14
		from := day.AddDays(-begun)
		return Period{from.AddDays(-14), from.AddDays(-1)}, true
	case DistributeSemimonthly:
		if day.Day() > 15 {
			return Period{month, month.AddDays(14)}, true
		}
		last := month.AddDays(-1)
		return Period{civil.Of(last.Year(), last.Month(), 16), last}, true
	case DistributeMonthly:
		last := month.AddDays(-1)
		return Period{civil.Of(last.Year(), last.Month(), 1), last}, true
	default:
		return Period{}, false
	}
}
