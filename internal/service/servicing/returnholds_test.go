package servicing_test

import (
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"paydown/ent/auditentry"
	"paydown/ent/collectionhold"
	"paydown/ent/outboxevent"
	entpayment "paydown/ent/payment"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/payment"
)

// The consequences of a return, by the company's settings for its code, whoever records it.
func TestReturnsAreFollowed(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		f := &booktest.Fleet{Desk: booktest.OpenDesk(t, a, "holds.test")}
		f.Processes = []*apptest.Client{f.Client}
		f.Run(t, []booktest.Behavior{
			{Name: "each stop code keeps debits back until it is cured", Test: stopCodesHold},
			{Name: "a return is charged for once", Test: returnsAreCharged},
			{Name: "a code that is told later is followed too", Test: codeToldLater},
			{Name: "three retryable returns in a row pause a deal", Test: threeInARow},
			{Name: "five retryable returns in thirty days pause a deal", Test: fiveInAMonth},
			{Name: "another verified account cures the hold", Test: anotherAccountCures},
			{Name: "a hold is for the account that was debited, and none for one that was replaced", Test: debitedAccountIsHeld},
			{Name: "a late return under a hold schedules nothing", Test: lateReturnUnderHold},
			{Name: "a cure out of default under a hold schedules nothing", Test: cureUnderHold},
			{Name: "a deal on hold is not funded", Test: heldDealIsNotFunded},
			{Name: "staff place and release holds", Test: staffHold},
			{Name: "a hold of staff ends by itself", Test: holdEnds},
			{Name: "a returned debit is retried", Test: debitsAreRetried},
			{Name: "ACH asks for money twice more, for 180 days", Test: retriesAreBounded},
			{Name: "the company's own data is followed", Test: ownCodes},
		})
	})
}

// comesBack marks a payment BOUNCED with a code.
func comesBack(t *testing.T, f *booktest.Fleet, p object, code string) {
	t.Helper()
	f.Patch(t, booktest.At("payments", p), object{"status": "BOUNCED", "bounceCodeId": f.Code(t, code)})
}

// holds returns the active holds of a deal, each as its reason and code.
func holds(t *testing.T, f *booktest.Fleet, deal object, want ...string) []object {
	t.Helper()
	all := f.Graph(t, fmt.Sprintf(`{ deal(id: %d) { collectionHolds {
		id reason code note since until standing cure paymentId
		releasedAt releaseNote releasedBy payment { id } } } }`, deal.ID()), nil).
		In("deal").
		List("collectionHolds")
	var standing []object
	var got []string
	for i, h := range all {
		if h["standing"] != true {
			continue
		}
		if standing = append(standing, h); len(standing) != i+1 || h.Text("cure") == "" {
			t.Errorf("the holds are %v", all)
		}
		got = append(got, strings.TrimSpace(h.Text("reason")+" "+h.Text("code")))
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("on hold by %v, want %v", got, want)
	}
	return standing
}

// release ends the first active hold of a deal.
func release(t *testing.T, f *booktest.Fleet, deal object) {
	t.Helper()
	releaser(t, f).
		Graph(t, `mutation($id: ID!) { releaseCollectionHold(id: $id, note: "Spoken to the owner.") { id standing } }`,
			map[string]any{"id": standing(t, f, deal)[0].Text("id")})
}

func standing(t *testing.T, f *booktest.Fleet, deal object) []object {
	t.Helper()
	var standing []object
	for _, h := range f.Graph(t, fmt.Sprintf(`{ deal(id: %d) { collectionHolds { id standing } } }`, deal.ID()), nil).
		In("deal").List("collectionHolds") {
		if h["standing"] == true {
			standing = append(standing, h)
		}
	}
	return standing
}

func releaser(t *testing.T, f *booktest.Fleet) *apptest.Client {
	t.Helper()
	return f.Staff(t, "collector@holds.test", "collections")
}

