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
	"paydown/internal/booktest"
	"paydown/internal/ledger"
)

// Simultaneous calls to two processes on PostgreSQL have the same outcome as sequential ones.
func TestWritesAtTheSameMoment(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		f.Run(t, []booktest.Behavior{
			{Name: "one Idempotency-Key makes one record", Test: oneKeyOneRecord},
			{Name: "one Idempotency-Key with several bodies keeps one", Test: oneKeyTwoBodies},
			{Name: "a payment that many mark PAID posts once", Test: paidTogether},
			{Name: "payments of one deal that are paid together close it exactly", Test: allPaidTogether},
			{Name: "a deal that many move has one winner", Test: movedTogether},
			{Name: "a deal that many fund is funded once", Test: fundedTogether},
			{Name: "deals that are made together get numbers in a row", Test: numberedTogether},
		})
	})
}

func oneKeyOneRecord(t *testing.T, f *booktest.Fleet) {
	const callers = 20
	deal := f.Funded(t, 3, nil)
	for path, body := range map[string]object{
		"/leads":     {"businessName": "Harbor Street Bakery LLC"},
		"/merchants": {"legalName": "Alder Street Flowers Inc"},
		"/deals":     {"merchantId": deal.Int("merchantId"), "fundedAmount": "1000.00"},
		"/payments":  {"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "40.00", "status": "PAID"},
	} {
		before := len(f.Get(t, path).List(path[1:]))
		c := booktest.Call{Method: http.MethodPost, Path: path, Body: body, Key: "once" + path}
		record := oneAnswer(t, append(f.AtOnce(t, slices.Repeat([]booktest.Call{c}, callers)...), f.AtOnce(t, c)...))
		if made := len(f.Get(t, path).List(path[1:])) - before; made != 1 {
			t.Errorf("%d records at %s", made, path)
		}
		ctx, read := f.Inside(t)
		entity := booktest.Singular(path)
		audited := read.AuditEntry.Query().Where(auditentry.Action(entity+".create"), auditentry.EntityID(record.ID()))
		if n := audited.CountX(ctx); n != 1 {
			t.Errorf("%d audit entries of %s %d", n, entity, record.ID())
		}
		event := map[string]string{"payment": "payment.paid"}[entity]
		if event == "" {
			event = entity + ".created"
		}
		if n := len(f.EventsAbout(t, event, entity, record.ID())); n != 1 {
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

func oneKeyTwoBodies(t *testing.T, f *booktest.Fleet) {
	before := f.Get(t, "/leads").Int("count")
	var calls []booktest.Call
	for i := range 12 {
		calls = append(
			calls,
			booktest.Call{
				Method: http.MethodPost,
				Path:   "/leads",
				Body:   object{"businessName": fmt.Sprintf("Bakery %d", i/4)},
				Key:    "same",
			},
		)
	}
	answers := f.AtOnce(t, calls...)
	for _, a := range answers {
		if a.Status == http.StatusUnprocessableEntity {
			a.Problem(t, a.Status, "idempotency_key_reused")
		}
	}
	counts := booktest.Tally(answers)
	if counts[201] == 0 || counts[201]+counts[409]+counts[422] != len(calls) {
		t.Errorf("answers are %v", counts)
	}
	if n := f.Get(t, "/leads").Int("count") - before; n != 1 {
		t.Errorf("%d leads", n)
	}
}

func paidTogether(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 3, nil)
	p := f.PaymentsOf(t, deal, "")[0]
	booktest.AllAre(
		t, f.AtOnce(t, booktest.Patches(16, booktest.At("payments", p), object{"status": "PAID"})...), http.StatusOK,
	)
	ctx, read := f.Inside(t)
	if n := read.Journal.Query().Where(journal.PaymentID(p.ID())).CountX(ctx); n != 1 {
		t.Errorf("%d entries", n)
	}
	n := read.AuditEntry.Query().Where(auditentry.Action("payment.update"), auditentry.EntityID(p.ID())).CountX(ctx)
	if n != 1 {
		t.Errorf("%d audit entries", n)
	}
	if events := f.EventsAbout(t, "payment.paid", "payment", p.ID()); len(events) != 1 {
		t.Errorf("events %v", events)
	}
	f.Owes(t, deal, "200.00")
}

func allPaidTogether(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 24, nil)
	var calls []booktest.Call
	for _, p := range f.PaymentsOf(t, deal, "") {
		calls = append(
			calls, booktest.Call{Method: http.MethodPatch, Path: booktest.At("payments", p), Body: object{"status": "PAID"}},
		)
	}
	booktest.AllAre(t, f.AtOnce(t, calls...), http.StatusOK)
	f.Owes(t, deal, "0.00")
	booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "CLOSED"})
	checkMoves(t, f, deal, 4)
}

