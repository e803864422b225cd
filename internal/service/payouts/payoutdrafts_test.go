package payouts_test

import (
	"fmt"
	"sync"
	"testing"

	"paydown/ent/payoutbatch"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
)

// The product drafts payouts of a syndicator paid weekly: on the Monday after each week, once, including what
// was held before, and on a later day if no process ran on that Monday. Syndicators without a known frequency
// are left to staff.
func TestPayoutsAreDraftedAtTheFrequencyOfTheSyndicator(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		p := booktest.OpenPayouts(t, a)
		byHand := p.Create(t, "/syndicators", object{"name": "Alder Court Capital LP", "distributionFrequency": "on request"})
		p.Change(t, booktest.At("syndicators", p.Syndicator), object{"distributionFrequency": "Weekly"})
		p.Maker(t).
			Graph(t, fmt.Sprintf(`mutation { depositToWallet(id: %d, input: {amount: "100000"}) { id } }`, byHand.ID()), nil)
		first := p.Deal(t)
		shared := p.Syndicator
		p.Syndicator = byHand
		second := p.Deal(t)
		p.Syndicator = shared
		pay := func(deal object, n int) {
			t.Helper()
			p.Change(t, booktest.At("payments", p.PaymentsOf(t, deal, "&sort=scheduledDate")[n]), object{"status": "PAID"})
		}
		drafts := func(want int) {
			t.Helper()
			if got, err := p.App.Payouts.DraftDue(t.Context()); err != nil || got != want {
				t.Fatalf("%d batches are drafted, want %d: %v", got, want, err)
			}
		}
		pay(first, 0)
		pay(second, 0)
		drafts(0) // Monday: nothing is due of the week before
		p.Days(3)
		drafts(0)
		p.Days(2) // the next Monday, on which the holds are over
		if n := draftedAtOnce(t, p); n != 1 {
			t.Errorf("%d batches are drafted by two processes, want 1", n)
		}
		drafts(0)
		pay(first, 1)
		p.Days(6) // the Tuesday of the week after the next: Monday the 19th was a holiday, and on Tuesday nobody was there
		drafts(1)

		ctx, read := p.Inside(t)
		var periods []string
		batches := read.PayoutBatch.Query().Where(payoutbatch.KindEQ(payoutbatch.KindPARTICIPATION))
		for _, b := range batches.Order(payoutbatch.ByID()).WithItems().AllX(ctx) {
			periods = append(periods, fmt.Sprintf("%s to %s %s", b.PeriodFrom, b.PeriodTo, b.Status))
			if b.CreatedByUserID != nil || len(b.Edges.Items) != 1 || *b.Edges.Items[0].SyndicatorID != p.Syndicator.ID() ||
				b.Edges.Items[0].Amount.String() != "200.00" {
				t.Errorf("batch %d has %v", b.ID, b.Edges.Items)
			}
		}
		booktest.WantWords(t, "the batches", periods, "2026-01-05 to 2026-01-11 DRAFT", "2026-01-12 to 2026-01-18 DRAFT")
		if words := p.Settle(t, "1"); words[0] != "PAID" {
			t.Errorf("the batch is %v", words)
		}
		booktest.Verify(t, p.App)
	})
}

// draftedAtOnce has two processes draft, and returns how many batches that created.
func draftedAtOnce(t *testing.T, p *booktest.Payouts) int {
	t.Helper()
	other := p.App.Replica(t)
	other.Clock.Set(p.App.Clock.Now())
	var drafted [2]int
	var both sync.WaitGroup
	for i, app := range []*apptest.App{p.App, other} {
		both.Go(func() {
			var err error
			if drafted[i], err = app.Payouts.DraftDue(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	return drafted[0] + drafted[1]
}
