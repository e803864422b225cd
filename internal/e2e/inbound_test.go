package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	entdisclosure "paydown/ent/disclosure"
	"paydown/ent/inboundevent"
	"paydown/ent/outboxevent"
	entpayment "paydown/ent/payment"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/ledger"
	"paydown/internal/store"
)

// A processor's events change payments as an API caller would: the ledger, fees to syndicators, the deal and
// the events follow. Events may be late, repeated, and in any order.
func TestProcessorStory(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b := booktest.OpenBooks(t, a)
		b.Advance = b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
		b.Posted(t,
			"FUNDING 1000 -48450.00; 1100 65000.00; 2000 -15000.00; 4100 -1550.00",
			"PARTICIPATION 1000 20000.00; 1010 -20000.00; 2000 6000.00; 2100 -26000.00; 2120 20000.00",
			"COMMISSION 2200 -5000.00; 5000 5000.00",
		)
		p := &booktest.Processor{Sender: a.Sender(t, b.Host)}
		rows := b.PaymentsOf(t, b.Advance, "")
		paid := []string{
			"PAYMENT 1000 515.88; 1100 -515.88; 2000 71.43; 2100 206.35; 2110 -206.35; 4000 -71.43",
			"MANAGEMENT_FEE 2110 6.19; 4200 -6.19",
		}
		undone := []string{
			"PAYMENT 1000 -515.88; 1100 515.88; 2000 -71.43; 2100 -206.35; 2110 206.35; 4000 71.43",
			"MANAGEMENT_FEE 2110 -6.19; 4200 6.19",
		}
		a.Clock.Set(booktest.Monday.AddDate(0, 0, 20))
		on := func(day int) string { return booktest.Monday.AddDate(0, 0, day).Format(time.RFC3339) }
		status := func(row object) string { return b.Get(t, booktest.At("payments", row)).In("payment").Text("status") }

		t.Run("a settlement and its return", func(t *testing.T) {
			first := object{
				"type":               "payment.settled",
				"paymentId":          rows[0].ID(),
				"externalTransferId": "tr-0",
				"occurredAt":         on(2),
				"amount":             "515.88",
			}
			booktest.Applied(t, p.Tell(t, b.Desk, first))
			b.Posted(t, paid...)
			booktest.Shows(t, b.Get(t, booktest.At("payments", rows[0])).In("payment"), object{
				"status": "PAID", "clearedDate": "2026-01-07", "externalTransferId": "tr-0", "source": "SCHEDULE",
			})
			booktest.Applied(
				t, p.Tell(t, b.Desk, object{"type": "payment.settled", "externalTransferId": "tr-0", "occurredAt": on(2)}),
			)
			booktest.Applied(
				t,
				p.Tell(
					t, b.Desk,
					object{"type": "payment.returned", "externalTransferId": "tr-0", "returnCode": "R01", "occurredAt": on(4)},
				),
			)
			b.Posted(t, undone...)
			b.Reversed(t, 2)
			booktest.Shows(
				t, b.Get(t, booktest.At("payments", rows[0])).In("payment"), object{"status": "BOUNCED", "clearedDate": nil},
			)
			for _, again := range []object{ // old news, all of it
				{"type": "payment.returned", "externalTransferId": "tr-0", "returnCode": "R02", "occurredAt": on(5)},
				{"type": "payment.settled", "externalTransferId": "tr-0", "occurredAt": on(2)},
			} {
				booktest.Applied(t, p.Tell(t, b.Desk, again))
			}
			booktest.KeptWith(t, p.Tell(t, b.Desk, object{"type": "payment.settled", "paymentId": rows[0].ID()}), "occurredAt")
			b.Posted(t)
			if status(rows[0]) != "BOUNCED" {
				t.Errorf("the payment is %s", status(rows[0]))
			}
		})
		t.Run("a new presentation", func(t *testing.T) {
			booktest.Applied(t, p.Tell(t, b.Desk, object{
				"type": "payment.settled", "paymentId": rows[0].ID(), "externalTransferId": "tr-0b", "occurredAt": on(8),
			}))
			b.Posted(t, paid...)
			booktest.Applied(
				t,
				p.Tell(
					t, b.Desk, object{"type": "payment.returned", "paymentId": rows[0].ID(), "returnCode": "R01", "occurredAt": on(4)},
				),
			)
			b.Posted(t) // the return of the first presentation, heard again
			booktest.KeptWith(
				t, p.Tell(t, b.Desk, object{"type": "payment.returned", "externalTransferId": "tr-0"}), "externalTransferId: ",
			)
			booktest.KeptWith(t, p.Tell(t, b.Desk, object{
				"type": "payment.returned", "paymentId": rows[0].ID(), "externalTransferId": "tr-0",
			}), "must be the transfer of this payment")
			booktest.Shows(
				t, b.Get(t, booktest.At("payments", rows[0])).In("payment"),
				object{"status": "PAID", "externalTransferId": "tr-0b"},
			)
		})
		t.Run("a return before its settlement", func(t *testing.T) {
			booktest.Applied(t, p.Tell(t, b.Desk, object{
				"type": "payment.returned", "paymentId": rows[1].ID(), "externalTransferId": "tr-1", "occurredAt": on(6),
			}))
			booktest.Applied(
				t, p.Tell(t, b.Desk, object{"type": "payment.settled", "externalTransferId": "tr-1", "occurredAt": on(5)}),
			)
			b.Posted(t)
			if status(rows[1]) != "BOUNCED" {
				t.Errorf("the payment is %s", status(rows[1]))
			}
			booktest.Applied(
				t, p.Tell(t, b.Desk, object{"type": "payment.returned", "externalTransferId": "tr-1", "returnCode": "R09"}),
			)
			if code := b.Get(t, booktest.At("payments", rows[1])).In("payment").Int("bounceCodeId"); code == 0 {
				t.Error("the code that was told later is not kept")
			}
		})
		t.Run("what staff must see to", func(t *testing.T) {
			b.Change(t, booktest.At("payments", rows[2]), object{"status": "CANCELLED"})
			for reason, event := range map[string]object{
				"cannot become BOUNCED":           {"type": "payment.returned", "paymentId": rows[2].ID()},
				"type: is required":               {"paymentId": rows[3].ID()},
				"type: must be one of":            {"type": "payment.created", "paymentId": rows[3].ID()},
				"externalTransferId: is required": {"type": "payment.settled"},
				"paymentId: no such record":       {"type": "payment.settled", "paymentId": 987654321},
				"externalTransferId: no payment":  {"type": "payment.settled", "externalTransferId": "tr-nobody"},
				"returnCode: ":                    {"type": "payment.returned", "paymentId": rows[3].ID(), "returnCode": "R00"},
				"amount: must be the amount":      {"type": "payment.settled", "paymentId": rows[3].ID(), "amount": "515.87"},
				"amount: must be a decimal":       {"type": "payment.settled", "paymentId": rows[3].ID(), "amount": 515.881},
				"occurredAt: must not":            {"type": "payment.settled", "paymentId": rows[3].ID(), "occurredAt": on(21)},
				"occurredAt: must be a timestamp": {"type": "payment.settled", "paymentId": rows[3].ID(), "occurredAt": "today"},
				"be the transfer of another": {
					"type": "payment.settled", "paymentId": rows[3].ID(), "externalTransferId": "tr-1",
				},
			} {
				booktest.KeptWith(t, p.Tell(t, b.Desk, event), reason)
			}
			b.Posted(t)
			if status(rows[3]) != "PENDING" {
				t.Errorf("the payment is %s", status(rows[3]))
			}
			booktest.Applied(
				t, p.Tell(t, b.Desk, object{"type": "payment.settled", "paymentId": rows[2].ID()}),
			) // it came in all the same
			b.Posted(t, paid...)
		})
		t.Run("the trail", func(t *testing.T) {
			ctx, read := b.Inside(t)
			entries := read.AuditEntry.Query().Where(auditentry.Surface("INBOUND"), auditentry.Entity("payment")).AllX(ctx)
			if len(entries) != 9 { // two fees for returns, one of which was called off, among them
				t.Errorf("%d audit entries about payments, want 9", len(entries))
			}
			for _, e := range entries {
				if e.ActorKind != "SYSTEM" || e.ActorName != "inbound processor" || e.DealID == nil || *e.DealID != b.Advance.ID() {
					t.Errorf("%s by %s %s on deal %v", e.Action, e.ActorKind, e.ActorName, e.DealID)
				}
			}
			for event, want := range map[string]int{"payment.paid": 3, "payment.bounced": 2} {
				if n := read.OutboxEvent.Query().Where(outboxevent.Event(event)).CountX(ctx); n != want {
					t.Errorf("%s was told %d times, want %d", event, n, want)
				}
			}
			if n := read.InboundEvent.Query().CountX(ctx); n != p.Told {
				t.Errorf("%d events are kept, want %d", n, p.Told)
			}
		})
		b.Holds(t, ledger.SyndicatorPayable, "-400.32")
		b.CheckBooks(t)
	})
}