// heldBack checks that no ACH debit of a deal can be created, and that everything else can.
func heldBack(t *testing.T, f *booktest.Fleet, deal object, code string) {
	t.Helper()
	rows := f.PaymentsOf(t, deal, "&status=PENDING&type=ORIGINAL_ADVANCE_PAYBACK")
	refused := func(method, path string, body object, about string) {
		t.Helper()
		if told := f.Do(t, method, path, body).Problem(t, http.StatusConflict, "conflict"); !strings.Contains(
			told[about], code,
		) {
			t.Errorf("%s %s %v is refused with %v, want %s at %s", method, path, body, told, code, about)
		}
	}
	due := object{"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "10.00", "method": "ACH"}
	refused(http.MethodPost, "/payments", due, "method")
	due["type"] = "OTHER_FEE"
	refused(http.MethodPost, "/payments", due, "method")
	refused(
		http.MethodPost, "/payments",
		object{"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "10.00", "status": "SUBMITTED"}, "status",
	)
	refused(http.MethodPatch, booktest.At("payments", rows[0]), object{"status": "SUBMITTED"}, "status")
	due["method"] = "CHECK"
	check := f.Post(t, "/payments", due).In("payment")
	refused(http.MethodPatch, booktest.At("payments", check), object{"method": "ACH"}, "method")
	f.Patch(t, booktest.At("payments", check), object{"status": "SUBMITTED"})
	f.Patch(t, booktest.At("payments", check), object{"status": "PAID", "method": "ACH"}) // it turned out to be one
	if told := f.Ask(t, `mutation($input: NewPayment!) {
		createPayment(input: $input) { id } }`, map[string]any{"input": object{
		"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "10.00", "method": "ACH",
	}}).Refused(t, "conflict"); !strings.Contains(
		told["method"], code,
	) {
		t.Errorf("createPayment is refused with %v", told)
	}

	// What happened is recorded.
	due["method"], due["status"] = "ACH", "PAID"
	f.Post(t, "/payments", due)
	f.Patch(t, booktest.At("payments", rows[0]), object{"status": "PAID"})
	bounced := booktest.At("payments", rows[0])
	f.Patch(t, bounced, object{"status": "BOUNCED"})

	makeUp := func(method string) apptest.Asked {
		return f.Ask(
			t, fmt.Sprintf(`mutation { makeUpPayment(id: %d, input: {method: %s}) { madeUpById } }`, rows[0].ID(), method), nil,
		)
	}
	if told := makeUp("ACH").Refused(t, "conflict"); !strings.Contains(told["method"], code) {
		t.Errorf("a make-up is refused with %v", told)
	}
	refused(http.MethodPatch, bounced, object{"madeUpById": rows[1].ID()}, "madeUpById")
	if made := makeUp("WIRE"); len(made.Errors) != 0 {
		t.Errorf("a make-up by wire: %v", made.Errors)
	}
}

// stopCodesHold tries the codes that stop collection for good, and the one that pauses it.
func stopCodesHold(t *testing.T, f *booktest.Fleet) {
	for reason, codes := range map[string]string{
		"ACCOUNT": "R02 R03 R04 R13 R20", "AUTHORIZATION": "R05 R07 R10 R11 R29", "LEGAL": "R14 R15 R16", "CONSENT": "R08",
	} {
		for i, code := range strings.Fields(codes) {
			deal := f.Funded(t, 5, nil)
			row := f.PaymentsOf(t, deal, "")[0]
			comesBack(t, f, row, code)
			hold := holds(t, f, deal, reason+" "+code)[0]
			if hold.Text("paymentId") != fmt.Sprint(row.ID()) || hold.In("payment").Text("id") != fmt.Sprint(row.ID()) {
				t.Errorf("the hold is %v", hold)
			}
			if i == 0 {
				heldBack(t, f, deal, code)
			}
			debit := object{"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "10.00", "method": "ACH"}
			f.Refused(t, http.MethodPost, "/payments", debit, "method")
			released(t, f, deal, hold)
			f.Post(t, "/payments", debit)
		}
	}
}

// released checks who may end a hold, and the result.
func released(t *testing.T, f *booktest.Fleet, deal, hold object) {
	t.Helper()
	ask := func(c *apptest.Client, note string) apptest.Asked {
		t.Helper()
		return c.Ask(
			t,
			`mutation($id: ID!, $note: String!) {
				releaseCollectionHold(id: $id, note: $note) { standing releaseNote releasedBy } }`,
			map[string]any{"id": hold.Text("id"), "note": note},
		)
	}
	ask(f.Client, "By a key").Refused(t, "forbidden")
	ask(f.Staff(t, "funder@holds.test", "funder"), "By somebody else").Refused(t, "forbidden")
	ask(releaser(t, f), "").Refused(t, "validation_error")
	for range 2 { // the second time it is over
		booktest.Shows(t, ask(releaser(t, f), "A new authorization, signed today.").Data.In("releaseCollectionHold"), object{
			"standing": false, "releaseNote": "A new authorization, signed today.", "releasedBy": "collector@holds.test",
		})
	}
	holds(t, f, deal)
	ctx, read := f.Inside(t)
	entries := read.AuditEntry.Query().Where(auditentry.Entity("collectionHold"), auditentry.DealID(deal.ID())).
		Order(auditentry.ByID()).AllX(ctx)
	if len(entries) != 2 || entries[0].Action != "collectionHold.create" || entries[1].Action != "collectionHold.update" ||
		entries[1].ActorName != "collector@holds.test" {
		t.Errorf("the history has %v", entries)
	}
}

// fees checks the fees for the return of a payment, each as its amount, status and method.
func fees(t *testing.T, f *booktest.Fleet, p object, want ...string) {
	t.Helper()
	ctx, read := f.Inside(t)
	var got []string
	for _, fee := range read.Payment.Query().Where(entpayment.FeeForID(p.ID())).Order(entpayment.ByID()).AllX(ctx) {
		method := payment.Method("none")
		if fee.Method != nil {
			method = *fee.Method
		}
		got = append(got, fmt.Sprintf("%s %s %s", fee.Amount, fee.Status, method))
		if fee.Type != payment.BounceFee || *fee.Source != payment.FromSystem || *fee.Direction != payment.In ||
			fee.DealID != p.Int("dealId") {
			t.Errorf("the fee is %v", fee)
		}
		n := read.AuditEntry.Query().
			Where(auditentry.Entity("payment"), auditentry.EntityID(fee.ID), auditentry.Action("payment.create")).
			CountX(ctx)
		if n != 1 {
			t.Errorf("%d audit entries of the making of the fee", n)
		}
	}
	if strings.Join(got, ", ") != strings.Join(want, ", ") {
		t.Errorf("the fees are %v, want %v", got, want)
	}
}

func returnsAreCharged(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	comesBack(t, f, rows[0], "R01")
	fees(t, f, rows[0], "35.00 PENDING ACH")
	f.Patch(t, booktest.At("payments", rows[0]), object{"status": "BOUNCED"})
	fees(t, f, rows[0], "35.00 PENDING ACH")

	// The bounce is reversed, and happens again.
	f.Patch(t, booktest.At("payments", rows[0]), object{"status": "PAID"})
	fees(t, f, rows[0], "35.00 CANCELLED ACH")
	comesBack(t, f, rows[0], "R09")
	fees(t, f, rows[0], "35.00 CANCELLED ACH", "35.00 PENDING ACH")

	// A bounced fee incurs no fee; the deal then has three returns in a row.
	fee := f.PaymentsOf(t, deal, "&type=BOUNCE_FEE&status=PENDING")[0]
	f.Patch(t, booktest.At("payments", fee), object{"status": "PAID"})
	booktest.Shows(t, f.Get(t, booktest.At("payments", fee)).In("payment"), object{"status": "PAID", "source": "SYSTEM"})
	comesBack(t, f, fee, "R01")
	fees(t, f, fee)
	f.Patch(t, booktest.At("payments", rows[0]), object{"status": "PAID"}) // what is over of a fee stays
	fees(t, f, rows[0], "35.00 CANCELLED ACH", "35.00 BOUNCED ACH")

	// No fee: a code without one, an unknown code, an outgoing payment.
	comesBack(t, f, rows[1], "R24")
	f.Patch(t, booktest.At("payments", rows[2]), object{"status": "BOUNCED"})
	fees(t, f, rows[1])
	fees(t, f, rows[2])

	// A return reported by a processor incurs a fee as well; under a hold not by ACH.
	p := &booktest.Processor{Sender: f.App.Sender(t, f.Host), Told: 10_000}
	booktest.Applied(
		t, p.Tell(t, f.Desk, object{"type": "payment.returned", "paymentId": rows[3].ID(), "returnCode": "R01"}),
	)
	fees(t, f, rows[3], "35.00 PENDING ACH")
	comesBack(t, f, rows[4], "R02")
	comesBack(t, f, rows[5], "R01")
	fees(t, f, rows[5], "35.00 PENDING none")
	ctx, read := f.Inside(t)
	if n := read.OutboxEvent.Query().Where(outboxevent.Event("payment.bounced"), outboxevent.Entity("payment"),
		outboxevent.EntityID(rows[5].ID())).CountX(ctx); n != 1 {
		t.Errorf("the return is told %d times", n)
	}
}

func codeToldLater(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	f.Patch(t, booktest.At("payments", rows[0]), object{"status": "BOUNCED"})
	holds(t, f, deal)
	fees(t, f, rows[0])
	p := &booktest.Processor{Sender: f.App.Sender(t, f.Host), Told: 20_000}
	booktest.Applied(
		t, p.Tell(t, f.Desk, object{"type": "payment.returned", "paymentId": rows[0].ID(), "returnCode": "R01"}),
	)
	fees(t, f, rows[0], "35.00 PENDING ACH")
	f.Patch(t, booktest.At("payments", rows[0]), object{"bounceCodeId": f.Code(t, "R10")}) // corrected
	fees(t, f, rows[0], "35.00 CANCELLED ACH")
	holds(t, f, deal, "AUTHORIZATION R10")
}

func threeInARow(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	comesBack(t, f, rows[0], "R01")
	f.Patch(t, booktest.At("payments", rows[1]), object{"status": "PAID"})
	comesBack(t, f, rows[2], "R09")
	comesBack(t, f, rows[3], "R01")
	holds(t, f, deal)
	comesBack(t, f, rows[4], "R01")
	holds(t, f, deal, "RETURNS R01")
	heldBack(t, f, deal, "R01")
	f.App.AdvanceAll(time.Minute)
	release(t, f, deal)
	f.App.AdvanceAll(time.Minute)
	for _, row := range rows[6:8] { // those before staff resumed do not count again
		comesBack(t, f, row, "R01")
	}
	holds(t, f, deal)
	comesBack(t, f, rows[8], "R01")
	holds(t, f, deal, "RETURNS R01")
}

func fiveInAMonth(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 12, nil)
	rows := f.PaymentsOf(t, deal, "")
	for i, row := range rows[:9] {
		if i%2 == 0 {
			comesBack(t, f, row, "R01")
		} else {
			f.Patch(t, booktest.At("payments", row), object{"status": "PAID"})
		}
		if i == 0 {
			f.App.AdvanceAll(30 * 24 * time.Hour) // the first is out of the window
		}
	}
	holds(t, f, deal)
	f.Patch(t, booktest.At("payments", rows[9]), object{"status": "PAID"})
	comesBack(t, f, rows[10], "R01")
	holds(t, f, deal, "RETURNS R01")
}

func anotherAccountCures(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	add := func(number string, more object) string {
		t.Helper()
		input := object{
			"merchantId":    deal.Int("merchantId"),
			"holderName":    "Harbor Street Bakery LLC",
			"routingNumber": "021000021",
			"accountNumber": number,
		}
		maps.Copy(input, more)
		return f.Graph(t, `mutation($input: NewBankAccount!) {
			addBankAccount(input: $input) { id } }`, map[string]any{"input": input}).
			In("addBankAccount").
			Text("id")
	}
	verify := func(id string) {
		t.Helper()
		f.Graph(t, `mutation($id: ID!) { verifyBankAccount(id: $id) { status } }`, map[string]any{"id": id})
	}
	other := f.Funded(t, 10, nil) // of another merchant
	debited := add("1111111", nil)
	comesBack(t, f, f.PaymentsOf(t, deal, "")[0], "R02")
	comesBack(t, f, f.PaymentsOf(t, other, "")[0], "R02")
	comesBack(t, f, f.PaymentsOf(t, deal, "")[1], "R07")
	verify(debited)
	holds(t, f, deal, "AUTHORIZATION R07", "ACCOUNT R02")
	another := add("2222222", nil)
	holds(t, f, deal, "AUTHORIZATION R07", "ACCOUNT R02")
	verify(another)
	holds(t, f, deal, "AUTHORIZATION R07")
	holds(t, f, other, "ACCOUNT R02")
	ctx, read := f.Inside(t)
	cured := read.CollectionHold.Query().
		Where(collectionhold.DealID(deal.ID()), collectionhold.ReasonEQ(payment.HoldAccount)).
		OnlyX(ctx)
	if cured.BankAccountTokenID == nil || fmt.Sprint(*cured.BankAccountTokenID) != another ||
		!strings.Contains(*cured.ReleaseNote, "2222") {
		t.Errorf("the cured hold is %v", cured)
	}
	n := read.AuditEntry.Query().Where(auditentry.Entity("collectionHold"), auditentry.EntityID(cured.ID)).CountX(ctx)
	if n != 2 {
		t.Errorf("the history has %d entries about the hold", n)
	}
}

func debitedAccountIsHeld(t *testing.T, f *booktest.Fleet) {
	minute := func() { f.App.AdvanceAll(time.Minute) }
	add := func(deal object, number string) string {
		t.Helper()
		return f.Graph(t, `mutation($input: NewBankAccount!) {
			addBankAccount(input: $input) { id } }`, map[string]any{"input": object{
			"merchantId": deal.Int("merchantId"),
			"holderName": "Harbor Street Bakery LLC", "routingNumber": "021000021", "accountNumber": number,
		}}).
			In("addBankAccount").
			Text("id")
	}
	verified := func(deal object, number string) string {
		t.Helper()
		minute()
		id := add(deal, number)
		f.Graph(t, `mutation($id: ID!) { verifyBankAccount(id: $id) { status } }`, map[string]any{"id": id})
		minute()
		return id
	}
	drawnOn := func(p object, account string) {
		t.Helper()
		if kept := fmt.Sprint(f.Get(t, booktest.At("payments", p)).In("payment")["bankAccountTokenId"]); kept != account {
			t.Errorf("payment %d is drawn on account %s, want %s", p.ID(), kept, account)
		}
	}
	names := func(deal object, account string) {
		t.Helper()
		ctx, read := f.Inside(t)
		hold := read.CollectionHold.Query().
			Where(collectionhold.DealID(deal.ID()), collectionhold.ReleasedAtIsNil()).
			OnlyX(ctx)
		if got := fmt.Sprint(*hold.BankAccountTokenID); got != account {
			t.Errorf("the hold names account %s, want %s", got, account)
		}
	}
	submit := func(p object, method string) {
		t.Helper()
		f.Patch(t, booktest.At("payments", p), object{"status": "SUBMITTED", "method": method})
	}

	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	submit(rows[0], "ACH")
	drawnOn(rows[0], "<nil>") // none is known
	x := verified(deal, "5555555")
	add(deal, "5555556") // and never verified
	for _, row := range rows[1:4] {
		submit(row, "ACH")
		drawnOn(row, x)
	}
	f.Patch(t, booktest.At("payments", rows[4]), object{"status": "PAID"})
	submit(rows[5], "WIRE")
	drawnOn(rows[5], "<nil>")
	f.Patch(t, booktest.At("payments", rows[5]), object{"method": "ACH"}) // it is only guessed of which account this was
	comesBack(t, f, rows[1], "R02")
	holds(t, f, deal, "ACCOUNT R02")
	names(deal, x)
	y := verified(deal, "6666666")
	holds(t, f, deal)
	for _, row := range rows[2:6] { // of the account that was replaced
		comesBack(t, f, row, "R02")
		holds(t, f, deal)
	}
	paid := f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "10.00", "method": "ACH", "status": "PAID",
	}).In("payment")
	comesBack(t, f, paid, "R02")
	holds(t, f, deal, "ACCOUNT R02")
	names(deal, y)
	comesBack(t, f, rows[6], "R07") // all else that a return asks for follows as ever
	holds(t, f, deal, "AUTHORIZATION R07", "ACCOUNT R02")
	verified(deal, "7777777")
	holds(t, f, deal, "AUTHORIZATION R07")

	// The debited account became current again, because its replacement was revoked.
	deal = f.Funded(t, 10, nil)
	rows = f.PaymentsOf(t, deal, "")
	x = verified(deal, "8888888")
	submit(rows[0], "ACH")
	y = verified(deal, "9999999")
	f.Graph(t, `mutation($id: ID!) { revokeBankAccount(id: $id) { status } }`, map[string]any{"id": y})
	comesBack(t, f, rows[0], "R03")
	holds(t, f, deal, "ACCOUNT R03")
	names(deal, x)
	release(t, f, deal)

	// The same account, added again, replaces nothing.
	submit(rows[1], "ACH")
	f.Graph(t, `mutation($id: ID!) { revokeBankAccount(id: $id) { status } }`, map[string]any{"id": x})
	verified(deal, "8888888")
	comesBack(t, f, rows[1], "R03")
	holds(t, f, deal, "ACCOUNT R03")
	names(deal, x)
}

