package e2e

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"testing"
	"time"

	"paydown/ent/payoutitem"
	"paydown/internal/apptest"
	"paydown/internal/ledger"
)

// Staff servicing through GraphQL after a funding: payouts, draws, renewals, write-offs.

// staff is a member of the desk's company with a role, with a new session, because sessions end while the clock
// is moved.
func (d *desk) staff(t *testing.T, email, role string) *apptest.Client {
	t.Helper()
	if _, err := d.a.Users.Find(d.a.Operator(t, d.Host), email); err != nil {
		d.a.Member(t, d.Host, email, role)
	}
	b := d.a.Browser(d.Host)
	b.Login(t, email)
	c := b.Client
	for name, value := range b.Cookies {
		c = c.With("Cookie", name+"="+value)
	}
	return c
}

// asksAtOnce makes the same request several times at the same moment.
func asksAtOnce(t *testing.T, c *apptest.Client, document string, times int) (answered, refused []apptest.Asked) {
	t.Helper()
	answers := make([]apptest.Asked, times)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = c.Ask(t, document, nil) })
	}
	all.Wait()
	for _, a := range answers {
		if len(a.Errors) > 0 {
			refused = append(refused, a)
		} else {
			answered = append(answered, a)
		}
	}
	return answered, refused
}

const makeShares = `mutation {
	makePayoutBatch(input: {kind: PARTICIPATION, periodFrom: "2026-01-01", periodTo: "2026-12-31"}) {
		id status items { id amount status reversesId } } }`

func TestSharesArePaidOutOnce(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)
		b.change(t, at("deals", b.advance), object{"state": "FUNDED"})
		rows := b.paymentsOf(t, b.advance, "")
		for _, p := range rows[:3] {
			b.change(t, at("payments", p), object{"status": "PAID"})
		}
		maker := b.staff(t, "maker@books.test", "accounting")
		maker.Ask(t, makeShares, nil).Refused(t, "conflict") // held for five banking days
		a.AdvanceAll(8 * 24 * time.Hour)
		maker = b.staff(t, "maker@books.test", "accounting")

		b.Ask(t, makeShares, nil).Refused(t, "forbidden") // of a key
		made, refused := asksAtOnce(t, maker, makeShares, 4)
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
		approver := b.staff(t, "approver@books.test", "accounting")
		act(b.staff(t, "funder@books.test", "funder"), "approvePayoutBatch").Refused(t, "forbidden")
		if got := act(approver, "approvePayoutBatch").Data.In("approvePayoutBatch").Text("status"); got != "APPROVED" {
			t.Fatalf("the batch is %s", got)
		}
		paid, _ := asksAtOnce(t, maker, "mutation { payPayoutBatch(id: "+batch.Text("id")+") { status } }", 4)
		if len(paid) != 4 {
			t.Errorf("%d of 4 calls to pay were answered", len(paid))
		}
		b.holds(t, ledger.SyndicatorPayable, "0.00")
		if payouts := b.paymentsOf(t, b.advance, "&type=PARTICIPATION_PAYOUT"); len(payouts) != 1 ||
			payouts[0].Text("amount") != "600.49" {
			t.Errorf("paid out %v", payouts)
		}

		// The transfer bounces, and is made again.
		item := batch.List("items")[0].Text("id")
		maker.Graph(t, `mutation { failPayoutItem(id: `+item+`, reason: "No such account") { status } }`, nil)
		b.holds(t, ledger.SyndicatorPayable, "-600.49")
		b.itemsAre(t, payoutitem.StatusFAILED, 3)
		act(maker, "payPayoutBatch")
		b.holds(t, ledger.SyndicatorPayable, "-600.49")
		for _, i := range batch.List("items") {
			maker.Graph(t, "mutation { releasePayoutItem(id: "+i.Text("id")+") { status } }", nil)
		}
		payout := b.paymentsOf(t, b.advance, "&type=PARTICIPATION_PAYOUT")[0]
		b.Do(t, http.MethodPatch, at("payments", payout), object{"status": "PAID"}).Problem(t, 409, "conflict")
		if got := act(maker, "payPayoutBatch").Data.In("payPayoutBatch").Text("status"); got != "PAID" {
			t.Errorf("the batch is %s", got)
		}
		b.holds(t, ledger.SyndicatorPayable, "0.00")

		// A paid-out share's payment bounces: the share is set off against what is due next.
		b.change(t, at("payments", rows[0]), object{"status": "BOUNCED"})
		b.holds(t, ledger.SyndicatorPayable, "200.17") // its share, and the cent by which the others are rounded anew
		back := maker.Graph(t, makeShares, nil).In("makePayoutBatch")
		if items := back.List("items"); len(items) != 2 || items[0].Text("amount") != "-200.16" ||
			items[0].Text("reversesId") != item ||
			items[1].Text("amount") != "-0.01" {
			t.Fatalf("the batch is %v", back)
		}
		approver.Graph(t, "mutation { approvePayoutBatch(id: "+back.Text("id")+") { status } }", nil)
		maker.Graph(t, "mutation { payPayoutBatch(id: "+back.Text("id")+") { status } }", nil)
		b.itemsAre(t, payoutitem.StatusHELD, 2)
		for _, p := range rows[3:5] {
			b.change(t, at("payments", p), object{"status": "PAID"})
		}
		a.AdvanceAll(8 * 24 * time.Hour)
		maker, approver = b.staff(t, "maker@books.test", "accounting"), b.staff(t, "approver@books.test", "accounting")
		next := maker.Graph(t, makeShares, nil).In("makePayoutBatch").Text("id")
		approver.Graph(t, "mutation { approvePayoutBatch(id: "+next+") { status } }", nil)
		got := maker.Graph(t, "mutation { payPayoutBatch(id: "+next+") { status items { status } } }", nil).
			In("payPayoutBatch")
		if got.Text("status") != "PAID" || len(got.List("items")) != 4 {
			t.Errorf("the batch is %v", got)
		}
		b.holds(t, ledger.SyndicatorPayable, "0.00")
		b.checkBooks(t)
	})
}

