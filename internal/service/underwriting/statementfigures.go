package underwriting

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"paydown/ent"
	"paydown/ent/statementanalysis"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/unit"
)

// This file reads figures for decisions from the free-form objects of a statement analysis. Anything that
// cannot be read counts as missing, and the figure is unknown.

// deposited is what one depositor paid in over the period of an analysis.
type deposited struct {
	Name      string       `json:"name"`      // in summary.depositors
	Depositor string       `json:"depositor"` // in depositTypes, next to the type
	Amount    money.Amount `json:"amount"`
}

// topDeposits returns the deposits of the largest depositor, from summary.depositors or, if there are none,
// from the entries of depositTypes that name a depositor. It returns nil if no depositor is named. A deposit
// type is not a depositor.
func topDeposits(a *ent.StatementAnalysis) *money.Amount {
	var summary struct {
		Depositors json.RawMessage `json:"depositors"`
	}
	_ = json.Unmarshal(a.Summary, &summary)
	deposits := entriesOf(summary.Depositors)
	if len(deposits) == 0 {
		deposits = entriesOf(a.DepositTypes)
	}
	var top *money.Amount
	sums := map[string]money.Amount{}
	for _, entry := range deposits {
		var d deposited
		if json.Unmarshal(entry, &d) != nil {
			continue
		}
		name := strings.ToLower(strings.TrimSpace(d.Name + d.Depositor))
		if name == "" {
			continue
		}
		sum := sums[name].Add(d.Amount)
		sums[name] = sum
		if top == nil || top.Less(sum) {
			top = &sum
		}
	}
	return top
}

// entriesOf returns the entries of an array or the values of an object.
func entriesOf(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var keyed map[string]json.RawMessage
	_ = json.Unmarshal(raw, &keyed)
	return slices.Collect(maps.Values(keyed))
}

// periodRevenue returns the true revenue of all the months that an analysis covers: the monthly average times
// the number of months or, if these are missing, the deposits less non-revenue deposits.
func periodRevenue(a *ent.StatementAnalysis) *money.Amount {
	if a.AvgMonthlyTrueRevenue != nil && a.MonthsCovered != nil {
		months := decimal.NewFromInt(int64(*a.MonthsCovered))
		return new(money.Round(a.AvgMonthlyTrueRevenue.Decimal().Mul(months)))
	}
	if a.GrossDeposits == nil {
		return nil
	}
	return new(a.GrossDeposits.Sub(books.OrZero(a.McaDeposits)).Sub(books.OrZero(a.InternalTransfers)))
}

// statementYear is how many months before the newest statement older analyses count.
const statementYear = 12

// monthsMissing counts the calendar months without a statement, from the first to the last month that the
// deal's statements cover, including the period of the newest analysis. Older analyses also count, but only for
// the twelve months up to the last one and only if they do not look tampered with; they can fill gaps or create
// new ones. It returns nil if the newest analysis has neither months nor a period.
func monthsMissing(ctx context.Context, t *unit.Tx, dealID int) (*int, error) {
	all, err := t.StatementAnalysis.Query().Where(statementanalysis.DealID(dealID)).
		Order(statementanalysis.ByVersion(unit.Descending())).All(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	newest := monthsOf(all[0])
	if len(newest.covered) == 0 {
		return nil, nil //nolint:nilnil // no months known
	}
	covered := map[int]bool{}
	for _, m := range newest.covered {
		covered[m] = true
	}
	first, last := newest.from, newest.to
	oldest := min(first, last-statementYear+1)
	for _, a := range all[1:] {
		if a.Altered {
			continue
		}
		for _, m := range monthsOf(a).covered {
			if m >= oldest && m <= last {
				covered[m] = true
				first = min(first, m)
			}
		}
	}
	missing := newest.uncounted
	for m := first; m <= last; m++ {
		if !covered[m] {
			missing++
		}
	}
	return &missing, nil
}

// statementMonths are the months of one analysis, each as the number of months since the year 0.
type statementMonths struct {
	covered  []int
	from, to int // the first and last month expected
	// uncounted is how many of the covered months have no statement, when it is not known which.
	uncounted int
}

// monthsOf returns the months of an analysis: the months that its summary names or, if it names none, the
// months of its period. monthsCovered then says how many of them have statements.
func monthsOf(a *ent.StatementAnalysis) statementMonths {
	var m statementMonths
	m.covered = namedMonths(a.Summary)
	for i, month := range m.covered {
		if i == 0 {
			m.from, m.to = month, month
		}
		m.from, m.to = min(m.from, month), max(m.to, month)
	}
	if a.PeriodStart == nil || a.PeriodEnd == nil {
		return m
	}
	// A month that is only partly in the period does not need a statement.
	from, to := monthNumber(a.PeriodStart.AddDays(-1))+1, monthNumber(a.PeriodEnd.AddDays(1))-1
	if len(m.covered) > 0 {
		if from <= to {
			m.from, m.to = min(m.from, from), max(m.to, to)
		}
		return m
	}
	m.from, m.to = monthNumber(*a.PeriodStart), monthNumber(*a.PeriodEnd)
	for month := m.from; month <= m.to; month++ {
		m.covered = append(m.covered, month)
	}
	if a.MonthsCovered != nil {
		m.uncounted = max(0, monthsBetween(*a.PeriodStart, a.PeriodEnd.AddDays(1))-*a.MonthsCovered)
	}
	return m
}

func monthNumber(d civil.Date) int { return 12*d.Year() + int(d.Month()) - 1 }

// namedMonths returns the months that a summary names; none if any of its entries has no month.
func namedMonths(raw json.RawMessage) []int {
	var summary struct {
		Months []struct {
			Month string `json:"month"`
		} `json:"months"`
	}
	if json.Unmarshal(raw, &summary) != nil {
		return nil
	}
	var months []int
	for _, m := range summary.Months {
		day, err := time.Parse("2006-01", m.Month)
		if err != nil || day.Year() < 1900 || day.Year() > 2999 {
			return nil
		}
		months = append(months, monthNumber(civil.On(day, time.UTC)))
	}
	return months
}
