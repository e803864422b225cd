package money_test

import (
	"math/big"
	"testing"

	"paydown/internal/money"
)

func TestSplitsAddUpToTheTotal(t *testing.T) {
	for name, c := range map[string]struct {
		total    string
		percents []string
		shares   []string
		rest     string
	}{
		"one syndicator": {"515.88", []string{"40"}, []string{"206.35"}, "309.53"},
		"three thirds": {
			"100", []string{"33.333333", "33.333333", "33.333334"}, []string{"33.33", "33.34", "33.33"}, "0.00",
		},
		"a cent among many": {
			"0.01", []string{"25", "25", "25", "25"}, []string{"0.00", "0.01", "0.00", "0.00"}, "0.00",
		},
		"nobody":              {"10", nil, nil, "10.00"},
		"nothing":             {"0", []string{"40", "60"}, []string{"0.00", "0.00"}, "0.00"},
		"of a negative total": {"-515.88", []string{"40", "60"}, []string{"-206.35", "-309.53"}, "0.00"},
		"a share of nothing":  {"10", []string{"0", "50"}, []string{"0.00", "5.00"}, "5.00"},
		"the largest that can be": {
			"999999999999.99", []string{"50", "50"}, []string{"500000000000.00", "499999999999.99"}, "0.00",
		},
	} {
		percents := make([]money.Rate, len(c.percents))
		for i, p := range c.percents {
			percents[i] = money.MustRate(p)
		}
		shares, rest := money.Split(money.Must(c.total), percents)
		if len(shares) != len(c.shares) || rest.String() != c.rest {
			t.Errorf("%s: %v, rest %s", name, shares, rest)
			continue
		}
		for i, want := range c.shares {
			if shares[i].String() != want {
				t.Errorf("%s: share %d is %s, want %s", name, i, shares[i], want)
			}
		}
		if sum := money.Sum(shares...).Add(rest); !sum.Equal(money.Must(c.total)) {
			t.Errorf("%s: adds up to %s", name, sum)
		}
	}
}

// The income of an advance of 50,000 for 65,000 in payments of 515.88, accrued payment by payment.
func TestCumulativeSharesAddUpToTheTotal(t *testing.T) {
	income, payback, payment := money.Must("15000"), money.Must("65000"), money.Must("515.88")
	var collected, accrued money.Amount
	for n := 1; collected.Less(payback); n++ {
		collected = money.Min(collected.Add(payment), payback)
		upTo := money.Cumulative(income, collected, payback)
		share := upTo.Sub(accrued)
		if n <= 2 && share.String() != "119.05" || share.Sign() <= 0 {
			t.Errorf("payment %d accrues %s", n, share)
		}
		accrued = upTo
	}
	if !accrued.Equal(income) {
		t.Errorf("accrues %s in all", accrued)
	}
}

func TestCumulative(t *testing.T) {
	for _, c := range []struct{ total, part, whole, want string }{
		{"15000", "0", "65000", "0.00"},
		{"15000", "65000", "65000", "15000.00"},
		{"0.01", "1", "2", "0.01"},
		{"10", "1", "3", "3.33"},
		{"10", "2", "3", "6.67"},
		{"-10", "2", "3", "-6.67"},
		{"10", "4", "3", "13.33"},
		{"10", "0", "0", "10.00"},
	} {
		if got := money.Cumulative(money.Must(c.total), money.Must(c.part), money.Must(c.whole)); got.String() != c.want {
			t.Errorf("%s of %s in %s: %s, want %s", c.part, c.whole, c.total, got, c.want)
		}
	}
}

// FuzzCumulative compares the rounding of quotients with many digits with exact arithmetic.
func FuzzCumulative(f *testing.F) {
	f.Add(int64(1_500_000), int64(51_588), int64(6_500_000))
	f.Add(int64(99_999_999_999_999), int64(1), int64(99_999_999_999_999))
	f.Add(int64(1), int64(1), int64(2))
	f.Fuzz(func(t *testing.T, total, part, whole int64) {
		const most = 99_999_999_999_999
		total, part, whole = total%most, part%most, whole%most
		if whole == 0 {
			return
		}
		// half up: away from zero where the rest is a half or more
		product := new(big.Int).Mul(big.NewInt(total), big.NewInt(part))
		twice := new(big.Int).Abs(product)
		divisor := new(big.Int).Abs(big.NewInt(whole))
		twice.Mul(twice, big.NewInt(2)).Add(twice, divisor)
		want := new(big.Int).Quo(twice, new(big.Int).Mul(divisor, big.NewInt(2)))
		if product.Sign()*big.NewInt(whole).Sign() < 0 {
			want.Neg(want)
		}
		got := money.Cumulative(money.Cents(total), money.Cents(part), money.Cents(whole))
		if inCents := got.Decimal().Shift(money.AmountScale).BigInt(); inCents.Cmp(want) != 0 {
			t.Fatalf("%d × %d ÷ %d is %s, want %s cents", total, part, whole, got, want)
		}
	})
}