func (b *books) itemsAre(t *testing.T, status payoutitem.Status, n int) {
	t.Helper()
	ctx, read := b.inside(t)
	got := read.PayoutItem.Query().Where(payoutitem.StatusEQ(status), payoutitem.SyndicatorIDNotNil()).CountX(ctx)
	if got != n {
		t.Errorf("%d items are %s, want %d", got, status, n)
	}
}

func TestCommissionsWaitUntilTheyAreSafe(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)
		b.change(t, at("deals", b.advance), object{"state": "FUNDED"})
		approver, staff := b.staff(t, "approver@books.test", "accounting"), b.staff(t, "payer@books.test", "accounting")
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
		staff = b.staff(t, "payer@books.test", "accounting")
		if got := staff.Graph(t, pay, nil).In("payPayoutBatch").List("items")[0].Text("status"); got != "HELD" {
			t.Errorf("what staff hold back is %s", got)
		}
		b.holds(t, ledger.CommissionPayable, "-5000.00")
		staff.Graph(t, `mutation { releasePayoutItem(id: `+item+`) { status } }`, nil)
		if got := staff.Graph(t, pay, nil).In("payPayoutBatch").Text("status"); got != "PAID" {
			t.Errorf("the batch is %s", got)
		}
		b.holds(t, ledger.CommissionPayable, "0.00")
		staff.Graph(t, `mutation { failPayoutItem(id: `+item+`, reason: "Account closed") { status } }`, nil)
		b.holds(t, ledger.CommissionPayable, "-5000.00")
		staff.Graph(t, `mutation { releasePayoutItem(id: `+item+`) { status } }`, nil)
		staff.Graph(t, pay, nil)
		b.holds(t, ledger.CommissionPayable, "0.00")
		b.checkBooks(t)
	})
}

