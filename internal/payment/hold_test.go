package payment_test

import (
	"errors"
	"strings"
	"testing"

	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/payment"
)

func TestReturnsThatHoldDeal(t *testing.T) {
	holds := map[payment.HoldReason]string{
		payment.HoldAccount: "R02 R03 R04 R13 R20", payment.HoldAuthorization: "R05 R07 R10 R11 R29",
		payment.HoldLegal: "R14 R15 R16", payment.HoldConsent: "R08",
	}
	for _, name := range payment.HoldStaff.Values() {
		reason := payment.HoldReason(name)
		got := codesWhere(func(r payment.Return) bool {
			of, held := r.Action.Hold()
			return held && of == reason
		})
		if got != holds[reason] {
			t.Errorf("%s is called for by %s, want %s", reason, got, holds[reason])
		}
		if reason.Cure() == "" {
			t.Errorf("nothing cures %s", reason)
		}
	}
	if got := payment.HoldReason("").Cure(); got != "" {
		t.Errorf("no hold is cured by %q", got)
	}
}

func TestIsDebit(t *testing.T) {
	ach, wire := payment.ACH, payment.Wire
	for _, c := range []struct {
		status payment.Status
		kind   payment.Type
		amount string
		method *payment.Method
		want   bool
	}{
		{payment.Pending, payment.AdvancePayback, "1", &ach, true},
		{payment.Pending, payment.AdvancePayback, "1", nil, false},
		{payment.Pending, payment.AdvancePayback, "1", &wire, false},
		{payment.Submitted, payment.AdvancePayback, "1", &ach, true},
		{payment.Submitted, payment.AdvancePayback, "1", nil, true},
		{payment.Submitted, payment.AdvancePayback, "1", &wire, false},
		{payment.Paid, payment.AdvancePayback, "1", &ach, false},
		{payment.Bounced, payment.AdvancePayback, "1", &ach, false},
		{payment.Cancelled, payment.AdvancePayback, "1", &ach, false},
		{payment.Pending, payment.BounceFee, "1", &ach, true},
		{payment.Pending, payment.EPODiscount, "1", &ach, false},
		{payment.Pending, payment.ParticipationPayout, "1", &ach, false},
		{payment.Pending, payment.AdvancePaybackAdjustment, "-1", &ach, false},
		{payment.Pending, payment.AdvancePaybackAdjustment, "1", &ach, true},
	} {
		if got := payment.Debits(c.status, c.kind, money.Must(c.amount), c.method); got != c.want {
			t.Errorf("%s %s of %s by %v: a debit is %t", c.status, c.kind, c.amount, c.method, got)
		}
	}
}

// C is a debit that cleared; a number is a return with a retryable code on that day, a negative number one
// with another code. The latest debit is in brackets.
func TestReturnsThatPauseDeal(t *testing.T) {
	day := civil.Must("2026-01-01")
	for text, want := range map[string]bool{
		"1 2 [3]":              true,
		"1 [2]":                false,
		"1 2 C [3]":            false,
		"C 1 2 [3] C":          true,
		"1 [2] 3":              true, // the return in the middle comes last
		"[1] 2 3 C":            true,
		"1 -2 [3]":             false,
		"1 -2 3 [4]":           true,
		"1 2 [-3]":             false,
		"1 2 3 [-4]":           false,
		"1 C 2 C 3 C 4 C [5]":  true,
		"1 C 2 C 3 C 4 C [30]": true,
		"1 C 2 C 3 C 4 C [31]": false,
		"1 C -2 C 3 C 4 C [5]": false,
		"1 C 2 C 3 C [4]":      false,
		"[1]":                  false,
	} {
		var debits []payment.Presentation
		latest := 0
		for i, one := range strings.Fields(text) {
			if strings.HasPrefix(one, "[") {
				latest, one = i, strings.Trim(one, "[]")
			}
			if one == "C" {
				debits = append(debits, payment.Presentation{Cleared: true})
				continue
			}
			number, other := strings.CutPrefix(one, "-")
			n := 0
			for _, digit := range number {
				n = 10*n + int(digit-'0')
			}
			debits = append(debits, payment.Presentation{ReturnedOn: day.AddDays(n), Retryable: !other})
		}
		if got := payment.TooManyReturns(debits, latest); got != want {
			t.Errorf("%s: paused is %t", text, got)
		}
	}
}

func TestRetryLimits(t *testing.T) {
	first := civil.Must("2026-01-05")
	for _, c := range []struct {
		days, further int
		want          error
	}{
		{0, 0, nil},
		{180, 1, nil},
		{181, 0, payment.ErrRetryWindow},
		{1, 2, payment.ErrRetryLimit},
		{200, 2, payment.ErrRetryLimit},
	} {
		if got := payment.CheckRetry(first, first.AddDays(c.days), c.further); !errors.Is(got, c.want) {
			t.Errorf("after %d days and %d debits: %v, want %v", c.days, c.further, got, c.want)
		}
	}
}

func TestReturnRates(t *testing.T) {
	for _, c := range []struct {
		kind            payment.ReturnRateKind
		returns, debits int
		rate            string
		level           payment.ReturnRateLevel
	}{
		{payment.UnauthorizedRate, 0, 0, "0.00", payment.RateOK},
		{payment.UnauthorizedRate, 1, 251, "0.398406", payment.RateOK},
		{payment.UnauthorizedRate, 1, 250, "0.40", payment.RateWarning},
		{payment.UnauthorizedRate, 1, 200, "0.50", payment.RateWarning},
		{payment.UnauthorizedRate, 1, 199, "0.502513", payment.RateExceeded},
		{payment.AdministrativeRate, 12, 500, "2.40", payment.RateWarning},
		{payment.AdministrativeRate, 11, 500, "2.20", payment.RateOK},
		{payment.AdministrativeRate, 16, 500, "3.20", payment.RateExceeded},
		{payment.OverallRate, 11, 100, "11.00", payment.RateOK},
		{payment.OverallRate, 12, 100, "12.00", payment.RateWarning},
		{payment.OverallRate, 16, 100, "16.00", payment.RateExceeded},
		{payment.OverallRate, 1, 0, "100.00", payment.RateExceeded},
	} {
		for _, limit := range payment.ReturnRateLimits {
			if limit.Kind != c.kind {
				continue
			}
			rate, level := payment.ReturnRate(c.returns, c.debits), limit.Level(c.returns, c.debits)
			if rate.String() != c.rate || level != c.level {
				t.Errorf("%s %d of %d: %s %s, want %s %s", c.kind, c.returns, c.debits, rate, level, c.rate, c.level)
			}
		}
	}
}
