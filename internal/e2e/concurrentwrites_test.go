package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"testing"

	"paydown/ent/auditentry"
	"paydown/ent/journal"
	entpayment "paydown/ent/payment"
	"paydown/ent/payoutbatch"
	"paydown/internal/apptest"
	"paydown/internal/ledger"
)

// Simultaneous calls to two processes on PostgreSQL have the same outcome as sequential ones.
func TestWritesAtTheSameMoment(t *testing.T) {
	t.Parallel()
	fleets(t, func(t *testing.T, f *fleet) {
		f.run(t, []behaviour{
			{"one Idempotency-Key makes one record", oneKeyOneRecord},
			{"one Idempotency-Key with several bodies keeps one", oneKeyTwoBodies},
			{"a payment that many mark PAID posts once", paidTogether},
			{"payments of one deal that are paid together close it exactly", allPaidTogether},
			{"a deal that many move has one winner", movedTogether},
			{"a deal that many fund is funded once", fundedTogether},
			{"deals that are made together get numbers in a row", numberedTogether},
		})
	})
}

func oneKeyOneRecord(t *testing.T, f *fleet) {
	const callers = 20
	deal := f.funded(t, 3, nil)
	for path, body := range map[string]object{
		"/leads":     {"businessName": "Harbor Street Bakery LLC"},
		"/merchants": {"legalName": "Alder Street Flowers Inc"},
		"/deals":     {"merchantId": deal.Int("merchantId"), "fundedAmount": "1000.00"},
		"/payments":  {"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "40.00", "status": "PAID"},
	} {
		before := len(f.Get(t, path).List(path[1:]))
		c := call{method: http.MethodPost, path: path, body: body, key: "once" + path}
		record := oneAnswer(t, append(f.atOnce(t, slices.Repeat([]call{c}, callers)...), f.atOnce(t, c)...))
		if made := len(f.Get(t, path).List(path[1:])) - before; made != 1 {
			t.Errorf("%d records at %s", made, path)
		}
		ctx, read := f.inside(t)
		entity := singular(path)
		audited := read.AuditEntry.Query().Where(auditentry.Action(entity+".create"), auditentry.EntityID(record.ID()))
		if n := audited.CountX(ctx); n != 1 {
			t.Errorf("%d audit entries of %s %d", n, entity, record.ID())
		}
		event := map[string]string{"payment": "payment.paid"}[entity]
		if event == "" {
			event = entity + ".created"
		}
		if n := len(f.eventsAbout(t, event, entity, record.ID())); n != 1 {
			t.Errorf("%d events %s", n, event)
		}
	}
}

// oneAnswer checks that a write was done once: one response is the original, the others replay it or say that
// it is running.
func oneAnswer(t *testing.T, answers []*apptest.Answer) object {
	t.Helper()
	var first *apptest.Answer
	original := 0
	for _, a := range answers {
		if a.Status != http.StatusCreated {
			a.Problem(t, http.StatusConflict, "conflict")
			if a.Header.Get("Retry-After") != "1" {
				t.Errorf("Retry-After is %q", a.Header.Get("Retry-After"))
			}
			continue
		}
		if a.Header.Get("Idempotency-Replayed") == "" {
			original++
		}
		if first == nil {
			first = a
		}
		if !bytes.Equal(a.Body, first.Body) {
			t.Errorf("two answers:\n%s\n%s", a.Body, first.Body)
		}
	}
	if original != 1 || answers[len(answers)-1].Header.Get("Idempotency-Replayed") != "true" {
		t.Fatalf("%d answers are original, and the last is replayed: %q",
			original, answers[len(answers)-1].Header.Get("Idempotency-Replayed"))
	}
	for _, record := range first.JSON(t) {
		inner, _ := record.(map[string]any)
		return inner
	}
	return nil
}

func oneKeyTwoBodies(t *testing.T, f *fleet) {
	before := f.Get(t, "/leads").Int("count")
	var calls []call
	for i := range 12 {
		calls = append(calls, call{http.MethodPost, "/leads", object{"businessName": fmt.Sprintf("Bakery %d", i/4)}, "same"})
	}
	answers := f.atOnce(t, calls...)
	for _, a := range answers {
		if a.Status == http.StatusUnprocessableEntity {
			a.Problem(t, a.Status, "idempotency_key_reused")
		}
	}
	counts := tally(answers)
	if counts[201] == 0 || counts[201]+counts[409]+counts[422] != len(calls) {
		t.Errorf("answers are %v", counts)
	}
	if n := f.Get(t, "/leads").Int("count") - before; n != 1 {
		t.Errorf("%d leads", n)
	}
}

func paidTogether(t *testing.T, f *fleet) {
	deal := f.funded(t, 3, nil)
	p := f.paymentsOf(t, deal, "")[0]
	allAre(t, f.atOnce(t, patches(16, at("payments", p), object{"status": "PAID"})...), http.StatusOK)
	ctx, read := f.inside(t)
	if n := read.Journal.Query().Where(journal.PaymentID(p.ID())).CountX(ctx); n != 1 {
		t.Errorf("%d entries", n)
	}
	n := read.AuditEntry.Query().Where(auditentry.Action("payment.update"), auditentry.EntityID(p.ID())).CountX(ctx)
	if n != 1 {
		t.Errorf("%d audit entries", n)
	}
	if events := f.eventsAbout(t, "payment.paid", "payment", p.ID()); len(events) != 1 {
		t.Errorf("events %v", events)
	}
	f.owes(t, deal, "200.00")
}

func allPaidTogether(t *testing.T, f *fleet) {
	deal := f.funded(t, 24, nil)
	var calls []call
	for _, p := range f.paymentsOf(t, deal, "") {
		calls = append(calls, call{method: http.MethodPatch, path: at("payments", p), body: object{"status": "PAID"}})
	}
	allAre(t, f.atOnce(t, calls...), http.StatusOK)
	f.owes(t, deal, "0.00")
	shows(t, f.Get(t, at("deals", deal)).In("deal"), object{"state": "CLOSED"})
	f.checkMoves(t, deal, 4)
}

func movedTogether(t *testing.T, f *fleet) {
	deal := f.fundable(t, 5, nil)
	path := at("deals", deal)
	f.Patch(t, path, object{"state": "SUBMITTED"})
	f.Patch(t, path, object{"state": "INCEPTION"})
	moves := len(f.eventsAbout(t, "deal.state_changed", "deal", deal.ID()))
	for i, state := range []string{"SUBMITTED", "PREFUNDED"} {
		allAre(t, f.atOnce(t, patches(8, path, object{"state": state})...), http.StatusOK)
		f.checkMoves(t, deal, moves+i+1)
	}
	// Neither of these two can follow the other.
	answers := f.atOnce(t, slices.Concat(
		patches(5, path, object{"state": "FUNDED"}), patches(5, path, object{"state": "WITHDRAWN"}))...)
	f.checkMoves(t, deal, moves+3)
	winner := f.Get(t, path).In("deal").Text("state")
	for i, a := range answers {
		asked := []string{"FUNDED", "WITHDRAWN"}[i/5]
		if asked == winner {
			shows(t, a.Want(t, http.StatusOK).In("deal"), object{"state": winner})
		} else if a.Problem(t, http.StatusConflict, "conflict")["state"] == "" {
			t.Errorf("%s was refused with %s", asked, a.Body)
		}
	}
}

func fundedTogether(t *testing.T, f *fleet) {
	broker := f.Post(t, "/isos", object{"name": "Bridge Capital Brokers"}).In("iso")
	var deals []object
	var calls []call
	for range 3 {
		deal := f.fundable(t, 10, object{"isoId": broker.ID(), "commissionBasis": "FLAT", "commissionValue": "50"})
		deals = append(deals, deal)
		calls = append(calls, patches(4, at("deals", deal), object{"state": "FUNDED"})...)
	}
	allAre(t, f.atOnce(t, calls...), http.StatusOK)
	ctx, read := f.inside(t)
	for _, deal := range deals {
		if n := read.Payment.Query().Where(entpayment.DealID(deal.ID())).CountX(ctx); n != 10 {
			t.Errorf("%d payments are scheduled", n)
		}
		if n := read.Journal.Query().Where(journal.DealID(deal.ID()), journal.KindEQ(ledger.Funding)).CountX(ctx); n != 1 {
			t.Errorf("the deal is booked %d times", n)
		}
		f.checkMoves(t, deal, 3)
	}
	if n := read.PayoutBatch.Query().Where(payoutbatch.KindEQ(payoutbatch.KindCOMMISSION)).CountX(ctx); n != 1 {
		t.Errorf("%d open batches of commissions, want 1", n)
	}
}

func numberedTogether(t *testing.T, f *fleet) {
	merchant := f.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
	var before int
	newest := f.Get(t, "/deals?sort=dealNumber:desc&limit=1").List("deals")[0].Text("dealNumber")
	if _, err := fmt.Sscanf(newest, "D-%d", &before); err != nil {
		t.Fatal(err)
	}
	c := call{method: http.MethodPost, path: "/deals", body: object{"merchantId": merchant.ID()}}
	var numbers, want []string
	for i, a := range f.atOnce(t, slices.Repeat([]call{c}, 16)...) {
		numbers = append(numbers, a.Want(t, http.StatusCreated).In("deal").Text("dealNumber"))
		want = append(want, fmt.Sprintf("D-%06d", before+i+1))
	}
	slices.Sort(numbers)
	sameList(t, "deal number", numbers, want)
}

// checkMoves checks that a deal has n moves, each starting from the state the previous one led to, and that the
// last led to the deal's state.
func (f *fleet) checkMoves(t *testing.T, deal object, n int) {
	t.Helper()
	state := "INCEPTION"
	events := f.eventsAbout(t, "deal.state_changed", "deal", deal.ID())
	for _, raw := range events {
		var move struct{ From, To string }
		if err := json.Unmarshal([]byte(raw), &move); err != nil {
			t.Fatal(err)
		}
		if move.From != state {
			t.Errorf("a move from %s follows one to %s", move.From, state)
		}
		state = move.To
	}
	if now := f.Get(t, at("deals", deal)).In("deal").Text("state"); now != state {
		t.Errorf("the deal is %s, its last move led to %s", now, state)
	}
	if len(events) != n {
		t.Errorf("%d moves, want %d: %v", len(events), n, events)
	}
}
