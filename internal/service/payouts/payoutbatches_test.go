package payouts_test

import (
	"net/http"
	"testing"
	"time"

	"paydown/ent/payoutitem"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
)

func TestSharesArePaidOutOnce(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		rows := b.PaymentsOf(t, b.Advance, "")
		for _, p := range rows[:3] {
			b.Change(t, booktest.At("payments", p), object{"status": "PAID"})
		}
		maker := b.Staff(t, "maker@books.test", "accounting")
		maker.Ask(t, booktest.MakeShares, nil).Refused(t, "conflict") // held for five banking days
		a.AdvanceAll(8 * 24 * time.Hour)
		maker = b.Staff(t, "maker@books.test", "accounting")

		b.Ask(t, booktest.MakeShares, nil).Refused(t, "forbidden") // of a key
		made, refused := booktest.AskAtOnce(t, maker, booktest.MakeShares, 4)
		if len(made) != 1 || len(refused) != 3 {
			t.Fatalf("%d batches were made and %d refused", len(made), len(refused))
		}
		batch := made[0].Data.In("makePayoutBatch")
		if items := batch.List("items"); len(items) != 3 || items[0].Text("amount") != "200.16" {
			t.Fatalf("the batch is %v", batch)
		}
		act := func(c *apptest.Client, name string) apptest.Asked {
			return c.Ask(t, "mutation { "+name+"(id: "+batch.Text("id")+") { status } }", nil)
		}
		act(maker, "payPayoutBatch").Refused(t, "conflict")
		act(maker, "approvePayoutBatch").Refused(t, "conflict")
		approver := b.Staff(t, "approver@books.test", "accounting")
		act(b.Staff(t, "funder@books.test", "funder"), "approvePayoutBatch").Refused(t, "forbidden")
		if got := act(approver, "approvePayoutBatch").Data.In("approvePayoutBatch").Text("status"); got != "APPROVED" {
			t.Fatalf("the batch is %s", got)
		}
		paid, _ := booktest.AskAtOnce(t, maker, "mutation { payPayoutBatch(id: "+batch.Text("id")+") { status } }", 4)
		if len(paid) != 4 {
			t.Errorf("%d of 4 calls to pay were answered", len(paid))
		}
		b.Holds(t, ledger.SyndicatorPayable, "0.00")
		if payouts := b.PaymentsOf(t, b.Advance, "&type=PARTICIPATION_PAYOUT"); len(payouts) != 1 ||
			payouts[0].Text("amount") != "600.49" {
			t.Errorf("paid out %v", payouts)
		}

		// The transfer bounces, and is made again.
		item := batch.List("items")[0].Text("id")
		maker.Graph(t, `mutation { failPayoutItem(id: `+item+`, reason: "No such account") { status } }`, nil)
		b.Holds(t, ledger.SyndicatorPayable, "-600.49")
		itemsAre(t, b, payoutitem.StatusFAILED, 3)
		act(maker, "payPayoutBatch")
		b.Holds(t, ledger.SyndicatorPayable, "-600.49")
		for _, i := range batch.List("items") {
			maker.Graph(t, "mutation { releasePayoutItem(id: "+i.Text("id")+") { status } }", nil)
		}
		payout := b.PaymentsOf(t, b.Advance, "&type=PARTICIPATION_PAYOUT")[0]
		b.Do(t, http.MethodPatch, booktest.At("payments", payout), object{"status": "PAID"}).Problem(t, 409, "conflict")
		if got := act(maker, "payPayoutBatch").Data.In("payPayoutBatch").Text("status"); got != "PAID" {
			t.Errorf("the batch is %s", got)
		}
		b.Holds(t, ledger.SyndicatorPayable, "0.00")

		// A paid-out share's payment bounces: the share is set off against what is due next.
		b.Change(t, booktest.At("payments", rows[0]), object{"status": "BOUNCED"})
		b.Holds(t, ledger.SyndicatorPayable, "200.17") // its share, and the cent by which the others are rounded again
		back := maker.Graph(t, booktest.MakeShares, nil).In("makePayoutBatch")
		if items := back.List("items"); len(items) != 2 || items[0].Text("amount") != "-200.16" ||
			items[0].Text("reversesId") != item ||
			items[1].Text("amount") != "-0.01" {
			t.Fatalf("the batch is %v", back)
		}
		approver.Graph(t, "mutation { approvePayoutBatch(id: "+back.Text("id")+") { status } }", nil)
		maker.Graph(t, "mutation { payPayoutBatch(id: "+back.Text("id")+") { status } }", nil)
		itemsAre(t, b, payoutitem.StatusHELD, 2)
		for _, p := range rows[3:5] {
			b.Change(t, booktest.At("payments", p), object{"status": "PAID"})
		}
		a.AdvanceAll(8 * 24 * time.Hour)
		maker, approver = b.Staff(t, "maker@books.test", "accounting"), b.Staff(t, "approver@books.test", "accounting")
		next := maker.Graph(t, booktest.MakeShares, nil).In("makePayoutBatch").Text("id")
		approver.Graph(t, "mutation { approvePayoutBatch(id: "+next+") { status } }", nil)
		got := maker.Graph(t, "mutation { payPayoutBatch(id: "+next+") { status items { status } } }", nil).
			In("payPayoutBatch")
		if got.Text("status") != "PAID" || len(got.List("items")) != 4 {
			t.Errorf("the batch is %v", got)
		}
		b.Holds(t, ledger.SyndicatorPayable, "0.00")
		b.CheckBooks(t)
	})
}

