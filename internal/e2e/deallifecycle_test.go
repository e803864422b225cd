package e2e

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/service"
)

// office is a company that funds under the full policy, whose staff use only GraphQL.
type office struct {
	a    *apptest.App
	host string

	admin, sales, underwriter, funder, collections *clerk
}

// clerk is a staff member in a browser.
type clerk struct {
	*apptest.Browser
	t *testing.T
}

// openOffice creates the company and signs its staff in.
func openOffice(t *testing.T, a *apptest.App) *office {
	t.Helper()
	a.Clock.Set(booktest.Monday)
	o := &office{a: a, host: "full.test"}
	_, err := a.Tenants.Create(t.Context(), service.NewTenant{Name: "Full Funding", Host: o.host, Policy: "full"})
	if err != nil {
		t.Fatal(err)
	}
	clerkAs := func(role string) *clerk {
		email := role + "@full.test"
		a.Member(t, o.host, email, role)
		c := &clerk{a.Browser(o.host), t}
		c.Login(t, email)
		return c
	}
	o.admin, o.sales, o.underwriter = clerkAs("admin"), clerkAs("sales"), clerkAs("underwriter")
	o.funder, o.collections = clerkAs("funder"), clerkAs("collections")
	return o
}

// ask runs an operation, with variables in pairs.
func (c *clerk) ask(operation string, variables ...any) apptest.Asked {
	c.t.Helper()
	values := object{}
	for i := 0; i < len(variables); i += 2 {
		values[variables[i].(string)] = variables[i+1] //nolint:gosec // they come in pairs
	}
	body := c.Do(c.t, http.MethodPost, "/graphql", object{"query": operation, "variables": values}).
		Want(c.t, http.StatusOK)
	return apptest.Asked{Data: body.In("data"), Errors: body.List("errors")}
}

// do runs an operation with one field, which must succeed, and returns that field's value.
func (c *clerk) do(operation string, variables ...any) object {
	c.t.Helper()
	asked := c.ask(operation, variables...)
	if len(asked.Errors) > 0 {
		c.t.Fatalf("%s %v: %v", operation, variables, asked.Errors)
	}
	for field := range asked.Data {
		return asked.Data.In(field)
	}
	return nil
}

// mutate runs a mutation whose fields are id (unless 0) and input (unless nil).
func (c *clerk) mutate(name, inputType string, id int, input object, selection string) object {
	c.t.Helper()
	var declared, given []string
	var variables []any
	if id != 0 {
		declared, given, variables = append(declared, "$id: ID!"), append(given, "id: $id"), append(variables, "id", id)
	}
	if input != nil {
		declared = append(declared, "$input: "+inputType+"!")
		given, variables = append(given, "input: $input"), append(variables, "input", input)
	}
	operation := fmt.Sprintf(
		"mutation(%s) { %s(%s) { %s } }", strings.Join(declared, ", "), name, strings.Join(given, ", "), selection,
	)
	return c.do(operation, variables...)
}

// idIn returns the id under a key, which GraphQL shows as text; 0 if there is none.
func idIn(record object, key string) int {
	id, _ := strconv.Atoi(record.Text(key))
	return id
}

// move requests a state of a deal.
func (c *clerk) move(deal int, state string) object {
	c.t.Helper()
	return c.mutate("updateDeal", "UpdateDeal", deal, object{"state": state}, "id state")
}

// blocked requests a state, which must be refused, and returns the codes of the funding blocks, in order.
func (c *clerk) blocked(deal int, state string) []string {
	c.t.Helper()
	refused := c.ask(`mutation($id: ID!, $input: UpdateDeal!) { updateDeal(id: $id, input: $input) { id } }`,
		"id", deal, "input", object{"state": state}).Refused(c.t, "conflict")
	codes := make([]string, 0, len(refused))
	for path := range maps.Keys(refused) {
		codes = append(codes, strings.TrimPrefix(path, "blocks."))
	}
	slices.Sort(codes)
	return codes
}

// applicationForm is what the company asks applicants.
var applicationForm = object{
	"name": "Apply online", "slug": "apply",
	"fields": []object{
		{
			"name":     "business",
			"label":    "Business",
			"type":     "text",
			"required": true,
			"mapsTo":   []string{"lead.businessName", "merchant.legalName"},
		},
		{"name": "email", "label": "Email", "type": "email", "required": true, "mapsTo": []string{"lead.email"}},
		{"name": "ein", "label": "EIN", "type": "ein", "required": true, "mapsTo": []string{"merchant.federalId"}},
		{"name": "state", "label": "State", "type": "state", "required": true, "mapsTo": []string{"merchant.state"}},
		{
			"name":     "amount",
			"label":    "How much?",
			"type":     "money",
			"required": false,
			"mapsTo":   []string{"lead.requestedAmount"},
		},
	},
}

