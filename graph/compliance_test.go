package graph_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
	"paydown/internal/fault"
	"paydown/internal/service"
	"paydown/internal/underwriting"
)

// detailsOf returns the messages of a fault by path.
func detailsOf(err error) map[string]string {
	messages := map[string]string{}
	if f := fault.As(err); f != nil {
		for _, d := range f.Details {
			messages[d.Path] = d.Message
		}
	}
	return messages
}

// newPricedDeal creates a priced deal of a merchant in New York, and returns its id.
func newPricedDeal(t *testing.T, a *apptest.App, c *apptest.Client) string {
	t.Helper()
	a.Clock.Set(time.Date(2026, time.January, 5, 15, 0, 0, 0, time.UTC))
	merchant := made(t, c, "/merchants", "merchant", apptest.Object{
		"legalName": "Harbor Street Bakery LLC", "state": "NY", "stateOfIncorporation": "DE", "startedOn": "2016-05-01",
	})
	row := made(t, c, "/deals", "deal", apptest.Object{
		"merchantId": merchant.ID(), "fundedAmount": "50000.00", "factorRate": "1.30", "paymentAmount": "515.88",
		"collectionFrequency": "DAILY", "bankFeeBasis": "FLAT", "bankFeeValue": "1500.00", "wireFee": "50.00",
	})
	return fmt.Sprint(row.ID())
}

// holdsNothingOf checks that secrets are not in the log, the audit trail or the events.
func holdsNothingOf(t *testing.T, a *apptest.App, secrets ...string) {
	t.Helper()
	var kept strings.Builder
	kept.WriteString(a.Log.String())
	if path, ok := strings.CutPrefix(a.DB, "sqlite:"); ok {
		for _, file := range []string{path, path + "-wal"} {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			kept.Write(raw)
		}
	}
	for _, s := range secrets {
		if strings.Contains(kept.String(), s) {
			t.Errorf("%s is kept in the clear", s)
		}
	}
}

func TestBankAccountIsSealedVerifiedAndRevoked(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "bank.test")
		deal := newPricedDeal(t, a, c)
		merchant := c.Graph(t, "{ deal(id: "+deal+") { merchantId } }", nil).In("deal").Text("merchantId")
		add := func(fields string) apptest.Asked {
			return c.Ask(
				t,
				"mutation { addBankAccount(input: {merchantId: "+merchant+`, holderName: "Harbor Street Bakery LLC", `+
					fields+"}) { id last4 status verifiedAt } }",
				nil,
			)
		}
		one := add(`routingNumber: "021000021", accountNumber: "84029173355"`).Data.In("addBankAccount")
		if one.Text("last4") != "3355" || one.Text("status") != "UNVERIFIED" {
			t.Fatalf("added %v", one)
		}
		doubled := add(`routingNumber: "021000021", accountNumber: "84029173355"`)
		if reported := doubled.Refused(t, "conflict"); reported["accountNumber"] == "" {
			t.Errorf("told %v", reported)
		}
		reported := add(`routingNumber: "021000022", accountNumber: "12 34"`).Refused(t, "validation_error")
		if reported["routingNumber"] == "" || reported["accountNumber"] == "" {
			t.Errorf("told %v", reported)
		}
		other := made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Gulf Coast Fencing"})
		elsewhere := fmt.Sprintf(`mutation { addBankAccount(input: {merchantId: %d, dealId: %s,
			holderName: "X", routingNumber: "021000021", accountNumber: "1234567"}) { id } }`, other.ID(), deal)
		if reported := c.Ask(t, elsewhere, nil).Refused(t, "validation_error"); reported["dealId"] == "" {
			t.Errorf("told %v", reported)
		}
		own := add(
			`dealId: ` + deal + `, routingNumber: "021000021", accountNumber: "55503355", accountType: SAVINGS`,
		).Data.In(
			"addBankAccount",
		)
		listed := c.Graph(t, "{ deals { nodes { bankAccounts { id } } } merchants { nodes { bankAccounts { id } } } }", nil)
		if got := texts(listed.In("deals").List("nodes")[0].List("bankAccounts"), "id"); fmt.Sprint(
			got,
		) != fmt.Sprint(
			[]string{one.Text("id"), own.Text("id")},
		) {
			t.Errorf("the deal has %v", got)
		}
		move := func(act string) apptest.Asked {
			return c.Ask(
				t, "mutation { it: "+act+"BankAccount(id: "+one.Text("id")+") { status verifiedAt revokedAt updatedAt } }", nil,
			)
		}
		verified := move("verify").Data.In("it")
		if again := move("verify").Data.In("it"); verified.Text("status") != "VERIFIED" ||
			fmt.Sprint(again) != fmt.Sprint(verified) {
			t.Errorf("verified %v, and again %v", verified, again)
		}
		if got := move("revoke").Data.In("it"); got.Text("status") != "REVOKED" || got.Text("revokedAt") == "" {
			t.Errorf("revoked %v", got)
		}
		move("verify").Refused(t, "conflict")
		// A revoked account may be added again.
		if got := add(`routingNumber: "021000021", accountNumber: "84029173355"`).Data.In("addBankAccount"); got.Text(
			"status",
		) != "UNVERIFIED" {
			t.Errorf("added %v", got)
		}
		holdsNothingOf(t, a, "84029173355", "55503355")
	})
}