func movedTogether(t *testing.T, f *booktest.Fleet) {
	deal := f.Fundable(t, 5, nil)
	path := booktest.At("deals", deal)
	f.Patch(t, path, object{"state": "SUBMITTED"})
	f.Patch(t, path, object{"state": "INCEPTION"})
	moves := len(f.EventsAbout(t, "deal.state_changed", "deal", deal.ID()))
	for i, state := range []string{"SUBMITTED", "PREFUNDED"} {
		booktest.AllAre(t, f.AtOnce(t, booktest.Patches(8, path, object{"state": state})...), http.StatusOK)
		checkMoves(t, f, deal, moves+i+1)
	}
	// Neither of these two can follow the other.
	answers := f.AtOnce(t, slices.Concat(
		booktest.Patches(5, path, object{"state": "FUNDED"}), booktest.Patches(5, path, object{"state": "WITHDRAWN"}))...)
	checkMoves(t, f, deal, moves+3)
	winner := f.Get(t, path).In("deal").Text("state")
	for i, a := range answers {
		asked := []string{"FUNDED", "WITHDRAWN"}[i/5]
		if asked == winner {
			booktest.Shows(t, a.Want(t, http.StatusOK).In("deal"), object{"state": winner})
		} else if a.Problem(t, http.StatusConflict, "conflict")["state"] == "" {
			t.Errorf("%s was refused with %s", asked, a.Body)
		}
	}
}

func fundedTogether(t *testing.T, f *booktest.Fleet) {
	broker := f.Post(t, "/isos", object{"name": "Bridge Capital Brokers"}).In("iso")
	var deals []object
	var calls []booktest.Call
	for range 3 {
		deal := f.Fundable(t, 10, object{"isoId": broker.ID(), "commissionBasis": "FLAT", "commissionValue": "50"})
		deals = append(deals, deal)
		calls = append(calls, booktest.Patches(4, booktest.At("deals", deal), object{"state": "FUNDED"})...)
	}
	booktest.AllAre(t, f.AtOnce(t, calls...), http.StatusOK)
	ctx, read := f.Inside(t)
	for _, deal := range deals {
		if n := read.Payment.Query().Where(entpayment.DealID(deal.ID())).CountX(ctx); n != 10 {
			t.Errorf("%d payments are scheduled", n)
		}
		if n := read.Journal.Query().Where(journal.DealID(deal.ID()), journal.KindEQ(ledger.Funding)).CountX(ctx); n != 1 {
			t.Errorf("the deal is booked %d times", n)
		}
		checkMoves(t, f, deal, 3)
	}
	if n := read.PayoutBatch.Query().Where(payoutbatch.KindEQ(payoutbatch.KindCOMMISSION)).CountX(ctx); n != 1 {
		t.Errorf("%d open batches of commissions, want 1", n)
	}
}

func numberedTogether(t *testing.T, f *booktest.Fleet) {
	merchant := f.Post(t, "/merchants", object{"legalName": "Harbor Street Bakery LLC"}).In("merchant")
	var before int
	newest := f.Get(t, "/deals?sort=dealNumber:desc&limit=1").List("deals")[0].Text("dealNumber")
	if _, err := fmt.Sscanf(newest, "D-%d", &before); err != nil {
		t.Fatal(err)
	}
	c := booktest.Call{Method: http.MethodPost, Path: "/deals", Body: object{"merchantId": merchant.ID()}}
	var numbers, want []string
	for i, a := range f.AtOnce(t, slices.Repeat([]booktest.Call{c}, 16)...) {
		numbers = append(numbers, a.Want(t, http.StatusCreated).In("deal").Text("dealNumber"))
		want = append(want, fmt.Sprintf("D-%06d", before+i+1))
	}
	slices.Sort(numbers)
	booktest.SameList(t, "deal number", numbers, want)
}

// checkMoves checks that a deal has n moves, each starting from the state the previous one led to, and that the
// last led to the deal's state.
func checkMoves(t *testing.T, f *booktest.Fleet, deal object, n int) {
	t.Helper()
	state := "INCEPTION"
	events := f.EventsAbout(t, "deal.state_changed", "deal", deal.ID())
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
	if now := f.Get(t, booktest.At("deals", deal)).In("deal").Text("state"); now != state {
		t.Errorf("the deal is %s, its last move led to %s", now, state)
	}
	if len(events) != n {
		t.Errorf("%d moves, want %d: %v", len(events), n, events)
	}
}