// A deal from the application to a bounced debit that is made up, under every rule, done by staff alone; and
// what the portal shows at the end.
func TestAWholeDealThroughTheGraph(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		o := openOffice(t, a)
		deal := o.takeIn(t)
		o.underwrite(t, deal)
		o.negotiate(t, deal)
		o.clear(t, deal)
		o.fund(t, deal)
		o.collect(t, deal)
		booktest.Verify(t, a)
		o.refuseByHand(t, deal)
		booktest.Verify(t, a)
		o.connect(t)
		o.owe(t, deal)
		checkScreens(t, o)
	})
}

// takeIn creates a deal from an application: a form, an answer to it, a lead, a merchant and a deal.
func (o *office) takeIn(t *testing.T) (deal int) {
	t.Helper()
	form := o.admin.mutate("createForm", "NewForm", 0, applicationForm, "id")
	application := o.sales.mutate(
		"createApplication",
		"NewApplication",
		0,
		object{"formId": idIn(form, "id"), "payload": object{
			"business": "Harbor Street Bakery LLC", "email": "office@harborstreet.test", "ein": "98-7654321", "state": "CA",
			"amount": "50000.00",
		}},
		"id status",
	)
	made := o.sales.mutate(
		"convertApplication", "ConvertApplication", idIn(application, "id"), object{"deal": true},
		`lead { id businessName status requestedAmount merchant { id } }
			merchant { id legalName state federalId } deal { id state merchantId }`,
	)
	lead, merchant := made.In("lead"), made.In("merchant")
	if lead.Text("requestedAmount") != "50000.00" || idIn(lead.In("merchant"), "id") != idIn(merchant, "id") ||
		merchant.Text("legalName") != "Harbor Street Bakery LLC" || merchant.Text("state") != "CA" ||
		idIn(made.In("deal"), "merchantId") != idIn(merchant, "id") {
		t.Fatalf("the application became %s", booktest.Text(t, made))
	}
	o.sales.ask(`mutation($id: ID!) {
		convertApplication(id: $id, input: {deal: true}) { deal { id } } }`, "id", idIn(application, "id")).
		Refused(t, "conflict")
	return idIn(made.In("deal"), "id")
}

// underwrite uploads the merchant's statements and runs the policy on the deal.
func (o *office) underwrite(t *testing.T, deal int) {
	t.Helper()
	analysis := o.underwriter.do(`mutation($id: ID!, $input: NewStatementAnalysis!) {
			deliverStatementAnalysis(dealId: $id, input: $input) { id version }
		}`, "id", deal, "input", object{
		"source": "ledgerlens", "periodStart": "2025-10-01", "periodEnd": "2025-12-31", "monthsCovered": 3,
		"grossDeposits": "360000.00", "trueRevenue3m": "345000.00", "avgMonthlyTrueRevenue": "115000.00",
		"estimatedMcaMonthly": "0.00", "avgDailyBalance": "21000.00", "positionCount": 0, "nsfCount": 0, "negativeDays": 0,
	})
	if analysis.Int("version") != 1 {
		t.Errorf("the first analysis is %s", booktest.Text(t, analysis))
	}
	o.sales.mutate("updateDeal", "UpdateDeal", deal, object{
		"fundedAmount": "45000.00", "factorRate": "1.35", "numberOfPayments": 126, "collectionFrequency": "DAILY",
		"bankFeeBasis": "FLAT", "bankFeeValue": "1500.00", "wireFee": "50.00",
	}, "id")
	decision := o.underwriter.do(
		`mutation($id: ID!) { runDecision(dealId: $id) { id recommendation score contributions policy { version } } }`, "id",
		deal,
	)
	if decision.Text("recommendation") != "approve" || decision.In("policy").Int("version") != 1 {
		t.Fatalf("the decision is %s", booktest.Text(t, decision))
	}
	o.sales.move(deal, "SUBMITTED")
}

