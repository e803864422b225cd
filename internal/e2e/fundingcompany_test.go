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
	"paydown/internal/booktest"
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
		s := &story{Desk: booktest.OpenDesk(t, a, "funder.test")}
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
		s.CheckBooks(t)
		s.CheckTrail(t)
	})
}

type story struct {
	*booktest.Desk
	bakery  object // a merchant
	broker  object
	advance object // the bakery's deal
}

func (s *story) takeLeadIn(t *testing.T) {
	lead := s.Create(t, "/leads", object{"businessName": "Harbor Street Bakery LLC", "source": "website"})
	s.Tells(t, "lead.created", object{
		"leadId": lead.ID(), "businessName": "Harbor Street Bakery LLC", "status": "NEW", "source": "website",
	})
	from := "NEW"
	for _, to := range []string{"CONTACTED", "QUALIFIED", "CONVERTED"} {
		s.Change(t, booktest.At("leads", lead), object{"status": to})
		s.Tells(t, "lead.status_changed", object{"leadId": lead.ID(), "from": from, "to": to})
		from = to
	}
	s.Change(t, booktest.At("leads", lead), object{"requestedAmount": "50000.00", "notes": "Two ovens.\nOpen since 2016."})
	s.Idle(t, booktest.At("leads", lead), object{"status": "CONVERTED", "requestedAmount": 50000.00})
	s.Idle(t, booktest.At("leads", lead), object{})

	s.bakery = s.Create(t, "/merchants", object{
		"legalName": "Harbor Street Bakery LLC", "federalId": "12-3456789", "state": "NY", "stateOfIncorporation": "DE",
	})
	s.Tells(t, "merchant.created", object{"merchantId": s.bakery.ID(), "legalName": "Harbor Street Bakery LLC"})
	s.Change(t, booktest.At("merchants", s.bakery), object{"dbaName": "Harbor Street Bakery"})
	s.Idle(t, booktest.At("merchants", s.bakery), object{"dbaName": "Harbor Street Bakery"})
	s.broker = s.Create(t, "/isos", object{"name": "Bridge Capital Brokers"})
}

// priceDeal creates a deal that lacks terms, and completes them: the others are calculated.
func (s *story) priceDeal(t *testing.T) {
	s.advance = s.Create(t, "/deals", object{"merchantId": s.bakery.ID(), "fundedAmount": "50000.00"})
	s.Tells(t, "deal.created", object{
		"dealId": s.advance.ID(), "dealNumber": "D-000001", "merchantId": s.bakery.ID(), "state": "INCEPTION",
		"productType": "MCA", "fundedAmount": "50000.00",
	})
	s.checkPapers(t)
	path := booktest.At("deals", s.advance)
	s.Refused(t, http.MethodPatch, path, object{"state": "PREFUNDED"}, "state")
	s.Move(t, s.advance, "SUBMITTED")
	s.Refused(t, http.MethodPatch, path, object{"state": "PREFUNDED"}, "blocks.ECONOMICS_INCOMPLETE")
	priced := s.Change(t, path, object{
		"factorRate": "1.30", "numberOfPayments": 126, "collectionFrequency": "DAILY", "isoId": s.broker.ID(),
		"bankFeeBasis": "PERCENT_OF_FUNDED", "bankFeeValue": "3", "wireFee": "50.00",
		"commissionBasis": "PERCENT_OF_FUNDED", "commissionValue": 10,
		"epoFactorRate": "1.20", "epoWindowDays": 60, "defaultSurcharge": "2500.00",
	})
	booktest.Shows(t, priced, object{
		"state": "SUBMITTED", "paybackAmount": "65000.00", "paymentAmount": "515.88", "termDays": 182.0,
		"collectionSchedule": "BANKING_DAYS", "factorRate": "1.30", "bankFeeValue": "3.00",
	})
	// Calculated terms follow a changed term; given terms stay.
	booktest.Shows(
		t, s.Change(t, path, object{"factorRate": "1.40"}), object{"paybackAmount": "70000.00", "paymentAmount": "555.56"},
	)
	booktest.Shows(
		t, s.Change(t, path, object{"factorRate": 1.3}), object{"paybackAmount": "65000.00", "paymentAmount": "515.88"},
	)
	s.Idle(t, path, object{"factorRate": "1.300000", "state": "SUBMITTED"})
}