// The settlement that pays a deal off closes it; its return reopens the deal.
func TestASettlementClosesADealAndItsReturnOpensIt(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		deal := f.Funded(t, 2, nil)
		p := &booktest.Processor{Sender: f.App.Sender(t, f.Host)}
		rows := f.PaymentsOf(t, deal, "")
		for i, row := range rows {
			booktest.Applied(
				t,
				p.Tell(
					t, f.Desk, object{"type": "payment.settled", "paymentId": row.ID(), "externalTransferId": fmt.Sprint("tr-", i)},
				),
			)
		}
		booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "CLOSED"})
		booktest.Applied(
			t, p.Tell(t, f.Desk, object{"type": "payment.returned", "externalTransferId": "tr-1", "returnCode": "R10"}),
		)
		booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "FUNDED"})
		moves := f.EventsAbout(t, "deal.state_changed", "deal", deal.ID())
		if last := moves[len(moves)-1]; !strings.Contains(last, `"trigger":"AUTOMATION"`) {
			t.Errorf("the last move is %s", last)
		}
		f.CheckBooks(t)
	})
}

// Settlements and returns of the same payments, sent at once to every process, leave each payment in one of the
// two states, posted accordingly.
func TestProcessorEventsAtOnce(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "burst.test")}
		senders := []*apptest.Sender{a.Sender(t, f.Host)}
		if a.Store.IsPostgres() {
			replica := a.Replica(t)
			replica.Clock.Set(booktest.Monday)
			senders = append(senders, senders[0].Through(replica))
		}
		rows := f.PaymentsOf(t, f.Funded(t, 5, nil), "")
		var done sync.WaitGroup
		start := make(chan struct{})
		for i := range 40 {
			kind := []string{"payment.settled", "payment.returned"}[i/2%2]
			body := object{"eventId": i, "type": kind, "paymentId": rows[i%5].ID(), "externalTransferId": fmt.Sprint("tr-", i%5)}
			done.Go(func() {
				<-start
				answer, err := senders[i%len(senders)].Try("processor", body)
				if err != nil || answer.Status != 202 {
					t.Errorf("%v %v", err, answer)
				}
			})
		}
		close(start)
		done.Wait()
		for _, row := range rows {
			if status := f.Get(t, booktest.At("payments", row)).In("payment").Text("status"); status != "BOUNCED" {
				t.Errorf("a payment that was returned is %s", status)
			}
		}
		ctx, read := f.Inside(t)
		if n := read.InboundEvent.Query().Where(inboundevent.StateNEQ(inboundevent.StateAPPLIED)).CountX(ctx); n != 0 {
			t.Errorf("%d events were not applied", n)
		}
		f.CheckBooks(t)
	})
}