// negotiate sends an offer, which the merchant counters, and another, which the merchant accepts.
func (o *office) negotiate(t *testing.T, deal int) {
	t.Helper()
	if got := o.sales.blocked(deal, "PREFUNDED"); !slices.Equal(got, []string{"NO_ACCEPTED_APPROVAL"}) {
		t.Errorf("before an offer %v", got)
	}
	house := o.underwriter.do(`query($id: ID!) {
		deal(id: $id) { submissions { nodes { id status { category } } } } }`, "id", deal).
		In("submissions").List("nodes")[0]
	offer := o.underwriter.mutate("createApproval", "NewApproval", 0, object{
		"submissionId": idIn(house, "id"), "fundedAmount": "45000.00", "factorRate": "1.35",
	}, "id state paybackAmount")
	if offer.Text("state") != "DRAFT" || offer.Text("paybackAmount") != "60750.00" {
		t.Errorf("the draft is %s", booktest.Text(t, offer))
	}
	sent := o.underwriter.mutate("sendOffer", "", idIn(offer, "id"), nil, "state shareToken expiresAt")
	if sent.Text("state") != "SENT" || len(sent.Text("shareToken")) < 22 {
		t.Errorf("the offer that was sent is in state %s", sent.Text("state"))
	}
	o.underwriter.mutate("counterOffer", "CounterOffer", idIn(offer, "id"), object{
		"counterAmount": "50000.00", "counterFactor": "1.30", "counterNote": "The second oven is dearer than we thought.",
	}, "state")
	better := o.underwriter.do(
		`mutation($id: ID!) { resolveCounter(id: $id, accept: true) { id state fundedAmount paybackAmount } }`, "id",
		idIn(offer, "id"),
	)
	if idIn(better, "id") == idIn(offer, "id") || better.Text("state") != "SENT" ||
		better.Text("paybackAmount") != "65000.00" {
		t.Fatalf("the answer to the counter is %s", booktest.Text(t, better))
	}
	accepted := o.sales.mutate("acceptOffer", "", idIn(better, "id"), nil,
		"state deal { fundedAmount paybackAmount factorRate paymentAmount state } submission { status { category } }")
	if terms := accepted.In("deal"); terms.Text("fundedAmount") != "50000.00" ||
		terms.Text("paybackAmount") != "65000.00" ||
		terms.Text("paymentAmount") != "515.88" ||
		accepted.In("submission").In("status").Text("category") != "ACCEPTED" {
		t.Fatalf("accepted is %s", booktest.Text(t, accepted))
	}
	o.sales.ask(`mutation($id: ID!) { acceptOffer(id: $id) { id } }`, "id", idIn(offer, "id")).Refused(t, "conflict")
	o.sales.move(deal, "PREFUNDED")
	// From here on the terms are fixed.
	o.sales.ask(`mutation($id: ID!) { updateDeal(id: $id, input: {fundedAmount: "51000.00"}) { id } }`, "id", deal).
		Refused(t, "conflict")
}

// clear hits each funding block and clears it.
func (o *office) clear(t *testing.T, deal int) {
	t.Helper()
	want := []string{
		"BANK_UNVERIFIED",
		"CONTRACT_UNSIGNED",
		"DISCLOSURE_UNDELIVERED",
		"DISCLOSURE_UNSIGNED",
		"STIPS_OUTSTANDING",
	}
	if got := o.funder.blocked(deal, "FUNDED"); !slices.Equal(got, want) {
		t.Errorf("before the papers %v, want %v", got, want)
	}
	shown := o.funder.do(
		`query($id: ID!) { deal(id: $id) { merchantId fundingBlocks(to: FUNDED) { code hard problem remedy }
		stipulations { id code status required waivable } } }`,
		"id",
		deal,
	)
	var codes []string
	for _, block := range shown.List("fundingBlocks") {
		codes = append(codes, block.Text("code"))
		if block.Text("problem") == "" || block.Text("remedy") == "" {
			t.Errorf("block %s", booktest.Text(t, block))
		}
	}
	if slices.Sort(codes); !slices.Equal(codes, want) {
		t.Errorf("the deal shows %v, want %v", codes, want)
	}
	// Nobody can override a hard block.
	o.admin.ask(`mutation($id: ID!) {
		overrideFundingBlock(dealId: $id, input: {code: STIPS_OUTSTANDING, reason: "They are nice people."}) { id } }`,
		"id", deal).
		Refused(t, "conflict")
	for _, s := range shown.List("stipulations") {
		if s.Text("waivable") == "true" {
			o.underwriter.mutate(
				"waiveStipulation", "StipulationReason", idIn(s, "id"), object{"reason": "Known to us since 2019."}, "status",
			)
			continue
		}
		o.funder.mutate("receiveStipulation", "ReceiveStipulation", idIn(s, "id"), object{}, "status")
		o.underwriter.mutate("approveStipulation", "", idIn(s, "id"), nil, "status")
	}
	account := o.funder.mutate("addBankAccount", "NewBankAccount", 0, object{
		"merchantId": idIn(
			shown, "merchantId",
		), "accountNumber": "000123456789", "routingNumber": "021000021", "holderName": "Harbor Street Bakery LLC",
	}, "id last4 status")
	if account.Text("last4") != "6789" {
		t.Errorf("the account shows %s", booktest.Text(t, account))
	}
	o.funder.mutate("verifyBankAccount", "", idIn(account, "id"), nil, "status")
	o.sign(t, deal, "CONTRACT")
	disclosure := o.funder.do(`mutation($id: ID!) { makeDisclosure(dealId: $id) { id state computed } }`, "id", deal)
	if apr := disclosure.In("computed").Text("estimatedApr"); disclosure.Text("state") != "CA" || apr == "" {
		t.Errorf("the disclosure says %s", booktest.Text(t, disclosure))
	}
	o.funder.mutate("deliverDisclosure", "", idIn(disclosure, "id"), nil, "status")
	if got := o.funder.blocked(deal, "FUNDED"); !slices.Equal(got, []string{"DISCLOSURE_UNSIGNED"}) {
		t.Errorf("before the disclosure is signed %v", got)
	}
	o.sign(t, deal, "DISCLOSURE")
}