func lateReturnUnderHold(t *testing.T, f *booktest.Fleet) {
	for code, held := range map[string]bool{"R10": true, "R01": false} {
		deal := f.Funded(t, 3, nil)
		rows := f.PaymentsOf(t, deal, "")
		for _, row := range rows {
			f.Patch(t, booktest.At("payments", row), object{"status": "PAID"})
		}
		booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "CLOSED"})
		comesBack(t, f, rows[2], code)
		booktest.Shows(t, f.Get(t, booktest.At("deals", deal)).In("deal"), object{"state": "FUNDED"})
		want := 1
		if held {
			want = 0
		}
		if open := f.PaymentsOf(t, deal, "&status=PENDING&type=ADVANCE_PAYBACK"); len(open) != want {
			t.Errorf("after %s are scheduled %v", code, open)
		}
		f.Owes(t, deal, "100.00")
	}
}

func cureUnderHold(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 3, nil)
	comesBack(t, f, f.PaymentsOf(t, deal, "")[0], "R29")
	f.Patch(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
	f.Patch(t, booktest.At("deals", deal), object{"state": "FUNDED"})
	if open := f.PaymentsOf(t, deal, "&status=PENDING"); len(open) != 0 {
		t.Errorf("scheduled are %v", open)
	}
	release(t, f, deal)
	f.Patch(t, booktest.At("deals", deal), object{"state": "DEFAULTED"})
	f.Patch(t, booktest.At("deals", deal), object{"state": "FUNDED"})
	if open := f.PaymentsOf(t, deal, "&status=PENDING"); len(open) != 3 {
		t.Errorf("scheduled are %v", open)
	}
}