// The program is killed while settlements arrive. Senders without an answer send again: each payment is paid
// once.
func TestSettlementsSurviveACrash(t *testing.T) {
	t.Parallel()
	installations(t, func(t *testing.T, i *installation) {
		secret := strings.Repeat("inbound", 5)
		i.run(t, "tenant", "set", i.host, "inboundWebhookSecret="+secret)
		server := i.serve(t)
		f := &booktest.Fleet{Desk: &booktest.Desk{Client: server.Client}}
		rows := f.PaymentsOf(t, f.Funded(t, 120, nil), "")
		send := func(server *running, from int) (answers []*apptest.Answer) {
			client := *server.Client
			client.Token = ""
			s := &apptest.Sender{Client: &client, Secret: secret, Now: time.Now}
			answers = make([]*apptest.Answer, len(rows))
			var done sync.WaitGroup
			for w := range 4 {
				done.Go(func() {
					for n := w; n < len(rows); n += 4 {
						answer, err := s.Try(
							"processor", object{"eventId": fmt.Sprint("evt-", n), "type": "payment.settled", "paymentId": rows[n].ID()},
						)
						if err != nil {
							return // the program is gone
						}
						answers[n] = answer
						if n == from {
							go server.kill()
						}
					}
				})
			}
			done.Wait()
			return answers
		}
		before := send(server, 40)
		server.kill()
		i.verified(t)
		server = i.serve(t)
		after := send(server, -1)
		acknowledged := 0
		for n := range rows {
			if before[n] != nil {
				acknowledged++
				before[n].Want(t, 202)
				after[n].Want(t, 200) // it was kept before it was acknowledged
			} else if after[n] == nil || after[n].Status > 202 {
				t.Errorf("settlement %d: %v", n, after[n])
			}
		}
		if acknowledged == 0 || acknowledged == len(rows) {
			t.Errorf("%d of %d were acknowledged: the program was not killed under load", acknowledged, len(rows))
		}
		i.look(t, func(ctx context.Context, read *ent.Client) {
			if n := read.Payment.Query().Where(entpayment.StatusEQ("PAID"), entpayment.Episode(1)).CountX(ctx); n != len(rows) {
				t.Errorf("%d payments were paid once, want %d", n, len(rows))
			}
			if n := read.OutboxEvent.Query().Where(outboxevent.Event("payment.paid")).CountX(ctx); n != len(rows) {
				t.Errorf("%d payments were told, want %d", n, len(rows))
			}
		})
		i.verified(t)
	})
}

