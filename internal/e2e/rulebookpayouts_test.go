package e2e

import (
	"slices"
	"strconv"

	"paydown/internal/booktest"
	"paydown/internal/rulebook"
)

// What a simulation pays to syndicators and ISOs: batches that one staff member creates and another approves.

// payOut creates, approves and pays batches on some days; on the last day everything payable.
func (s *simulation) payOut(last bool) {
	if s.payouts {
		for _, b := range s.unpaid() {
			if last || s.rng.IntN(2) == 0 {
				s.advance(b)
			}
		}
		if last || s.rng.IntN(4) == 0 {
			s.makeBatch()
		}
		if s.failures {
			s.failTransfer()
		}
	}
	if s.commissions && (last || s.rng.IntN(4) == 0) {
		s.payCommissions()
	}
}

// unpaid returns the batches that are not paid, in order of creation.
func (s *simulation) unpaid() (batches []*rulebook.Batch) {
	for _, b := range s.rules.Batches {
		if s.open[b] != "" {
			batches = append(batches, b)
		}
	}
	return batches
}

// makeBatch drafts a batch of what is due.
func (s *simulation) makeBatch() {
	s.compare() // an item is on account of a payment, which has to be known
	want := s.rules.Make(s.day)
	if want == nil {
		return
	}
	s.step(nil, "a batch of syndicators' shares is made: %v", standingOf(want))
	is := s.ask(s.maker(), wireMake, object{"input": object{
		"kind": "PARTICIPATION", "periodFrom": s.start.String(), "periodTo": s.day.String(),
	}}).In("makePayoutBatch")
	want.ID = idIn(is, "id")
	s.open[want] = "DRAFT"
	s.compareBatch(want, is)
}

// advance approves or pays a batch.
func (s *simulation) advance(b *rulebook.Batch) {
	id := object{"id": strconv.Itoa(b.ID)}
	if s.open[b] == "DRAFT" {
		if b.IsPaid() { // of a draft whose payments have all come back nothing is left to approve
			delete(s.open, b)
			return
		}
		s.step(nil, "batch %d is approved", b.ID)
		s.ask(s.checker(), wireApprove, id)
		s.open[b] = "APPROVED"
		return
	}
	s.step(nil, "batch %d is paid: %v", b.ID, standingOf(b))
	is := s.ask(s.maker(), wirePay, id).In("payPayoutBatch")
	s.rules.PayBatch(b, s.day)
	s.compareBatch(b, is)
	if b.IsPaid() {
		delete(s.open, b)
	}
}

// failTransfer now and then has a payee's transfer of a paid batch bounce, and pays it again.
func (s *simulation) failTransfer() {
	if s.rng.IntN(6) > 0 || len(s.rules.Batches) == 0 {
		return
	}
	b := s.rules.Batches[s.rng.IntN(len(s.rules.Batches))]
	net := map[*rulebook.Syndicator]rulebook.Cents{}
	var payees []*rulebook.Syndicator
	for _, item := range b.Items {
		if item.Status == rulebook.Paid {
			if !slices.Contains(payees, item.Syndicator) {
				payees = append(payees, item.Syndicator)
			}
			net[item.Syndicator] += item.Amount
		}
	}
	sy := pickOf(s, payees)
	if sy == nil || net[sy] <= 0 {
		return
	}
	s.step(nil, "the transfer of batch %d to syndicator %d fails and is made again", b.ID, sy.ID)
	items := s.ask(s.maker(), wireBatch, object{"id": strconv.Itoa(b.ID)}).In("payout").List("items")
	ofPayee := func(status string, operation string, once bool) {
		for _, item := range items {
			if idIn(item, "syndicatorId") == sy.ID && item.Text("status") == status {
				s.ask(s.maker(), operation, object{"id": item.Text("id")})
				if once {
					return
				}
			}
		}
	}
	ofPayee("PAID", wireFail, true)
	s.rules.FailTransfer(b, sy, s.day)
	is := s.ask(s.maker(), wireBatch, object{"id": strconv.Itoa(b.ID)}).In("payout")
	s.compareBatch(b, is)
	s.compare()
	items = is.List("items")
	ofPayee("FAILED", wireRelease, false)
	b.Release(sy)
	is = s.ask(s.maker(), wirePay, object{"id": strconv.Itoa(b.ID)}).In("payPayoutBatch")
	s.rules.PayBatch(b, s.day)
	s.compareBatch(b, is)
}