func TestDecisionUsesActivePolicy(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "decisions.test")
		deal := newPricedDeal(t, a, c)
		ctx := a.Operator(t, c.Host)
		save := func(rules string) (*ent.UnderwritingPolicy, error) {
			return a.Underwriting.Save(ctx, service.UnderwritingPolicyInput{
				Name: service.Some("Guidelines"), Rules: service.Some(json.RawMessage(rules)),
			})
		}
		_, err := save(`{"rules": [], "categories": {}, "approve": 10, "refer": 20}`)
		if reported := detailsOf(err); reported["rules.rules"] == "" || reported["rules.categories"] == "" ||
			reported["rules.approve"] == "" ||
			reported["rules.offer.cap"] == "" {
			t.Errorf("told %v", err)
		}
		rules, err := json.Marshal(underwriting.DefaultPolicy())
		if err != nil {
			t.Fatal(err)
		}
		raw := string(rules)
		first, err := save(raw)
		if err != nil {
			t.Fatal(err)
		}
		if same, err := save(raw); err != nil || same.ID != first.ID {
			t.Errorf("the same policy again is %v %v", same, err)
		}
		second, err := save(strings.Replace(raw, `"approve":55`, `"approve":60`, 1))
		if err != nil || second.Version != first.Version+1 {
			t.Fatalf("another policy is %v %v", second, err)
		}
		if _, err := a.Decisions.Run(ctx, number(t, deal)); !fault.Is(err, fault.Conflict) {
			t.Errorf("without an analysis: %v", err)
		}
		c.Post(t, "/deals/"+deal+"/statement-analysis", apptest.Object{
			"source": "reader", "monthsCovered": 3, "avgMonthlyTrueRevenue": "120000.00", "avgDailyBalance": "20000.00",
			"positionCount": 0, "nsfCount": 0, "negativeDays": 0,
		})
		made, err := a.Decisions.Run(ctx, number(t, deal))
		if err != nil || *made.PolicyID != second.ID || made.Recommendation != "approve" {
			t.Fatalf("decided %v %v", made, err)
		}
		shown := c.Graph(
			t,
			"{ deal(id: "+deal+`) {
				uwScore uwScoreCategory decisions { nodes { score contributions policy { version } } } }
				underwritingPolicy { version } underwritingPolicies { version } }`,
			nil,
		)
		of := shown.In("deal").In("decisions").List("nodes")[0]
		if shown.In("deal").Int("uwScore") != made.Score || of.In("policy").Int("version") != 3 ||
			len(of.List("contributions")) != 8 ||
			shown.In("underwritingPolicy").Int("version") != 3 ||
			len(shown.List("underwritingPolicies")) != 3 {
			t.Errorf("shown %v", shown)
		}
		c.Ask(t, "mutation { runDecision(dealId: "+deal+") { id } }", nil).Refused(t, "forbidden")
	})
}

