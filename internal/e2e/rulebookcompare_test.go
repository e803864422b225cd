package e2e

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"paydown/internal/booktest"
	"paydown/internal/payment"
	"paydown/internal/rulebook"
)

// compare compares the product with the rulebook: the trial balance, each open deal, each syndicator, and the
// payments of the deals that steps acted on.
func (s *simulation) compare() {
	s.t.Helper()
	var deals []*rulebook.Deal
	ids := []string{}
	for i, d := range s.rules.Deals {
		if isFunded(d) || isDefaulted(d) || s.touched[d] || i == len(s.rules.Deals)-1 { // one at least has to be asked for
			deals, ids = append(deals, d), append(ids, strconv.Itoa(d.ID))
		}
	}
	got := s.ask(s.maker(), wireState, object{"deals": ids})
	wrong := differences("account", trialOf(s.t, got.List("accounts")), s.rules.Books.Trial(rulebook.Where{}))
	var about []int
	nodes := map[int]object{}
	for _, n := range got.In("deals").List("nodes") {
		nodes[idIn(n, "id")] = n
	}
	for _, d := range deals {
		want := fmt.Sprintf("%s outstanding %s collected %s surplus %s written off %s recovered %s",
			d.State, d.Outstanding(), d.Collected(), max(d.Surplus(), 0), d.WrittenOff(), d.Recovered())
		n := nodes[d.ID]
		c := n.In("collection")
		is := fmt.Sprintf("%s outstanding %s collected %s surplus %s written off %s recovered %s", n.Text("state"),
			c.Text("outstanding"), c.Text("collected"), c.Text("surplus"), c.Text("writtenOff"), c.Text("recovered"))
		if is != want {
			wrong = append(wrong, fmt.Sprintf("deal %d is %s\n  want %s", d.ID, is, want))
			about = append(about, d.ID)
		}
	}
	for _, n := range got.In("syndicators").List("nodes") {
		for _, sy := range s.rules.Syndicators {
			want := fmt.Sprintf("wallet %s payable %s", s.rules.WalletOf(sy), s.rules.PayableTo(sy))
			is := fmt.Sprintf("wallet %s payable %s", n.In("balances").Text("wallet"), n.In("balances").Text("payable"))
			if sy.ID == idIn(n, "id") && is != want {
				wrong = append(wrong, fmt.Sprintf("syndicator %d has %s\n  want %s", sy.ID, is, want))
			}
		}
	}
	if len(wrong) > 0 {
		s.explain(wrong, about)
	}
	for d := range s.touched {
		if wrong := s.comparePayments(d); len(wrong) > 0 {
			s.explain(wrong, []int{d.ID})
		}
		s.compareQuote(d)
	}
	clear(s.touched)
}

// explain ends the test, and shows which deals' ledgers differ.
func (s *simulation) explain(wrong []string, about []int) {
	s.t.Helper()
	for _, d := range s.rules.Deals {
		sums, entries := s.ledgerOf(d.ID)
		diff := differences(fmt.Sprintf("deal %d account", d.ID), sums, s.rules.Books.Trial(rulebook.Where{Deal: d}))
		if len(diff) == 0 {
			continue
		}
		wrong = append(wrong, append(diff, s.describe(d))...)
		wrong = append(wrong, entries...)
		if !slices.Contains(about, d.ID) {
			about = append(about, d.ID)
		}
	}
	s.failAbout(about, "%s", strings.Join(wrong, "\n"))
}

func (s *simulation) describe(d *rulebook.Deal) string {
	t := d.Terms
	words := fmt.Sprintf(
		"deal %d: %s for %s in %d, bank fee %s, fees %s, commission %s", d.ID, t.Funded, t.Payback(), t.Payments, t.BankFee(),
		t.Fees(), t.Commission(),
	)
	for _, p := range d.Parts {
		words += fmt.Sprintf("\n  syndicator %d takes %s %% on %+v", p.ID, p.Share, p.PartTerms)
	}
	return words
}

// differences are the accounts whose balances differ.
func differences(what string, got, want map[string]rulebook.Cents) []string {
	accounts := slices.Sorted(maps.Keys(want))
	for account := range got {
		if _, ok := want[account]; !ok {
			accounts = append(accounts, account)
		}
	}
	var wrong []string
	for _, account := range accounts {
		if got[account] != want[account] {
			wrong = append(wrong, fmt.Sprintf("%s %s %s, want %s", what, account, got[account], want[account]))
		}
	}
	return wrong
}

