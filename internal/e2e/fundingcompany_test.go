// Package e2e drives the whole product over the wire.
package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"testing"
	"time"

	"paydown/ent/journal"
	"paydown/ent/payoutitem"
	"paydown/ent/stipulation"
	"paydown/ent/submission"
	"paydown/ent/uccfiling"
	"paydown/internal/apptest"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/money"
)

// Five months of a funder: from a lead to deals that are collected, bounce, are paid off early, default, are
// cured, withdrawn and deleted. Afterwards the ledger, the audit trail and the outbox contain what was done,
// and nothing else.
func TestStoryOfAFunder(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		s := &story{desk: openDesk(t, a, "funder.test")}
		s.takeLeadIn(t)
		s.priceDeal(t)
		s.approveDeal(t)
		s.fundDeal(t)
		s.refuseSecondPosition(t)
		s.collectPayments(t)
		s.bouncePayments(t)
		s.takeFeeAndAdjustment(t)
		s.payOffEarly(t)
		s.defaultAndCure(t)
		s.deleteWhatMay(t)
		s.checkBooks(t)
		s.checkTrail(t)
	})
}

type story struct {
	*desk
	bakery  object // a merchant
	broker  object
	advance object // the bakery's deal
}

func (s *story) takeLeadIn(t *testing.T) {
	lead := s.create(t, "/leads", object{"businessName": "Harbor Street Bakery LLC", "source": "website"})
	s.tells(t, "lead.created", object{
		"leadId": lead.ID(), "businessName": "Harbor Street Bakery LLC", "status": "NEW", "source": "website",
	})
	from := "NEW"
	for _, to := range []string{"CONTACTED", "QUALIFIED", "CONVERTED"} {
		s.change(t, at("leads", lead), object{"status": to})
		s.tells(t, "lead.status_changed", object{"leadId": lead.ID(), "from": from, "to": to})
		from = to
	}
	s.change(t, at("leads", lead), object{"requestedAmount": "50000.00", "notes": "Two ovens.\nOpen since 2016."})
	s.idle(t, at("leads", lead), object{"status": "CONVERTED", "requestedAmount": 50000.00})
	s.idle(t, at("leads", lead), object{})

	s.bakery = s.create(t, "/merchants", object{
		"legalName": "Harbor Street Bakery LLC", "federalId": "12-3456789", "state": "NY", "stateOfIncorporation": "DE",
	})
	s.tells(t, "merchant.created", object{"merchantId": s.bakery.ID(), "legalName": "Harbor Street Bakery LLC"})
	s.change(t, at("merchants", s.bakery), object{"dbaName": "Harbor Street Bakery"})
	s.idle(t, at("merchants", s.bakery), object{"dbaName": "Harbor Street Bakery"})
	s.broker = s.create(t, "/isos", object{"name": "Bridge Capital Brokers"})
}

// priceDeal creates a deal that lacks terms, and completes them: the others are calculated.
func (s *story) priceDeal(t *testing.T) {
	s.advance = s.create(t, "/deals", object{"merchantId": s.bakery.ID(), "fundedAmount": "50000.00"})
	s.tells(t, "deal.created", object{
		"dealId": s.advance.ID(), "dealNumber": "D-000001", "merchantId": s.bakery.ID(), "state": "INCEPTION",
		"productType": "MCA", "fundedAmount": "50000.00",
	})
	s.checkPapers(t)
	path := at("deals", s.advance)
	s.refused(t, http.MethodPatch, path, object{"state": "PREFUNDED"}, "state")
	s.move(t, s.advance, "SUBMITTED")
	s.refused(t, http.MethodPatch, path, object{"state": "PREFUNDED"}, "blocks.ECONOMICS_INCOMPLETE")
	priced := s.change(t, path, object{
		"factorRate": "1.30", "numberOfPayments": 126, "collectionFrequency": "DAILY", "isoId": s.broker.ID(),
		"bankFeeBasis": "PERCENT_OF_FUNDED", "bankFeeValue": "3", "wireFee": "50.00",
		"commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": 10,
		"epoFactorRate": "1.20", "epoWindowDays": 60, "defaultSurcharge": "2500.00",
	})
	shows(t, priced, object{
		"state": "SUBMITTED", "paybackAmount": "65000.00", "paymentAmount": "515.88", "termDays": 182.0,
		"collectionSchedule": "BANKING_DAYS", "factorRate": "1.30", "bankFeeValue": "3.00",
	})
	// Calculated terms follow a changed term; given terms stay.
	shows(
		t, s.change(t, path, object{"factorRate": "1.40"}), object{"paybackAmount": "70000.00", "paymentAmount": "555.56"},
	)
	shows(t, s.change(t, path, object{"factorRate": 1.3}), object{"paybackAmount": "65000.00", "paymentAmount": "515.88"})
	s.idle(t, path, object{"factorRate": "1.300000", "state": "SUBMITTED"})
}

