package disclosure_test

import (
	"errors"
	"testing"
	"time"

	"paydown/internal/civil"
	"paydown/internal/disclosure"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// series is a number of equal payments: the first on a given day, each further one as next says.
type series struct {
	n      int
	amount string
}

// payments returns the series one after the other.
func payments(first string, next func(civil.Date) civil.Date, all ...series) []disclosure.Payment {
	var list []disclosure.Payment
	on := civil.Must(first)
	for _, s := range all {
		for range s.n {
			list = append(list, disclosure.Payment{On: on, Amount: money.Must(s.amount)})
			on = next(on)
		}
	}
	return list
}

func everyMonths(n int) func(civil.Date) civil.Date {
	return func(d civil.Date) civil.Date { return civil.Of(d.Year(), d.Month()+time.Month(n), d.Day()) }
}

func everyDays(n int) func(civil.Date) civil.Date {
	return func(d civil.Date) civil.Date { return d.AddDays(n) }
}

// onFirstAndSixteenth returns the next payment day of a twice-monthly schedule.
func onFirstAndSixteenth(d civil.Date) civil.Date {
	if d.Day() == 1 {
		return d.AddDays(15)
	}
	return civil.Of(d.Year(), d.Month()+1, 1)
}

// The examples of Regulation Z, Appendix J, paragraph (c), by number.
func TestAppendixJExamples(t *testing.T) {
	for _, c := range []struct {
		example, financed, advanced string
		payments                    []disclosure.Payment
		unit                        disclosure.UnitPeriod
		want                        string
	}{
		{
			"1i", "5000", "1978-01-10", payments("1978-02-10", everyMonths(1), series{24, "230"}),
			disclosure.Months(1), "9.69",
		},
		{
			"1ii", "6000", "1978-02-10", payments("1978-04-01", everyMonths(1), series{36, "200"}),
			disclosure.Months(1), "11.82",
		},
		{
			"1iii", "5000", "1978-02-23", payments("1978-03-01", onFirstAndSixteenth, series{24, "219.17"}),
			disclosure.HalfMonth(), "10.34",
		},
		{
			"1iv", "10000", "1978-05-23", payments("1978-10-01", everyMonths(3), series{40, "385"}),
			disclosure.Months(3), "8.97",
		},
		{
			"1v", "500", "1978-03-20", payments("1978-04-21", everyDays(7), series{30, "17.60"}),
			disclosure.Weeks(1), "14.96",
		},
		{
			"2i", "5000", "1978-01-10", payments("1978-02-10", everyMonths(1), series{1, "250"}, series{23, "230"}),
			disclosure.Months(1), "10.08",
		},
		{
			"2ii", "400", "1978-03-18", payments("1978-04-20", everyDays(28), series{1, "39.50"}, series{11, "38.31"}),
			disclosure.Weeks(4), "28.50",
		},
		{
			"3i", "5000", "1978-01-10", payments("1978-02-10", everyMonths(1), series{23, "230"}, series{1, "280"}),
			disclosure.Months(1), "10.50",
		},
		{
			"3ii", "200", "1978-04-03", payments("1978-04-11", everyDays(14), series{19, "9.50"}, series{1, "30"}),
			disclosure.Weeks(2), "12.22",
		},
		{
			"4i", "5000", "1978-01-10",
			payments("1978-02-10", everyMonths(1), series{1, "250"}, series{22, "230"}, series{1, "280"}),
			disclosure.Months(1), "10.90",
		},
		{
			"4ii", "8000", "1978-01-10",
			payments("1978-03-01", everyMonths(2), series{1, "449.36"}, series{18, "465"}, series{1, "200"}),
			disclosure.Months(2), "7.30",
		},
		{
			"5i", "1000", "1978-01-03", payments("1978-09-15", everyDays(1), series{1, "1080"}),
			disclosure.UnitPeriod{},
			"11.45",
		},
	} {
		got, err := disclosure.APR(money.Must(c.financed), civil.Must(c.advanced), c.payments, c.unit)
		if err != nil || got.String() != c.want {
			t.Errorf("(c)(%s): %s %v, want %s", c.example, got, err, c.want)
		}
	}
}

// A daily advance of 50,000 for 65,000 on banking days; the merchant gets 48,450 after fees.
func TestDailyAdvanceAPR(t *testing.T) {
	plan := schedule.Plan{Frequency: schedule.Daily, Rule: schedule.BankingDays}
	rows, err := schedule.Rows(plan, civil.Must("2026-01-06"), 126, money.Must("515.88"), money.Must("65000"))
	if err != nil {
		t.Fatal(err)
	}
	var debits []disclosure.Payment
	for _, row := range rows {
		debits = append(debits, disclosure.Payment{On: row.Date, Amount: row.Amount})
	}
	if last := debits[125]; last.On.String() != "2026-07-06" || last.Amount.String() != "515.00" {
		t.Fatalf("the last payment is %s on %s", last.Amount, last.On)
	}
	for financed, want := range map[string]string{"48450": "124.49", "50000": "110.47"} {
		got, err := disclosure.APR(money.Must(financed), civil.Must("2026-01-05"), debits, disclosure.Day())
		if err != nil || got.String() != want {
			t.Errorf("%s: %s %v, want %s", financed, got, err, want)
		}
	}
}

func TestSinglePaymentAPR(t *testing.T) {
	for _, c := range []struct{ from, to, paid, want string }{
		{"2026-01-31", "2026-07-31", "1050", "10.00"}, // six months: 5 % twice a year
		{"2025-11-30", "2026-02-28", "1030", "12.00"}, // three months, of which the last ends with February
		{"2026-03-01", "2026-05-13", "1020", "10.00"}, // 73 days: 2 % five times a year
		{"2026-01-15", "2027-01-15", "1100", "10.00"}, // a year
		{"2026-01-15", "2028-01-15", "1210", "10.00"}, // two
		{"2026-01-15", "2027-07-15", "1155", "10.00"}, // one and a half: 1.1 × 1.05
		{"2026-01-15", "2027-03-29", "1122", "10.00"}, // one and 73 days: 1.1 × 1.02
		{"2026-01-15", "2026-01-16", "1000", "0.00"},
	} {
		one := []disclosure.Payment{{On: civil.Must(c.to), Amount: money.Must(c.paid)}}
		got, err := disclosure.APR(money.Must("1000"), civil.Must(c.from), one, disclosure.UnitPeriod{})
		if err != nil || got.String() != c.want {
			t.Errorf("%s to %s: %s %v, want %s", c.from, c.to, got, err, c.want)
		}
	}
}

// Payments at the end of months of different lengths have the same rate.
func TestMonthsAreEqual(t *testing.T) {
	lastDays := []disclosure.Payment{
		{On: civil.Must("2026-02-28"), Amount: money.Must("510")}, {On: civil.Must("2026-03-31"), Amount: money.Must("510")},
	}
	tenths := payments("2026-02-10", everyMonths(1), series{2, "510"})
	a, errA := disclosure.APR(money.Must("1000"), civil.Must("2026-01-31"), lastDays, disclosure.Months(1))
	b, errB := disclosure.APR(money.Must("1000"), civil.Must("2026-01-10"), tenths, disclosure.Months(1))
	if errA != nil || errB != nil || !a.Equal(b) {
		t.Errorf("%s %v and %s %v", a, errA, b, errB)
	}
}

func TestEnormousAPR(t *testing.T) {
	one := func(days int, amount string) []disclosure.Payment {
		return []disclosure.Payment{
			{On: civil.Must("2026-01-05").AddDays(days), Amount: money.Must(amount)},
			{On: civil.Must("2026-01-06").AddDays(days), Amount: money.Must("0.01")},
		}
	}
	if got, err := disclosure.APR(money.Must("100"), civil.Must("2026-01-05"), one(1, "200"),
		disclosure.Day()); err != nil || got.Decimal().IntPart() != 36501 {
		t.Errorf("%s %v", got, err)
	}
	if _, err := disclosure.APR(money.Must("0.01"), civil.Must("2026-01-05"), one(1, "999999999999.99"),
		disclosure.Day()); !errors.Is(err, disclosure.ErrNoRate) {
		t.Errorf("%v", err)
	}
	if got, err := disclosure.APR(money.Must("0.01"), civil.Must("2026-01-05"), one(9000, "999999999999.99"),
		disclosure.Day()); err != nil || got.Sign() <= 0 {
		t.Errorf("%s %v", got, err)
	}
}

func TestNoRate(t *testing.T) {
	day := civil.Must("2026-01-05")
	pay := func(on string, amounts ...string) []disclosure.Payment {
		var all []disclosure.Payment
		for i, a := range amounts {
			all = append(all, disclosure.Payment{On: civil.Must(on).AddDays(i), Amount: money.Must(a)})
		}
		return all
	}
	for _, c := range []struct {
		financed string
		payments []disclosure.Payment
		unit     disclosure.UnitPeriod
		want     error
	}{
		{"0", pay("2026-01-06", "5"), disclosure.Day(), disclosure.ErrNoAdvance},
		{"-1", pay("2026-01-06", "5"), disclosure.Day(), disclosure.ErrNoAdvance},
		{"10", nil, disclosure.Day(), disclosure.ErrNoPayments},
		{"10", pay("2026-01-05", "20"), disclosure.Day(), disclosure.ErrNoPayments},
		{"10", pay("2026-01-06", "20", "0"), disclosure.Day(), disclosure.ErrNoPayments},
		{"10", pay("2026-01-06", "20", "-1"), disclosure.Day(), disclosure.ErrNoPayments},
		{"10", pay("2026-01-06", "4", "5.99"), disclosure.Day(), disclosure.ErrUnderpaid},
	} {
		if got, err := disclosure.APR(money.Must(c.financed), day, c.payments, c.unit); !errors.Is(err, c.want) {
			t.Errorf("%s by %v: %s %v, want %v", c.financed, c.payments, got, err, c.want)
		}
	}
	if _, err := disclosure.APR(money.Must("10"), day, pay("2026-01-06", "6", "6"), disclosure.Weeks(0)); err == nil {
		t.Error("a unit period without a length is accepted")
	}
}
