package demo_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"paydown/ent"
	"paydown/ent/lead"
	entpayment "paydown/ent/payment"
	"paydown/ent/payoutitem"
	"paydown/ent/renewalopportunity"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/payment"
)

// counts of records by a value of theirs.
type counts map[string]int

func countBy[E any](rows []*E, value func(*E) string) counts {
	n := counts{}
	for _, row := range rows {
		n[value(row)]++
	}
	return n
}

func (n counts) is(t *testing.T, what string, want counts) {
	t.Helper()
	if !maps.Equal(n, want) {
		t.Errorf("%s are %v, want %v", what, n, want)
	}
}

// has holds that each of the values is there.
func (n counts) has(t *testing.T, what string, values ...string) {
	t.Helper()
	for _, v := range values {
		if n[v] == 0 {
			t.Errorf("%s have no %s: %v", what, v, n)
		}
	}
}

// contents are the records of one company.
type contents struct {
	merchants []*ent.Merchant
	deals     []*ent.Deal
	payments  []*ent.Payment
	leads     []*ent.Lead
	read      *ent.Client
	ctx       context.Context //nolint:containedctx // of a test's own reader
}

func contentsOf(t *testing.T, a *apptest.App, host string) contents {
	t.Helper()
	ctx, read := a.Operator(t, host), a.Store.Reader()
	return contents{
		read.Merchant.Query().WithContacts().AllX(ctx), read.Deal.Query().WithPayments().AllX(ctx),
		read.Payment.Query().WithBounceCode().AllX(ctx), read.Lead.Query().AllX(ctx), read, ctx,
	}
}

func (c contents) states() counts {
	return countBy(c.deals, func(d *ent.Deal) string { return string(d.State) })
}

func (c contents) products() counts {
	return countBy(c.deals, func(d *ent.Deal) string { return string(d.ProductType) })
}

func (c contents) types() counts {
	return countBy(c.payments, func(p *ent.Payment) string { return string(p.Type) })
}

func (c contents) statuses() counts {
	return countBy(c.payments, func(p *ent.Payment) string { return string(p.Status) })
}

func (c contents) leadsBy() counts {
	return countBy(c.leads, func(l *ent.Lead) string { return string(l.Status) })
}

// checkSmall holds what a small portfolio has of each kind, whatever the anchor.
func checkSmall(t *testing.T, a *apptest.App) {
	t.Helper()
	local, beacon := contentsOf(t, a, "localhost"), contentsOf(t, a, "beacon.localhost")
	local.states().is(t, "the deals", counts{
		"INCEPTION": 1, "SUBMITTED": 1, "PREFUNDED": 1, "FUNDED": 8,
		"DEFAULTED": 2, "CLOSED": 2, "RENEWED": 1, "WITHDRAWN": 1,
	})
	beacon.states().is(t, "the deals under the full policy", counts{"INCEPTION": 1, "SUBMITTED": 1, "WITHDRAWN": 1})
	local.products().has(t, "the deals", deal.MCA.Values()...)
	local.types().has(t, "the payments",
		"ORIGINAL_ADVANCE_PAYBACK", "ADVANCE_PAYBACK", "BOUNCE_FEE", "WIRE_FEE", "UCC_FEE",
		"APPLICATION_FEE", "OTHER_FEE", "EPO_DISCOUNT", "RENEWAL_PAYOFF", "PARTICIPATION_PAYOUT")
	local.statuses().has(t, "the payments", "PENDING", "PAID", "BOUNCED", "CANCELLED")
	local.leadsBy().has(t, "the leads", lead.Status("").Values()...)
	if len(beacon.payments) != 0 {
		t.Errorf("under the full policy there are %d payments", len(beacon.payments))
	}
	local.checkHistory(t, anchor)
	beacon.checkHistory(t, anchor)
	local.checkPapers(t)
	beacon.checkPapers(t)
	local.checkHooks(t)
}