// The commissions of funded deals form a batch that nobody created: it shows its total and who approved it.
func TestCommissionsComeIntoABatchByThemselves(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)
		b.change(t, at("deals", b.advance), object{"state": "FUNDED"})
		a.AdvanceAll(32 * 24 * time.Hour)
		staff := b.staff(t, "books@books.test", "accounting")
		batch := staff.Graph(t, `{ payouts { nodes {
			id createdBy { name } total { count amount } standing { status items { count amount } } } } }`,
			nil).In("payouts").List("nodes")[0]
		if batch["createdBy"] != nil || batch.In("total").Text("amount") != "5000.00" || text(t, batch.List("standing")) !=
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
		b.holds(t, ledger.CommissionPayable, "0.00")
		b.checkBooks(t)
	})
}

// openLine is a desk with an LOC deal of 20,000 for 24,000 and a line of 50,000.
func openLine(t *testing.T, a *apptest.App) (b *desk, deal object, line string) {
	t.Helper()
	b = openDesk(t, a, "line.test")
	merchant := b.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
	deal = b.create(t, "/deals", object{
		"merchantId": merchant.ID(), "productType": "LOC", "fundedAmount": "20000.00", "factorRate": "1.20",
		"numberOfPayments": 24, "collectionFrequency": "DAILY",
	})
	made := b.Graph(t, fmt.Sprintf(`mutation { createCreditFacility(input: {dealId: %d, creditLimit: "50000"}) {
		id status availableRoom draws { status amount } } }`, deal.ID()), nil).In("createCreditFacility")
	if text(t, made.List("draws")) != `[{"amount":"20000.00","status":"REQUESTED"}]` ||
		made.Text("status") != "SUSPENDED" {
		t.Fatalf("%v", made)
	}
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		deal = b.change(t, at("deals", deal), object{"state": state})
	}
	return b, deal, made.Text("id")
}

// facility returns how much can be drawn from a line, and the statuses of its draws.
func facility(t *testing.T, c *apptest.Client, id string) string {
	t.Helper()
	f := c.Graph(t, "{ creditFacility(id: "+id+") { status availableRoom draws { status } } }", nil).In("creditFacility")
	words := f.Text("status") + " " + f.Text("availableRoom")
	for _, d := range f.List("draws") {
		words += " " + d.Text("status")
	}
	return words
}

