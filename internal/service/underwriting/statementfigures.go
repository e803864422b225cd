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

// What a decision reads out of the objects of a statement analysis. They are free in form, so what cannot be read is
// taken as not said, and the figure is not known.

// deposited is what somebody paid in over the period of an analysis.
type deposited struct {
	Name      string       `json:"name"`      // in summary.depositors
	Depositor string       `json:"depositor"` // in depositTypes, beside the type
	Amount    money.Amount `json:"amount"`
}

// topDeposits is what the largest depositor paid in: of summary.depositors or, where there are none, of the entries of
// depositTypes that name a depositor. It is nil where nobody is named. A type of deposits is not a depositor.
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

// entriesOf are the entries of an array, or the values of an object.
func entriesOf(raw json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) == nil {
		return list
	}
	var keyed map[string]json.RawMessage
	_ = json.Unmarshal(raw, &keyed)
	return slices.Collect(maps.Values(keyed))
}

// periodRevenue is the true revenue of all the months that an analysis covers: their average times their number or, where
// that is not said, the deposits less what is no revenue.
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

// statementYear is how far back from the newest statement older analyses count.
const statementYear = 12

// monthsMissing counts the calendar months without a statement among those that the deal's statements cover: between the
// first and the last of them, and within the period of the newest analysis. Older analyses of the deal fill gaps, and make
// them, as far as they are of the twelve months up to the last one; not those that look tampered with. It is nil where the
// newest analysis names neither its months nor its period.
func monthsMissing(ctx context.Context, t *unit.Tx, dealID int) (*int, error) {
	all, err := t.StatementAnalysis.Query().Where(statementanalysis.DealID(dealID)).
		Order(statementanalysis.ByVersion(unit.Descending())).All(ctx)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	newest := monthsOf(all[0])
	if len(newest.covered) == 0 {
		return nil, nil //nolint:nilnil // nothing is said of months
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
	from, to int // the first and the last that there ought to be
	// uncounted is how many of the covered have no statement though it is not said which.
	uncounted int
}

// monthsOf reads the months of an analysis: those that its summary names or, where it names none, those of its period, of
// which monthsCovered says how many there are statements of.
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
	// A month of which the period holds a part only need not have a statement.
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

// namedMonths are the months that a summary names; none unless it names each of them.
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