// checkHistory holds that the past looks like one: nothing is in the future, nothing that is due was forgotten.
func (c contents) checkHistory(t *testing.T, anchor civil.Date) {
	t.Helper()
	overdue := 0
	for _, d := range c.deals {
		if day := civil.On(d.UpdatedAt, d.CreatedAt.Location()); day.After(anchor) {
			t.Errorf("%s changed on %s", d.DealNumber, day)
		}
		if d.State.Live() != (d.FundedAt != nil) || d.State.Live() != (len(d.Edges.Payments) > 0) {
			t.Errorf("%s is %s with %d payments, funded at %v", d.DealNumber, d.State, len(d.Edges.Payments), d.FundedAt)
		}
	}
	for _, p := range c.payments {
		if p.ClearedDate != nil && !p.ClearedDate.Before(anchor) {
			t.Errorf("payment %d cleared on %s", p.ID, p.ClearedDate)
		}
		if p.Status == payment.Bounced && p.SyndicatorID == nil && p.Edges.BounceCode == nil {
			t.Errorf("payment %d bounced for no reason", p.ID)
		}
		if p.Status == payment.Pending && p.ScheduledDate != nil && p.ScheduledDate.Before(anchor) {
			overdue++
		}
	}
	if overdue*20 > len(c.payments) {
		t.Errorf("%d of %d payments are overdue", overdue, len(c.payments))
	}
	for _, m := range c.merchants {
		if len(m.Edges.Contacts) == 0 || m.FederalID == nil || (*m.FederalID)[:3] != "00-" || m.State == nil {
			t.Errorf("merchant %s is incomplete: %+v", m.LegalName, m)
		}
	}
}

// The whole portfolio, on the database on which it is mostly looked at.
func TestWholePortfolio(t *testing.T) {
	t.Parallel()
	a := apptest.OnSQLite(t)
	made := command(t, a, "--anchor", anchor.String())
	checkIntegrity(t, a)
	local, beacon := contentsOf(t, a, "localhost"), contentsOf(t, a, "beacon.localhost")
	if n, m := len(local.merchants), len(beacon.merchants); n != 42 || m != 18 {
		t.Errorf("the companies have %d and %d merchants", n, m)
	}
	if states := countBy(local.merchants, func(m *ent.Merchant) string { return *m.State }); len(states) != 42 {
		t.Errorf("the merchants are in %d states", len(states))
	}
	local.states().is(t, "the deals", counts{
		"INCEPTION": 4, "SUBMITTED": 5, "PREFUNDED": 5, "FUNDED": 28,
		"DEFAULTED": 5, "CLOSED": 12, "RENEWED": 6, "WITHDRAWN": 5,
	})
	local.products().is(t, "the products", counts{
		"MCA": 40, "FACTORING": 5, "TERM_LOAN": 7, "LOC": 6, "SBA": 5, "EQUIPMENT": 7,
	})
	beacon.states().is(t, "the deals under the full policy", counts{"INCEPTION": 6, "SUBMITTED": 10, "WITHDRAWN": 4})
	beacon.products().is(t, "the products under the full policy", counts{
		"MCA": 8, "FACTORING": 2, "TERM_LOAN": 3, "LOC": 2, "SBA": 2, "EQUIPMENT": 3,
	})
	local.leadsBy().is(t, "the leads", counts{"NEW": 6, "CONTACTED": 5, "QUALIFIED": 5, "CONVERTED": 8, "DEAD": 6})
	beacon.leadsBy().is(t, "the leads under the full policy", counts{
		"NEW": 3, "CONTACTED": 3, "QUALIFIED": 2, "CONVERTED": 4, "DEAD": 2,
	})
	local.types().has(t, "the payments", payment.AdvancePayback.Values()...)
	local.statuses().has(t, "the payments", payment.Pending.Values()...)
	if n := len(local.payments); n < 3000 || n > 5000 {
		t.Errorf("there are %d payments", n)
	}
	if paid := local.statuses()["PAID"]; paid < 2000 {
		t.Errorf("%d payments were collected", paid)
	}
	local.checkHistory(t, anchor)
	beacon.checkHistory(t, anchor)
	local.checkTrouble(t)
	local.checkParties(t)
	beacon.checkParties(t)
	local.checkPapers(t)
	beacon.checkPapers(t)
	checkLists(t, a.As("localhost", made.Tenants[0].Keys[1].Token))
	checkLists(t, a.As("beacon.localhost", made.Tenants[1].Keys[1].Token), "renewals", "uccFilings", "payouts")
	local.checkHooks(t)
}