// The signers of a contract sign one by one; the last signature completes the document. A decline ends it.
func TestESignStory(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "signing.test")}
		deal := f.Fundable(t, 5, nil)
		s := a.Sender(t, f.Host)
		contract, disclosed := outForSignature(t, f, deal, "env-1"), outForSignature(t, f, deal, "env-2")
		url := "https://documents.example/env-1.pdf"
		booktest.Applied(
			t,
			f.Inbound(
				t, s, "esign", "1", object{"type": "signer.viewed", "externalId": "env-1", "signerEmail": "OWNER@harbor.example"},
			),
		)
		booktest.Applied(
			t,
			f.Inbound(
				t, s, "esign", "2",
				object{"type": "signer.signed", "externalId": "env-1", "provider": "pen", "signerEmail": "owner@harbor.example"},
			),
		)
		booktest.Applied(
			t,
			f.Inbound(
				t, s, "esign", "3", object{"type": "signer.viewed", "externalId": "env-1", "signerEmail": "owner@harbor.example"},
			),
		) // late
		booktest.KeptWith(
			t,
			f.Inbound(
				t, s, "esign", "4",
				object{"type": "signer.signed", "signatureRequestId": contract, "signerEmail": "wife@harbor.example"},
			),
			"documentUrl: ",
		)
		booktest.Applied(t, f.Inbound(t, s, "esign", "5", object{
			"type": "signer.signed", "signatureRequestId": contract, "signerEmail": "wife@harbor.example", "documentUrl": url,
		}))
		booktest.Applied(
			t,
			f.Inbound(
				t, s, "esign", "6", object{"type": "signer.signed", "externalId": "env-1", "signerEmail": "wife@harbor.example"},
			),
		) // again
		booktest.KeptWith(
			t,
			f.Inbound(
				t, s, "esign", "7", object{"type": "signer.declined", "externalId": "env-1", "signerEmail": "wife@harbor.example"},
			),
			"already signed",
		)
		booktest.Applied(t, f.Inbound(t, s, "esign", "8", object{
			"type": "signer.declined", "signatureRequestId": disclosed, "signerEmail": "wife@harbor.example",
			"reason": "Too dear.\nSorry.",
		}))
		booktest.Applied(
			t,
			f.Inbound(
				t, s, "esign", "9", object{"type": "signer.declined", "externalId": "env-2", "signerEmail": "wife@harbor.example"},
			),
		)
		booktest.KeptWith(
			t,
			f.Inbound(
				t, s, "esign", "10", object{"type": "signer.signed", "externalId": "env-2", "signerEmail": "owner@harbor.example"},
			),
			"DECLINED",
		)
		for reason, event := range map[string]object{
			"signerEmail: must name a signer": {
				"type": "signer.signed", "externalId": "env-1", "signerEmail": "nobody@harbor.example",
			},
			"externalId: no signature request": {
				"type": "signer.signed", "externalId": "env-9", "signerEmail": "owner@harbor.example",
			},
			"signatureRequestId: is required":     {"type": "signer.signed", "signerEmail": "owner@harbor.example"},
			"signerEmail: is required":            {"type": "signer.signed", "externalId": "env-1"},
			"signatureRequestId: no such record":  {"type": "signer.signed", "signatureRequestId": 987654321, "signerId": 1},
			"type: must be one of signer.viewed,": {"type": "envelope.voided", "externalId": "env-1", "signerId": 1},
		} {
			booktest.KeptWith(t, f.Inbound(t, s, "esign", reason, event), reason)
		}
		ctx, read := f.Inside(t)
		request := read.SignatureRequest.GetX(ctx, contract)
		if request.Status != "COMPLETED" || request.CompletedAt == nil || request.SignedDocumentID == nil {
			t.Errorf("the contract is %v", request)
		}
		ended := read.SignatureRequest.GetX(ctx, disclosed)
		if ended.Status != "DECLINED" || ended.DeclinedReason == nil || *ended.DeclinedReason != "Too dear.\nSorry." {
			t.Errorf("the declined request is %v", ended)
		}
		for id, status := range map[int]string{contract: "SIGNED", disclosed: "DELIVERED"} {
			d := read.Disclosure.Query().Where(entdisclosure.SignatureRequestID(id)).OnlyX(ctx)
			if string(d.Status) != status || (d.SignedAt != nil) != (status == "SIGNED") {
				t.Errorf("the disclosure of request %d is %s, signed at %v", id, d.Status, d.SignedAt)
			}
		}
		dealID := float64(deal.ID())
		for event, want := range map[string][]object{
			"esign.signed": {
				{"signatureRequestId": contract, "dealId": dealID, "signerEmail": "owner@harbor.example"},
				{"signatureRequestId": contract, "dealId": dealID, "signerEmail": "wife@harbor.example"},
			},
			"esign.completed": {{
				"signatureRequestId": contract, "dealId": dealID, "documentId": *request.SignedDocumentID, "documentUrl": url,
			}},
			"esign.declined": {{
				"signatureRequestId": disclosed, "dealId": dealID, "signerEmail": "wife@harbor.example",
				"reason": "Too dear.\nSorry.",
			}},
		} {
			var got, texts []string
			for _, e := range read.OutboxEvent.Query().Where(outboxevent.Event(event)).Order(outboxevent.ByID()).AllX(ctx) {
				got = append(got, booktest.Canonical(t, e.Data))
			}
			for _, w := range want {
				texts = append(texts, booktest.Text(t, w))
			}
			booktest.SameList(t, event, got, texts)
		}
	})
}