func itemsAre(t *testing.T, b *booktest.Books, status payoutitem.Status, n int) {
	t.Helper()
	ctx, read := b.Inside(t)
	got := read.PayoutItem.Query().Where(payoutitem.StatusEQ(status), payoutitem.SyndicatorIDNotNil()).CountX(ctx)
	if got != n {
		t.Errorf("%d items are %s, want %d", got, status, n)
	}
}

func TestCommissionsWaitUntilTheyAreSafe(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		approver, staff := b.Staff(t, "approver@books.test", "accounting"), b.Staff(t, "payer@books.test", "accounting")
		batch := staff.Graph(t, "{ payouts { nodes { id } } }", nil).In("payouts").List("nodes")[0].Text("id")
		approver.Graph(t, "mutation { approvePayoutBatch(id: "+batch+") { status } }", nil)
		pay := "mutation { payPayoutBatch(id: " + batch + ") { status items { id status } } }"
		got := staff.Graph(t, pay, nil).In("payPayoutBatch")
		if got.Text("status") != "APPROVED" || got.List("items")[0].Text("status") != "HELD" {
			t.Errorf("at risk: %v", got)
		}
		item := got.List("items")[0].Text("id")
		staff.Graph(t, `mutation { releasePayoutItem(id: `+item+`) { status } }`, nil)
		staff.Graph(t, `mutation { holdPayoutItem(id: `+item+`, reason: "Agreement is being renewed") { status } }`, nil)
		a.AdvanceAll(32 * 24 * time.Hour)
		staff = b.Staff(t, "payer@books.test", "accounting")
		if got := staff.Graph(t, pay, nil).In("payPayoutBatch").List("items")[0].Text("status"); got != "HELD" {
			t.Errorf("what staff hold back is %s", got)
		}
		b.Holds(t, ledger.CommissionPayable, "-5000.00")
		staff.Graph(t, `mutation { releasePayoutItem(id: `+item+`) { status } }`, nil)
		if got := staff.Graph(t, pay, nil).In("payPayoutBatch").Text("status"); got != "PAID" {
			t.Errorf("the batch is %s", got)
		}
		b.Holds(t, ledger.CommissionPayable, "0.00")
		staff.Graph(t, `mutation { failPayoutItem(id: `+item+`, reason: "Account closed") { status } }`, nil)
		b.Holds(t, ledger.CommissionPayable, "-5000.00")
		staff.Graph(t, `mutation { releasePayoutItem(id: `+item+`) { status } }`, nil)
		staff.Graph(t, pay, nil)
		b.Holds(t, ledger.CommissionPayable, "0.00")
		b.CheckBooks(t)
	})
}

// The commissions of funded deals form a batch that nobody created: it shows its total and who approved it.
func TestCommissionsComeIntoABatchByThemselves(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		a.AdvanceAll(32 * 24 * time.Hour)
		staff := b.Staff(t, "books@books.test", "accounting")
		batch := staff.Graph(t, `{ payouts { nodes {
			id createdBy { name } total { count amount } standing { status items { count amount } } } } }`,
			nil).In("payouts").List("nodes")[0]
		if batch["createdBy"] != nil || batch.In("total").Text("amount") != "5000.00" ||
			booktest.Text(t, batch.List("standing")) !=
				`[{"items":{"amount":"5000.00","count":1},"status":"PENDING"}]` {
			t.Fatalf("the batch is %v", batch)
		}
		id := batch.Text("id")
		lines := staff.Graph(t, "{ payout(id: "+id+") { lines { nodes { id } totalCount } } }", nil).In("payout").In("lines")
		if lines.Int("totalCount") != 1 || len(lines.List("nodes")) != 1 {
			t.Errorf("the lines are %v", lines)
		}
		approved := staff.Graph(t, "mutation { approvePayoutBatch(id: "+id+") { status approvedBy { email } } }", nil).
			In("approvePayoutBatch")
		if approved.In("approvedBy").Text("email") != "books@books.test" {
			t.Errorf("approved by %v", approved)
		}
		got := staff.Graph(t, "mutation { payPayoutBatch(id: "+id+") { status } }", nil).In("payPayoutBatch").Text("status")
		if got != "PAID" {
			t.Errorf("the batch is %s", got)
		}
		b.Holds(t, ledger.CommissionPayable, "0.00")
		b.CheckBooks(t)
	})
}