// checkPapers checks that a new deal has its submission to the house funder and the stipulations of its
// product.
func (s *story) checkPapers(t *testing.T) {
	ctx, read := s.Inside(t)
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
	path := booktest.At("deals", s.advance)
	s.Move(t, s.advance, "PREFUNDED")
	s.Refused(t, http.MethodPatch, path, object{"fundedAmount": "60000.00"}, "fundedAmount")
	s.Refused(t, http.MethodPatch, path, object{"state": "CLOSED"}, "state")
	s.Move(t, s.advance, "SUBMITTED")
	s.Change(t, path, object{"wireFee": "75.00"})
	s.Change(t, path, object{"wireFee": "50.00"})
	s.Move(t, s.advance, "PREFUNDED")
	s.Change(t, path, object{"referenceId": "crm-1042"}) // no term
}

func (s *story) fundDeal(t *testing.T) {
	funded := s.Move(t, s.advance, "FUNDED")
	booktest.Shows(t, funded, object{"firstPaymentDate": "2026-01-06", "termDays": 182.0, "isRenewal": false})
	if funded.Text("fundedAt")[:10] != "2026-01-05" {
		t.Errorf("funded at %s", funded.Text("fundedAt"))
	}
	s.Refused(
		t, http.MethodPatch, booktest.At("deals", s.advance), object{"firstPaymentDate": "2026-02-02"}, "firstPaymentDate",
	)
	rows := s.PaymentsOf(t, s.advance, "")
	checkSchedule(t, rows, 126, "515.88", "515.00", "65000.00")
	for _, row := range rows {
		booktest.Shows(
			t, row, object{"type": "ORIGINAL_ADVANCE_PAYBACK", "status": "PENDING", "direction": "IN", "source": "SCHEDULE"},
		)
	}
	if first, last := rows[0].Text("scheduledDate"), rows[125].Text("scheduledDate"); first != "2026-01-06" ||
		last != "2026-07-06" {
		t.Errorf("the schedule runs from %s to %s", first, last)
	}

	ctx, read := s.Inside(t)
	booked := read.Journal.Query().Where(journal.DealID(s.advance.ID())).WithPostings().Order(journal.ByID()).AllX(ctx)
	booktest.SameList(t, "entry", booktest.LinesOf(booked), []string{
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
	second := newDeal(
		t, s.Desk, s.bakery,
		object{"fundedAmount": "10000.00", "factorRate": "1.2", "numberOfPayments": 10, "collectionFrequency": "DAILY"},
	)
	s.Move(t, second, "SUBMITTED")
	s.Refused(t, http.MethodPatch, booktest.At("deals", second), object{"state": "PREFUNDED"}, "blocks.OPEN_POSITION")
	s.Move(t, second, "WITHDRAWN")
	s.Refused(t, http.MethodPatch, booktest.At("deals", second), object{"state": "SUBMITTED"}, "state")
	s.Move(t, second, "INCEPTION")
	s.Idle(t, booktest.At("deals", second), object{"state": "INCEPTION"})
	s.Move(t, second, "WITHDRAWN")
	s.Remove(t, booktest.At("deals", second))
	ctx, read := s.Inside(t)
	left := read.Submission.Query().Where(submission.DealID(second.ID())).CountX(ctx) +
		read.Stipulation.Query().Where(stipulation.DealID(second.ID())).CountX(ctx)
	if left > 0 {
		t.Errorf("%d papers of the deleted deal are left", left)
	}
}

func (s *story) collectPayments(t *testing.T) {
	rows := s.PaymentsOf(t, s.advance, "")
	s.Change(t, booktest.At("payments", rows[0]), object{"status": "SUBMITTED"})
	s.Pay(t, rows[0])
	s.Idle(t, booktest.At("payments", rows[0]), object{"status": "PAID"})
	s.Refused(t, http.MethodPatch, booktest.At("payments", rows[0]), object{"amount": "500.00"}, "amount")
	s.Refused(t, http.MethodPatch, booktest.At("payments", rows[0]), object{"status": "CANCELLED"}, "status")
	s.Change(t, booktest.At("payments", rows[1]), object{"status": "CANCELLED"})
	s.Refused(t, http.MethodPatch, booktest.At("payments", rows[1]), object{"status": "SUBMITTED"}, "status")
	s.Pay(t, rows[1])
	s.Owes(t, s.advance, "63968.24")
}

func (s *story) bouncePayments(t *testing.T) {
	rows := s.PaymentsOf(t, s.advance, "&status=PENDING")
	again, madeUp := rows[0], rows[1]
	s.Pay(t, again)
	s.Bounce(t, again, "R01")
	s.Owes(t, s.advance, "63968.24")
	booktest.Shows(t, s.Pay(t, again), object{"bounceCodeId": nil, "returnedAt": nil})
	s.Owes(t, s.advance, "63452.36")

	s.Bounce(t, madeUp, "")
	makeUp := s.Create(
		t, "/payments", object{"dealId": s.advance.ID(), "type": "ADVANCE_PAYBACK", "amount": "515.88", "method": "ACH"},
	)
	s.Change(t, booktest.At("payments", madeUp), object{"madeUpById": makeUp.ID()})
	s.Refused(t, http.MethodPatch, booktest.At("payments", madeUp), object{"status": "PAID"}, "status")
	s.Pay(t, makeUp)
	s.Owes(t, s.advance, "62936.48")
}

func (s *story) takeFeeAndAdjustment(t *testing.T) {
	s.Collect(t, s.advance, "BOUNCE_FEE", "35.00", nil)
	s.Owes(t, s.advance, "62936.48")
	s.Collect(t, s.advance, "ADVANCE_PAYBACK_ADJUSTMENT", "-15.88", object{"note": "Taken twice"})
	s.Owes(t, s.advance, "62952.36")
}

// payOffEarly pays the advance off at the early price; the payoff bounces and is made up.
func (s *story) payOffEarly(t *testing.T) {
	s.App.Clock.Set(booktest.Monday.AddDate(0, 0, 30))
	path := booktest.At("deals", s.advance)
	s.Refused(t, http.MethodPatch, path, object{"state": "CLOSED"}, "state")
	discount := s.Collect(t, s.advance, "EPO_DISCOUNT", "5000.00", object{"method": "OTHER"}) // 65,000 less 60,000
	payoff := s.Collect(t, s.advance, "ADVANCE_PAYBACK", "57952.36", object{"method": "WIRE", "referenceId": "wire 88"})
	s.MovedBy(t, s.advance, "FUNDED", "CLOSED", "EARLY_PAYOFF")
	booktest.Shows(t, s.Get(t, path).In("deal"), object{"state": "CLOSED"})
	if open := s.PaymentsOf(t, s.advance, "&status=PENDING"); len(open) > 0 {
		t.Errorf("%d payments are still to come on a closed deal", len(open))
	}
	if off := s.PaymentsOf(t, s.advance, "&status=CANCELLED"); len(off) != 123 {
		t.Errorf("%d payments are called off, want 122, and the fee of a return that was taken back", len(off))
	}

	s.Bounce(t, payoff, "R03")
	s.MovedBy(t, s.advance, "CLOSED", "FUNDED", "AUTOMATION")
	s.Owes(t, s.advance, "62952.36") // the discount was for the payoff
	s.Pay(t, discount)
	s.Pay(t, payoff)
	s.MovedBy(t, s.advance, "FUNDED", "CLOSED", "EARLY_PAYOFF")
	s.Refused(t, http.MethodPatch, path, object{"state": "FUNDED"}, "state")
}

func (s *story) defaultAndCure(t *testing.T) {
	florist := s.Create(t, "/merchants", object{"legalName": "Alder Street Flowers Inc", "state": "NJ"})
	s.Tells(t, "merchant.created", object{"merchantId": florist.ID(), "legalName": "Alder Street Flowers Inc"})
	d := newDeal(t, s.Desk, florist, object{
		"fundedAmount": "10000.00", "paybackAmount": "12500.00", "paymentAmount": "3125.00",
		"collectionFrequency": "WEEKLY", "collectionDay": 3, "defaultSurcharge": "250.00",
	})
	booktest.Shows(t, d, object{"factorRate": "1.25", "numberOfPayments": 4.0})
	for _, state := range []string{"SUBMITTED", "PREFUNDED", "FUNDED"} {
		s.Move(t, d, state)
	}
	rows := s.PaymentsOf(t, d, "")
	checkSchedule(t, rows, 4, "3125.00", "3125.00", "12500.00")
	s.Pay(t, rows[0])

	if s.Move(t, d, "DEFAULTED").Text("defaultedAt") == "" {
		t.Error("a deal in default does not say since when")
	}
	if called := s.PaymentsOf(t, d, "&status=CANCELLED"); len(called) != 3 {
		t.Errorf("%d payments are called off, want 3", len(called))
	}
	surcharge := s.PaymentsOf(t, d, "&status=PENDING")
	if len(surcharge) != 1 {
		t.Fatalf("%d payments are pending on a deal in default, want the surcharge", len(surcharge))
	}
	booktest.Shows(t, surcharge[0], object{"type": "OTHER_FEE", "amount": "250.00", "source": "SYSTEM"})
	s.Pay(t, surcharge[0])

	other := newDeal(
		t, s.Desk, florist,
		object{"fundedAmount": "5000.00", "factorRate": "1.2", "numberOfPayments": 5, "collectionFrequency": "DAILY"},
	)
	s.Move(t, other, "SUBMITTED")
	s.Refused(t, http.MethodPatch, booktest.At("deals", other), object{"state": "PREFUNDED"}, "blocks.MERCHANT_DEFAULTED")

	s.App.Clock.Set(booktest.Monday.AddDate(0, 0, 41)) // Sunday, 15 February; Monday is a holiday
	cured := s.Move(t, d, "FUNDED")
	booktest.Shows(t, cured, object{"defaultedAt": nil})
	again := s.PaymentsOf(t, d, "&status=PENDING")
	checkSchedule(t, again, 3, "3125.00", "3125.00", "9375.00")
	if first := again[0].Text("scheduledDate"); first != "2026-02-18" || again[0].Text("type") != "ADVANCE_PAYBACK" {
		t.Errorf("collection goes on at %s with %s", first, again[0].Text("type"))
	}
	for _, p := range again {
		s.Pay(t, p)
	}
	s.MovedBy(t, d, "FUNDED", "CLOSED", "AUTOMATION")
	s.Owes(t, d, "0.00")
}

// deleteWhatMay tries to delete records in use, and deletes unused ones.
func (s *story) deleteWhatMay(t *testing.T) {
	s.Refused(t, http.MethodDelete, booktest.At("merchants", s.bakery), nil, "deals")
	s.Refused(t, http.MethodDelete, booktest.At("deals", s.advance), nil,
		"submissions", "payments", "disbursements", "journals", "payoutItems", "uccFilings", "collectionHolds")
	idle := newDeal(t, s.Desk, s.bakery, object{})
	p := s.Create(t, "/payments", object{"dealId": idle.ID(), "type": "APPLICATION_FEE", "amount": 150})
	s.Refused(t, http.MethodDelete, booktest.At("deals", idle), nil, "payments")
	s.Change(t, booktest.At("payments", p), object{"status": "CANCELLED"})
	s.Refused(t, http.MethodDelete, booktest.At("deals", idle), nil, "payments")

	for _, path := range []string{"/leads", "/merchants"} {
		name := object{"/leads": "businessName", "/merchants": "legalName"}.Text(path)
		row := s.Create(t, path, object{name: "Gone Tomorrow LLC"})
		event, data := "lead.created", object{
			"leadId":       row.ID(),
			"businessName": "Gone Tomorrow LLC",
			"status":       "NEW",
			"source":       nil,
		}
		if path == "/merchants" {
			event, data = "merchant.created", object{"merchantId": row.ID(), "legalName": "Gone Tomorrow LLC"}
		}
		s.Tells(t, event, data)
		s.Remove(t, fmt.Sprintf("%s/%d", path, row.ID()))
	}
}

// newDeal creates a deal and records its event.
func newDeal(t *testing.T, d *booktest.Desk, merchant object, terms object) object {
	t.Helper()
	body := object{"merchantId": merchant.ID()}
	maps.Copy(body, terms)
	made := d.Create(t, "/deals", body)
	d.Tells(t, "deal.created", object{
		"dealId": made.ID(), "dealNumber": made.Text("dealNumber"), "merchantId": merchant.ID(), "state": "INCEPTION",
		"productType": "MCA", "fundedAmount": made["fundedAmount"],
	})
	return made
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