func TestDisclosureShowsAPRAndEndsWithTerms(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "disclosures.test")
		deal := newPricedDeal(t, a, c)
		const fields = " { id status computed deliveredAt signedAt } }"
		first := c.Graph(t, "mutation { it: makeDisclosure(dealId: "+deal+")"+fields, nil).In("it")
		// 48,450 financed on 5 January 2026, repaid on 126 banking days from the next one.
		if shown := first.In("computed"); shown.Text("estimatedApr") != "124.49" ||
			shown.Text("amountFinanced") != "48450.00" {
			t.Errorf("it shows %v", shown)
		}
		again := c.Graph(t, "mutation { it: makeDisclosure(dealId: "+deal+")"+fields, nil).In("it")
		if again["id"] != first["id"] {
			t.Errorf("with the same terms it is made twice: %v", again)
		}
		act := func(verb, input string) apptest.Asked {
			return c.Ask(t, "mutation { it: "+verb+"Disclosure(id: "+first.Text("id")+input+")"+fields, nil)
		}
		act("sign", "").Refused(t, "conflict")
		if reported := act("deliver", `, input: {at: "2999-01-01"}`).Refused(t, "validation_error"); reported["at"] == "" {
			t.Errorf("told %v", reported)
		}
		if got := act("deliver", `, input: {at: "2026-01-05T14:00:00Z"}`).Data.In("it"); got.Text(
			"deliveredAt",
		) != "2026-01-05T14:00:00.000Z" {
			t.Errorf("delivered %v", got)
		}
		if got := act("sign", "").Data.In("it"); got.Text("status") != "SIGNED" {
			t.Errorf("signed %v", got)
		}
		c.Patch(t, "/deals/"+deal, apptest.Object{"wireFee": "75.00"})
		second := c.Graph(t, "mutation { it: makeDisclosure(dealId: "+deal+")"+fields, nil).In("it")
		all := c.Graph(t, "{ deal(id: "+deal+") { disclosures { nodes { status } } } }", nil).
			In("deal").
			In("disclosures").
			List("nodes")
		if second["id"] == first["id"] || fmt.Sprint(texts(all, "status")) != "[SUPERSEDED DRAFT]" {
			t.Errorf("the disclosures are %v", all)
		}
		c.Patch(t, "/deals/"+deal, apptest.Object{"wireFee": "80.00"})
		c.Ask(t, "mutation { deliverDisclosure(id: "+second.Text("id")+") { id } }", nil).Refused(t, "conflict")

		// Utah has a disclosure without a rate, New Jersey none.
		for state, rate := range map[string]any{"UT": nil, "NJ": "none"} {
			merchant := made(
				t, c, "/merchants", "merchant", apptest.Object{"legalName": "Three Bells Bike Shop LLC", "state": state},
			)
			row := made(t, c, "/deals", "deal", apptest.Object{
				"merchantId": merchant.ID(), "fundedAmount": "50000.00", "factorRate": "1.30", "numberOfPayments": 26,
				"collectionFrequency": "WEEKLY", "collectionDay": 2,
			})
			answer := c.Ask(t, fmt.Sprintf("mutation { it: makeDisclosure(dealId: %d)%s", row.ID(), fields), nil)
			if rate == "none" {
				answer.Refused(t, "conflict")
			} else if shown := answer.Data.In("it").In("computed"); shown == nil || shown["estimatedApr"] != nil {
				t.Errorf("%s: %v %v", state, answer.Data, answer.Errors)
			}
		}
	})
}

const signature = ` { id status sentAt expiresAt signedDocumentId signers { id position status } } }`

