package money_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/shopspring/decimal"

	"paydown/internal/money"
)

func TestAmountsOnTheWire(t *testing.T) {
	for in, want := range map[string]string{
		`"5000"`:             "5000.00",
		`"5000.5"`:           "5000.50",
		`"5000.05"`:          "5000.05",
		`"0"`:                "0.00",
		`"-0"`:               "0.00",
		`"-0.00"`:            "0.00",
		`"-0.01"`:            "-0.01",
		`"007"`:              "7.00",
		`"999999999999.99"`:  "999999999999.99",
		`"-999999999999.99"`: "-999999999999.99",
		`12`:                 "12.00",
		`12.3`:               "12.30",
		`12.34`:              "12.34",
		`-12.34`:             "-12.34",
		`0.1`:                "0.10",
		`999999999999.99`:    "999999999999.99",
	} {
		var a money.Amount
		if err := json.Unmarshal([]byte(in), &a); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		written, err := json.Marshal(a)
		if err != nil || string(written) != `"`+want+`"` || a.String() != want {
			t.Errorf("%s is written %s, %v, want %s", in, written, err, want)
		}
	}
}

// invalid has inputs that are not a decimal, or not in the accepted form.
var invalid = []string{
	`""`, `" "`, `" 5"`, `"5 "`, `"5\n"`, `"1,000"`, `"1,5"`, `"1_000"`, `"$5"`, `"+5"`, `"--5"`, `"5-"`, `"."`, `".5"`,
	`"5."`,
	`"1e3"`, `"1E3"`, `1e3`, `1E3`, `1e-2`, `0.5e1`, `"NaN"`, `"Infinity"`, `"-Infinity"`, `"0x10"`, `"５"`, `"\u0035"`,
	`"five"`,
	`"1.2.3"`, `"-"`, `true`, `false`, `null`, `{}`, `[]`, `["5"]`, `{"amount":"5"}`, `""5""`,
}

func TestInvalidAmountsAreRefused(t *testing.T) {
	for _, in := range append([]string{
		`12.345`, `"12.345"`, `"0.001"`, `5.000`, `"5.000"`, `1000000000000`, `"1000000000000"`, `"-1000000000000.00"`,
		`"0000000000005"`,
	}, invalid...) {
		var a money.Amount
		if err := a.UnmarshalJSON([]byte(in)); !errors.Is(err, money.ErrAmount) || !a.IsZero() {
			t.Errorf("%s is %s, %v", in, a, err)
		}
	}
}

func TestRatesOnTheWire(t *testing.T) {
	for in, want := range map[string]string{
		`"1.3"`:              "1.30",
		`"1"`:                "1.00",
		`"1.300000"`:         "1.30",
		`"1.2345"`:           "1.2345",
		`"1.234560"`:         "1.23456",
		`"0.000001"`:         "0.000001",
		`"-0.5"`:             "-0.50",
		`"-0"`:               "0.00",
		`"100"`:              "100.00",
		`"999999999.999999"`: "999999999.999999",
		`1.3`:                "1.30",
		`1.25`:               "1.25",
		`10`:                 "10.00",
		`-1.25`:              "-1.25",
	} {
		var r money.Rate
		if err := json.Unmarshal([]byte(in), &r); err != nil {
			t.Errorf("%s: %v", in, err)
			continue
		}
		written, err := json.Marshal(r)
		if err != nil || string(written) != `"`+want+`"` || r.String() != want {
			t.Errorf("%s is written %s, %v, want %s", in, written, err, want)
		}
	}
}

func TestInvalidRatesAreRefused(t *testing.T) {
	for _, in := range append([]string{
		`12.345`, `1.2345`, `1.300`, `"1.2345678"`, `1000000000`, `"1000000000"`, `"0000000001.5"`,
	}, invalid...) {
		var r money.Rate
		if err := r.UnmarshalJSON([]byte(in)); !errors.Is(err, money.ErrRate) || !r.IsZero() {
			t.Errorf("%s is %s, %v", in, r, err)
		}
	}
}