// heldDealIsNotFunded has a payment bounce that was collected before the funding.
func heldDealIsNotFunded(t *testing.T, f *booktest.Fleet) {
	deal := f.Fundable(t, 3, nil)
	early := f.Post(t, "/payments", object{
		"dealId": deal.ID(), "type": "ADVANCE_PAYBACK", "amount": "10.00", "method": "ACH", "status": "SUBMITTED",
	}).In("payment")
	comesBack(t, f, early, "R02")
	holds(t, f, deal, "ACCOUNT R02")
	path, funded := booktest.At("deals", deal), object{"state": "FUNDED"}
	told := f.Do(t, http.MethodPatch, path, funded).Problem(t, http.StatusConflict, "conflict")
	if !strings.Contains(told["state"], "R02") || !strings.Contains(told["state"], "verify another bank account") {
		t.Errorf("refused with %v", told)
	}
	booktest.Shows(t, f.Get(t, path).In("deal"), object{"state": "PREFUNDED"})
	if made := f.PaymentsOf(t, deal, "&status=PENDING"); len(made) != 0 {
		t.Errorf("scheduled are %v", made)
	}
	release(t, f, deal)
	booktest.Shows(t, f.Patch(t, path, funded).In("deal"), object{"state": "FUNDED"})
}

const placeHold = `mutation($input: NewCollectionHold!) {
	placeCollectionHold(input: $input) { id reason note standing } }`

