package deal_test

import (
	"slices"
	"strings"
	"testing"

	"paydown/internal/deal"
)

func TestProfiles(t *testing.T) {
	integrator := strings.Fields(`ECONOMICS_INCOMPLETE ECONOMICS_INCONSISTENT TERMS_DIFFER_FROM_APPROVAL STATEMENT_ALTERED
		MERCHANT_DEFAULTED OPEN_POSITION PARTICIPATION_INVALID`)
	if got := policy(t, deal.Integrator).Codes(); !slices.Equal(got, integrator) {
		t.Errorf("integrator has on: %v", got)
	}
	full := policy(t, deal.Full)
	if got := full.Codes(); len(got) != len(deal.BlockRules) {
		t.Errorf("full has on: %v", got)
	}
	if _, ok := deal.Profile("lenient"); ok {
		t.Error("an unknown profile exists")
	}
	for _, name := range deal.ProfileNames {
		policy(t, name)
	}
}

func TestIntegratorsCanFundAlone(t *testing.T) {
	facts := deal.Facts{ // as after API calls only: no offer, no statement, no documents
		Today:        today,
		Stipulations: []string{"Voided check"},
		Disclosure:   deal.DisclosureFacts{Required: true, SignatureRequired: true},
	}
	for _, move := range []deal.State{deal.Prefunded, deal.Funded} {
		if blocks := deal.Evaluate(move, policy(t, deal.Integrator), facts, nil); len(blocks) > 0 {
			t.Errorf("%s: %v", move, blocks)
		}
		if blocks := deal.Evaluate(move, deal.Policy{}, blocked(), nil); len(blocks) > 0 {
			t.Errorf("%s: a policy with nothing on blocks: %v", move, blocks)
		}
	}
}

func TestStoredPolicyRoundTrip(t *testing.T) {
	stored := []string{"UCC_CONFLICT", "BANK_UNVERIFIED"}
	p, err := deal.ParsePolicy(stored)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Codes(); !slices.Equal(got, []string{"BANK_UNVERIFIED", "UCC_CONFLICT"}) {
		t.Errorf("codes are %v", got)
	}
	if !p.Has(deal.UCCConflict) || p.Has(deal.OpenPosition) {
		t.Error("the active blocks differ from the stored ones")
	}
	if _, err := deal.ParsePolicy([]string{"UCC_CONFLICT", "ucc_conflict"}); err == nil {
		t.Error("accepts an unknown code")
	}
	if p, err := deal.ParsePolicy(nil); err != nil || len(p.Codes()) != 0 {
		t.Errorf("nothing stored: %v, %v", p.Codes(), err)
	}
}

// A policy that was stored before the block existed requires the merchant's state too.
func TestDisclosureBlocksRequireTheState(t *testing.T) {
	for _, stored := range []string{"DISCLOSURE_UNDELIVERED", "DISCLOSURE_UNSIGNED", "DISCLOSURE_STALE"} {
		p, err := deal.ParsePolicy([]string{stored, "UCC_CONFLICT"})
		if err != nil {
			t.Fatal(err)
		}
		want := []string{"DISCLOSURE_STATE_UNKNOWN", stored, "UCC_CONFLICT"}
		if got := p.Codes(); !slices.Equal(got, want) {
			t.Errorf("%s: on are %v, want %v", stored, got, want)
		}
		blocks := codes(deal.Evaluate(deal.Funded, p, deal.Facts{Disclosure: deal.DisclosureFacts{StateUnknown: true}}, nil))
		if !slices.Equal(blocks, []string{"DISCLOSURE_STATE_UNKNOWN"}) {
			t.Errorf("%s: blocks are %v", stored, blocks)
		}
	}
	if policy(t, deal.Integrator).Has(deal.DisclosureStateUnknown) {
		t.Error("integrator demands the merchant's state")
	}
}

func TestAllProblemsOfAPolicyAreReported(t *testing.T) {
	problems := deal.PolicyProblems("blocks", []string{"OPEN_POSITION", "NONSENSE", "OPEN_POSITION", ""})
	var paths []string
	for _, p := range problems {
		paths = append(paths, p.Path)
		if strings.Contains(p.Message, "NONSENSE") {
			t.Errorf("repeats the value: %s", p.Message)
		}
	}
	if !slices.Equal(paths, []string{"blocks.1", "blocks.2", "blocks.3"}) {
		t.Errorf("problems at %v", paths)
	}
	if problems := deal.PolicyProblems("blocks", policy(t, deal.Full).Codes()); len(problems) > 0 {
		t.Errorf("a good policy: %v", problems)
	}
}