// checkPapers checks that a new deal has its submission to the house funder and the stipulations of its
// product.
func (s *story) checkPapers(t *testing.T) {
	ctx, read := s.inside(t)
	made := read.Submission.Query().Where(submission.DealID(s.advance.ID())).WithFunder().WithStatus().OnlyX(ctx)
	if !made.Edges.Funder.IsHouse || made.Edges.Status.Code != "NEW" {
		t.Errorf("the submission goes to %s at %s", made.Edges.Funder.Name, made.Edges.Status.Code)
	}
	asked := read.Stipulation.Query().Where(stipulation.DealID(s.advance.ID())).Order(stipulation.ByPosition()).AllX(ctx)
	matrix := deal.Matrix(deal.MCA)
	if len(asked) != len(matrix) {
		t.Fatalf("the deal has %d stipulations, want %d", len(asked), len(matrix))
	}
	for i, want := range matrix {
		got := asked[i]
		if got.Code != want.Code || got.Status != deal.StipRequested || got.Waivable != (want.Requirement == deal.Waivable) {
			t.Errorf("stipulation %d is %s, %s, waivable %t; want %v", i, got.Code, got.Status, got.Waivable, want)
		}
		if want.Months > 0 && (got.Months == nil || *got.Months != want.Months) {
			t.Errorf("%s asks for %v months, want %d", got.Code, got.Months, want.Months)
		}
	}
}

// approveDeal freezes the terms; moving back unfreezes them.
func (s *story) approveDeal(t *testing.T) {
	path := at("deals", s.advance)
	s.move(t, s.advance, "PREFUNDED")
	s.refused(t, http.MethodPatch, path, object{"fundedAmount": "60000.00"}, "fundedAmount")
	s.refused(t, http.MethodPatch, path, object{"state": "CLOSED"}, "state")
	s.move(t, s.advance, "SUBMITTED")
	s.change(t, path, object{"wireFee": "75.00"})
	s.change(t, path, object{"wireFee": "50.00"})
	s.move(t, s.advance, "PREFUNDED")
	s.change(t, path, object{"referenceId": "crm-1042"}) // no term
}

func (s *story) fundDeal(t *testing.T) {
	funded := s.move(t, s.advance, "FUNDED")
	shows(t, funded, object{"firstPaymentDate": "2026-01-06", "termDays": 182.0, "isRenewal": false})
	if funded.Text("fundedAt")[:10] != "2026-01-05" {
		t.Errorf("funded at %s", funded.Text("fundedAt"))
	}
	s.refused(t, http.MethodPatch, at("deals", s.advance), object{"firstPaymentDate": "2026-02-02"}, "firstPaymentDate")
	rows := s.paymentsOf(t, s.advance, "")
	checkSchedule(t, rows, 126, "515.88", "515.00", "65000.00")
	for _, row := range rows {
		shows(
			t, row, object{"type": "ORIGINAL_ADVANCE_PAYBACK", "status": "PENDING", "direction": "IN", "source": "SCHEDULE"},
		)
	}
	if first, last := rows[0].Text("scheduledDate"), rows[125].Text("scheduledDate"); first != "2026-01-06" ||
		last != "2026-07-06" {
		t.Errorf("the schedule runs from %s to %s", first, last)
	}

	ctx, read := s.inside(t)
	booked := read.Journal.Query().Where(journal.DealID(s.advance.ID())).WithPostings().Order(journal.ByID()).AllX(ctx)
	sameList(t, "entry", linesOf(booked), []string{
		"FUNDING 1000 -48450.00; 1100 65000.00; 2000 -15000.00; 4100 -1550.00",
		"COMMISSION 2200 -5000.00; 5000 5000.00",
	})
	item := read.PayoutItem.Query().Where(payoutitem.DealID(s.advance.ID())).OnlyX(ctx)
	if item.IsoID == nil || *item.IsoID != s.broker.ID() || item.Amount.String() != "5000.00" {
		t.Errorf("the commission item is %v", item)
	}
	if filing := read.UCCFiling.Query().Where(uccfiling.DealID(s.advance.ID())).OnlyX(ctx); filing.Jurisdiction != "DE" {
		t.Errorf("the UCC-1 is drafted in %s", filing.Jurisdiction)
	}
}

