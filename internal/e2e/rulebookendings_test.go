package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"paydown/internal/rulebook"
)

// The steps of a simulation that end or reopen deals.

func (s *simulation) moved(d *rulebook.Deal, state string) {
	s.step(d, "deal %d becomes %s", d.ID, state)
	s.send(http.MethodPatch, fmt.Sprintf("/deals/%d", d.ID), object{"state": state})
	s.touched[d] = true
}

// putInDefault avoids the last day of the clawback: its last hour depends on the clock.
func putInDefault(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool { return isFunded(d) && s.day != d.FundedOn+rulebook.ClawbackDays })
	if d != nil {
		s.moved(d, rulebook.Defaulted)
		s.rules.Default(d, s.day)
	}
}

func cure(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool { return isDefaulted(d) && d.WrittenOff() == 0 && d.Outstanding() > 0 })
	if d != nil {
		s.moved(d, rulebook.Funded)
		s.rules.Cure(d)
	}
}

func writeOff(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool { return isDefaulted(d) && d.WrittenOff() == 0 && d.Outstanding() > 0 })
	if d == nil {
		return
	}
	s.step(d, "deal %d is written off", d.ID)
	s.ask(s.maker(), wireWriteOff, object{"id": d.ID})
	s.rules.WriteOff(d, s.day)
	s.touched[d] = true
}

func recoverSome(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool { return d.WrittenOff() > 0 && d.Recovered() < d.WrittenOff() })
	if d != nil {
		s.receive(
			d.Add(&rulebook.Payment{Type: rulebook.Advance, Amount: s.amount(1, min(d.WrittenOff()-d.Recovered(), 3_000_00))}),
			nil,
		)
	}
}

// renewal is an opportunity to renew a deal.
type renewal struct {
	id    string
	prior *rulebook.Deal
}

func renew(s *simulation) {
	s.ask(s.Client, wireScan, nil)
	var open []*renewal
	for _, n := range s.ask(s.Client, wireRenewals, nil).In("renewals").List("nodes") {
		for _, d := range s.rules.Deals {
			if d.ID == idIn(n, "priorDealId") && isFunded(d) && d.Outstanding() > 0 && s.isAlone(d) {
				open = append(open, &renewal{n.Text("id"), d})
			}
		}
	}
	if of := pickOf(s, open); of != nil {
		s.compare() // the payoff takes in fees, whose payments have to be known
		s.fund(of)
	}
}

// isAlone reports whether a deal is the only open one of its merchant. A deal renewed earlier is open again if
// one of its payments bounced; it can be renewed again once the deal that renewed it is closed.
func (s *simulation) isAlone(d *rulebook.Deal) bool {
	for _, other := range s.rules.Deals {
		if other != d && s.merchants[other] == s.merchants[d] && (isFunded(other) || isDefaulted(other)) {
			return false
		}
	}
	return true
}

// payable picks a deal that has an early price today and no unpaid fees.
func (s *simulation) payable() *rulebook.Deal {
	return s.dealWhere(func(d *rulebook.Deal) bool {
		q := d.Quote(s.day)
		return isFunded(d) && q.Discount > 0 && q.Payoff > 0 && q.Fees == 0
	})
}

func discountAndPay(s *simulation) {
	d := s.payable()
	if d == nil {
		return
	}
	q := d.Quote(s.day)
	discount := d.Add(&rulebook.Payment{Type: rulebook.Discount, Amount: q.Discount})
	s.receive(discount, object{"method": "OTHER"})
	s.receive(d.Add(&rulebook.Payment{Type: rulebook.Advance, Amount: q.Payoff, Forgives: discount}), nil)
}

func payOff(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool {
		q := d.Quote(s.day)
		return isFunded(d) && q.Payoff > 0 && q.Fees == 0
	})
	if d == nil {
		return
	}
	s.step(d, "deal %d is paid off early by %s", d.ID, d.Quote(s.day).Amount())
	s.ask(
		s.maker(), wirePayOff,
		object{"id": d.ID, "input": object{"date": s.day.String(), "method": "WIRE", "reference": "payoff"}},
	)
	s.rules.PayOff(d, s.day)
	s.touched[d] = true
}

// payOffByREST is the single payment that meets the quote.
func payOffByREST(s *simulation) {
	d := s.payable()
	if d == nil {
		return
	}
	amount := d.Quote(s.day).Amount()
	s.step(d, "deal %d is paid off early by a payment of %s", d.ID, amount)
	id := s.send(http.MethodPost, "/payments", object{
		"dealId": d.ID, "type": rulebook.Advance, "amount": amount.String(), "status": "PAID", "method": "WIRE",
	}).ID()
	s.rules.PayOff(d, s.day).ID = id
	s.touched[d] = true
}

