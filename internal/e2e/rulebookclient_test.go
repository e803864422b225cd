package e2e

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/rulebook"
)

// How the simulation of the rulebook calls the product. Only this file contains names of operations and fields.

// GraphQL operations. An operation missing from the schema returns an error, which fails its family.
const (
	wireTrial = `query($asOf: Date) { accounts(asOf: $asOf) { code debit credit } }`
	wireState = `query($deals: [ID!]) { accounts { code debit credit }
		deals(first: 200, filter: {ids: $deals}) {
			nodes { id state collection { outstanding collected surplus writtenOff recovered } } }
		syndicators(first: 200) { nodes { id balances { wallet payable } } } }`
	wireQuote   = `query($deal: ID!) { deal(id: $deal) { payoff { amount discount } } }`
	wireEntries = `query($deal: ID!, $after: String) { ledgerEntries(first: 200, after: $after, filter: {dealId: $deal}) {
		nodes { kind paymentId postings { account amount } } pageInfo { hasNextPage endCursor } } }`
	wireCodes    = `{ bounceCodes { id code } }`
	wirePart     = `mutation($input: NewParticipation!) { createParticipation(input: $input) { id amount } }`
	wireParts    = `query($deal: ID!) { deal(id: $deal) { participations { syndicatorId amount } } }`
	wireDeposit  = `mutation($id: ID!, $input: WalletMove!) { depositToWallet(id: $id, input: $input) { id } }`
	wireWithdraw = `mutation($id: ID!, $input: WalletMove!) { withdrawFromWallet(id: $id, input: $input) { id } }`
	wireWriteOff = `mutation($id: ID!) { writeOffDeal(id: $id, reason: "Out of business") { state } }`
	wirePayOff   = `mutation($id: ID!, $input: DealPayoff!) { payOffDeal(id: $id, input: $input) { id state } }`
	wireScan     = `mutation { scanRenewals { opened } }`
	wireRenewals = `{ renewals(first: 200, filter: {status: ELIGIBLE}) { nodes { id priorDealId } } }`
	wireRenew    = `mutation($id: ID!, $input: RenewalTerms!) { startRenewal(renewalId: $id, input: $input) { id } }`
	wireMake     = `mutation($input: NewPayoutBatch!) { makePayoutBatch(input: $input) { id status ` + wireItems + ` } }`
	wireApprove  = `mutation($id: ID!) { approvePayoutBatch(id: $id) { status } }`
	wirePay      = `mutation($id: ID!, $items: [ID!]) {
		payPayoutBatch(id: $id, itemIds: $items) { id status ` + wireItems + ` } }`
	wireFail      = `mutation($id: ID!) { failPayoutItem(id: $id, reason: "No such account") { status } }`
	wireRelease   = `mutation($id: ID!) { releasePayoutItem(id: $id) { status } }`
	wireBatch     = `query($id: ID!) { payout(id: $id) { id status ` + wireItems + ` } }`
	wireBatches   = `{ payouts(first: 200, filter: {kind: COMMISSION}) { nodes { id status ` + wireItems + ` } } }`
	wireItems     = `items { id syndicatorId isoId dealId amount status carriedAt collectedPaymentId }`
	wireTransfers = `query($deal: ID!) { deal(id: $deal) { disbursements { id status } } }`
	wireTransfer  = `mutation($id: ID!, $input: DisbursementMove!) { moveDisbursement(id: $id, input: $input) { status } }`
)

// wireCarried are the statuses of an item that is carried into the payee's next batch.
var wireCarried = map[string]bool{"CARRIED": true, "PAID": true, "HELD": true}

// ask runs an operation and returns the value of its one field; a refusal ends the test with the steps that led
// there.
func (s *simulation) ask(by *apptest.Client, operation string, variables object) object {
	s.t.Helper()
	asked := by.Ask(s.t, operation, variables)
	if len(asked.Errors) > 0 {
		s.fail("refused: %s %v: %v", operation, variables, asked.Errors)
	}
	return asked.Data
}

// send calls REST; a refusal ends the test with the steps that led there.
func (s *simulation) send(method, path string, body object) object {
	s.t.Helper()
	answer := s.Do(s.t, method, path, body)
	if answer.Status >= http.StatusMultipleChoices {
		s.fail("refused: %s %s %s: %s", method, path, booktest.Text(s.t, body), answer.Body)
	}
	return answer.JSON(s.t).In(booktest.Singular(path))
}

// conflicts sends a request that breaks a rule, and checks that it is refused.
func (s *simulation) conflicts(method, path string, body object, why string) {
	s.t.Helper()
	if answer := s.Do(s.t, method, path, body); answer.Status != http.StatusConflict {
		s.fail("%s %s %s is answered with %d, want 409: %s", method, path, booktest.Text(s.t, body), answer.Status, why)
	}
}

