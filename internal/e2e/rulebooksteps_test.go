package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"paydown/internal/rulebook"
)

// allSteps are the steps of a simulation, in a fixed order.
var allSteps = []struct {
	name string
	take func(s *simulation)
}{
	{"fund", fundAnother},
	{"collect", collectRow},
	{"return", func(s *simulation) { s.giveBack(isInstalment) }},
	{"return unpaid", returnUnpaid},
	{"pay again", payAgain},
	{"extra", func(s *simulation) { s.extra(rulebook.Advance, false) }},
	{"overpay", func(s *simulation) { s.extra(rulebook.Advance, true) }},
	{"prepay", prepay},
	{"adjust up", func(s *simulation) { s.extra(rulebook.Adjustment, false) }},
	{"adjust down", adjustDown},
	{"fee", chargeFee},
	{"pending fee", pendingFee},
	{"pay fee", payFee},
	{"return fee", func(s *simulation) { s.giveBack((*rulebook.Payment).IsFee) }},
	{"deposit", func(s *simulation) { s.deposit(pickOf(s, s.rules.Syndicators), s.amount(1_00, 9_999_99)) }},
	{"withdraw", withdraw},
	{"default", putInDefault},
	{"cure", cure},
	{"write off", writeOff},
	{"recover", recoverSome},
	{"return recovery", func(s *simulation) { s.giveBack((*rulebook.Payment).IsRecovery) }},
	{"return late", func(s *simulation) { s.giveBack(isWrittenOff) }},
	{"renew", renew},
	{"return renewed", func(s *simulation) { s.giveBack(isOfRenewed) }},
	{"discount and pay", discountAndPay},
	{"pay off", payOff},
	{"pay off by REST", payOffByREST},
	{"return payoff", func(s *simulation) { s.giveBack(isPayoff) }},
	{"refund payoff", refundPayoff},
	{"pay by hand", payByHand},
	{"move clearing", moveClearing},
	{"debit under a hold", debitUnderHold},
	{"take too much", takeTooMuch},
	{"transfer", transfer},
}

// pickOf picks one of several; the zero value if there is none.
func pickOf[E any](s *simulation, from []E) (one E) {
	if len(from) == 0 {
		return one
	}
	return from[s.rng.IntN(len(from))]
}

func (s *simulation) amount(least, most rulebook.Cents) rulebook.Cents {
	return least + rulebook.Cents(s.rng.Int64N(int64(most-least)+1))
}

// dealWhere picks a matching deal; nil if there is none.
func (s *simulation) dealWhere(is func(*rulebook.Deal) bool) *rulebook.Deal {
	var fit []*rulebook.Deal
	for _, d := range s.rules.Deals {
		if is(d) {
			fit = append(fit, d)
		}
	}
	return pickOf(s, fit)
}

func isFunded(d *rulebook.Deal) bool { return d.State == rulebook.Funded }

func isDefaulted(d *rulebook.Deal) bool { return d.State == rulebook.Defaulted }

func isRunning(d *rulebook.Deal) bool { return isFunded(d) || isDefaulted(d) && d.WrittenOff() == 0 }

// paymentWhere picks a matching payment; nil if there is none. Recent ones are likelier.
func (s *simulation) paymentWhere(is func(*rulebook.Payment) bool) *rulebook.Payment {
	var fit []*rulebook.Payment
	for _, d := range s.rules.Deals {
		for _, p := range d.Payments {
			if p.ID != 0 && is(p) {
				fit = append(fit, p)
			}
		}
	}
	if len(fit) == 0 {
		return nil
	}
	slices.SortStableFunc(fit, func(a, b *rulebook.Payment) int { return int(b.Cleared - a.Cleared) })
	return fit[min(s.rng.IntN(len(fit)), s.rng.IntN(len(fit)))]
}

func isReceipt(p *rulebook.Payment) bool {
	return p.Type == rulebook.Original || p.Type == rulebook.Advance || p.Type == rulebook.Adjustment && p.Amount > 0
}

func isPaid(p *rulebook.Payment) bool { return p.Status == rulebook.Paid }

func isInstalment(p *rulebook.Payment) bool {
	return isReceipt(p) && isPaid(p) && p.Forgives == nil &&
		(isRunning(p.Deal) || p.Deal.State == rulebook.Closed && p.Deal.WrittenOff() == 0)
}

func isWrittenOff(p *rulebook.Payment) bool {
	return isReceipt(p) && isPaid(p) && p.Deal.WrittenOff() > 0 && !p.IsRecovery()
}

func isOfRenewed(p *rulebook.Payment) bool {
	return isReceipt(p) && isPaid(p) && p.Deal.State == rulebook.Renewed
}

