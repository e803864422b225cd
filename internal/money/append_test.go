package money_test

import (
	"database/sql"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"

	"paydown/internal/money"
)

// AppendAmount and AppendRate write what Scan and String do, whatever a database returns.
func TestAppendWritesTheAPIFormat(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	stored := []any{
		int64(0), int64(-1), int64(99_999_999_999), 0.1, -0.01, 1234.5, 1e-6, 0.000001, 1e11, "12.30", "7", []byte("7"),
		[]byte("0.00"), []byte("-0.50"), []byte("12.345600"), []byte(".5"), []byte("-.5"), []byte("12.3456789"), "x", nil,
		true,
	}
	for range 2000 {
		cents := random.Int64N(2e14) - 1e14
		text := fmt.Sprintf("%d.%02d", cents/100, max(cents%100, -(cents%100)))
		number, err := strconv.ParseFloat(text, 64) // as SQLite returns it
		if err != nil {
			t.Fatal(err)
		}
		stored = append(stored, []byte(text), text, number, cents/100,
			[]byte(fmt.Sprintf("%d.%06d", random.IntN(1e9), random.IntN(1e6)/[]int{1, 10, 1e3, 1e6}[random.IntN(4)])))
	}
	for _, src := range stored {
		var a money.Amount
		check(t, "amount", src, &a, money.AppendAmount)
		var r money.Rate
		check(t, "rate", src, &r, money.AppendRate)
	}
}

func check(t *testing.T, kind string, src any, into interface {
	sql.Scanner
	fmt.Stringer
}, format func([]byte, any) ([]byte, error),
) {
	t.Helper()
	got, err := format([]byte("x"), src)
	if scanned := into.Scan(src); scanned != nil || err != nil {
		if (scanned == nil) != (err == nil) {
			t.Errorf("%s of %v: %v, and by Scan %v", kind, src, err, scanned)
		}
		return
	}
	if string(got) != "x"+into.String() {
		t.Errorf("%s of %v: %s, want %s", kind, src, got[1:], into)
	}
}
