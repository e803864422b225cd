package booktest

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/schedule"
)

// Payouts is a desk with a syndicator who has 40 % of each of its deals, without charges, and two people for
// the batches.
type Payouts struct {
	*Desk
	Syndicator apptest.Object
}

// OpenPayouts creates a company with what Payouts has.
func OpenPayouts(t *testing.T, a *apptest.App) *Payouts {
	t.Helper()
	return OpenPayoutsAt(t, a, "payouts.test")
}

// OpenPayoutsAt is OpenPayouts for a company of a given host.
func OpenPayoutsAt(t *testing.T, a *apptest.App, host string) *Payouts {
	t.Helper()
	p := &Payouts{Desk: OpenDesk(t, a, host)}
	p.Syndicator = p.Create(t, "/syndicators", apptest.Object{"name": "Bayview Income Partners LP"})
	p.Maker(t).
		Graph(t, fmt.Sprintf(`mutation {
			depositToWallet(id: %d, input: {amount: "100000"}) { id } }`, p.Syndicator.ID()), nil)
	return p
}

// Maker is the administrator who creates and pays batches.
func (p *Payouts) Maker(t *testing.T) *apptest.Client {
	t.Helper()
	return p.Staff(t, "maker@"+p.Host, "admin")
}

// Approver is the accountant who approves batches.
func (p *Payouts) Approver(t *testing.T) *apptest.Client {
	t.Helper()
	return p.Staff(t, "approver@"+p.Host, "accounting")
}

// Deal funds a deal of 10,000 for 13,000 in which the syndicator has 40 %.
func (p *Payouts) Deal(t *testing.T) apptest.Object {
	t.Helper()
	return p.fund(t, apptest.Object{})
}

// Brokered is Deal with a commission of 1,000 for the broker.
func (p *Payouts) Brokered(t *testing.T, broker apptest.Object) apptest.Object {
	t.Helper()
	return p.fund(t, apptest.Object{
		"isoId": broker.ID(), "commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": "10",
	})
}

// fund funds the deal of Deal, with more fields.
func (p *Payouts) fund(t *testing.T, fields apptest.Object) apptest.Object {
	t.Helper()
	merchant := p.Create(t, "/merchants", apptest.Object{"legalName": "Harbor Street Bakery LLC", "state": "NY"})
	maps.Copy(fields, apptest.Object{
		"merchantId": merchant.ID(), "fundedAmount": "10000.00", "factorRate": "1.30", "numberOfPayments": 26,
		"collectionFrequency": "DAILY",
	})
	d := p.Create(t, "/deals", fields)
	p.Maker(t).
		Graph(t, fmt.Sprintf(`mutation { createParticipation(input: {dealId: %d, syndicatorId: %d, percent: "40"}) { id } }`,
			d.ID(), p.Syndicator.ID()), nil)
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		d = p.Change(t, At("deals", d), apptest.Object{"state": state})
	}
	return d
}

// Days moves the clock forward by banking days.
func (p *Payouts) Days(n int) {
	today := civil.On(p.App.Clock.Now(), time.UTC)
	p.App.AdvanceAll(time.Duration(schedule.AddBankingDays(today, n).Sub(today)) * 24 * time.Hour)
}

// Draft creates the batch of everything due, and returns its items' amounts; none if nothing is due.
func (p *Payouts) Draft(t *testing.T) (id string, amounts []string) {
	t.Helper()
	asked := p.Maker(t).Ask(t, MakeShares, nil)
	if len(asked.Errors) > 0 {
		return "", nil
	}
	batch := asked.Data.In("makePayoutBatch")
	for _, item := range batch.List("items") {
		amounts = append(amounts, item.Text("amount"))
	}
	slices.Sort(amounts)
	return batch.Text("id"), amounts
}

// Settle approves and pays a batch, and returns its status and those of its items.
func (p *Payouts) Settle(t *testing.T, id string) []string {
	t.Helper()
	p.Approver(t).Graph(t, "mutation { approvePayoutBatch(id: "+id+") { status } }", nil)
	return p.PayBatch(t, id)
}

// PayBatch pays an approved batch, and returns its status and those of its items.
func (p *Payouts) PayBatch(t *testing.T, id string) []string {
	t.Helper()
	paid := p.Maker(t).
		Graph(t, "mutation { payPayoutBatch(id: "+id+") { status items { status carriedAt } } }", nil).
		In("payPayoutBatch")
	words := []string{paid.Text("status")}
	for _, item := range paid.List("items") {
		status := item.Text("status")
		if item["carriedAt"] != nil {
			status = "carried"
		}
		words = append(words, status)
	}
	return words
}

// Balance returns an account's balance.
func (p *Payouts) Balance(t *testing.T, account ledger.Account) money.Amount {
	t.Helper()
	ctx, read := p.Inside(t)
	var sum money.Amount
	for _, row := range read.Posting.Query().AllX(ctx) {
		if row.Account == string(account) {
			sum = sum.Add(row.Amount)
		}
	}
	return sum
}

// Holds checks the balance of an account.
func (p *Payouts) Holds(t *testing.T, account ledger.Account, want string) {
	t.Helper()
	if got := p.Balance(t, account).String(); got != want {
		t.Errorf("%s %s holds %s, want %s", account, account.Title(), got, want)
	}
}

// BalanceOf returns an account's balance for a syndicator.
func (p *Payouts) BalanceOf(t *testing.T, account ledger.Account, syndicatorID int) money.Amount {
	t.Helper()
	ctx, read := p.Inside(t)
	var sum money.Amount
	for _, row := range read.Posting.Query().AllX(ctx) {
		if row.Account == string(account) && row.SyndicatorID != nil && *row.SyndicatorID == syndicatorID {
			sum = sum.Add(row.Amount)
		}
	}
	return sum
}

// MakeShares is the mutation that creates the batch of all shares of 2026 that are due.
const MakeShares = `mutation {
	makePayoutBatch(input: {kind: PARTICIPATION, periodFrom: "2026-01-01", periodTo: "2026-12-31"}) {
		id status items { id amount status reversesId } } }`
