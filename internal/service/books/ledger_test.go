package books_test

import (
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
)

// The worked example of the ledger, driven through the product: 50,000 for 65,000, a bank fee of 1,500, a wire
// fee of 50, a commission of 10 %, one syndicator at 40 % with a management fee of 3 % of collections.
func TestLedgerPostsTheWorkedExample(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)

		t.Run("fund, participate, commission", func(t *testing.T) {
			b.Advance = b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
			b.Posted(t,
				"FUNDING 1000 -48450.00; 1100 65000.00; 2000 -15000.00; 4100 -1550.00",
				"PARTICIPATION 1000 20000.00; 1010 -20000.00; 2000 6000.00; 2100 -26000.00; 2120 20000.00",
				"COMMISSION 2200 -5000.00; 5000 5000.00",
			)
			b.Holds(t, ledger.SyndicatorWallet, "0.00")
		})
		var first object
		t.Run("payment, management fee", func(t *testing.T) {
			first = b.PaymentsOf(t, b.Advance, "")[0]
			first = b.Change(t, booktest.At("payments", first), object{"status": "PAID"})
			b.Posted(t,
				"PAYMENT 1000 515.88; 1100 -515.88; 2000 71.43; 2100 206.35; 2110 -206.35; 4000 -71.43",
				"MANAGEMENT_FEE 2110 6.19; 4200 -6.19",
			)
			b.Holds(t, ledger.SyndicatorPayable, "-200.16")
		})
		t.Run("bounce", func(t *testing.T) {
			b.Bounce(t, first, "R01")
			b.Posted(t,
				"PAYMENT 1000 -515.88; 1100 515.88; 2000 -71.43; 2100 -206.35; 2110 206.35; 4000 71.43",
				"MANAGEMENT_FEE 2110 -6.19; 4200 6.19",
			)
			b.Reversed(t, 2)
			b.Holds(t, ledger.SyndicatorPayable, "0.00")
		})
		t.Run("fee", func(t *testing.T) {
			b.Collect(t, b.Advance, "BOUNCE_FEE", "35.00", nil)
			b.Posted(t, "PAYMENT 1000 35.00; 4100 -35.00")
		})
		t.Run("early payoff at 25,000 collected", func(t *testing.T) {
			b.Collect(t, b.Advance, "ADVANCE_PAYBACK", "25000.00", nil)
			b.Posted(t,
				"PAYMENT 1000 25000.00; 1100 -25000.00; 2000 3461.54; 2100 10000.00; 2110 -10000.00; 4000 -3461.54",
				"MANAGEMENT_FEE 2110 300.00; 4200 -300.00",
			)
			b.Collect(t, b.Advance, "EPO_DISCOUNT", "5000.00", object{"method": "OTHER"})
			b.Collect(t, b.Advance, "ADVANCE_PAYBACK", "35000.00", object{"method": "WIRE"})
			b.PostedInAll(
				t, "1000 35000.00; 1100 -40000.00; 2000 5538.46; 2100 16000.00; 2110 -14000.00; 4000 -5538.46; 5100 3000.00",
				ledger.Payment, ledger.Discount,
			)
			booktest.Shows(t, b.Get(t, booktest.At("deals", b.Advance)).In("deal"), object{"state": "CLOSED"})
			for _, empty := range []ledger.Account{ledger.Receivable, ledger.DeferredIncome, ledger.Participations} {
				b.Holds(t, empty, "0.00")
			}
		})
		t.Run("payout", func(t *testing.T) {
			b.Holds(t, ledger.SyndicatorPayable, "-23280.00") // 24,000 less 3 %
			b.Collect(t, b.Advance, "PARTICIPATION_PAYOUT", "23280.00", object{"syndicatorId": b.Syndicator.ID()})
			b.Posted(t, "PAYOUT 1000 -23280.00; 2110 23280.00")
			b.Holds(t, ledger.SyndicatorPayable, "0.00")
		})
		b.CheckBooks(t)
	})
}