func staffHold(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	place := func(c *apptest.Client, of object) apptest.Asked {
		t.Helper()
		input := object{"dealId": deal.ID(), "note": "The owner is in hospital."}
		maps.Copy(input, of)
		return c.Ask(t, placeHold, map[string]any{"input": input})
	}
	place(f.Client, nil).Refused(t, "forbidden")
	place(f.Staff(t, "reader@holds.test", "read-only"), nil).Refused(t, "forbidden")
	place(releaser(t, f), object{"note": ""}).Refused(t, "validation_error")
	place(releaser(t, f), object{"dealId": 987654321}).Refused(t, "invalid_reference")
	place(releaser(t, f), object{"until": "2020-01-01T00:00:00Z"}).Refused(t, "validation_error")
	place(releaser(t, f), object{"dealId": f.Fundable(t, 3, nil).ID()}).Refused(t, "conflict")
	booktest.Shows(t, place(releaser(t, f), nil).Data.In("placeCollectionHold"), object{
		"reason": "STAFF", "note": "The owner is in hospital.", "standing": true,
	})
	place(releaser(t, f), nil).Refused(t, "conflict")
	hold := holds(t, f, deal, "STAFF")[0]
	heldBack(t, f, deal, "STAFF")
	released(t, f, deal, hold)
}