func TestALineIsNeverOverdrawn(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b, deal, line := openLine(t, a)
		if got := facility(t, b.Client, line); got != "ACTIVE 30000.00 FUNDED" {
			t.Fatalf("the line is %s", got)
		}
		ask := `mutation {
			requestDraw(facilityId: ` + line + `, input: {amount: "12000", feeAmount: "120"}) { id status paybackAmount } }`
		asked, refused := asksAtOnce(t, b.Client, ask, 5)
		if len(asked) != 2 || len(refused) != 3 {
			t.Fatalf("%d draws were had and %d refused", len(asked), len(refused))
		}
		first, second := asked[0].Data.In("requestDraw").Text("id"), asked[1].Data.In("requestDraw").Text("id")
		if first > second {
			first, second = second, first
		}
		funder := b.staff(t, "funder@line.test", "funder")
		funder.Ask(t, "mutation { fundDraw(id: "+first+") { status } }", nil).Refused(t, "conflict")
		b.Ask(t, "mutation { approveDraw(id: "+first+") { status } }", nil).Refused(t, "forbidden") // a key
		funder.Graph(t, "mutation { approveDraw(id: "+first+") { status } }", nil)
		funder.Graph(t, `mutation { declineDraw(id: `+second+`, reason: "Revenue is down") { status } }`, nil)
		if got := facility(t, b.Client, line); got != "ACTIVE 18000.00 FUNDED APPROVED DECLINED" {
			t.Errorf("the line is %s", got)
		}
		funded, _ := asksAtOnce(t, funder, "mutation { fundDraw(id: "+first+") { status } }", 3)
		if len(funded) != 3 {
			t.Errorf("%d of 3 calls to fund were answered", len(funded))
		}
		collection := "{ deal(id: " + fmt.Sprint(
			deal.ID(),
		) + ") { collection { outstanding collected paidDownPct nextPayment { amount } } disbursements { amount status } } }"
		got := b.Graph(t, collection, nil).In("deal")
		if got.In("collection").Text("outstanding") != "38400.00" || len(got.List("disbursements")) != 2 ||
			got.List("disbursements")[1].Text("amount") != "11880.00" {
			t.Errorf("after the draw: %v", got)
		}
		verify(t, a)

		// A payment of the deal's own schedule repays the first draw; one that names the second draw repays that.
		b.pay(t, b.paymentsOf(t, deal, "")[0]) // 1,000 of 24,000 repay 833.33 of 20,000
		if got := facility(t, b.Client, line); got != "ACTIVE 18833.33 FUNDED FUNDED DECLINED" {
			t.Errorf("the line is %s", got)
		}
		paid := b.Graph(t, `mutation { repayDraw(id: `+first+`, input: {}) { status } }`, nil).In("repayDraw")
		if got := facility(t, b.Client, line); paid.Text("status") != "REPAID" ||
			got != "ACTIVE 30833.33 FUNDED REPAID DECLINED" {
			t.Errorf("the draw is %v, the line %s", paid, got)
		}
		if p := b.paymentsOf(t, deal, "&status=CANCELLED"); len(p) == 0 {
			t.Error("the draw's own payments are still to be collected")
		}
		b.Graph(t, "mutation { suspendCreditFacility(id: "+line+") { status } }", nil)
		b.Ask(t, ask, nil).Refused(t, "conflict")
		b.pay(t, b.paymentsOf(t, deal, "")[1])
		if got := facility(t, b.Client, line); got != "SUSPENDED 31666.67 FUNDED REPAID DECLINED" {
			t.Errorf("the line is %s", got)
		}
		b.Ask(t, `mutation { updateCreditFacility(id: `+line+`, input: {creditLimit: "18000"}) { id } }`, nil).
			Refused(t, "conflict")
		b.Graph(t, "mutation { closeCreditFacility(id: "+line+") { status } }", nil)
		b.Ask(t, "mutation { resumeCreditFacility(id: "+line+") { status } }", nil).Refused(t, "conflict")
		b.pay(t, b.paymentsOf(t, deal, "")[2])
		if got := facility(t, b.Client, line); got != "CLOSED 32500.00 FUNDED REPAID DECLINED" {
			t.Errorf("the line is %s", got)
		}
		verify(t, a)
	})
}

