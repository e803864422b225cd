package servicing_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"paydown/ent/participation"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
	"paydown/internal/money"
)

func TestABadDealIsWrittenOffAndRecovered(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		funded := a.Clock.Now()
		a.Clock.Advance(time.Minute)
		b.Collect(t, b.Advance, "ADVANCE_PAYBACK", "35000.00", nil)
		id := fmt.Sprint(b.Advance.ID())
		writeOff := `mutation { writeOffDeal(id: ` + id + `, reason: "Out of business") { state } }`
		staff := b.Staff(t, "books@books.test", "accounting")
		staff.Ask(t, writeOff, nil).Refused(t, "conflict")
		a.Clock.Advance(time.Minute)
		b.Change(t, booktest.At("deals", b.Advance), object{"state": "DEFAULTED"})
		b.Staff(t, "desk@books.test", "collections").Ask(t, writeOff, nil).Refused(t, "forbidden")
		b.Fresh(t)
		done, refused := booktest.AskAtOnce(t, staff, writeOff, 3)
		if len(done) != 1 || len(refused) != 2 || done[0].Data.In("writeOffDeal").Text("state") != "CLOSED" {
			t.Fatalf("%d write-offs, %d refused", len(done), len(refused))
		}
		b.Posted(t, "WRITE_OFF 1100 -30000.00; 2000 4153.85; 2100 12000.00; 5200 13846.15")
		b.Collect(t, b.Advance, "ADVANCE_PAYBACK", "5000.00", nil)
		b.Posted(t, "RECOVERY 1000 5000.00; 2110 -2000.00; 4300 -3000.00", "MANAGEMENT_FEE 2110 60.00; 4200 -60.00")
		booktest.Verify(t, a)

		t.Run("the past is told from the trail and the books", func(t *testing.T) {
			past := staff
			future := `{ dealAt(dealId: ` + id + `, at: "2030-01-01T00:00:00Z") { state } }`
			if past.Ask(t, future, nil).Refused(t, "validation_error")["at"] == "" {
				t.Error("the future is told")
			}
			for moment, want := range map[time.Time]string{
				booktest.Monday.Add(-time.Hour): "not_found", funded: "FUNDED 65000.00", a.Clock.Now(): "CLOSED 0.00",
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
				`{ syndicatorStatement(syndicatorId: `+fmt.Sprint(b.Syndicator.ID())+`, from: "2026-01-01", to: "2026-12-31") {
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
			b.Bounce(t, b.PaymentsOf(t, b.Advance, "&status=PAID")[0], "R02")
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

// How a deal ends when things go wrong: a payment bounces after a write-off, a transfer fails, a commission is
// clawed back.

func writeOff(t *testing.T, p *booktest.Payouts, d object) {
	t.Helper()
	p.Change(t, booktest.At("deals", d), object{"state": "DEFAULTED"})
	p.Approver(t).
		Graph(t, fmt.Sprintf(`mutation { writeOffDeal(id: %d, reason: "Out of business") { state } }`, d.ID()), nil)
}

func TestABounceAfterAWriteOffIsWrittenOffToo(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)
		row := p.Collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		writeOff(t, p, d)
		p.Change(t, booktest.At("payments", row), object{"status": "BOUNCED"})
		if got := p.Get(t, booktest.At("deals", d)).In("deal").Text("state"); got != "DEFAULTED" {
			t.Errorf("the deal is %s", got)
		}
		for _, account := range []ledger.Account{
			ledger.Receivable, ledger.Participations, ledger.DeferredIncome, ledger.SyndicatorPayable,
		} {
			if left := p.Balance(t, account); !left.IsZero() {
				t.Errorf("%s holds %s", account, left)
			}
		}
		if pending := p.PaymentsOf(t, d, "&status=PENDING&type=ADVANCE_PAYBACK"); len(pending) > 0 {
			t.Errorf("%d payments are to be collected of a written-off deal", len(pending))
		}
		p.Change(t, booktest.At("deals", d), object{"state": "CLOSED"})
		booktest.Verify(t, a)
	})
}

func TestAFailedDisbursementGivesTheCashBack(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		d := p.Deal(t)
		query := fmt.Sprintf("{ deal(id: %d) { disbursements { id } } }", d.ID())
		id := p.Graph(t, query, nil).In("deal").List("disbursements")[0].Text("id")
		move := func(input string) {
			t.Helper()
			p.Graph(t, "mutation { moveDisbursement(id: "+id+", input: {"+input+"}) { status } }", nil)
		}
		cash := p.Balance(t, ledger.Cash)
		holds := func(what, moved, inTransit string) {
			t.Helper()
			if got := p.Balance(t, ledger.Cash).Sub(cash); got.String() != moved {
				t.Errorf("%s: cash moved by %s, want %s", what, got, moved)
			}
			if got := p.Balance(t, ledger.InTransit); got.String() != inTransit {
				t.Errorf("%s: 1020 holds %s, want %s", what, got, inTransit)
			}
		}
		move("status: SENT")
		holds("sent", "0.00", "0.00")
		move(`status: FAILED, failureReason: "Account closed"`)
		holds("failed", "10000.00", "-10000.00")
		move("status: SENT")
		holds("sent again", "0.00", "0.00")
		move("status: SETTLED")
		move(`status: FAILED, failureReason: "Returned"`)
		holds("returned", "10000.00", "-10000.00")
		move("status: CANCELLED")
		holds("called off", "10000.00", "-10000.00")
		booktest.Verify(t, a)
	})
}

// A commission that was paid and is clawed back is set off against the broker's next commissions, and the
// syndicators who funded a part of it get that part back.
func TestAClawbackIsSetOffAndReturnedToWhoFrontedIt(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		broker := p.Create(t, "/isos", object{"name": "Bridge Capital Brokers"})
		p.Change(t, booktest.At("syndicators", p.Syndicator), object{"frontsCommission": true})
		brokered := func() object { return p.Brokered(t, broker) }
		d := brokered() // 1,000 of commission, 400 of it fronted
		wallet := p.Balance(t, ledger.SyndicatorWallet)
		batch := p.Maker(t).Graph(t, "{ payouts { nodes { id items { id } } } }", nil).In("payouts").List("nodes")[0]
		id, item := batch.Text("id"), batch.List("items")[0].Text("id")
		p.Approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+id+") { status } }", nil)
		p.Maker(t).Graph(t, "mutation { payPayoutBatch(id: "+id+", itemIds: ["+item+"]) { status } }", nil)
		cash := p.Balance(t, ledger.Cash)

		p.Change(t, booktest.At("deals", d), object{"state": "DEFAULTED"})
		if back := wallet.Sub(p.Balance(t, ledger.SyndicatorWallet)); back.String() != "400.00" {
			t.Errorf("%s came back to the wallet", back)
		}
		if due := p.Balance(t, ledger.DueFromISO); due.String() != "1000.00" {
			t.Errorf("the broker owes %s", due)
		}
		brokered()
		a.AdvanceAll(31 * 24 * time.Hour)
		drafts := p.Maker(t).
			Graph(t, `{ payouts(filter: {status: DRAFT}) { nodes { id items { amount } } } }`, nil).
			In("payouts").
			List("nodes")
		if len(drafts) != 1 || len(drafts[0].List("items")) != 2 {
			t.Fatalf("the drafts are %v", drafts)
		}
		next := drafts[0].Text("id")
		p.Approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+next+") { status } }", nil)
		booktest.WantWords(t, "paid", p.PayBatch(t, next), "PAID", "PAID", "PAID")
		for _, account := range []ledger.Account{ledger.DueFromISO, ledger.CommissionPayable} {
			if left := p.Balance(t, account); !left.IsZero() {
				t.Errorf("%s holds %s", account, left)
			}
		}
		ctx, read := p.Inside(t)
		for _, row := range read.Posting.Query().AllX(ctx) {
			if (row.Account == string(ledger.DueFromISO) || row.Account == string(ledger.CommissionPayable)) &&
				(row.IsoID == nil || *row.IsoID != broker.ID()) {
				t.Errorf("a posting on %s names broker %v", row.Account, row.IsoID)
			}
		}
		// The second advance and the 400 to the wallet left; the commission paid no cash.
		if moved := p.Balance(t, ledger.Cash).Sub(cash); moved.String() != "-6000.00" {
			t.Errorf("cash moved by %s", moved)
		}
		booktest.Verify(t, a)
	})
}

// The price of a participation is exactly what left the wallet for it, however the percentages round.
func TestPartsCostWhatTheWalletsPay(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		merchant := p.Create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		d := p.Create(t, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "10000.01", "factorRate": "1.30", "numberOfPayments": 26,
			"collectionFrequency": "DAILY", "bankFeeBasis": "FLAT", "bankFeeValue": "300",
		})
		var partners []int
		for i, percent := range []string{"33.333333", "33.333333", "33.333334"} {
			s := p.Create(t, "/syndicators", object{"name": fmt.Sprintf("Partner %d", i), "participatesInBankFee": i == 0})
			p.Maker(t).Graph(t, fmt.Sprintf(`mutation { depositToWallet(id: %d, input: {amount: "5000"}) { id } }`, s.ID()), nil)
			p.Maker(t).
				Graph(t, fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: %q}) { id } }`,
					d.ID(), s.ID(), percent), nil)
			partners = append(partners, s.ID())
		}
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			d = p.Change(t, booktest.At("deals", d), object{"state": state})
		}
		ctx, read := p.Inside(t)
		for i, id := range partners {
			paid := p.BalanceOf(t, ledger.SyndicatorWallet, id)
			left := read.Participation.Query().Where(participation.SyndicatorID(id)).OnlyX(ctx).Amount
			if i == 0 {
				left = left.Sub(p.BalanceOf(t, ledger.FeeIncome, id)) // credited with its third of the bank fee
			}
			if spent := paid.Add(money.Must("5000")); !spent.Equal(left) {
				t.Errorf("part %d costs %s, and %s left the wallet", i, left, spent)
			}
		}
		if share := p.BalanceOf(t, ledger.FeeIncome, partners[0]); share.String() != "100.00" {
			t.Errorf("the share of the bank fee is %s", share)
		}
		booktest.Verify(t, a)
	})
}
