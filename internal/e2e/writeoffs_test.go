package e2e

import (
	"fmt"
	"testing"
	"time"

	"paydown/ent/participation"
	"paydown/internal/apptest"
	"paydown/internal/ledger"
	"paydown/internal/money"
)

// How a deal ends when things go wrong: a payment bounces after a write-off, a transfer fails, a commission is
// clawed back.

func (p *payouts) writeOff(t *testing.T, d object) {
	t.Helper()
	p.change(t, at("deals", d), object{"state": "DEFAULTED"})
	p.approver(t).
		Graph(t, fmt.Sprintf(`mutation { writeOffDeal(id: %d, reason: "Out of business") { state } }`, d.ID()), nil)
}

func TestABounceAfterAWriteOffIsWrittenOffToo(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d := p.deal(t)
		row := p.collect(t, d, "ADVANCE_PAYBACK", "1000.00", nil)
		p.writeOff(t, d)
		p.change(t, at("payments", row), object{"status": "BOUNCED"})
		if got := p.Get(t, at("deals", d)).In("deal").Text("state"); got != "DEFAULTED" {
			t.Errorf("the deal is %s", got)
		}
		for _, account := range []ledger.Account{
			ledger.Receivable, ledger.Participations, ledger.DeferredIncome, ledger.SyndicatorPayable,
		} {
			if left := p.balance(t, account); !left.IsZero() {
				t.Errorf("%s holds %s", account, left)
			}
		}
		if pending := p.paymentsOf(t, d, "&status=PENDING&type=ADVANCE_PAYBACK"); len(pending) > 0 {
			t.Errorf("%d payments are to be collected of a written-off deal", len(pending))
		}
		p.change(t, at("deals", d), object{"state": "CLOSED"})
		verify(t, a)
	})
}

func TestAFailedDisbursementGivesTheCashBack(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		d := p.deal(t)
		query := fmt.Sprintf("{ deal(id: %d) { disbursements { id } } }", d.ID())
		id := p.Graph(t, query, nil).In("deal").List("disbursements")[0].Text("id")
		move := func(input string) {
			t.Helper()
			p.Graph(t, "mutation { moveDisbursement(id: "+id+", input: {"+input+"}) { status } }", nil)
		}
		cash := p.balance(t, ledger.Cash)
		holds := func(what, moved, inTransit string) {
			t.Helper()
			if got := p.balance(t, ledger.Cash).Sub(cash); got.String() != moved {
				t.Errorf("%s: cash moved by %s, want %s", what, got, moved)
			}
			if got := p.balance(t, ledger.InTransit); got.String() != inTransit {
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
		verify(t, a)
	})
}

