package servicing_test

import (
	"fmt"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
)

// accountOn returns an account's balance at the end of a day, a credit as a negative amount.
func accountOn(t *testing.T, p *booktest.Payouts, account ledger.Account, day string) string {
	t.Helper()
	accounts := p.Approver(t).Graph(t, `{ accounts(asOf: "`+day+`") { code debit credit } }`, nil).List("accounts")
	for _, a := range accounts {
		if a.Text("code") == string(account) {
			if a.Text("debit") != "0.00" {
				return a.Text("debit")
			}
			return "-" + a.Text("credit")
		}
	}
	t.Fatalf("no account %s", account)
	return ""
}

// A payment recorded late counts for the day on which the money cleared.
func TestEntriesCountForTheDayTheMoneyCleared(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)                                            // on Monday, 5 January
		a.AdvanceAll(27 * 24 * time.Hour)                         // to Sunday, 1 February
		row := p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil) // recorded and cleared today
		receivable := func(day string) string { return accountOn(t, p, ledger.Receivable, day) }
		if before, after := receivable("2026-01-31"), receivable("2026-02-01"); before != "13000.00" || after != "12000.00" {
			t.Errorf("the receivable is %s, then %s", before, after)
		}

		// It cleared on the last day of January: January's balances include it from now on.
		p.Change(t, booktest.At("payments", row), object{"clearedDate": "2026-01-30"})
		for day, want := range map[string]string{
			"2026-01-29": "13000.00", "2026-01-30": "12000.00", "2026-02-01": "12000.00",
		} {
			if got := receivable(day); got != want {
				t.Errorf("the receivable of %s is %s, want %s", day, got, want)
			}
		}
		st := p.Approver(t).Graph(t, fmt.Sprintf(`{ dealStatement(dealId: %d, from: "2026-01-01", to: "2026-01-31") {
			closing lines { effectiveDate amount } } }`, d.ID()), nil).In("dealStatement")
		if lines := st.List("lines"); st.Text("closing") != "-12000.00" ||
			lines[len(lines)-1].Text("effectiveDate") != "2026-01-30" {
			t.Errorf("January's statement is %v", st)
		}
		booktest.Verify(t, a)

		// A bounce counts for the day of the return, not for the day of the payment.
		p.Change(t, booktest.At("payments", row), object{"status": "BOUNCED"})
		if before, after := receivable("2026-01-31"), receivable("2026-02-01"); before != "12000.00" || after != "13000.00" {
			t.Errorf("after the bounce the receivable is %s, then %s", before, after)
		}
		// Paid again, for an earlier day: the earlier episode stays unchanged.
		p.Change(t, booktest.At("payments", row), object{"status": "PAID", "clearedDate": "2026-01-31"})
		for day, want := range map[string]string{
			"2026-01-30": "12000.00", "2026-01-31": "11000.00", "2026-02-01": "12000.00",
		} {
			if got := receivable(day); got != want {
				t.Errorf("paid again, the receivable of %s is %s, want %s", day, got, want)
			}
		}
		booktest.Verify(t, a)
	})
}

// A payment that cleared between the funding of its deal and today.
func TestImpossibleClearedDatesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)
		p.Days(3)
		row := p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		for _, body := range []object{
			{"clearedDate": "1999-12-31"}, {"clearedDate": "2026-01-04"}, {"clearedDate": "2027-01-05"}, {"clearedDate": nil},
		} {
			problem := p.Do(t, "PATCH", booktest.At("payments", row), body).Problem(t, 400, "validation_error")
			if problem["clearedDate"] == "" {
				t.Errorf("%v: the field is not named: %v", body, problem)
			}
		}
		for _, p2 := range p.PaymentsOf(t, d, "&status=PENDING")[:1] {
			p.Do(t, "PATCH", booktest.At("payments", p2), object{"status": "PAID", "clearedDate": "2026-02-01"}).
				Problem(t, 400, "validation_error")
			p.Change(t, booktest.At("payments", p2), object{"status": "PAID", "clearedDate": "2026-01-05"})
		}
		booktest.Verify(t, a)
	})
}

// The holding period of a share starts when the money cleared, not when that was recorded.
func TestTheHoldCountsFromTheDayTheMoneyCleared(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)
		p.Days(8)
		row := p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		if id, amounts := p.Draft(t); id != "" {
			t.Fatalf("what cleared today is in a batch: %v", amounts)
		}
		p.Change(t, booktest.At("payments", row), object{"clearedDate": "2026-01-07"})
		_, amounts := p.Draft(t)
		booktest.WantWords(t, "drafted", amounts, "400.00")
	})
}

// A deal funded for an earlier day has its funding, participations and commission on that day.
func TestAFundingCountsForItsDay(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		p.Days(10)
		merchant := p.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		broker := p.Create(t, "/isos", object{"name": "Bridge Capital Brokers"})
		d := p.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "10000.00", "factorRate": "1.30", "numberOfPayments": 26,
			"collectionFrequency": "DAILY", "fundedAt": "2026-01-07", "isoId": broker.ID(), "commissionBasis": "FLAT",
			"commissionValue": "500",
		})
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			d = p.Change(t, booktest.At("deals", d), object{"state": state})
		}
		for account, want := range map[ledger.Account][2]string{
			ledger.Receivable: {"-0.00", "13000.00"}, ledger.CommissionPayable: {"-0.00", "-500.00"},
		} {
			before, after := accountOn(t, p, account, "2026-01-06"), accountOn(t, p, account, "2026-01-07")
			if before != want[0] || after != want[1] {
				t.Errorf("%s is %s, then %s", account, before, after)
			}
		}
		booktest.Verify(t, a)
	})
}