// isRefunded reports whether the return of a payment leaves a deal with more refunded than collected.
func isRefunded(p *rulebook.Payment) bool {
	return isReceipt(p) && !p.IsRecovery() && p.Deal.Collected()+p.Deal.Surplus() < p.Amount
}

func isPayoff(p *rulebook.Payment) bool { return isPaid(p) && p.Forgives != nil }

// deposit pays into a wallet.
func (s *simulation) deposit(sy *rulebook.Syndicator, amount rulebook.Cents) {
	s.step(nil, "syndicator %d pays %s in", sy.ID, amount)
	s.ask(s.Client, wireDeposit, object{"id": sy.ID, "input": object{"amount": amount.String()}})
	s.rules.Deposit(sy, amount, s.day)
}

func withdraw(s *simulation) {
	sy := pickOf(s, s.rules.Syndicators)
	amount := s.amount(1, 500_00)
	s.step(nil, "syndicator %d draws %s", sy.ID, amount)
	s.ask(s.Client, wireWithdraw, object{"id": sy.ID, "input": object{"amount": amount.String()}})
	s.rules.Deposit(sy, -amount, s.day)
}

// terms are random, with few payments, so that deals end.
func (s *simulation) terms() rulebook.Terms {
	t := rulebook.Terms{
		Funded: s.amount(
			1_000_00, 50_000_00,
		), Factor: rulebook.Rate(1_100_000 + 100*s.rng.IntN(4000)), Payments: 6 + s.rng.IntN(25),
		Wire: 25_00, ApplicationFee: rulebook.Cents(s.rng.IntN(3)) * 49_50,
	}
	switch s.rng.IntN(3) {
	case 0:
		t.BankFeeBasis, t.BankFeeValue = rulebook.Flat, rulebook.Rate(s.rng.IntN(200_00))*10_000
	case 1:
		t.BankFeeBasis, t.BankFeeValue = rulebook.OfFunded, rulebook.Rate(s.rng.IntN(4_000_000))
	case 2:
		t.BankFeeBasis, t.BankFeeValue = rulebook.OfPayback, rulebook.Rate(s.rng.IntN(3_000_000))
	}
	switch s.rng.IntN(4) {
	case 0:
		t.CommissionBasis, t.CommissionValue = rulebook.OfFunded, rulebook.Rate(1+s.rng.IntN(12_000_000))
	case 1:
		t.CommissionBasis, t.CommissionValue = rulebook.OfPayback, rulebook.Rate(1+s.rng.IntN(10_000_000))
	case 2:
		t.CommissionBasis, t.CommissionValue = rulebook.Flat, rulebook.Rate(1+s.rng.IntN(900_00))*10_000
	case 3:
		t.Buy = 1_050_000
		t.CommissionBasis, t.CommissionValue = rulebook.Points, rulebook.Rate(1+s.rng.IntN(5_000_000))
	}
	if s.epo && s.rng.IntN(2) == 0 {
		t.EPOFactor, t.EPODays = 1_050_000, 20+s.rng.IntN(60)
	}
	if s.rng.IntN(3) == 0 {
		t.DefaultSurcharge = 75_00
	}
	return t
}

// mostRunning is how many deals run at once, so that existing ones end.
const mostRunning = 40

func fundAnother(s *simulation) {
	running := 0
	for _, d := range s.rules.Deals {
		if isRunning(d) {
			running++
		}
	}
	if running < mostRunning {
		s.fund(nil)
	}
}

// fund creates a deal and funds it; with an opportunity it renews its deal.
func (s *simulation) fund(of *renewal) {
	d := &rulebook.Deal{Terms: s.terms()}
	on := s.day
	if of != nil {
		d.RenewedFrom, d.Terms.Funded = of.prior, max(d.Terms.Funded, 2*of.prior.Quote(s.day).Amount()+1_000_00)
	}
	body := wireTerms(d.Terms)
	if s.rng.IntN(3) > 0 {
		d.ISO = pickOf(s, s.rules.ISOs)
		body["isoId"] = d.ISO.ID
	}
	if s.backdated && of == nil && s.rng.IntN(2) == 0 {
		on = max(s.day-rulebook.Day(s.rng.IntN(8)), s.start)
		body["fundedAt"] = on.String()
	}
	if of != nil {
		s.merchants[d] = s.merchants[of.prior]
		d.ID = idIn(s.ask(s.Client, wireRenew, object{"id": of.id, "input": body}).In("startRenewal"), "id")
	} else {
		name := fmt.Sprintf("Merchant %d LLC", len(s.rules.Deals)+1)
		merchant := s.send(http.MethodPost, "/merchants", object{"legalName": name, "state": "FL"})
		body["merchantId"] = merchant.ID()
		s.merchants[d] = merchant.ID()
		d.ID = s.send(http.MethodPost, "/deals", body).ID()
	}
	s.share(d)
	s.step(
		d, "deal %d funds for %s: %s in %d at %s, renews %v", d.ID, on, d.Terms.Funded, d.Terms.Payments, d.Terms.Factor,
		of != nil,
	)
	path := fmt.Sprintf("/deals/%d", d.ID)
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		s.send(http.MethodPatch, path, object{"state": state})
	}
	s.rules.Fund(d, on)
	s.touched[d] = true
	if of != nil {
		s.touched[of.prior] = true
	}
	if s.prices {
		s.comparePrices(d)
	}
	s.schedule(d)
}