// sign has the owner sign a document.
func (o *office) sign(t *testing.T, deal int, kind string) {
	t.Helper()
	request := o.funder.mutate("createSignatureRequest", "NewSignatureRequest", 0, object{
		"title": "For the bakery", "kind": kind, "dealId": deal,
		"signers": []object{{"name": "The owner", "email": "owner@harborstreet.test", "title": "Member"}},
	}, "id signers { id }")
	o.funder.mutate("sendSignatureRequest", "", idIn(request, "id"), nil, "status")
	o.funder.mutate("recordSignature", "RecordSignature", idIn(request.List("signers")[0], "id"),
		object{"documentUrl": "https://esign.example.com/documents/1"}, "status")
	done := o.funder.do(`query($id: ID!) { signatureRequest(id: $id) { status completedAt } }`, "id", idIn(request, "id"))
	if done.Text("status") != "COMPLETED" {
		t.Errorf("the %s is %s", kind, booktest.Text(t, done))
	}
}

// fund moves the deal to FUNDED and checks the results.
func (o *office) fund(t *testing.T, deal int) {
	t.Helper()
	o.funder.move(deal, "FUNDED")
	funded := o.funder.do(
		`query($id: ID!) { deal(id: $id) {
		state fundedAt payments(first: 1) { totalCount } uccFilings { nodes { type status } }
		collection { outstanding collected paidDownPct nextPayment { scheduledDate amount } } disbursements { amount status }
		submissions { nodes { status { category } } } } }`,
		"id",
		deal,
	)
	collection := funded.In("collection")
	if funded.Text("state") != "FUNDED" || funded.In("payments").Int("totalCount") != 126 ||
		collection.Text("outstanding") != "65000.00" || collection.In("nextPayment").Text("scheduledDate") != "2026-01-06" ||
		collection.In("nextPayment").Text("amount") != "515.88" || len(funded.In("uccFilings").List("nodes")) != 1 ||
		funded.List("disbursements")[0].Text("amount") != "48450.00" {
		t.Errorf("funded, the deal is %s", booktest.Text(t, funded))
	}
}

