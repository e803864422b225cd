// Package schedule computes on which days a deal collects, and how much: the Federal Reserve's banking
// calendar, the collection plan, and the payments that repay a payback amount to the cent. It reads no clock
// and no database.
package schedule

// Frequency is how often a deal collects.
type Frequency string

// The frequencies in the API.
const (
	Daily   Frequency = "DAILY"
	Weekly  Frequency = "WEEKLY"
	Monthly Frequency = "MONTHLY"
)

// Values lists the frequencies, for the schema and for error messages.
func (Frequency) Values() []string { return []string{string(Daily), string(Weekly), string(Monthly)} }

// Rule is a deal's collectionSchedule: the days that a DAILY plan collects on. WEEKLY and MONTHLY plans
// always collect on banking days.
type Rule string

// The rules in the API.
const (
	// BankingDays excludes weekends and the Federal Reserve's holidays.
	BankingDays Rule = "BANKING_DAYS"
	// Weekdays excludes only weekends.
	Weekdays Rule = "WEEKDAYS"
	// EveryDay excludes nothing.
	EveryDay Rule = "EVERY_DAY"
	// CustomDays collects on the set of weekdays in the plan's collection day, including holidays.
	CustomDays Rule = "CUSTOM_DAYS"
)

// Values lists the rules, for the schema and for error messages.
func (Rule) Values() []string {
	return []string{string(BankingDays), string(Weekdays), string(EveryDay), string(CustomDays)}
}