// refuseSecondPosition hits a block on the same merchant, and withdraws.
func (s *story) refuseSecondPosition(t *testing.T) {
	second := s.newDeal(
		t, s.bakery,
		object{"fundedAmount": "10000.00", "factorRate": "1.2", "numberOfPayments": 10, "collectionFrequency": "DAILY"},
	)
	s.move(t, second, "SUBMITTED")
	s.refused(t, http.MethodPatch, at("deals", second), object{"state": "PREFUNDED"}, "blocks.OPEN_POSITION")
	s.move(t, second, "WITHDRAWN")
	s.refused(t, http.MethodPatch, at("deals", second), object{"state": "SUBMITTED"}, "state")
	s.move(t, second, "INCEPTION")
	s.idle(t, at("deals", second), object{"state": "INCEPTION"})
	s.move(t, second, "WITHDRAWN")
	s.remove(t, at("deals", second))
	ctx, read := s.inside(t)
	left := read.Submission.Query().Where(submission.DealID(second.ID())).CountX(ctx) +
		read.Stipulation.Query().Where(stipulation.DealID(second.ID())).CountX(ctx)
	if left > 0 {
		t.Errorf("%d papers of the deleted deal are left", left)
	}
}

func (s *story) collectPayments(t *testing.T) {
	rows := s.paymentsOf(t, s.advance, "")
	s.change(t, at("payments", rows[0]), object{"status": "SUBMITTED"})
	s.pay(t, rows[0])
	s.idle(t, at("payments", rows[0]), object{"status": "PAID"})
	s.refused(t, http.MethodPatch, at("payments", rows[0]), object{"amount": "500.00"}, "amount")
	s.refused(t, http.MethodPatch, at("payments", rows[0]), object{"status": "CANCELLED"}, "status")
	s.change(t, at("payments", rows[1]), object{"status": "CANCELLED"})
	s.refused(t, http.MethodPatch, at("payments", rows[1]), object{"status": "SUBMITTED"}, "status")
	s.pay(t, rows[1])
	s.owes(t, s.advance, "63968.24")
}

func (s *story) bouncePayments(t *testing.T) {
	rows := s.paymentsOf(t, s.advance, "&status=PENDING")
	again, madeUp := rows[0], rows[1]
	s.pay(t, again)
	s.bounce(t, again, "R01")
	s.owes(t, s.advance, "63968.24")
	shows(t, s.pay(t, again), object{"bounceCodeId": nil, "returnedAt": nil})
	s.owes(t, s.advance, "63452.36")

	s.bounce(t, madeUp, "")
	makeUp := s.create(
		t, "/payments", object{"dealId": s.advance.ID(), "type": "ADVANCE_PAYBACK", "amount": "515.88", "method": "ACH"},
	)
	s.change(t, at("payments", madeUp), object{"madeUpById": makeUp.ID()})
	s.refused(t, http.MethodPatch, at("payments", madeUp), object{"status": "PAID"}, "status")
	s.pay(t, makeUp)
	s.owes(t, s.advance, "62936.48")
}

func (s *story) takeFeeAndAdjustment(t *testing.T) {
	s.collect(t, s.advance, "BOUNCE_FEE", "35.00", nil)
	s.owes(t, s.advance, "62936.48")
	s.collect(t, s.advance, "ADVANCE_PAYBACK_ADJUSTMENT", "-15.88", object{"note": "Taken twice"})
	s.owes(t, s.advance, "62952.36")
}