func holdEnds(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	place := func() {
		t.Helper()
		releaser(t, f).Graph(t, placeHold, map[string]any{"input": object{
			"dealId": deal.ID(), "note": "Until the holidays are over.",
			"until": f.App.Clock.Now().Add(time.Hour).UTC().Format(time.RFC3339),
		}})
	}
	place()
	holds(t, f, deal, "STAFF")
	f.App.AdvanceAll(61 * time.Minute)
	holds(t, f, deal)
	f.Patch(t, booktest.At("payments", f.PaymentsOf(t, deal, "")[0]), object{"status": "SUBMITTED"})
	place() // and another one
	holds(t, f, deal, "STAFF")
}

func debitsAreRetried(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	retry := func(p object, input string) apptest.Asked {
		t.Helper()
		return f.Ask(t, fmt.Sprintf(`mutation { retryPayment(id: %d, input: {%s}) { id status
			madeUpBy { id amount method status scheduledDate type } } }`, p.ID(), input), nil)
	}
	retry(rows[0], "").Refused(t, "conflict") // it has not come back
	f.Patch(t, booktest.At("payments", rows[0]), object{"status": "BOUNCED"})
	retry(rows[0], "").Refused(t, "conflict") // nobody knows why
	f.Patch(t, booktest.At("payments", rows[0]), object{"bounceCodeId": f.Code(t, "R24")})
	if told := retry(rows[0], "").Refused(t, "conflict"); !strings.Contains(told["bounceCodeId"], "R24") {
		t.Errorf("refused with %v", told)
	}
	f.Patch(t, booktest.At("payments", rows[0]), object{"bounceCodeId": f.Code(t, "R09")})
	retry(rows[0], `scheduledDate: "2020-01-06"`).Refused(t, "validation_error")
	sunday := f.App.Clock.Now()
	for sunday.Weekday() != time.Sunday {
		sunday = sunday.Add(24 * time.Hour)
	}
	retry(
		rows[0], fmt.Sprintf("scheduledDate: %q", sunday.AddDate(0, 0, 7).Format(time.DateOnly)),
	).Refused(t, "validation_error")
	made := retry(rows[0], "").Data.In("retryPayment").In("madeUpBy")
	booktest.Shows(t, made, object{"amount": "100.00", "method": "ACH", "status": "PENDING", "type": "ADVANCE_PAYBACK"})
	again := retry(rows[0], "").Data.In("retryPayment").In("madeUpBy")
	if booktest.Text(t, again) != booktest.Text(t, made) {
		t.Errorf("retried twice: %v, %v", made, again)
	}
	if day, last := made.Text("scheduledDate"), rows[9].Text("scheduledDate"); day >= last &&
		sunday.Before(f.App.Clock.Now()) {
		t.Errorf("it is retried on %s, after the plan's last day %s", day, last)
	}

	// Only ACH debits are retried, and none under a hold.
	f.Patch(t, booktest.At("payments", rows[1]), object{"status": "PAID", "method": "CHECK"})
	comesBack(t, f, rows[1], "R01")
	retry(rows[1], "").Refused(t, "conflict")
	f.Patch(t, booktest.At("payments", rows[2]), object{"status": "PAID"})
	comesBack(t, f, rows[3], "R01")
	comesBack(t, f, rows[4], "R16")
	if told := retry(rows[3], "").Refused(t, "conflict"); !strings.Contains(told["dealId"], "R16") {
		t.Errorf("refused with %v", told)
	}
}