// comparePrices compares the reported prices of a deal's participations.
func (s *simulation) comparePrices(d *rulebook.Deal) {
	for _, part := range s.ask(s.Client, wireParts, object{"deal": d.ID}).In("deal").List("participations") {
		for _, p := range d.Parts {
			if idIn(part, "syndicatorId") == p.ID && part.Text("amount") != p.Price().String() {
				s.failAbout(
					[]int{d.ID}, "the part of syndicator %d of deal %d costs %s, want %s\n%s", p.ID, d.ID, part.Text("amount"),
					p.Price(), s.describe(d),
				)
			}
		}
	}
}

// share gives up to three syndicators a participation in a deal.
func (s *simulation) share(d *rulebook.Deal) {
	left := 100 * pct
	for _, i := range s.rng.Perm(len(s.rules.Syndicators))[:min(s.rng.IntN(4), len(s.rules.Syndicators))] {
		sy := s.rules.Syndicators[i]
		p := &rulebook.Part{
			Syndicator: sy,
			PartTerms:  sy.PartTerms,
			Share:      min(pickOf(s, []rulebook.Rate{40 * pct, 12_500_000, 33_333_333, 5_070_000}), left-pct),
		}
		if p.Share <= 0 {
			return
		}
		left -= p.Share
		s.step(d, "deal %d: syndicator %d takes %s %%", d.ID, sy.ID, p.Share)
		s.ask(s.Client, wirePart, object{"input": object{"dealId": d.ID, "syndicatorId": sy.ID, "percent": p.Share.String()}})
		d.Parts = append(d.Parts, p)
	}
}

// schedule reads the payments that the funding created, and checks their amounts.
func (s *simulation) schedule(d *rulebook.Deal) {
	rows := s.PaymentsOf(s.t, object{"id": float64(d.ID)}, "&sort=scheduledDate")
	each, last := d.Terms.Payment()
	if len(rows) != d.Terms.Payments {
		s.failAbout([]int{d.ID}, "deal %d is collected in %d payments, want %d", d.ID, len(rows), d.Terms.Payments)
	}
	for i, row := range rows {
		want := each
		if i == len(rows)-1 {
			want = last
		}
		if row.Text("amount") != want.String() {
			s.failAbout([]int{d.ID}, "payment %d of deal %d is %s, want %s", i+1, d.ID, row.Text("amount"), want)
		}
		d.Add(&rulebook.Payment{ID: row.ID(), Type: rulebook.Original, Amount: want})
	}
}

// clears picks the clearing date, and adds it to a body unless it is today.
func (s *simulation) clears(d *rulebook.Deal, body object) rulebook.Day {
	if !s.backdated || s.rng.IntN(3) > 0 || d.FundedOn == s.day {
		return s.day
	}
	on := d.FundedOn + rulebook.Day(s.rng.IntN(int(s.day-d.FundedOn)+1))
	body["clearedDate"] = on.String()
	return on
}

// paid marks a payment PAID.
func (s *simulation) paid(p *rulebook.Payment) {
	body := object{"status": "PAID"}
	cleared := s.clears(p.Deal, body)
	s.step(p.Deal, "deal %d: payment %d of %s is PAID for %s", p.Deal.ID, p.ID, p.Amount, cleared)
	s.send(http.MethodPatch, fmt.Sprintf("/payments/%d", p.ID), body)
	s.rules.Pay(p, cleared)
	s.touched[p.Deal] = true
}

// receive records a payment that is already PAID.
func (s *simulation) receive(p *rulebook.Payment, more object) {
	body := object{"dealId": p.Deal.ID, "type": p.Type, "amount": p.Amount.String(), "status": "PAID", "method": "WIRE"}
	maps.Copy(body, more)
	s.step(p.Deal, "deal %d: a %s of %s comes in", p.Deal.ID, p.Type, p.Amount)
	p.ID = s.send(http.MethodPost, "/payments", body).ID()
	s.rules.Pay(p, s.day)
	s.touched[p.Deal] = true
}