func TestSignatureRequestIsSentAndSigned(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "signing.test")
		deal := newPricedDeal(t, a, c)
		rows := apptest.NewRows(a, c.Host)
		document := fmt.Sprint(rows.One(t, ent.TypeDocument))
		draft := func(kind string) apptest.Object {
			return c.Graph(t, `mutation {
				it: createSignatureRequest(input: {title: "Agreement", kind: `+kind+", dealId: "+deal+`,
					documentId: `+document+`, signers: [{name: "Dana Whitfield", email: "dana@harbor.example"},
						{name: "Ira Voss", email: "ira@harbor.example"}]})`+signature, nil).
				In("it")
		}
		reported := c.Ask(t, `mutation { createSignatureRequest(input: {
			title: "Agreement", kind: CONTRACT, dealId: `+deal+`, signers: [{name: "", email: "x"}]}) { id } }`, nil).
			Refused(t, "validation_error")
		if reported["signers.0.name"] == "" || reported["signers.0.email"] == "" {
			t.Errorf("told %v", reported)
		}
		contract := draft("CONTRACT")
		do := func(id, call, input string) apptest.Asked {
			return c.Ask(t, "mutation { it: "+call+"(id: "+id+input+") { id status } }", nil)
		}
		dana, ira := contract.List("signers")[0].Text("id"), contract.List("signers")[1].Text("id")
		do(dana, "recordSignature", "").Refused(t, "conflict") // it is not out yet
		if got := do(contract.Text("id"), "sendSignatureRequest", "").Data.In("it"); got.Text("status") != "SENT" {
			t.Fatalf("sent %v", got)
		}
		do(contract.Text("id"), "expireSignatureRequest", "").Refused(t, "conflict")
		if got := do(dana, "recordViewing", "").Data.In("it"); got.Text("status") != "VIEWED" {
			t.Errorf("viewed %v", got)
		}
		do(dana, "recordSignature", "")
		if reported := do(ira, "recordSignature", "").Refused(t, "validation_error"); reported["documentUrl"] == "" {
			t.Errorf("told %v", reported)
		}
		do(ira, "recordSignature", `, input: {documentUrl: "https://documents.example/1.pdf"}`)
		do(ira, "recordRefusal", "").Refused(t, "conflict")
		done := c.Graph(t, "{ deal(id: "+deal+`) { signatureRequests {
			nodes { status signedDocumentId signedDocument { url } signers { status } } } } }`, nil).
			In("deal")
		if got := done.In("signatureRequests").List("nodes")[0]; got.Text("status") != "COMPLETED" ||
			got.In("signedDocument").
				Text("url") !=
				"https://documents.example/1.pdf" || got.Text("signedDocumentId") == document ||
			fmt.Sprint(texts(got.List("signers"), "status")) != "[SIGNED SIGNED]" {
			t.Errorf("it is %v", got)
		}
		events := eventsOf(t, a, c.Host, "esign.")
		if strings.Join(events, " ") != "esign.signed esign.signed esign.completed" {
			t.Errorf("the events are %v", events)
		}

		// Sending a disclosure delivers it, and signing it signs it.
		c.Graph(t, "mutation { makeDisclosure(dealId: "+deal+") { id } }", nil)
		paper := draft("DISCLOSURE")
		do(paper.Text("id"), "sendSignatureRequest", "")
		status := func() string {
			const query = "{ disclosures { nodes { status signatureRequest { id } } } }"
			return c.Graph(t, query, nil).In("disclosures").List("nodes")[0].Text("status")
		}
		if got := status(); got != "DELIVERED" {
			t.Errorf("sent, the disclosure is %s", got)
		}
		for _, who := range paper.List("signers") {
			do(who.Text("id"), "recordSignature", `, input: {documentUrl: "https://documents.example/2.pdf"}`)
		}
		if got := status(); got != "SIGNED" {
			t.Errorf("signed, the disclosure is %s", got)
		}

		refused := draft("OTHER")
		do(refused.Text("id"), "sendSignatureRequest", "")
		do(refused.List("signers")[0].Text("id"), "recordRefusal", `, input: {reason: "Too dear."}`)
		do(refused.Text("id"), "voidSignatureRequest", "").Refused(t, "conflict")

		late := draft("OTHER")
		do(late.Text("id"), "sendSignatureRequest", `, input: {expiresAt: "2026-01-08"}`)
		a.Clock.Set(time.Date(2026, time.January, 9, 15, 0, 0, 0, time.UTC))
		if got := do(late.Text("id"), "expireSignatureRequest", "").Data.In("it"); got.Text("status") != "EXPIRED" {
			t.Errorf("expired %v", got)
		}
	})
}

