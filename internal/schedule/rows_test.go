package schedule_test

import (
	"testing"

	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

func TestRowsRepayThePayback(t *testing.T) {
	first := civil.Must("2026-01-06")
	for name, c := range map[string]struct {
		n                      int
		payment, payback, last string
	}{
		"a year of banking days":     {252, "515.88", "130000.00", "514.12"},
		"a payment that was given":   {125, "1199.00", "149000.00", "324.00"},
		"payments that are all even": {10, "10.00", "100.00", "10.00"},
		"a single payment":           {1, "100.00", "100.00", "100.00"},
	} {
		t.Run(name, func(t *testing.T) {
			rows, err := schedule.Rows(bankingDaily, first, c.n, money.Must(c.payment), money.Must(c.payback))
			if err != nil {
				t.Fatal(err)
			}
			var total money.Amount
			for _, row := range rows {
				total = total.Add(row.Amount)
			}
			if last := rows[len(rows)-1].Amount; len(rows) != c.n || last.String() != c.last || total.String() != c.payback {
				t.Errorf("%d rows, the last of %s, add up to %s", len(rows), last, total)
			}
		})
	}
}

func TestRowsRefuseWhatCannotRepay(t *testing.T) {
	day := civil.Must("2026-01-06")
	for name, c := range map[string]struct {
		plan             schedule.Plan
		n                int
		payment, payback string
		path             string
	}{
		"payments that are too small": {bankingDaily, 10, "9.99", "100.00", "paymentAmount"},
		"payments that leave no last": {bankingDaily, 11, "10.00", "100.00", "paymentAmount"},
		"a payment of nothing":        {bankingDaily, 1, "0.00", "0.00", "paymentAmount"},
		"no payments":                 {bankingDaily, 0, "10.00", "100.00", "numberOfPayments"},
		"more payments than it may":   {bankingDaily, 3661, "1.00", "3661.00", "numberOfPayments"},
		"a plan without collection day": {
			schedule.Plan{Frequency: schedule.Weekly, Rule: schedule.BankingDays}, 10, "10.00", "100.00", "collectionDay",
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := schedule.Rows(c.plan, day, c.n, money.Must(c.payment), money.Must(c.payback))
			if f := fault.As(err); f == nil || f.Code != fault.Validation || f.Details[0].Path != c.path {
				t.Errorf("%v, want a problem at %s", err, c.path)
			}
		})
	}
}

func FuzzSchedule(f *testing.F) {
	f.Add(uint8(0), uint8(0), 0, 0, 126, int64(13000000), int64(51588))
	f.Add(uint8(1), uint8(0), 5, 200, 52, int64(100000), int64(0))
	f.Add(uint8(2), uint8(1), 31, 30, 24, int64(240001), int64(10001))
	f.Add(uint8(0), uint8(3), 65, 17, 10, int64(1000), int64(0))
	f.Fuzz(func(t *testing.T, frequency, rule uint8, collectionDay, offset, n int, paybackCents, paymentCents int64) {
		frequencies, rules := schedule.Daily.Values(), schedule.BankingDays.Values()
		p := schedule.Plan{
			Frequency: schedule.Frequency(frequencies[int(frequency)%len(frequencies)]),
			Rule:      schedule.Rule(rules[int(rule)%len(rules)]),
		}
		collectionDay %= 130
		if p.Frequency != schedule.Daily || p.Rule == schedule.CustomDays {
			p.CollectionDay = &collectionDay
		}
		first := civil.Must("2000-01-01").AddDays(offset % 36524)
		n %= schedule.MaxPayments + 2
		paybackCents, paymentCents = paybackCents%1e12, paymentCents%1e12
		if paymentCents == 0 && n > 0 { // most payments do not fit the payback: use one that does
			paymentCents = (paybackCents + int64(n) - 1) / int64(n)
		}
		payment, payback := money.Cents(paymentCents), money.Cents(paybackCents)

		rows, err := schedule.Rows(p, first, n, payment, payback)
		if err != nil {
			if !fault.Is(err, fault.Validation) || rows != nil {
				t.Fatalf("%v with %d rows", err, len(rows))
			}
			return
		}
		if len(rows) != n || rows[0].Date.Before(first) {
			t.Fatalf("%d rows from %s, want %d from %s", len(rows), rows[0].Date, n, first)
		}
		var total money.Amount
		for i, row := range rows {
			total = total.Add(row.Amount)
			if i > 0 && !row.Date.After(rows[i-1].Date) {
				t.Fatalf("%s follows %s", row.Date, rows[i-1].Date)
			}
			if !collectsOn(p, row.Date) {
				t.Fatalf("%s, a %s, is not a collection day of %v", row.Date, row.Date.Weekday(), p)
			}
		}
		last := rows[n-1]
		if !total.Equal(payback) || last.Amount.Sign() <= 0 || payment.Less(last.Amount) {
			t.Fatalf("total %s, last %s", total, last.Amount)
		}
		if !p.Last(first, n).Equal(last.Date) || p.CountWithin(first, last.Date) != n {
			t.Fatalf("Last and CountWithin disagree with the rows, which end on %s", last.Date)
		}
	})
}

// collectsOn decides from a single day what From decides by iteration.
func collectsOn(p schedule.Plan, d civil.Date) bool {
	weekday := (int(d.Weekday()) + 6) % 7 // Monday is 0
	switch {
	case p.Frequency != schedule.Daily:
		// Some due day is d, or an earlier day with only closed days in between.
		for due := d; ; due = due.AddDays(-1) {
			isDue := p.Frequency == schedule.Weekly && (int(due.Weekday())+6)%7 == *p.CollectionDay-1
			if p.Frequency == schedule.Monthly {
				end := civil.Of(due.Year(), due.Month()+1, 0).Day()
				isDue = due.Day() == min(*p.CollectionDay, end)
			}
			if isDue {
				return schedule.IsBankingDay(d)
			}
			if schedule.IsBankingDay(due.AddDays(-1)) {
				return false
			}
		}
	case p.Rule == schedule.CustomDays:
		return *p.CollectionDay>>weekday&1 == 1
	case p.Rule == schedule.EveryDay:
		return true
	case p.Rule == schedule.Weekdays:
		return weekday < 5
	default:
		return schedule.IsBankingDay(d)
	}
}