// wireTerms are the terms of a deal in the API's form.
func wireTerms(t rulebook.Terms) object {
	o := object{
		"fundedAmount": t.Funded.String(), "factorRate": t.Factor.String(), "numberOfPayments": t.Payments,
		"collectionFrequency": "DAILY",
		"applicationFee":      t.ApplicationFee.String(), "wireFee": t.Wire.String(),
	}
	if t.Buy > 0 {
		o["buyRate"] = t.Buy.String()
	}
	if t.BankFeeBasis != "" {
		o["bankFeeBasis"], o["bankFeeValue"] = string(t.BankFeeBasis), t.BankFeeValue.String()
	}
	if t.CommissionBasis != "" {
		o["commissionBasis"], o["commissionValue"] = string(t.CommissionBasis), t.CommissionValue.String()
	}
	if t.EPOFactor > 0 {
		o["epoFactorRate"], o["epoWindowDays"] = t.EPOFactor.String(), t.EPODays
	}
	if t.DefaultSurcharge > 0 {
		o["defaultSurcharge"] = t.DefaultSurcharge.String()
	}
	return o
}

// wireSyndicator are the terms of a syndicator in the API's form.
func wireSyndicator(s *rulebook.Syndicator) object {
	pick := func(yes bool, is, not string) string {
		if yes {
			return is
		}
		return not
	}
	o := object{
		"name": s.Name, "lossProtected": s.Protected, "frontsCommission": s.Fronts, "participatesInBankFee": s.SharesBankFee,
		"cafRecognition": pick(
			s.AsCollected, "AS_COLLECTED", "UPFRONT",
		), "profitAccrual": pick(s.CostFirst, "COST_FIRST", "PRO_RATA"),
	}
	if s.FeePercent > 0 {
		o["managementFeePercent"] = s.FeePercent.String()
		o["managementFeeBasis"] = pick(s.FeeOfCollections, "PERCENT_OF_COLLECTIONS", "PERCENT_OF_PARTICIPATION")
	}
	if s.SplitPercent > 0 {
		o["profitSplitPercent"] = s.SplitPercent.String()
	}
	return o
}

// cents reads an amount of a response; a missing one is an error of the test.
func cents(t *testing.T, record object, key string) rulebook.Cents {
	t.Helper()
	amount, err := rulebook.ParseCents(record.Text(key))
	if err != nil {
		t.Fatalf("%s of %v: %v", key, record, err)
	}
	return amount
}

// trialOf reads the balances of accounts; debits are positive.
func trialOf(t *testing.T, rows []object) map[string]rulebook.Cents {
	t.Helper()
	trial := map[string]rulebook.Cents{}
	for _, row := range rows {
		trial[row.Text("code")] = cents(t, row, "debit") - cents(t, row, "credit")
	}
	return trial
}

// ledgerOf sums what the product posted on a deal, by account, and formats its entries.
func (s *simulation) ledgerOf(deal int) (sums map[string]rulebook.Cents, entries []string) {
	s.t.Helper()
	sums = map[string]rulebook.Cents{}
	var after any
	for {
		page := s.ask(s.maker(), wireEntries, object{"deal": strconv.Itoa(deal), "after": after}).In("ledgerEntries")
		for _, entry := range page.List("nodes") {
			words := fmt.Sprintf("deal %d: %s of payment %s:", deal, entry.Text("kind"), entry.Text("paymentId"))
			for _, posting := range entry.List("postings") {
				sums[posting.Text("account")] += cents(s.t, posting, "amount")
				words += fmt.Sprintf(" %s %s;", posting.Text("account"), posting.Text("amount"))
			}
			entries = append(entries, words)
		}
		if page.In("pageInfo")["hasNextPage"] != true {
			return sums, entries
		}
		after = page.In("pageInfo").Text("endCursor")
	}
}

// maker and checker are two staff members who pay out; each is signed in once a day.
func (s *simulation) maker() *apptest.Client { return s.clerk("maker") }

func (s *simulation) checker() *apptest.Client { return s.clerk("checker") }

func (s *simulation) clerk(name string) *apptest.Client {
	s.t.Helper()
	if s.signedIn[name] == nil {
		s.signedIn[name] = s.Staff(s.t, name+"@"+s.Host, "accounting")
	}
	return s.signedIn[name]
}

// step records the next step, and the deal it acts on, if any.
func (s *simulation) step(d *rulebook.Deal, format string, args ...any) {
	id := 0
	if d != nil {
		id = d.ID
	}
	s.steps = append(s.steps, simulated{id, fmt.Sprintf("%s "+format, append([]any{s.day}, args...)...)})
}

// stepsOf returns the steps on some deals, and those on no deal; without deals, all steps.
func (s *simulation) stepsOf(deals ...int) string {
	var words strings.Builder
	for _, step := range s.steps {
		ours := len(deals) == 0 || step.deal == 0
		for _, d := range deals {
			ours = ours || step.deal == d
		}
		if ours {
			fmt.Fprintf(&words, "  %s\n", step.text)
		}
	}
	return words.String()
}

// fail ends the test with the difference, how to reproduce it, and the steps of the deals concerned.
func (s *simulation) fail(format string, args ...any) {
	s.t.Helper()
	s.failAbout(nil, format, args...)
}

func (s *simulation) failAbout(deals []int, format string, args ...any) {
	s.t.Helper()
	s.t.Fatalf("%s\nseed %d (PAYDOWN_TEST_SEED), after:\n%s", fmt.Sprintf(format, args...), s.seed, s.stepsOf(deals...))
}
