package schedule

import (
	"strings"
	"time"

	"paydown/internal/civil"
)

// Distribution is how often a syndicator is paid what is owed: it says on which days a payout batch is drafted, and for
// which period. The periods of a frequency follow each other without a gap, so that every day is covered by one batch.
//
// A batch is drafted on the day after its period or, where that is no banking day, on the first one after it. The period
// stays what it is. All days are those of the tenant: the day of an instant is civil.On(instant, the tenant's zone).
type Distribution string

// The frequencies. Which days they draft on, and the rules, are ours.
const (
	// DistributeDaily drafts on every banking day, for the days since the banking day before it.
	DistributeDaily Distribution = "DAILY"
	// DistributeWeekly drafts on Mondays, for the week from Monday to Sunday.
	DistributeWeekly Distribution = "WEEKLY"
	// DistributeBiweekly drafts on every other Monday, for two weeks. They are counted from Monday, 5 January 1970, alike for
	// everybody, so that nothing has to be remembered of a syndicator.
	DistributeBiweekly Distribution = "BIWEEKLY"
	// DistributeSemimonthly drafts on the 1st and the 16th, for the half of the month before.
	DistributeSemimonthly Distribution = "SEMIMONTHLY"
	// DistributeMonthly drafts on the 1st, for the month before.
	DistributeMonthly Distribution = "MONTHLY"
)

// Values lists the frequencies.
func (Distribution) Values() []string {
	return []string{
		string(DistributeDaily), string(DistributeWeekly), string(DistributeBiweekly), string(DistributeSemimonthly), string(DistributeMonthly),
	}
}

// ParseDistribution reads a syndicator's distributionFrequency, in capitals or not. It is false for any other text, which
// people may have put there: then nothing is drafted but by hand.
func ParseDistribution(text string) (Distribution, bool) {
	text = strings.TrimSpace(text)
	for _, known := range Distribution("").Values() {
		if strings.EqualFold(text, known) {
			return Distribution(known), true
		}
	}
	return "", false
}

// Period is the days that a batch covers, the first and the last among them.
type Period struct{ From, To civil.Date }

// DraftedOn is the day on which the batch of a period is drafted.
func (p Period) DraftedOn() civil.Date { return RollForward(p.To.AddDays(1)) }

// Drafts reports whether a batch is drafted on a day, and for which period.
func (f Distribution) Drafts(day civil.Date) (Period, bool) {
	p, ok := f.Latest(day)
	return p, ok && p.DraftedOn().Equal(day)
}

// Latest is the last period whose batch is drafted on a day or was drafted before it, for whoever comes to it late: what a
// syndicator's last batch does not reach up to the end of this period is due. It is false for a frequency that is none.
func (f Distribution) Latest(day civil.Date) (Period, bool) {
	p, ok := f.periodBefore(day)
	if ok && p.DraftedOn().After(day) { // its batch waits for the next banking day
		p, ok = f.periodBefore(p.From)
	}
	return p, ok
}

// firstMonday is the day that biweekly periods are counted from.
var firstMonday = civil.Of(1970, time.January, 5)

// periodBefore is the last period that ends before a day.
func (f Distribution) periodBefore(day civil.Date) (Period, bool) {
	month := civil.Of(day.Year(), day.Month(), 1)
	switch f {
	case DistributeDaily:
		to := day.AddDays(-1)
		if next := RollForward(day); !next.Equal(day) {
			to = PreviousBankingDay(day).AddDays(-1) // the days since are covered by the next banking day's batch
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