func TestRenewalsComeAndGo(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openDesk(t, a, "renewals.test")
		merchant := b.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		deal := b.create(t, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "20000.00", "factorRate": "1.20", "numberOfPayments": 24,
			"collectionFrequency": "DAILY",
		})
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			b.change(t, at("deals", deal), object{"state": state})
		}
		scan := func() string {
			t.Helper()
			return text(t, b.Graph(t, "mutation { scanRenewals { opened closed updated } }", nil).In("scanRenewals"))
		}
		if got := scan(); got != `{"closed":0,"opened":0,"updated":0}` {
			t.Errorf("nothing is paid down: %s", got)
		}
		b.collect(t, deal, "ADVANCE_PAYBACK", "12000.00", nil)
		rows := b.paymentsOf(t, deal, "&status=PENDING")
		scanned, _ := asksAtOnce(t, b.Client, "mutation { scanRenewals { opened } }", 3)
		opened := 0
		for _, s := range scanned {
			opened += s.Data.In("scanRenewals").Int("opened")
		}
		if opened != 1 {
			t.Fatalf("%d opportunities were opened", opened)
		}
		const list = "{ renewals { nodes { id status paidDownPct outstanding dismissedReason } } }"
		renewal := b.Graph(t, list, nil).In("renewals").List("nodes")[0]
		if renewal.Text("paidDownPct") != "50.00" || renewal.Text("outstanding") != "12000.00" {
			t.Errorf("%v", renewal)
		}
		id := renewal.Text("id")
		b.Graph(t, "mutation { contactRenewal(id: "+id+") { status } }", nil)

		t.Run("a renewal is started once, until it is withdrawn", func(t *testing.T) {
			start := `mutation { startRenewal(renewalId: ` + id + `, input: {fundedAmount: "40000", factorRate: "1.25"}) {
				id state isRenewal renewedFromDealId productType } }`
			made, refused := asksAtOnce(t, b.Client, start, 3)
			if len(made) != 1 || len(refused) != 2 {
				t.Fatalf("%d were started and %d refused", len(made), len(refused))
			}
			next := made[0].Data.In("startRenewal")
			if next.Text("renewedFromDealId") != fmt.Sprint(deal.ID()) || next["isRenewal"] != true ||
				next.Text("state") != "INCEPTION" {
				t.Errorf("%v", next)
			}
			// During the renewal a return does not end the opportunity.
			b.bounce(t, rows[0], "R01")
			if got := scan(); got != `{"closed":0,"opened":0,"updated":0}` {
				t.Errorf("%s", got)
			}
		})
		t.Run("a dismissed one is left alone for a while", func(t *testing.T) {
			b.Graph(t, `mutation { dismissRenewal(id: `+id+`, reason: "The owner sells") { status } }`, nil)
			b.Ask(t, "mutation { contactRenewal(id: "+id+") { status } }", nil).Refused(t, "conflict")
			if got := scan(); got != `{"closed":0,"opened":0,"updated":0}` {
				t.Errorf("%s", got)
			}
			a.AdvanceAll(31 * 24 * time.Hour)
			if got := scan(); got != `{"closed":0,"opened":1,"updated":0}` {
				t.Errorf("%s", got)
			}
		})
		t.Run("a return closes it", func(t *testing.T) {
			b.bounce(t, rows[1], "R01")
			if got := scan(); got != `{"closed":1,"opened":0,"updated":0}` {
				t.Errorf("%s", got)
			}
		})
		t.Run("each company is scanned once a day by itself", func(t *testing.T) {
			scans := func() int {
				n, err := a.Renewals.ScanDue(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				return n
			}
			if first, again := scans(), scans(); first != 1 || again != 0 {
				t.Errorf("%d and %d companies were scanned", first, again)
			}
			a.AdvanceAll(25 * time.Hour)
			if n := scans(); n != 1 {
				t.Errorf("%d companies were scanned the day after", n)
			}
		})
		b.checkBooks(t)
	})
}