// eventsOf returns the kinds of the company's events with a prefix, in order.
func eventsOf(t *testing.T, a *apptest.App, host, prefix string) []string {
	t.Helper()
	rows, err := a.Store.Reader().OutboxEvent.Query().Order(outboxevent.ByID()).All(a.Operator(t, host))
	if err != nil {
		t.Fatal(err)
	}
	var kinds []string
	for _, e := range rows {
		if strings.HasPrefix(e.Event, prefix) {
			kinds = append(kinds, e.Event)
		}
	}
	return kinds
}

func TestFinancingStatementLifecycle(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "filings.test")
		deal := newPricedDeal(t, a, c)
		draft := func(fields string) apptest.Asked {
			return c.Ask(
				t,
				"mutation { it: createUccFiling(input: {dealId: "+deal+", "+fields+`}) {
					id jurisdiction provider status collateral } }`,
				nil,
			)
		}
		do := func(id, verb, input string) apptest.Asked {
			return c.Ask(
				t, "mutation { it: "+verb+"UccFiling(id: "+id+input+") { id status lapsesAt filedAt rejectionReason } }", nil,
			)
		}
		rejected := draft("type: UCC1").Data.In("it")
		if rejected.Text("jurisdiction") != "DE" || rejected.Text("provider") != "MANUAL" {
			t.Errorf("drafted %v", rejected)
		}
		draft("type: UCC1").Refused(t, "conflict")
		if reported := draft("type: UCC3_TERMINATION").Refused(t, "validation_error"); reported["amendsId"] == "" {
			t.Errorf("told %v", reported)
		}
		do(rejected.Text("id"), "reject", `, input: {reason: "Wrong name"}`).Refused(t, "conflict")
		do(rejected.Text("id"), "submit", "")
		if got := do(rejected.Text("id"), "reject", `, input: {reason: "Wrong name"}`).Data.In("it"); got.Text(
			"rejectionReason",
		) != "Wrong name" {
			t.Errorf("rejected %v", got)
		}
		base := draft("type: UCC1").Data.In("it").Text("id")
		do(base, "submit", "")
		accepted := do(base, "accept", `, input: {fileNumber: "U260000001", filedAt: "2026-01-05T14:00:00Z"}`).Data.In("it")
		if accepted.Text("status") != "ACCEPTED" || accepted.Text("lapsesAt") != "2031-01-05" {
			t.Errorf("accepted %v", accepted)
		}
		do(base, "lapse", "").Refused(t, "conflict")
		draft("type: UCC3_CONTINUATION, amendsId: "+base).Refused(t, "conflict")

		a.Clock.Set(time.Date(2030, time.August, 1, 15, 0, 0, 0, time.UTC))
		again := draft("type: UCC3_CONTINUATION, amendsId: " + base).Data.In("it").Text("id")
		do(again, "submit", "")
		do(again, "accept", `, input: {fileNumber: "U300000002"}`)
		do(again, "terminate", "").Refused(t, "conflict")
		lapses := c.Graph(t, "{ uccFiling(id: "+base+") { lapsesAt amendments { type amends { id } } } }", nil).
			In("uccFiling")
		if lapses.Text("lapsesAt") != "2036-01-05" || len(lapses.List("amendments")) != 1 {
			t.Errorf("continued, it is %v", lapses)
		}
		end := draft("type: UCC3_TERMINATION, amendsId: " + base).Data.In("it").Text("id")
		do(end, "submit", "")
		do(end, "accept", `, input: {fileNumber: "U300000003"}`)
		got := c.Graph(t, "{ uccFiling(id: "+base+") { status } }", nil).In("uccFiling").Text("status")
		if got != "TERMINATED" {
			t.Errorf("terminated, it is %s", got)
		}
		draft("type: UCC3_AMENDMENT, amendsId: "+base).Refused(t, "conflict")
	})
}