func TestPolicyNeeds(t *testing.T) {
	integrator := policy(t, deal.Integrator)
	approval := deal.FactsEconomics | deal.FactsApproval | deal.FactsStatement | deal.FactsDefaults | deal.FactsPositions
	if got := integrator.Needs(deal.Prefunded); got != approval {
		t.Errorf("approval needs %b, want %b", got, approval)
	}
	funding := deal.FactsApproval | deal.FactsStatement | deal.FactsParticipations
	if got := integrator.Needs(deal.Funded); got != funding {
		t.Errorf("funding needs %b, want %b", got, funding)
	}
	if got := policy(t, deal.Full).Needs(deal.Closed); got != 0 {
		t.Errorf("closing needs %b", got)
	}
	if !funding.Has(deal.FactsStatement) || funding.Has(deal.FactsStatement|deal.FactsBank) {
		t.Error("Has ignores missing groups")
	}
}

// repairs resets one group of facts to good values.
var repairs = map[deal.FactGroups]func(f *deal.Facts, good deal.Facts){
	deal.FactsEconomics:      func(f *deal.Facts, _ deal.Facts) { f.MissingTerms, f.Inconsistency = nil, "" },
	deal.FactsApproval:       func(f *deal.Facts, good deal.Facts) { f.Approval = good.Approval },
	deal.FactsStatement:      func(f *deal.Facts, good deal.Facts) { f.Statement = good.Statement },
	deal.FactsDecision:       func(f *deal.Facts, good deal.Facts) { f.Recommendation = good.Recommendation },
	deal.FactsDefaults:       func(f *deal.Facts, _ deal.Facts) { f.Defaulted = nil },
	deal.FactsPositions:      func(f *deal.Facts, _ deal.Facts) { f.OpenPositions = nil },
	deal.FactsISO:            func(f *deal.Facts, good deal.Facts) { f.ISO = good.ISO },
	deal.FactsStipulations:   func(f *deal.Facts, _ deal.Facts) { f.Stipulations = nil },
	deal.FactsDisclosure:     func(f *deal.Facts, good deal.Facts) { f.Disclosure = good.Disclosure },
	deal.FactsContract:       func(f *deal.Facts, _ deal.Facts) { f.ContractSigned = true },
	deal.FactsBank:           func(f *deal.Facts, _ deal.Facts) { f.BankVerified = true },
	deal.FactsUCC:            func(f *deal.Facts, _ deal.Facts) { f.UCCConflicts = nil },
	deal.FactsParticipations: func(f *deal.Facts, _ deal.Facts) { f.ParticipationProblems = nil },
}

// A block that reads facts outside its group would check facts that were not loaded.
func TestBlocksReadOnlyTheirFactGroup(t *testing.T) {
	for _, rule := range deal.BlockRules {
		p, err := deal.ParsePolicy([]string{string(rule.Code)})
		if err != nil {
			t.Fatal(err)
		}
		for _, move := range rule.At {
			if got := p.Needs(move); got != rule.Needs {
				t.Errorf("%s alone needs %b", rule.Code, got)
			}
			facts := blocked()
			repairs[rule.Needs](&facts, fundable())
			if blocks := deal.Evaluate(move, p, facts, nil); len(blocks) > 0 {
				t.Errorf("%s judges by other facts than it needs: %v", rule.Code, blocks)
			}
		}
	}
}

func TestTermsHash(t *testing.T) {
	terms := func() map[string]string {
		return map[string]string{"fundedAmount": "50000.00", "factorRate": "1.30", "isoId": "7"}
	}
	first := deal.TermsHash(terms())
	if len(first) != 32 {
		t.Errorf("has %d bytes", len(first))
	}
	for range 20 { // map iteration order is random
		if !slices.Equal(deal.TermsHash(terms()), first) {
			t.Fatal("the same terms have two hashes")
		}
	}
	for name, change := range map[string]func(map[string]string){
		"a changed term":   func(m map[string]string) { m["factorRate"] = "1.31" },
		"a term less":      func(m map[string]string) { delete(m, "isoId") },
		"a term more":      func(m map[string]string) { m["termDays"] = "180" },
		"an empty value":   func(m map[string]string) { m["termDays"] = "" },
		"values exchanged": func(m map[string]string) { m["factorRate"], m["isoId"] = m["isoId"], m["factorRate"] },
		"a cut moved":      func(m map[string]string) { delete(m, "isoId"); m["isoI"] = "d7" },
	} {
		changed := terms()
		change(changed)
		if slices.Equal(deal.TermsHash(changed), first) {
			t.Errorf("%s does not change the hash", name)
		}
	}
	const empty = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	if got := hexOf(deal.TermsHash(nil)); got != empty {
		t.Errorf("no terms have %s", got)
	}
	// Overrides in the database contain these hashes, so they must not change.
	const golden = "7c0496a8e413e030217a9b237e16f41697294b3b4b4a6d8cbae2a9ca8011430f"
	if got := hexOf(first); got != golden {
		t.Errorf("the hash has changed: %s", got)
	}
}
