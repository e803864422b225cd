package e2e

import (
	"fmt"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/ledger"
)

// accountOn returns an account's balance at the end of a day, a credit as a negative amount.
func (p *payouts) accountOn(t *testing.T, account ledger.Account, day string) string {
	t.Helper()
	accounts := p.approver(t).Graph(t, `{ accounts(asOf: "`+day+`") { code debit credit } }`, nil).List("accounts")
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
		p := openPayouts(t, a)
		d := p.deal(t)                                            // on Monday, 5 January
		a.AdvanceAll(27 * 24 * time.Hour)                         // to Sunday, 1 February
		row := p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil) // recorded and cleared today
		receivable := func(day string) string { return p.accountOn(t, ledger.Receivable, day) }
		if before, after := receivable("2026-01-31"), receivable("2026-02-01"); before != "13000.00" || after != "12000.00" {
			t.Errorf("the receivable is %s, then %s", before, after)
		}

		// It cleared on the last day of January: January's balances include it from now on.
		p.change(t, at("payments", row), object{"clearedDate": "2026-01-30"})
		for day, want := range map[string]string{
			"2026-01-29": "13000.00", "2026-01-30": "12000.00", "2026-02-01": "12000.00",
		} {
			if got := receivable(day); got != want {
				t.Errorf("the receivable of %s is %s, want %s", day, got, want)
			}
		}
		st := p.approver(t).Graph(t, fmt.Sprintf(`{ dealStatement(dealId: %d, from: "2026-01-01", to: "2026-01-31") {
			closing lines { effectiveDate amount } } }`, d.ID()), nil).In("dealStatement")
		if lines := st.List("lines"); st.Text("closing") != "-12000.00" ||
			lines[len(lines)-1].Text("effectiveDate") != "2026-01-30" {
			t.Errorf("January's statement is %v", st)
		}
		verify(t, a)

		// A bounce counts for the day of the return, not for the day of the payment.
		p.change(t, at("payments", row), object{"status": "BOUNCED"})
		if before, after := receivable("2026-01-31"), receivable("2026-02-01"); before != "12000.00" || after != "13000.00" {
			t.Errorf("after the bounce the receivable is %s, then %s", before, after)
		}
		// Paid again, for an earlier day: the earlier episode stays unchanged.
		p.change(t, at("payments", row), object{"status": "PAID", "clearedDate": "2026-01-31"})
		for day, want := range map[string]string{
			"2026-01-30": "12000.00", "2026-01-31": "11000.00", "2026-02-01": "12000.00",
		} {
			if got := receivable(day); got != want {
				t.Errorf("paid again, the receivable of %s is %s, want %s", day, got, want)
			}
		}
		verify(t, a)
	})
}

// A payment that cleared between the funding of its deal and today.
func TestImpossibleClearedDatesAreRefused(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d := p.deal(t)
		p.days(3)
		row := p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		for _, body := range []object{
			{"clearedDate": "1999-12-31"}, {"clearedDate": "2026-01-04"}, {"clearedDate": "2027-01-05"}, {"clearedDate": nil},
		} {
			problem := p.Do(t, "PATCH", at("payments", row), body).Problem(t, 400, "validation_error")
			if problem["clearedDate"] == "" {
				t.Errorf("%v: the field is not named: %v", body, problem)
			}
		}
		for _, p2 := range p.paymentsOf(t, d, "&status=PENDING")[:1] {
			p.Do(t, "PATCH", at("payments", p2), object{"status": "PAID", "clearedDate": "2026-02-01"}).
				Problem(t, 400, "validation_error")
			p.change(t, at("payments", p2), object{"status": "PAID", "clearedDate": "2026-01-05"})
		}
		verify(t, a)
	})
}

// The holding period of a share starts when the money cleared, not when that was recorded.
func TestTheHoldCountsFromTheDayTheMoneyCleared(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d := p.deal(t)
		p.days(8)
		row := p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		if id, amounts := p.draft(t); id != "" {
			t.Fatalf("what cleared today is in a batch: %v", amounts)
		}
		p.change(t, at("payments", row), object{"clearedDate": "2026-01-07"})
		_, amounts := p.draft(t)
		wantWords(t, "drafted", amounts, "400.00")
	})
}

// A deal funded for an earlier day has its funding, participations and commission on that day.
func TestAFundingCountsForItsDay(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		p.days(10)
		merchant := p.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		broker := p.create(t, "/isos", object{"name": "Bridge Capital Brokers"})
		d := p.create(t, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "10000.00", "factorRate": "1.30", "numberOfPayments": 26,
			"collectionFrequency": "DAILY", "fundedAt": "2026-01-07", "isoId": broker.ID(), "commissionBasis": "FLAT",
			"commissionValue": "500",
		})
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			d = p.change(t, at("deals", d), object{"state": state})
		}
		for account, want := range map[ledger.Account][2]string{
			ledger.Receivable: {"-0.00", "13000.00"}, ledger.CommissionPayable: {"-0.00", "-500.00"},
		} {
			before, after := p.accountOn(t, account, "2026-01-06"), p.accountOn(t, account, "2026-01-07")
			if before != want[0] || after != want[1] {
				t.Errorf("%s is %s, then %s", account, before, after)
			}
		}
		verify(t, a)
	})
}