func TestMoneyRoundsHalfUp(t *testing.T) {
	for in, want := range map[string][2]string{ // rounded, and rounded up
		"0.004":    {"0.00", "0.01"},
		"0.005":    {"0.01", "0.01"},
		"1.005":    {"1.01", "1.01"},
		"2.675":    {"2.68", "2.68"},
		"2.67":     {"2.67", "2.67"},
		"-0.005":   {"-0.01", "0.00"},
		"-0.004":   {"0.00", "0.00"},
		"515.8730": {"515.87", "515.88"},
		"515.8701": {"515.87", "515.88"},
	} {
		d := decimal.RequireFromString(in)
		if got := money.Round(d).String(); got != want[0] {
			t.Errorf("%s rounds to %s, want %s", in, got, want[0])
		}
		if got := money.RoundUp(d).String(); got != want[1] {
			t.Errorf("%s rounds up to %s, want %s", in, got, want[1])
		}
	}
	if got := money.RoundRate(decimal.RequireFromString("1.2345675")).String(); got != "1.234568" {
		t.Errorf("a rate rounds to %s", got)
	}
}

func TestArithmetic(t *testing.T) {
	a, b := money.Must("50000"), money.Must("1.15")
	for name, c := range map[string][2]string{
		"sum":          {money.Sum(a, b, b).String(), "50002.30"},
		"of nothing":   {money.Sum().String(), "0.00"},
		"difference":   {b.Sub(a).String(), "-49998.85"},
		"opposite":     {a.Neg().String(), "-50000.00"},
		"size":         {a.Neg().Abs().String(), "50000.00"},
		"product":      {a.Times(money.MustRate("1.3")).String(), "65000.00"},
		"odd product":  {b.Times(money.MustRate("1.3")).String(), "1.50"},  // 1.495
		"part":         {b.Percent(money.MustRate("10")).String(), "0.12"}, // 0.115
		"smaller":      {money.Min(a, b).String(), "1.15"},
		"larger":       {money.Max(a, b).String(), "50000.00"},
		"of cents":     {money.Cents(-115).String(), "-1.15"},
		"tenths added": {money.Must("0.1").Add(money.Must("0.2")).String(), "0.30"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s: %s, want %s", name, c[0], c[1])
		}
	}
	if got := money.Must("-999999999999.99").Cents(); got != -99_999_999_999_999 {
		t.Errorf("in cents it is %d", got)
	}
}

func TestComparison(t *testing.T) {
	less, more := money.Must("-1"), money.Must("1.00")
	if !less.Less(more) || more.Less(less) || less.Less(less) || less.Cmp(more) != -1 || more.Cmp(less) != 1 {
		t.Error("amounts compare wrongly")
	}
	if !more.Equal(money.Must("1")) || more.Equal(less) || less.Sign() != -1 || more.Sign() != 1 ||
		money.Zero.Sign() != 0 {
		t.Error("1.00 is not 1, or a sign is wrong")
	}
	one := money.MustRate("1.000000")
	if !one.Equal(money.MustRate("1")) || one.Cmp(money.MustRate("1.000001")) != -1 || one.Sign() != 1 || one.IsZero() {
		t.Error("rates compare wrongly")
	}
	if !money.Zero.IsZero() || money.Zero.String() != "0.00" || (money.Rate{}).String() != "0.00" {
		t.Error("the zero values are not zero")
	}
}