func collectRow(s *simulation) {
	d := s.dealWhere(isFunded)
	if d == nil {
		return
	}
	for _, p := range d.Payments {
		if p.Type == rulebook.Original && p.Status == rulebook.Pending && s.rng.IntN(4) > 0 {
			s.paid(p)
			return
		}
	}
}

// giveBack returns a matching payment.
func (s *simulation) giveBack(is func(*rulebook.Payment) bool) {
	if p := s.paymentWhere(func(p *rulebook.Payment) bool {
		return isPaid(p) && is(p) && (s.refunds || !isRefunded(p))
	}); p != nil {
		s.bounced(p)
	}
}

func returnUnpaid(s *simulation) {
	if p := s.paymentWhere(func(p *rulebook.Payment) bool {
		return p.Type == rulebook.Original && p.Status == rulebook.Pending
	}); p != nil {
		s.bounced(p)
	}
}

func (s *simulation) bounced(p *rulebook.Payment) {
	code := pickOf(s, s.codes)
	s.step(p.Deal, "deal %d: payment %d of %s (%s) returns with %s", p.Deal.ID, p.ID, p.Amount, p.Status, code)
	id, _ := strconv.Atoi(s.codeIDs[code])
	s.send(http.MethodPatch, fmt.Sprintf("/payments/%d", p.ID), object{"status": "BOUNCED", "bounceCodeId": id})
	s.rules.Return(p, s.day, code)
	s.touched[p.Deal] = true
}

func payAgain(s *simulation) {
	if p := s.paymentWhere(func(p *rulebook.Payment) bool {
		return isReceipt(p) && p.Status == rulebook.Bounced && p.Forgives == nil && isRunning(p.Deal)
	}); p != nil {
		s.paid(p)
	}
}

// extra is a payment beyond the schedule; if over is set, also beyond the balance.
func (s *simulation) extra(kind string, over bool) {
	d := s.dealWhere(isRunning)
	if d == nil || d.Outstanding() == 0 {
		return
	}
	amount := s.amount(1, min(d.Outstanding(), 2_000_00))
	if over {
		amount = d.Outstanding() + s.amount(1, 300_00)
	}
	if !over && amount == d.Quote(s.day).Amount() {
		return // that would be an early payoff
	}
	s.receive(d.Add(&rulebook.Payment{Type: kind, Amount: amount}), nil)
}

// prepay brings a deal past the half at which it may be renewed.
func prepay(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool { return isFunded(d) && d.Collected()*2 < d.Terms.Payback() })
	if d != nil {
		s.receive(d.Add(&rulebook.Payment{Type: rulebook.Advance, Amount: d.Terms.Payback()/2 + 1 - d.Collected()}), nil)
	}
}

func adjustDown(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool { return isFunded(d) && d.Collected() > 0 && d.Surplus() == 0 })
	if d != nil {
		s.receive(d.Add(&rulebook.Payment{Type: rulebook.Adjustment, Amount: -s.amount(1, min(d.Collected(), 400_00))}), nil)
	}
}

// refundPayoff refunds some of what was collected on a deal that an early payoff closed.
func refundPayoff(s *simulation) {
	d := s.dealWhere(func(d *rulebook.Deal) bool { return d.PaidOffEarly() && d.Collected() > 0 && d.Surplus() == 0 })
	if d != nil {
		s.receive(d.Add(&rulebook.Payment{Type: rulebook.Adjustment, Amount: -s.amount(1, d.Collected())}), nil)
	}
}

func chargeFee(s *simulation) {
	kind := pickOf(s, []string{rulebook.BounceFee, rulebook.OtherFee, "WIRE_FEE", "UCC_FEE", "APPLICATION_FEE"})
	if d := s.dealWhere(isRunning); d != nil {
		s.receive(d.Add(&rulebook.Payment{Type: kind, Amount: s.amount(1, 99_99)}), nil)
	}
}

func pendingFee(s *simulation) {
	d := s.dealWhere(isFunded)
	if d == nil {
		return
	}
	p := d.Add(&rulebook.Payment{Type: rulebook.OtherFee, Amount: s.amount(1, 99_99)})
	s.step(d, "deal %d: a fee of %s is charged", d.ID, p.Amount)
	p.ID = s.send(http.MethodPost, "/payments", object{"dealId": d.ID, "type": p.Type, "amount": p.Amount.String()}).ID()
	s.touched[d] = true
}

func payFee(s *simulation) {
	if p := s.paymentWhere(func(p *rulebook.Payment) bool { return p.IsFee() && p.Status == rulebook.Pending }); p != nil {
		s.paid(p)
	}
}
