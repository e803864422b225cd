package payment_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"paydown/internal/payment"
)

// codesWhere lists the codes of the catalogue that match a condition.
func codesWhere(ok func(payment.Return) bool) string {
	var codes []string
	for _, r := range payment.Returns {
		if ok(r) {
			codes = append(codes, r.Code)
		}
	}
	return strings.Join(codes, " ")
}

func TestReturnActions(t *testing.T) {
	for action, want := range map[payment.ReturnAction]string{
		payment.Retry:       "R01 R09",
		payment.NewAccount:  "R02 R03 R04 R13 R20",
		payment.Collections: "R05 R07 R10 R11 R29",
		payment.Pause:       "R08",
		payment.Legal:       "R14 R15 R16",
	} {
		if got := codesWhere(func(r payment.Return) bool { return r.Action == action }); got != want {
			t.Errorf("%s: %s, want %s", action, got, want)
		}
	}
	for _, r := range payment.Returns {
		if !slices.Contains(r.Action.Values(), string(r.Action)) || !slices.Contains(r.Class.Values(), string(r.Class)) {
			t.Errorf("%+v", r)
		}
	}
}

func TestReturnRateClass(t *testing.T) {
	for class, want := range map[payment.ReturnClass]string{
		payment.AdministrativeReturn: "R02 R03 R04",
		payment.UnauthorizedReturn:   "R05 R07 R10 R11 R29 R51",
	} {
		if got := codesWhere(func(r payment.Return) bool { return r.Class == class }); got != want {
			t.Errorf("%s: %s, want %s", class, got, want)
		}
	}
}

func TestReturnFeeOnlyForInsufficientFunds(t *testing.T) {
	if got := codesWhere(func(r payment.Return) bool { return r.BounceFee }); got != "R01 R09" {
		t.Errorf("a fee is owed for %s", got)
	}
	for _, r := range payment.Returns {
		fee := r.Fee()
		if r.BounceFee != (fee != nil) || (fee != nil && fee.String() != "35.00") ||
			r.Retryable() != (r.Code == "R01" || r.Code == "R09") {
			t.Errorf("%s: fee %v, retryable %t", r.Code, fee, r.Retryable())
		}
	}
}

func TestReturnCodesAreUnique(t *testing.T) {
	unused := strings.Fields("R48 R49 R54 R55 R56 R57 R58 R59 R60 R63 R64 R65 R66 R78 R79")
	var want []string
	for n := 1; n <= 85; n++ {
		if code := fmt.Sprintf("R%02d", n); !slices.Contains(unused, code) {
			want = append(want, code)
		}
	}
	got := strings.Fields(codesWhere(func(payment.Return) bool { return true }))
	if !slices.Equal(got, want) {
		t.Errorf("the catalogue has %v", got)
	}
	titles := map[string]string{}
	for _, r := range payment.Returns {
		if other := titles[r.Title]; r.Title == "" || len(r.Title) > 200 || other != "" {
			t.Errorf("%s has the title %q, %s as well", r.Code, r.Title, other)
		}
		titles[r.Title] = r.Code
	}
}

func TestReturnCodeLookup(t *testing.T) {
	r, err := payment.Lookup("R01")
	if err != nil || r.Title != "Insufficient Funds" {
		t.Errorf("R01 is %+v, %v", r, err)
	}
	for _, code := range []string{"", "R00", "R48", "R86", "R1", "r01", " R01", "R011", "C01", "01"} {
		if _, err := payment.Lookup(code); !errors.Is(err, payment.ErrReturnCode) {
			t.Errorf("%q: %v", code, err)
		}
	}
}