func retriesAreBounded(t *testing.T, f *booktest.Fleet) {
	deal := f.Funded(t, 10, nil)
	rows := f.PaymentsOf(t, deal, "")
	retried := func(id string) apptest.Asked {
		t.Helper()
		return f.Ask(t, `mutation($id: ID!) { retryPayment(id: $id, input: {}) { madeUpById } }`, map[string]any{"id": id})
	}
	id := fmt.Sprint(rows[0].ID())
	for range payment.MaxRetries {
		f.Patch(t, "/payments/"+id, object{"status": "BOUNCED", "bounceCodeId": f.Code(t, "R09")})
		id = retried(id).Data.In("retryPayment").Text("madeUpById")
	}
	f.Patch(t, "/payments/"+id, object{"status": "BOUNCED", "bounceCodeId": f.Code(t, "R24")})
	f.Patch(t, "/payments/"+id, object{"bounceCodeId": f.Code(t, "R09")})
	for _, h := range standing(t, f, deal) { // three in a row
		releaser(t, f).
			Graph(t, `mutation($id: ID!) {
				releaseCollectionHold(id: $id, note: "Resumed.") { id } }`, map[string]any{"id": h.Text("id")})
	}
	retried(id).Refused(t, "conflict")
	f.Refused(t, http.MethodPatch, "/payments/"+id, object{"madeUpById": makeUp(t, f, deal, "ACH").ID()}, "madeUpById")
	wire := makeUp(t, f, deal, "WIRE")
	f.Patch(t, "/payments/"+id, object{"madeUpById": wire.ID()})
	f.Refused(
		t, http.MethodPatch, booktest.At("payments", wire), object{"method": "ACH"}, "method",
	) // no debit by that way either

	// The first debit was long ago.
	comesBack(t, f, rows[2], "R01")
	comesBack(t, f, rows[4], "R01")
	f.Patch(t, booktest.At("payments", rows[3]), object{"status": "PAID"})
	f.App.AdvanceAll(180 * 24 * time.Hour)
	f.Patch(t, booktest.At("payments", rows[2]), object{"madeUpById": makeUp(t, f, deal, "ACH").ID()})
	f.App.AdvanceAll(24 * time.Hour)
	retried(fmt.Sprint(rows[4].ID())).Refused(t, "conflict")
	f.Ask(t, fmt.Sprintf(`mutation { makeUpPayment(id: %d, input: {}) { id } }`, rows[4].ID()), nil).Refused(t, "conflict")
	f.Refused(
		t, http.MethodPatch, booktest.At("payments", rows[4]), object{"madeUpById": makeUp(t, f, deal, "ACH").ID()},
		"madeUpById",
	)
	f.Patch(t, booktest.At("payments", rows[4]), object{"madeUpById": makeUp(t, f, deal, "CASH").ID()})
}