// comparePayments compares the payments of a deal. Those that the product created are matched by type and
// amount. Payouts are compared by their sums.
func (s *simulation) comparePayments(d *rulebook.Deal) (wrong []string) {
	s.t.Helper()
	known, open := map[int]*rulebook.Payment{}, []*rulebook.Payment{}
	for _, p := range d.Payments {
		if p.ID != 0 {
			known[p.ID] = p
		} else {
			open = append(open, p)
		}
	}
	for _, is := range s.PaymentsOf(s.t, object{"id": float64(d.ID)}, "") {
		p := known[is.ID()]
		if p == nil && !payment.Type(is.Text("type")).ToSyndicator() {
			i := slices.IndexFunc(open, func(p *rulebook.Payment) bool {
				return p.Type == is.Text("type") && p.Amount.String() == is.Text("amount") && p.Status == is.Text("status")
			})
			if status := is.Text("status"); i < 0 && is.Text("type") == rulebook.Advance &&
				(status == rulebook.Pending || status == rulebook.Cancelled) {
				// The product reschedules the balance of a reopened deal. A schedule posts nothing: it is accepted as it
				// is.
				d.Add(&rulebook.Payment{ID: is.ID(), Type: rulebook.Advance, Amount: cents(s.t, is, "amount")}).Status = status
				continue
			}
			if i < 0 {
				wrong = append(
					wrong,
					fmt.Sprintf("deal %d has a payment %d, a %s of %s that is %s: nothing makes one", d.ID, is.ID(),
						is.Text("type"), is.Text("amount"), is.Text("status")),
				)
				continue
			}
			p = open[i]
			p.ID = is.ID()
			open = slices.Delete(open, i, i+1)
		}
		if p == nil {
			continue
		}
		cleared := ""
		if p.Status == rulebook.Paid {
			cleared = p.Cleared.String()
		}
		want := fmt.Sprintf("%s %s %s %s", p.Type, p.Amount, p.Status, cleared)
		got := fmt.Sprintf("%s %s %s %s", is.Text("type"), is.Text("amount"), is.Text("status"), is.Text("clearedDate"))
		if got != want {
			wrong = append(wrong, fmt.Sprintf("payment %d of deal %d is %s\n  want %s", is.ID(), d.ID, got, want))
		}
		delete(known, is.ID())
	}
	for _, p := range open {
		wrong = append(wrong, fmt.Sprintf("deal %d has no %s of %s that is %s", d.ID, p.Type, p.Amount, p.Status))
	}
	for _, p := range known {
		wrong = append(wrong, fmt.Sprintf("payment %d of deal %d is gone", p.ID, d.ID))
	}
	return wrong
}

// compareQuote compares the payoff amount of a deal today.
func (s *simulation) compareQuote(d *rulebook.Deal) {
	s.t.Helper()
	if d.Outstanding() == 0 || (d.State != rulebook.Funded && d.State != rulebook.Defaulted) {
		return
	}
	q := s.ask(s.Client, wireQuote, object{"deal": strconv.Itoa(d.ID)}).In("deal").In("payoff")
	want := d.Quote(s.day)
	if q.Text("amount") != want.Amount().String() || q.Text("discount") != want.Discount.String() {
		s.failAbout(
			[]int{d.ID}, "deal %d is settled by %s and forgiven %s, want %s and %s (of which fees %s)\n%s", d.ID,
			q.Text("amount"), q.Text("discount"), want.Amount(), want.Discount, want.Fees, s.describe(d),
		)
	}
}

// comparePast compares the trial balance at the end of earlier days.
func (s *simulation) comparePast(days ...rulebook.Day) {
	s.t.Helper()
	for _, day := range days {
		got := trialOf(s.t, s.ask(s.maker(), wireTrial, object{"asOf": day.String()}).List("accounts"))
		if wrong := differences("account", got, s.rules.Books.Trial(rulebook.Where{AsOf: day})); len(wrong) > 0 {
			s.fail("as of %s:\n%s", day, strings.Join(wrong, "\n"))
		}
	}
}

// compareBatch compares the sums of a batch's items for each payee, by status. For which payment a cent of
// rounding is paid is up to the product.
func (s *simulation) compareBatch(b *rulebook.Batch, is object) {
	s.t.Helper()
	if wrong := slices.Concat(
		differences("payee", s.standingOf(is), standingOf(b)), differences("payee", standingOf(b), s.standingOf(is)),
	); len(wrong) > 0 {
		s.fail("batch %d: %s\n  has %s", b.ID, strings.Join(wrong, "; "), booktest.Text(s.t, is))
	}
	if got := is.Text("status"); (got == "PAID") != b.IsPaid() {
		s.fail("batch %d is %s, want it paid: %t", b.ID, got, b.IsPaid())
	}
}

// standingOf returns the sums of a batch's items, by payee and status. Carried and paid are one status: a
// payee's items that net to zero are done either way. Canceled items pay nobody, and are left out.
func (s *simulation) standingOf(batch object) map[string]rulebook.Cents {
	s.t.Helper()
	sums := map[string]rulebook.Cents{}
	for _, item := range batch.List("items") {
		status := item.Text("status")
		if status == rulebook.Cancelled {
			continue
		}
		if wireCarried[status] {
			status = rulebook.Carried
		}
		sums[item.Text("syndicatorId")+" "+status] += cents(s.t, item, "amount")
	}
	return sums
}

func standingOf(b *rulebook.Batch) map[string]rulebook.Cents {
	sums := map[string]rulebook.Cents{}
	for _, item := range b.Items {
		status := item.Status
		if status == rulebook.Cancelled {
			continue
		}
		if status == rulebook.Paid || status == rulebook.Held {
			status = rulebook.Carried
		}
		sums[fmt.Sprintf("%d %s", item.Syndicator.ID, status)] += item.Amount
	}
	return sums
}