func TestABadDealIsWrittenOffAndRecovered(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openBooks(t, a)
		b.change(t, at("deals", b.advance), object{"state": "FUNDED"})
		funded := a.Clock.Now()
		a.Clock.Advance(time.Minute)
		b.collect(t, b.advance, "ADVANCE_PAYBACK", "35000.00", nil)
		id := fmt.Sprint(b.advance.ID())
		writeOff := `mutation { writeOffDeal(id: ` + id + `, reason: "Out of business") { state } }`
		staff := b.staff(t, "books@books.test", "accounting")
		staff.Ask(t, writeOff, nil).Refused(t, "conflict")
		a.Clock.Advance(time.Minute)
		b.change(t, at("deals", b.advance), object{"state": "DEFAULTED"})
		b.staff(t, "desk@books.test", "collections").Ask(t, writeOff, nil).Refused(t, "forbidden")
		b.fresh(t)
		done, refused := asksAtOnce(t, staff, writeOff, 3)
		if len(done) != 1 || len(refused) != 2 || done[0].Data.In("writeOffDeal").Text("state") != "CLOSED" {
			t.Fatalf("%d write-offs, %d refused", len(done), len(refused))
		}
		b.posted(t, "WRITE_OFF 1100 -30000.00; 2000 4153.85; 2100 12000.00; 5200 13846.15")
		b.collect(t, b.advance, "ADVANCE_PAYBACK", "5000.00", nil)
		b.posted(t, "RECOVERY 1000 5000.00; 2110 -2000.00; 4300 -3000.00", "MANAGEMENT_FEE 2110 60.00; 4200 -60.00")
		verify(t, a)

		t.Run("the past is told from the trail and the books", func(t *testing.T) {
			past := staff
			future := `{ dealAt(dealId: ` + id + `, at: "2030-01-01T00:00:00Z") { state } }`
			if past.Ask(t, future, nil).Refused(t, "validation_error")["at"] == "" {
				t.Error("the future is told")
			}
			for moment, want := range map[time.Time]string{
				monday.Add(-time.Hour): "not_found", funded: "FUNDED 65000.00", a.Clock.Now(): "CLOSED 0.00",
			} {
				answer := past.Ask(t, fmt.Sprintf(`{ dealAt(dealId: %s, at: %q) { state outstanding values entry { action } } }`,
					id, moment.UTC().Format(time.RFC3339Nano)), nil)
				if want == "not_found" {
					answer.Refused(t, want)
					continue
				}
				was := answer.Data.In("dealAt")
				if got := was.Text("state") + " " + was.Text("outstanding"); got != want ||
					was.In("values").Text("dealNumber") != "D-000001" {
					t.Errorf("at %s: %s %v, want %s", moment, got, was, want)
				}
			}
		})
		t.Run("a statement runs from its opening to its closing", func(t *testing.T) {
			st := staff.Graph(
				t,
				`{ syndicatorStatement(syndicatorId: `+fmt.Sprint(b.syndicator.ID())+`, from: "2026-01-01", to: "2026-12-31") {
				opening closing lines { amount balance kind } }
				dealStatement(dealId: `+id+`, from: "2026-01-01", to: "2026-12-31") { closing lines { kind } } }`,
				nil,
			)
			got := st.In("syndicatorStatement")
			// Wallet 20,000 in and out; 14,000 and the 2,000 recovered are owed, less 3 %.
			if got.Text("opening") != "0.00" || got.Text("closing") != "15520.00" || len(got.List("lines")) != 6 {
				t.Errorf("%v", got)
			}
			if st.In("dealStatement").Text("closing") != "0.00" {
				t.Errorf("%v", st.In("dealStatement"))
			}
			accounts := staff.Graph(
				t, `{ accounts { code debit credit } before: accounts(asOf: "2025-12-31") { debit credit } }`, nil,
			)
			at := slices.IndexFunc(accounts.List("accounts"), func(o object) bool { return o.Text("code") == "2110" })
			if accounts.List("accounts")[at].Text("credit") != "15520.00" ||
				accounts.List("before")[at].Text("credit") != "0.00" {
				t.Errorf("%v", accounts)
			}
		})
		t.Run("the history of the deal has its write-off", func(t *testing.T) {
			history := staff.Graph(
				t,
				`{ deal(id: `+id+`) { history(first: 200, sort: {field: ID, direction: DESC}) {
					totalCount nodes { action actorName surface after } } } }`,
				nil,
			)
			nodes := history.In("deal").In("history").List("nodes")
			at := slices.IndexFunc(nodes, func(o object) bool { return o.Text("action") == "deal.writeOff" })
			if at < 0 || nodes[at].Text("surface") != "GRAPHQL" || nodes[at].In("after").Text("dealNumber") != "D-000001" {
				t.Errorf("%v", nodes)
			}
			b.Ask(t, `{ deal(id: `+id+`) { history { totalCount } } }`, nil).Refused(t, "forbidden")
		})
		t.Run("the figures of the day", func(t *testing.T) {
			b.bounce(t, b.paymentsOf(t, b.advance, "&status=PAID")[0], "R02")
			d := b.Graph(
				t,
				`{ dashboard { pipeline { state deals { count amount } } fundedVolume { month deals { count amount } }
				defaults { count amount } bounces { count amount } payoutsToApprove { count }
				collections { date collected { amount } bounced { count } } }
				bounceQueue { code title action payment { id deal { dealNumber } } } }`,
				nil,
			)
			board := d.In("dashboard")
			months := board.List("fundedVolume")
			if months[11].Text("month") != "2026-01-01" || months[11].In("deals").Text("amount") != "50000.00" {
				t.Errorf("%v", months)
			}
			if board.In("bounces").Text("amount") != "35000.00" || len(board.List("pipeline")) != 8 {
				t.Errorf("%v", board)
			}
			if queue := d.List("bounceQueue"); len(queue) != 1 || queue[0].Text("code") != "R02" ||
				queue[0].Text("action") != "NEW_ACCOUNT" {
				t.Errorf("%v", queue)
			}
			desk := b.Graph(
				t,
				`{ dashboard { BOUNCE: bounces { count } STIPULATION: stipulationsReceived { count } OFFER: offersExpiring { count }
				DRAW: drawsToReview { count } RENEWAL: renewals { count } DISBURSEMENT: disbursements { count } }
				workQueue(limit: 50) { task amount deal { dealNumber } } }`,
				nil,
			)
			listed := map[string]int{}
			for _, item := range desk.List("workQueue") {
				listed[item.Text("task")]++
				if item.Text("task") == "BOUNCE" &&
					(item.Text("amount") != "35000.00" || item.In("deal").Text("dealNumber") != queue0(d)) {
					t.Errorf("%v", item)
				}
			}
			for task := range desk.In("dashboard") {
				if n := desk.In("dashboard").In(task).Int("count"); n != listed[task] {
					t.Errorf("%d of %s are listed, and %d counted", listed[task], task, n)
				}
			}
			b.Ask(t, `{ workQueue(limit: 51) { task } }`, nil).Refused(t, "validation_error")
		})
	})
}