// clear waits until every holding period is over and pays out: nothing may remain owed, and a debit balance is
// exactly what is carried.
func (s *simulation) clear() {
	for range rulebook.HoldDays + 1 {
		s.begin()
		s.payOut(true)
		s.end(false)
	}
	s.begin()
	for round := 0; len(s.open) > 0 && round < 4; round++ {
		for _, b := range s.unpaid() {
			s.advance(b)
		}
	}
	s.makeBatch()
	for round := 0; len(s.open) > 0 && round < 4; round++ {
		for _, b := range s.unpaid() {
			s.advance(b)
		}
	}
	s.end(true)
	for _, sy := range s.rules.Syndicators {
		if left := s.rules.PayableTo(sy); left > 0 {
			s.fail("syndicator %d is still owed %s after the last hold", sy.ID, left)
		}
	}
}

// payCommissions approves the product's drafts, and pays the safe commissions; now and then one at risk is paid
// early.
func (s *simulation) payCommissions() {
	for _, d := range s.rules.Deals {
		if owed, _ := d.CommissionWaits(s.day); owed && s.day == d.FundedOn+rulebook.ClawbackDays {
			return // whether it is safe is a matter of hours
		}
	}
	for _, b := range s.ask(s.maker(), wireBatches, nil).In("payouts").List("nodes") {
		if b.Text("status") == "PAID" || !slices.ContainsFunc(b.List("items"), isOpen) {
			continue
		}
		id := object{"id": b.Text("id")}
		if b.Text("status") == "DRAFT" {
			s.step(nil, "commission batch %s is approved", b.Text("id"))
			s.ask(s.checker(), wireApprove, id)
		}
		early := s.rng.IntN(3) == 0
		due, items := s.commissionsIn(b, early)
		if len(due) == 0 {
			continue
		}
		if early {
			id["items"] = items
		}
		s.step(
			nil, "commission batch %s is paid, items %v of %s", b.Text("id"), id["items"], booktest.Text(s.t, b.List("items")),
		)
		s.ask(s.maker(), wirePay, id)
		for _, iso := range s.rules.ISOs {
			if len(due[iso]) > 0 {
				s.rules.PayCommissions(iso, due[iso], s.day)
			}
		}
		s.compare()
	}
}

// isOpen reports whether an item of a batch is still to be paid by it.
func isOpen(item object) bool {
	return item.Text("carriedAt") == "" && slices.Contains([]string{"PENDING", "HELD", "FAILED"}, item.Text("status"))
}

// commissionsIn returns the deals whose commissions a batch can pay now, by ISO: all safe ones, or a single one
// in any case.
func (s *simulation) commissionsIn(b object, early bool) (due map[*rulebook.ISO][]*rulebook.Deal, items []string) {
	due = map[*rulebook.ISO][]*rulebook.Deal{}
	for _, item := range b.List("items") {
		for _, d := range s.rules.Deals {
			owed, safe := d.CommissionWaits(s.day)
			if d.ID != idIn(item, "dealId") || item.Text("carriedAt") != "" || cents(s.t, item, "amount") < 0 || !owed ||
				(!early && !safe) ||
				(early && len(items) > 0) {
				continue
			}
			due[d.ISO] = append(due[d.ISO], d)
			items = append(items, item.Text("id"))
		}
	}
	return due, items
}