// payOffEarly pays the advance off at the early price; the payoff bounces and is made up.
func (s *story) payOffEarly(t *testing.T) {
	s.a.Clock.Set(monday.AddDate(0, 0, 30))
	path := at("deals", s.advance)
	s.refused(t, http.MethodPatch, path, object{"state": "CLOSED"}, "state")
	discount := s.collect(t, s.advance, "EPO_DISCOUNT", "5000.00", object{"method": "OTHER"}) // 65,000 less 60,000
	payoff := s.collect(t, s.advance, "ADVANCE_PAYBACK", "57952.36", object{"method": "WIRE", "referenceId": "wire 88"})
	s.movedBy(t, s.advance, "FUNDED", "CLOSED", "EARLY_PAYOFF")
	shows(t, s.Get(t, path).In("deal"), object{"state": "CLOSED"})
	if open := s.paymentsOf(t, s.advance, "&status=PENDING"); len(open) > 0 {
		t.Errorf("%d payments are still to come on a closed deal", len(open))
	}
	if off := s.paymentsOf(t, s.advance, "&status=CANCELLED"); len(off) != 123 {
		t.Errorf("%d payments are called off, want 122, and the fee of a return that was taken back", len(off))
	}

	s.bounce(t, payoff, "R03")
	s.movedBy(t, s.advance, "CLOSED", "FUNDED", "AUTOMATION")
	s.owes(t, s.advance, "62952.36") // the discount was for the payoff
	s.pay(t, discount)
	s.pay(t, payoff)
	s.movedBy(t, s.advance, "FUNDED", "CLOSED", "EARLY_PAYOFF")
	s.refused(t, http.MethodPatch, path, object{"state": "FUNDED"}, "state")
}

func (s *story) defaultAndCure(t *testing.T) {
	florist := s.create(t, "/merchants", object{"legalName": "Alder Street Flowers Inc", "state": "NJ"})
	s.tells(t, "merchant.created", object{"merchantId": florist.ID(), "legalName": "Alder Street Flowers Inc"})
	d := s.newDeal(t, florist, object{
		"fundedAmount": "10000.00", "paybackAmount": "12500.00", "paymentAmount": "3125.00",
		"collectionFrequency": "WEEKLY", "collectionDay": 3, "defaultSurcharge": "250.00",
	})
	shows(t, d, object{"factorRate": "1.25", "numberOfPayments": 4.0})
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		s.move(t, d, state)
	}
	rows := s.paymentsOf(t, d, "")
	checkSchedule(t, rows, 4, "3125.00", "3125.00", "12500.00")
	s.pay(t, rows[0])

	if s.move(t, d, "DEFAULTED").Text("defaultedAt") == "" {
		t.Error("a deal in default does not say since when")
	}
	if called := s.paymentsOf(t, d, "&status=CANCELLED"); len(called) != 3 {
		t.Errorf("%d payments are called off, want 3", len(called))
	}
	surcharge := s.paymentsOf(t, d, "&status=PENDING")
	if len(surcharge) != 1 {
		t.Fatalf("%d payments are pending on a deal in default, want the surcharge", len(surcharge))
	}
	shows(t, surcharge[0], object{"type": "OTHER_FEE", "amount": "250.00", "source": "SYSTEM"})
	s.pay(t, surcharge[0])

	other := s.newDeal(
		t, florist,
		object{"fundedAmount": "5000.00", "factorRate": "1.2", "numberOfPayments": 5, "collectionFrequency": "DAILY"},
	)
	s.move(t, other, "SUBMITTED")
	s.refused(t, http.MethodPatch, at("deals", other), object{"state": "PREFUNDED"}, "blocks.MERCHANT_DEFAULTED")

	s.a.Clock.Set(monday.AddDate(0, 0, 41)) // Sunday, 15 February; Monday is a holiday
	cured := s.move(t, d, "FUNDED")
	shows(t, cured, object{"defaultedAt": nil})
	again := s.paymentsOf(t, d, "&status=PENDING")
	checkSchedule(t, again, 3, "3125.00", "3125.00", "9375.00")
	if first := again[0].Text("scheduledDate"); first != "2026-02-18" || again[0].Text("type") != "ADVANCE_PAYBACK" {
		t.Errorf("collection goes on at %s with %s", first, again[0].Text("type"))
	}
	for _, p := range again {
		s.pay(t, p)
	}
	s.movedBy(t, d, "FUNDED", "CLOSED", "AUTOMATION")
	s.owes(t, d, "0.00")
}