// queue0 returns the number of the deal of the first payment in the bounce queue.
func queue0(d object) string {
	return d.List("bounceQueue")[0].In("payment").In("deal").Text("dealNumber")
}

// A participation is planned on the syndicator's terms, and reports what would block its funding.
func TestPartsOfADealArePlanned(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := openDesk(t, a, "parts.test")
		merchant := b.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"})
		deal := b.create(t, "/deals", object{"merchantId": merchant.ID(), "fundedAmount": "50000.00", "factorRate": "1.30"})
		rich := b.create(t, "/syndicators", object{"name": "Bayview Income Partners LP", "managementFeePercent": "3"})
		poor := b.create(t, "/syndicators", object{"name": "Quarry Lane Capital", "maxPerDeal": "10000"})
		add := func(s object, percent string) apptest.Asked {
			return b.Ask(t, fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: "%s"}) {
				id amount managementFeePercent } }`, deal.ID(), s.ID(), percent), nil)
		}
		b.Graph(t, fmt.Sprintf(`mutation { depositToWallet(id: %d, input: {amount: "20000"}) { id } }`, rich.ID()), nil)
		b.Ask(t, fmt.Sprintf(`mutation { withdrawFromWallet(id: %d, input: {amount: "20000.01"}) { id } }`, rich.ID()), nil).
			Refused(t, "conflict")
		made := add(rich, "40").Data.In("createParticipation")
		if made.Text("amount") != "20000.00" || made.Text("managementFeePercent") != "3.00" {
			t.Errorf("%v", made)
		}
		add(rich, "10").Refused(t, "conflict")
		add(poor, "60.000001").Refused(t, "conflict")
		add(poor, "30")
		problems := func() int {
			d := b.Graph(t, fmt.Sprintf(`{ deal(id: %d) { participationProblems participations { amount } } }`, deal.ID()), nil).
				In("deal")
			return len(d["participationProblems"].([]any))
		}
		if n := problems(); n != 2 { // above the limit, and nothing in the wallet
			t.Errorf("%d problems", n)
		}
		b.change(t, at("deals", deal), object{"fundedAmount": "30000.00"})
		if got := b.Graph(t, fmt.Sprintf(`{ deal(id: %d) { participations { amount } } }`, deal.ID()), nil); text(
			t, got.In("deal").List("participations"),
		) != `[{"amount":"12000.00"},{"amount":"9000.00"}]` {
			t.Errorf("%v", got)
		}
		if n := problems(); n != 1 {
			t.Errorf("%d problems", n)
		}
		b.Graph(t, "mutation { deleteParticipation(id: "+made.Text("id")+") }", nil)
		staff := b.staff(t, "books@parts.test", "accounting")
		wallet := staff.Graph(t, fmt.Sprintf("{ syndicator(id: %d) { balances { wallet payable } } }", rich.ID()), nil)
		if wallet.In("syndicator").In("balances").Text("wallet") != "20000.00" {
			t.Errorf("%v", wallet)
		}
	})
}
