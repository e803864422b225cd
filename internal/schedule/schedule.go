// Package schedule says on which days a deal collects and how much on each: the Federal Reserve's banking calendar,
// the collection plan, and the rows that repay a payback amount to the cent. It reads no clock and no database.
package schedule

// Frequency is how often a deal collects.
type Frequency string

// The frequencies of the public contract.
const (
	Daily   Frequency = "DAILY"
	Weekly  Frequency = "WEEKLY"
	Monthly Frequency = "MONTHLY"
)

// Values lists the frequencies, for the schema and for error messages.
func (Frequency) Values() []string { return []string{string(Daily), string(Weekly), string(Monthly)} }

// Rule is a deal's collectionSchedule: the days that a DAILY plan collects on. WEEKLY and MONTHLY plans collect on
// banking days whatever the rule.
type Rule string

// The rules of the public contract.
const (
	// BankingDays leaves out weekends and the Federal Reserve's holidays.
	BankingDays Rule = "BANKING_DAYS"
	// Weekdays leaves out weekends only.
	Weekdays Rule = "WEEKDAYS"
	// EveryDay leaves out nothing.
	EveryDay Rule = "EVERY_DAY"
	// CustomDays collects on the weekdays in the plan's collection day, read as a set; holidays are not left out.
	CustomDays Rule = "CUSTOM_DAYS"
)

// Values lists the rules, for the schema and for error messages.
func (Rule) Values() []string {
	return []string{string(BankingDays), string(Weekdays), string(EveryDay), string(CustomDays)}
}