func TestAmountsInADatabase(t *testing.T) {
	for name, src := range map[string]any{
		"PostgreSQL's text":       []byte("1234567890.10"),
		"a string":                "1234567890.10",
		"SQLite's float":          1234567890.10,
		"a float with its errors": 1234567890.1000001,
	} {
		var a money.Amount
		if err := a.Scan(src); err != nil || a.String() != "1234567890.10" {
			t.Errorf("%s: %s, %v", name, a, err)
		}
	}
	var whole money.Amount
	if err := whole.Scan(int64(-7)); err != nil || whole.String() != "-7.00" {
		t.Errorf("SQLite's integer: %s, %v", whole, err)
	}
	var rate money.Rate
	if err := rate.Scan(123456789.123456); err != nil || rate.String() != "123456789.123456" {
		t.Errorf("a rate as SQLite's float: %s, %v", rate, err)
	}
	for _, src := range []any{nil, true, "five", []byte("")} {
		var a money.Amount
		var r money.Rate
		if a.Scan(src) == nil || r.Scan(src) == nil {
			t.Errorf("%v is read as %s, %s", src, a, r)
		}
	}
	stored, err := money.Must("-5").Value()
	if err != nil || stored != "-5.00" {
		t.Errorf("stores %v, %v", stored, err)
	}
	if stored, err := money.MustRate("1.5").Value(); err != nil || stored != "1.50" {
		t.Errorf("stores %v, %v", stored, err)
	}
}

func TestInvalidConstantsPanic(t *testing.T) {
	for name, parse := range map[string]func(){
		"an amount": func() { money.Must("1.234") },
		"a rate":    func() { money.MustRate("1,5") },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			parse()
		}()
	}
}

func FuzzAmount(f *testing.F) {
	for _, s := range []string{"0", "-0.00", "5000.5", "999999999999.99", "1e3", "1,000", " 5", "12.345", "007"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := money.Parse(s)
		if err != nil {
			if !errors.Is(err, money.ErrAmount) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		for name, again := range map[string]func(*money.Amount) error{
			"text":   func(b *money.Amount) (err error) { *b, err = money.Parse(a.String()); return err },
			"cents":  func(b *money.Amount) error { *b = money.Cents(a.Cents()); return nil },
			"JSON":   func(b *money.Amount) error { return throughJSON(a, b) },
			"column": func(b *money.Amount) error { return b.Scan([]byte(a.String())) },
			"float":  func(b *money.Amount) error { return b.Scan(a.Decimal().InexactFloat64()) },
		} {
			var b money.Amount
			if err := again(&b); err != nil || !b.Equal(a) || b.String() != a.String() {
				t.Fatalf("%q is %s, and through %s %s, %v", s, a, name, b, err)
			}
		}
	})
}

func FuzzRate(f *testing.F) {
	for _, s := range []string{"0", "-0.0", "1.3", "1.234567", "999999999.999999", "1e3", "1.2345678"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r, err := money.ParseRate(s)
		if err != nil {
			if !errors.Is(err, money.ErrRate) {
				t.Fatalf("%q: %v", s, err)
			}
			return
		}
		for name, again := range map[string]func(*money.Rate) error{
			"text":   func(q *money.Rate) (err error) { *q, err = money.ParseRate(r.String()); return err },
			"JSON":   func(q *money.Rate) error { return throughJSON(r, q) },
			"column": func(q *money.Rate) error { return q.Scan([]byte(r.String())) },
			"float":  func(q *money.Rate) error { return q.Scan(r.Decimal().InexactFloat64()) },
		} {
			var q money.Rate
			if err := again(&q); err != nil || !q.Equal(r) || q.String() != r.String() {
				t.Fatalf("%q is %s, and through %s %s, %v", s, r, name, q, err)
			}
		}
	})
}

func throughJSON(from, to any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, to)
}

func FuzzEveryNumberIsWrittenAsTheLibraryWritesIt(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 9, 99, -99, 100, 5_000_000, -100, 999_999_999_999_999_999, -1 << 63, 1<<63 - 1} {
		for _, exponent := range []int32{-6, -2, 0, 3} {
			f.Add(n, exponent)
		}
	}
	f.Fuzz(func(t *testing.T, n int64, exponent int32) {
		d := decimal.New(n, exponent%10)
		if got, want := money.Round(d).String(), d.Round(money.AmountScale).StringFixed(money.AmountScale); got != want {
			t.Errorf("as an amount %s is %s, want %s", d, got, want)
		}
		r := money.RoundRate(d)
		if again, err := decimal.NewFromString(r.String()); err != nil || !again.Equal(r.Decimal()) {
			t.Errorf("as a rate %s is written %s, %v", d, r, err)
		}
	})
}
