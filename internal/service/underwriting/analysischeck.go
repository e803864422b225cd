package underwriting

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/shopspring/decimal"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/input"
)

// Contradictions returns the contradictions within an analysis: periods that run backwards, totals that differ
// from their parts, and invalid amounts inside its objects.
func (in AnalysisInput) Contradictions() []fault.Detail {
	c := &contradictions{}
	c.period(in)
	c.revenue(in)
	deposits := c.entries("depositTypes", in.DepositTypes, "amount")
	if gross, ok := in.GrossDeposits.Get(); ok && gross.Less(money.Sum(deposits...)) {
		c.add("depositTypes", "must not exceed grossDeposits in total")
	}
	c.entries("positions", in.Positions, "payment", "estimatedBalance")
	c.entries("alteredFlags", in.AlteredFlags)
	if n, ok := in.PositionCount.Get(); ok && isArray(in.Positions) && n != countEntries(in.Positions) {
		c.add("positionCount", "must be the number of positions")
	}
	return c.problems
}

type contradictions struct{ problems []fault.Detail }

func (c *contradictions) add(path, format string, args ...any) {
	c.problems = append(c.problems, fault.Detail{Path: path, Message: fmt.Sprintf(format, args...)})
}

// period checks that the dates are in order and that the number of months fits them, allowing for partial
// months at both ends.
func (c *contradictions) period(in AnalysisInput) {
	start, hasStart := in.PeriodStart.Get()
	end, hasEnd := in.PeriodEnd.Get()
	if !hasStart || !hasEnd {
		return
	}
	if end.Before(start) {
		c.add("periodEnd", "must not be before periodStart")
		return
	}
	touched := monthsTouched(start, end)
	if n, ok := in.MonthsCovered.Get(); ok && (n > touched || n < touched-2) {
		c.add("monthsCovered", "must fit the period, which touches %d months", touched)
	}
}

func monthsTouched(start, end civil.Date) int {
	return 12*(end.Year()-start.Year()) + int(end.Month()-start.Month()) + 1
}

// revenue checks that non-revenue deposits do not exceed all deposits, and that the monthly average matches the
// total if both cover the same three months.
func (c *contradictions) revenue(in AnalysisInput) {
	apart := in.MCADeposits.Or(money.Zero).Add(in.InternalTransfers.Or(money.Zero))
	if gross, ok := in.GrossDeposits.Get(); ok && gross.Less(apart) {
		c.add("grossDeposits", "must be at least mcaDeposits and internalTransfers together")
	}
	total, hasTotal := in.TrueRevenue3M.Get()
	average, hasAverage := in.AvgMonthlyTrueRevenue.Get()
	if !hasTotal || !hasAverage || in.MonthsCovered.Or(0) != 3 {
		return
	}
	// An average in whole cents may be off by half a cent a month.
	gap := average.Decimal().Mul(decimal.NewFromInt(3)).Sub(total.Decimal()).Abs()
	if gap.GreaterThan(decimal.New(15, -3)) {
		c.add("avgMonthlyTrueRevenue", "must be a third of trueRevenue3m")
	}
	if gross, ok := in.GrossDeposits.Get(); ok && gross.Sub(apart).Less(total) {
		c.add("trueRevenue3m", "must be at most grossDeposits less mcaDeposits and internalTransfers")
	}
}

func isArray(o input.Opt[json.RawMessage]) bool {
	raw, ok := o.Get()
	return ok && len(raw) > 0 && raw[0] == '['
}

func countEntries(o input.Opt[json.RawMessage]) int {
	var list []json.RawMessage
	raw, _ := o.Get()
	_ = json.Unmarshal(raw, &list) // the decoder has verified that it is JSON
	return len(list)
}

// entries checks the amounts with the given names in each entry of an array, or of an object with arbitrary
// keys. It returns the amounts with the first name.
func (c *contradictions) entries(path string, o input.Opt[json.RawMessage], names ...string) []money.Amount {
	raw, ok := o.Get()
	if !ok {
		return nil
	}
	entries := map[string]json.RawMessage{}
	if isArray(o) {
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list)
		for i, e := range list {
			entries[fmt.Sprint(i)] = e
		}
	} else {
		_ = json.Unmarshal(raw, &entries)
	}
	var firsts []money.Amount
	for _, key := range slices.Sorted(maps.Keys(entries)) {
		entry := entries[key]
		var fields map[string]json.RawMessage
		if json.Unmarshal(entry, &fields) != nil || fields == nil { // null
			if isArray(o) {
				c.add(path+"."+key, "must be an object")
			}
			continue
		}
		for i, name := range names {
			value, given := fields[name]
			if !given || string(value) == "null" {
				continue
			}
			var amount money.Amount
			if err := amount.UnmarshalJSON(value); err != nil {
				c.add(path+"."+key+"."+name, "%s", err)
				continue
			}
			if i == 0 {
				firsts = append(firsts, amount)
			}
		}
	}
	return firsts
}