// moveClearing moves the clearing date of a paid payment. A payoff keeps the day of its quote.
func moveClearing(s *simulation) {
	p := s.paymentWhere(func(p *rulebook.Payment) bool {
		return isPaid(p) && isReceipt(p) && p.Forgives == nil && p.Deal.FundedOn < s.day
	})
	if p == nil {
		return
	}
	to := p.Deal.FundedOn + rulebook.Day(s.rng.IntN(int(s.day-p.Deal.FundedOn)+1))
	if to == p.Cleared {
		return
	}
	s.step(p.Deal, "deal %d: payment %d cleared on %s instead of %s", p.Deal.ID, p.ID, to, p.Cleared)
	s.send(http.MethodPatch, fmt.Sprintf("/payments/%d", p.ID), object{"clearedDate": to.String()})
	s.rules.MoveCleared(p, to)
	s.touched[p.Deal] = true
}

// debitUnderHold requests an ACH debit on a deal whose latest return stops debits. Other methods still work.
func debitUnderHold(s *simulation) {
	stops := map[string]bool{"R02": true, "R03": true, "R08": true, "R10": true, "R16": true, "R29": true}
	d := s.dealWhere(func(d *rulebook.Deal) bool {
		for _, p := range d.Payments {
			if stops[p.Code] && isFunded(d) {
				return true
			}
		}
		return false
	})
	if d == nil {
		return
	}
	body := object{"dealId": d.ID, "type": rulebook.Advance, "amount": "10.00", "method": "ACH"}
	s.step(d, "deal %d: an ACH debit is asked for under a hold", d.ID)
	s.conflicts(http.MethodPost, "/payments", body, "the deal is under a collection hold")
	body["method"] = "CHECK"
	p := d.Add(&rulebook.Payment{Type: rulebook.Advance, Amount: 10_00})
	p.ID = s.send(http.MethodPost, "/payments", body).ID()
	s.touched[d] = true
}

// takeTooMuch requests to extinguish a receivable, or pay a syndicator, without cause.
func takeTooMuch(s *simulation) {
	d := s.dealWhere(isFunded)
	if d == nil {
		return
	}
	try := func(kind string, amount rulebook.Cents, more object, why string) {
		body := object{"dealId": d.ID, "type": kind, "amount": amount.String(), "status": "PAID"}
		maps.Copy(body, more)
		s.step(d, "deal %d: a %s of %s must be refused", d.ID, kind, amount)
		s.conflicts(http.MethodPost, "/payments", body, why)
	}
	switch s.rng.IntN(4) {
	case 0:
		try(rulebook.Discount, d.Quote(s.day).Discount+1, object{"method": "OTHER"}, "no payoff grants so much")
	case 1:
		try(rulebook.RenewalPayoff, min(d.Outstanding(), 5_00), object{"method": "OFFSET"}, "it comes from a renewal alone")
	case 2:
		try(rulebook.Adjustment, -(d.Collected() + 1), object{"method": "OTHER"}, "more than was collected")
	case 3:
		for _, p := range d.Parts {
			owed := max(s.rules.PayableTo(p.Syndicator), 0)
			try(rulebook.SyndicatorPayout, owed+1, object{"syndicatorId": p.ID}, "more than is owed")
		}
	}
	s.touched[d] = true
}

// payByHand pays a syndicator a part of what is owed, outside of any batch.
func payByHand(s *simulation) {
	sy := pickOf(s, s.rules.Syndicators)
	d := s.dealWhere(func(d *rulebook.Deal) bool {
		for _, p := range d.Parts {
			if p.Syndicator == sy {
				return true
			}
		}
		return false
	})
	owed := s.rules.PayableTo(sy)
	for _, b := range s.unpaid() {
		for _, item := range b.Items {
			if item.Syndicator == sy {
				return // what is in a batch is about to be paid
			}
		}
	}
	if d == nil || owed <= 1 {
		return
	}
	p := d.Add(&rulebook.Payment{Type: rulebook.SyndicatorPayout, Amount: s.amount(1, owed), Syndicator: sy})
	s.receive(p, object{"syndicatorId": sy.ID})
}

// transfer records the outcome of an advance in transit to a merchant.
func transfer(s *simulation) {
	d := s.dealWhere(isFunded)
	if d == nil {
		return
	}
	for _, t := range s.ask(s.Client, wireTransfers, object{"deal": strconv.Itoa(d.ID)}).In("deal").List("disbursements") {
		input := object{"status": "SENT"}
		if t.Text("status") == "SENT" {
			input["status"] = "SETTLED"
			if s.rng.IntN(2) == 0 {
				input = object{"status": "FAILED", "failureReason": "No such account"}
			}
		}
		if t.Text("status") == "SETTLED" {
			return
		}
		s.step(d, "deal %d: its transfer, %s, is %s", d.ID, t.Text("status"), input["status"])
		s.ask(s.maker(), wireTransfer, object{"id": t.Text("id"), "input": input})
		switch {
		case input["status"] == "FAILED":
			s.rules.AdvanceFails(d, s.day)
		case t.Text("status") == "FAILED":
			s.rules.AdvanceIsSentAgain(d, s.day)
		}
	}
	s.touched[d] = true
}