// brokered funds a deal whose commission is 1,000, and in which the syndicator has 40 %.
func (p *payouts) brokered(t *testing.T, broker object) object {
	t.Helper()
	merchant := p.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
	d := p.create(t, "/deals", object{
		"merchantId": merchant.ID(), "isoId": broker.ID(), "fundedAmount": "10000.00", "factorRate": "1.30",
		"numberOfPayments":    26,
		"collectionFrequency": "DAILY", "commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10",
	})
	p.maker(t).
		Graph(t, fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: "40"}) { id } }`,
			d.ID(), p.syndicator.ID()), nil)
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		d = p.change(t, at("deals", d), object{"state": state})
	}
	return d
}

// A commission that was paid and is clawed back is set off against the broker's next commissions, and the
// syndicators who funded a part of it get that part back.
func TestAClawbackIsSetOffAndReturnedToWhoFrontedIt(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		broker := p.create(t, "/isos", object{"name": "Bridge Capital Brokers"})
		p.change(t, at("syndicators", p.syndicator), object{"frontsCommission": true})
		brokered := func() object { return p.brokered(t, broker) }
		d := brokered() // 1,000 of commission, 400 of it fronted
		wallet := p.balance(t, ledger.SyndicatorWallet)
		batch := p.maker(t).Graph(t, "{ payouts { nodes { id items { id } } } }", nil).In("payouts").List("nodes")[0]
		id, item := batch.Text("id"), batch.List("items")[0].Text("id")
		p.approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+id+") { status } }", nil)
		p.maker(t).Graph(t, "mutation { payPayoutBatch(id: "+id+", itemIds: ["+item+"]) { status } }", nil)
		cash := p.balance(t, ledger.Cash)

		p.change(t, at("deals", d), object{"state": "DEFAULTED"})
		if back := wallet.Sub(p.balance(t, ledger.SyndicatorWallet)); back.String() != "400.00" {
			t.Errorf("%s came back to the wallet", back)
		}
		if due := p.balance(t, ledger.DueFromISO); due.String() != "1000.00" {
			t.Errorf("the broker owes %s", due)
		}
		brokered()
		a.AdvanceAll(31 * 24 * time.Hour)
		drafts := p.maker(t).
			Graph(t, `{ payouts(filter: {status: DRAFT}) { nodes { id items { amount } } } }`, nil).
			In("payouts").
			List("nodes")
		if len(drafts) != 1 || len(drafts[0].List("items")) != 2 {
			t.Fatalf("the drafts are %v", drafts)
		}
		next := drafts[0].Text("id")
		p.approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+next+") { status } }", nil)
		wantWords(t, "paid", p.payBatch(t, next), "PAID", "PAID", "PAID")
		for _, account := range []ledger.Account{ledger.DueFromISO, ledger.CommissionPayable} {
			if left := p.balance(t, account); !left.IsZero() {
				t.Errorf("%s holds %s", account, left)
			}
		}
		ctx, read := p.inside(t)
		for _, row := range read.Posting.Query().AllX(ctx) {
			if (row.Account == string(ledger.DueFromISO) || row.Account == string(ledger.CommissionPayable)) &&
				(row.IsoID == nil || *row.IsoID != broker.ID()) {
				t.Errorf("a posting on %s names broker %v", row.Account, row.IsoID)
			}
		}
		// The second advance and the 400 to the wallet left; the commission paid no cash.
		if moved := p.balance(t, ledger.Cash).Sub(cash); moved.String() != "-6000.00" {
			t.Errorf("cash moved by %s", moved)
		}
		verify(t, a)
	})
}

// The price of a participation is exactly what left the wallet for it, however the percentages round.
func TestPartsCostWhatTheWalletsPay(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := openPayouts(t, a)
		merchant := p.create(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
		d := p.create(t, "/deals", object{
			"merchantId": merchant.ID(), "fundedAmount": "10000.01", "factorRate": "1.30", "numberOfPayments": 26,
			"collectionFrequency": "DAILY", "bankFeeBasis": "FLAT", "bankFeeValue": "300",
		})
		var partners []int
		for i, percent := range []string{"33.333333", "33.333333", "33.333334"} {
			s := p.create(t, "/syndicators", object{"name": fmt.Sprintf("Partner %d", i), "participatesInBankFee": i == 0})
			p.maker(t).Graph(t, fmt.Sprintf(`mutation { depositToWallet(id: %d, input: {amount: "5000"}) { id } }`, s.ID()), nil)
			p.maker(t).
				Graph(t, fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: %q}) { id } }`,
					d.ID(), s.ID(), percent), nil)
			partners = append(partners, s.ID())
		}
		for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
			d = p.change(t, at("deals", d), object{"state": state})
		}
		ctx, read := p.inside(t)
		for i, id := range partners {
			paid := p.balanceOf(t, ledger.SyndicatorWallet, id)
			left := read.Participation.Query().Where(participation.SyndicatorID(id)).OnlyX(ctx).Amount
			if i == 0 {
				left = left.Sub(p.balanceOf(t, ledger.FeeIncome, id)) // credited with its third of the bank fee
			}
			if spent := paid.Add(money.Must("5000")); !spent.Equal(left) {
				t.Errorf("part %d costs %s, and %s left the wallet", i, left, spent)
			}
		}
		if share := p.balanceOf(t, ledger.FeeIncome, partners[0]); share.String() != "100.00" {
			t.Errorf("the share of the bank fee is %s", share)
		}
		verify(t, a)
	})
}