// collect collects three debits, has the second bounce, and makes up for it.
func (o *office) collect(t *testing.T, deal int) {
	t.Helper()
	o.a.Clock.Advance(4 * 24 * time.Hour)
	o.admin.Login(t, "admin@full.test")
	o.collections.Login(t, "collections@full.test")
	o.funder.Login(t, "funder@full.test")
	debits := o.collections.do(`query($id: ID!) {
		deal(id: $id) { payments(first: 3, sort: {field: SCHEDULED_DATE}) { nodes { id scheduledDate } } } }`,
		"id", deal).
		In("payments").
		List("nodes")
	for _, debit := range debits {
		o.collections.mutate("updatePayment", "UpdatePayment", idIn(debit, "id"), object{"status": "PAID"}, "id")
	}
	o.collections.mutate("updatePayment", "UpdatePayment", idIn(debits[1], "id"), object{"status": "BOUNCED"}, "id")
	queue := o.collections.ask(`{ bounceQueue { payment { id status } } }`).Data.List("bounceQueue")
	if len(queue) != 1 || idIn(queue[0].In("payment"), "id") != idIn(debits[1], "id") {
		t.Errorf("the queue of bounces is %s", booktest.Text(t, queue))
	}
	up := o.collections.mutate("makeUpPayment", "MakeUp", idIn(debits[1], "id"), object{}, "id madeUpById")
	again := o.collections.mutate("makeUpPayment", "MakeUp", idIn(debits[1], "id"), object{}, "id madeUpById")
	if idIn(up, "madeUpById") == 0 || booktest.Text(t, again) != booktest.Text(t, up) {
		t.Errorf("made up for twice: %s, %s", booktest.Text(t, up), booktest.Text(t, again))
	}
	if queue := o.collections.ask(`{ bounceQueue { payment { id } } }`).Data.List("bounceQueue"); len(queue) != 0 {
		t.Errorf("the queue of bounces keeps %s", booktest.Text(t, queue))
	}
	o.collections.mutate("updatePayment", "UpdatePayment", idIn(up, "madeUpById"), object{"status": "PAID"}, "id")
	books := o.admin.do(
		`query($id: ID!) { deal(id: $id) { collection { outstanding collected paidDownPct nextPayment { scheduledDate } }
		ledgerEntries { totalCount nodes { kind reversesId postings { account amount } } }
		history { totalCount nodes { action actorName surface } } } }`,
		"id",
		deal,
	)
	if c := books.In("collection"); c.Text("outstanding") != "63452.36" || c.Text("collected") != "1547.64" {
		t.Errorf("collected, the deal stands at %s", booktest.Text(t, c))
	}
	reversed := 0
	for _, entry := range books.In("ledgerEntries").List("nodes") {
		if entry.Text("reversesId") != "" {
			reversed++
		}
	}
	if reversed != 1 {
		t.Errorf("%d entries are reversals: %s", reversed, booktest.Text(t, books.In("ledgerEntries")))
	}
	for _, entry := range books.In("history").List("nodes") {
		if entry.Text("surface") != "GRAPHQL" {
			t.Errorf("the history of the deal has %s", booktest.Text(t, entry))
		}
	}
	accounts := o.admin.ask(`{ accounts { code debit credit } }`).Data.List("accounts")
	got := map[string]string{}
	for _, account := range accounts {
		got[account.Text("code")] = account.Text("debit") + " " + account.Text("credit")
	}
	for code, want := range map[string]string{
		"1100": "63452.36 0.00", "1000": "0.00 46902.36", "2000": "0.00 14642.85", "4000": "0.00 357.15",
		"4100": "0.00 1550.00",
	} {
		if got[code] != want {
			t.Errorf("account %s stands at %s, want %s", code, got[code], want)
		}
	}
}

// refuseByHand checks that manual entries cannot make payouts or forgive balances without permission.
func (o *office) refuseByHand(t *testing.T, deal int) {
	t.Helper()
	syndicator := idIn(
		o.admin.mutate("createSyndicator", "NewSyndicator", 0, object{"name": "North Pier Capital"}, "id"), "id",
	)
	record := func(by *clerk, of object) apptest.Asked {
		of["dealId"], of["amount"], of["status"] = deal, "10.00", "PAID"
		return by.ask(`mutation($input: NewPayment!) { createPayment(input: $input) { id } }`, "input", of)
	}
	record(o.collections, object{"type": "EPO_DISCOUNT"}).Refused(t, "conflict")
	record(o.collections, object{"type": "RENEWAL_PAYOFF", "method": "OFFSET"}).Refused(t, "conflict")
	record(o.funder, object{"type": "PARTICIPATION_PAYOUT", "syndicatorId": syndicator}).Refused(t, "forbidden")
	told := record(o.admin, object{"type": "PARTICIPATION_PAYOUT", "syndicatorId": syndicator}).Refused(t, "conflict")
	if told["amount"] == "" {
		t.Errorf("a payout of what is not owed: %v", told)
	}
}

// connect creates a key and a webhook endpoint, and sends it a test delivery.
func (o *office) connect(t *testing.T) {
	t.Helper()
	endpoint := o.admin.mutate(
		"createWebhookEndpoint",
		"NewWebhookEndpoint",
		0,
		object{
			"url":    "https://hooks.example.com/paydown",
			"events": []string{"*"},
		},
		"webhookEndpoint { id }",
	).In("webhookEndpoint")
	o.admin.mutate("testWebhookEndpoint", "", idIn(endpoint, "id"), nil, "id")
	o.admin.mutate(
		"createApiKey", "NewApiKey", 0, object{"name": "Website", "kind": "LIVE", "scopes": []string{"leads:write"}},
		"apiKey { id }",
	)
}