// checkTrouble holds that collecting goes wrong in the ways that it does.
func (c contents) checkTrouble(t *testing.T) {
	t.Helper()
	codes := counts{}
	again, madeUp := 0, 0
	for _, p := range c.payments {
		if p.Status == payment.Bounced && p.Edges.BounceCode != nil {
			codes[p.Edges.BounceCode.Code]++
		}
		if p.Status == payment.Paid && p.Episode > 1 {
			again++
		}
		if p.MadeUpByID != nil {
			madeUp++
		}
	}
	codes.has(t, "the returns", "R01", "R08", "R09")
	if len(codes) < 5 || again < 3 || madeUp < 5 {
		t.Errorf("the returns are %v; %d were paid again and %d made up", codes, again, madeUp)
	}
	opportunities := c.read.RenewalOpportunity.Query().AllX(c.ctx)
	countBy(opportunities, func(o *ent.RenewalOpportunity) string { return string(o.Status) }).
		has(t, "the renewals", renewalopportunity.Status("").Values()...)
	if n := c.read.PayoutItem.Query().Where(payoutitem.StatusEQ(payoutitem.StatusCLAWED_BACK)).CountX(c.ctx); n == 0 {
		t.Error("no commission was clawed back")
	}
	early := c.read.Payment.Query().Where(entpayment.TypeEQ(payment.EPODiscount)).CountX(c.ctx)
	if early != 3 {
		t.Errorf("%d deals were paid off early", early)
	}
}

// checkParties holds that there is somebody to do business with.
func (c contents) checkParties(t *testing.T) {
	t.Helper()
	isos, funders, syndicators := c.read.ISO.Query().CountX(c.ctx), c.read.Funder.Query().CountX(c.ctx),
		c.read.Syndicator.Query().CountX(c.ctx)
	analyses := c.read.StatementAnalysis.Query().CountX(c.ctx)
	shares := c.read.Participation.Query().CountX(c.ctx)
	if isos < 3 || funders < 3 || syndicators < 2 || analyses < 10 || shares == 0 {
		t.Errorf("%d ISOs, %d funders, %d syndicators, %d analyses, %d participations",
			isos, funders, syndicators, analyses, shares)
	}
}

// Whatever the weekday and the season, the deals stand where the tables say.
func TestDemoOfAnyDay(t *testing.T) {
	days := []string{"2026-01-01", "2025-11-30", "2024-02-29"}
	if apptest.Soaking() {
		for n := range 60 { // of every weekday and season
			days = append(days, civil.Must("2026-01-02").AddDays(13*n).String())
		}
	}
	for _, day := range days {
		t.Run(day, func(t *testing.T) {
			t.Parallel()
			a := apptest.OnSQLite(t)
			command(t, a, "--small", "--anchor", day)
			checkIntegrity(t, a)
			contentsOf(t, a, "localhost").checkPapers(t)
			contentsOf(t, a, "beacon.localhost").checkPapers(t)
			ctx := auth.AllTenants(t.Context(), "test")
			deals := a.Store.Reader().Deal.Query().AllX(ctx)
			states := countBy(deals, func(d *ent.Deal) string { return fmt.Sprintf("%d %s", d.TenantID, d.State) })
			if got := slices.Sorted(maps.Keys(states)); len(deals) != 20 || len(got) != 11 {
				t.Errorf("there are %d deals: %v", len(deals), states)
			}
		})
	}
}