// outForSignature creates a request for a deal's documents with two signers, and a disclosure that is signed
// with it.
func outForSignature(t *testing.T, f *booktest.Fleet, deal object, externalID string) int {
	t.Helper()
	var id int
	err := f.App.Store.Write(f.App.Operator(t, f.Host), func(ctx context.Context, tx *store.Tx) error {
		document := tx.Document.Create().SetName("Contract").SetKind("CONTRACT").SetMediaType("application/pdf").
			SetSize(1).SetSha256([]byte{1}).SetStorageKey(externalID).SetDealID(deal.ID()).SaveX(ctx)
		request := tx.SignatureRequest.Create().SetTitle("Contract").SetKind("CONTRACT").SetStatus("SENT").
			SetProvider("pen").SetExternalID(externalID).SetDealID(deal.ID()).SetDocumentID(document.ID).SaveX(ctx)
		for i, email := range []string{"owner@harbor.example", "wife@harbor.example"} {
			tx.Signer.Create().SetSignatureRequestID(request.ID).SetPosition(i).SetName("Signer").SetEmail(email).ExecX(ctx)
		}
		id = request.ID
		return tx.Disclosure.Create().
			SetDealID(deal.ID()).
			SetState(map[string]string{"env-1": "NY", "env-2": "CA"}[externalID]).
			SetComputed([]byte("{}")).
			SetInputsHash([]byte{1}).
			SetStatus("DELIVERED").
			SetDeliveredAt(tx.At()).
			SetSignatureRequestID(request.ID).
			Exec(ctx)
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// A transfer settles one payment, although two simultaneous events, each of another deal, claim that it settled
// theirs.
func TestATransferSettlesOnePayment(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "claims.test")}
		senders := []*apptest.Sender{a.Sender(t, f.Host)}
		if a.Store.IsPostgres() {
			replica := a.Replica(t)
			replica.Clock.Set(booktest.Monday)
			senders = append(senders, senders[0].Through(replica))
		}
		const deals, payments = 4, 10
		rows := make([][]object, deals)
		for i := range rows {
			rows[i] = f.PaymentsOf(t, f.Funded(t, payments, nil), "")
		}
		ctx, read := f.Inside(t)
		for n := range payments {
			var done sync.WaitGroup
			start := make(chan struct{})
			for i := range rows {
				body := object{
					"eventId": fmt.Sprintf("%d-%d", n, i), "type": "payment.settled", "paymentId": rows[i][n].ID(),
					"externalTransferId": fmt.Sprint("tr-", n),
				}
				done.Go(func() {
					<-start
					answer, err := senders[i%len(senders)].Try("processor", body)
					if err != nil || answer.Status != 202 {
						t.Errorf("%v %v", err, answer)
					}
				})
			}
			close(start)
			done.Wait()
			if paid := read.Payment.Query().Where(entpayment.ExternalTransferID(fmt.Sprint("tr-", n))).CountX(ctx); paid != 1 {
				t.Errorf("transfer %d settled %d payments", n, paid)
			}
		}
		for _, e := range read.InboundEvent.Query().Where(inboundevent.StateNEQ(inboundevent.StateAPPLIED)).AllX(ctx) {
			if e.Error == nil || !strings.Contains(*e.Error, "must not be the transfer of another payment") {
				t.Errorf("%s is kept with %v", e.ExternalID, e.Error)
			}
		}
		f.CheckBooks(t)
	})
}