func ownCodes(t *testing.T, f *booktest.Fleet) {
	admin := f.Staff(t, "admin@holds.test", "admin")
	admin.Graph(
		t, `mutation($id: ID!) { updateBounceCode(id: $id, input: {action: LEGAL, fee: "12.50", retryable: false}) { id } }`,
		map[string]any{"id": f.Code(t, "R23")},
	)
	deal := f.Funded(t, 10, nil)
	row := f.PaymentsOf(t, deal, "")[0]
	comesBack(t, f, row, "R23")
	holds(t, f, deal, "LEGAL R23")
	fees(t, f, row, "12.50 PENDING none")
}

// The return rates of a company count its own debits and returns of sixty days.
func TestReturnRatesOfACompany(t *testing.T) {
	t.Parallel()
	booktest.Fleets(t, func(t *testing.T, f *booktest.Fleet) {
		rates := func() string {
			t.Helper()
			shown := f.Graph(t, `{ returnRates { from to debits rates { kind returns rate limit level } } }`, nil).
				In("returnRates")
			var b strings.Builder
			fmt.Fprintf(&b, "%d debits", shown.Int("debits"))
			for _, r := range shown.List("rates") {
				fmt.Fprintf(
					&b, "; %s %d %s/%s %s", r.Text("kind"), r.Int("returns"), r.Text("rate"), r.Text("limit"), r.Text("level"),
				)
			}
			return b.String()
		}
		is := func(want string) {
			t.Helper()
			if got := rates(); got != want {
				t.Errorf("the rates are %s\nwant %s", got, want)
			}
		}
		is("0 debits; UNAUTHORIZED 0 0.00/0.50 OK; ADMINISTRATIVE 0 0.00/3.00 OK; OVERALL 0 0.00/15.00 OK")
		rows := f.PaymentsOf(t, f.Funded(t, 40, nil), "")
		for _, row := range rows[:16] {
			f.Patch(t, booktest.At("payments", row), object{"status": "PAID"})
		}
		take(t, f, f.Funded(t, 3, nil), "ADVANCE_PAYBACK 100.00") // a wire
		comesBack(t, f, rows[0], "R01")
		comesBack(t, f, rows[1], "R03")
		is("16 debits; UNAUTHORIZED 0 0.00/0.50 OK; ADMINISTRATIVE 1 6.25/3.00 EXCEEDED; OVERALL 2 12.50/15.00 WARNING")
		comesBack(t, f, rows[20], "R10") // never submitted, as far as we knew
		is(
			"17 debits; UNAUTHORIZED 1 5.882353/0.50 EXCEEDED; ADMINISTRATIVE 1 5.882353/3.00 EXCEEDED; " +
				"OVERALL 3 17.647059/15.00 EXCEEDED",
		)
		f.App.AdvanceAll(60 * 24 * time.Hour)
		is("0 debits; UNAUTHORIZED 0 0.00/0.50 OK; ADMINISTRATIVE 0 0.00/3.00 OK; OVERALL 0 0.00/15.00 OK")
	})
}

// A draw would be collected by debits: none is paid out while they are on hold.
func TestNoDrawIsPaidOutUnderAHold(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b, deal, line := booktest.OpenLine(t, a)
		draw := b.Graph(t, `mutation { requestDraw(facilityId: `+line+`, input: {amount: "12000"}) { id } }`, nil).
			In("requestDraw").
			Text("id")
		b.Staff(t, "funder@line.test", "funder").Graph(t, "mutation { approveDraw(id: "+draw+") { status } }", nil)
		f := &booktest.Fleet{Desk: b}
		comesBack(t, f, b.PaymentsOf(t, deal, "")[0], "R07")
		fund := "mutation { fundDraw(id: " + draw + ") { status } }"
		if told := b.Ask(t, fund, nil).Refused(t, "conflict"); !strings.Contains(told["status"], "R07") {
			t.Errorf("refused with %v", told)
		}
		release(t, f, deal)
		b.Graph(t, fund, nil)
		booktest.Verify(t, a)
	})
}