// deleteWhatMay tries to delete records in use, and deletes unused ones.
func (s *story) deleteWhatMay(t *testing.T) {
	s.refused(t, http.MethodDelete, at("merchants", s.bakery), nil, "deals")
	s.refused(t, http.MethodDelete, at("deals", s.advance), nil,
		"submissions", "payments", "disbursements", "journals", "payoutItems", "uccFilings", "collectionHolds")
	idle := s.newDeal(t, s.bakery, object{})
	p := s.create(t, "/payments", object{"dealId": idle.ID(), "type": "APPLICATION_FEE", "amount": 150})
	s.refused(t, http.MethodDelete, at("deals", idle), nil, "payments")
	s.change(t, at("payments", p), object{"status": "CANCELLED"})
	s.refused(t, http.MethodDelete, at("deals", idle), nil, "payments")

	for _, path := range []string{"/leads", "/merchants"} {
		name := object{"/leads": "businessName", "/merchants": "legalName"}.Text(path)
		row := s.create(t, path, object{name: "Gone Tomorrow LLC"})
		event, data := "lead.created", object{
			"leadId":       row.ID(),
			"businessName": "Gone Tomorrow LLC",
			"status":       "NEW",
			"source":       nil,
		}
		if path == "/merchants" {
			event, data = "merchant.created", object{"merchantId": row.ID(), "legalName": "Gone Tomorrow LLC"}
		}
		s.tells(t, event, data)
		s.remove(t, fmt.Sprintf("%s/%d", path, row.ID()))
	}
}

// newDeal creates a deal and records its event.
func (d *desk) newDeal(t *testing.T, merchant object, terms object) object {
	t.Helper()
	body := object{"merchantId": merchant.ID()}
	maps.Copy(body, terms)
	made := d.create(t, "/deals", body)
	d.tells(t, "deal.created", object{
		"dealId": made.ID(), "dealNumber": made.Text("dealNumber"), "merchantId": merchant.ID(), "state": "INCEPTION",
		"productType": "MCA", "fundedAmount": made["fundedAmount"],
	})
	return made
}

// owes checks what a deal owes, by its payments.
func (d *desk) owes(t *testing.T, deal object, want string) {
	t.Helper()
	if got := d.balance(t, d.Get(t, at("deals", deal)).In("deal")); got.String() != want {
		t.Errorf("%s owes %s, want %s", deal.Text("dealNumber"), got, want)
	}
}

// shows checks fields of a record.
func shows(t *testing.T, record, want object) {
	t.Helper()
	for name, value := range want {
		if record[name] != value {
			t.Errorf("%s is %v, want %v", name, record[name], value)
		}
	}
}

// closed are the Federal Reserve's holidays in the first half of 2026.
var closed = map[string]bool{
	"2026-01-01": true, "2026-01-19": true, "2026-02-16": true, "2026-05-25": true, "2026-06-19": true,
}

// checkSchedule checks that rows fall on banking days, in order, and add up.
func checkSchedule(t *testing.T, rows []object, n int, amount, last, total string) {
	t.Helper()
	if len(rows) != n {
		t.Fatalf("%d payments are scheduled, want %d", len(rows), n)
	}
	var sum money.Amount
	before := ""
	for i, row := range rows {
		day := row.Text("scheduledDate")
		if weekday := civil.Must(day).Weekday(); weekday == time.Saturday || weekday == time.Sunday || closed[day] {
			t.Errorf("a payment is scheduled on %s", day)
		}
		if day <= before {
			t.Errorf("%s comes after %s", day, before)
		}
		before = day
		want := amount
		if i == n-1 {
			want = last
		}
		if row.Text("amount") != want {
			t.Errorf("payment %d is of %s, want %s", i+1, row.Text("amount"), want)
		}
		sum = sum.Add(money.Must(row.Text("amount")))
	}
	if sum.String() != total {
		t.Errorf("the payments add up to %s, want %s", sum, total)
	}
}
