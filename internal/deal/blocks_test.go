package deal_test

import (
	"slices"
	"strings"
	"testing"

	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
)

var today = civil.Must("2026-03-31")

func day(s string) *civil.Date { d := civil.Must(s); return &d }

func policy(t *testing.T, name string) deal.Policy {
	t.Helper()
	p, ok := deal.Profile(name)
	if !ok {
		t.Fatalf("there is no profile %s", name)
	}
	return p
}

// fundable returns the facts of a deal without funding blocks.
func fundable() deal.Facts {
	return deal.Facts{
		Today:          today,
		Approval:       deal.ApprovalFacts{Accepted: true},
		Statement:      deal.StatementFacts{Present: true, PeriodEnd: day("2026-03-31")},
		Recommendation: "approve",
		ISO:            deal.ISOFacts{Present: true, Active: true, AgreementSigned: true},
		Disclosure:     deal.DisclosureFacts{Required: true, SignatureRequired: true, Delivered: true, Signed: true},
		ContractSigned: true,
		BankVerified:   true,
	}
}

// blocked returns facts to which every block applies.
func blocked() deal.Facts {
	return deal.Facts{
		Today:                 today,
		MissingTerms:          []string{"paybackAmount"},
		Inconsistency:         "termDays is 10 days more than the payments take",
		Approval:              deal.ApprovalFacts{Expired: true},
		Statement:             deal.StatementFacts{Present: true, Altered: true, PeriodEnd: day("2025-12-31")},
		Recommendation:        "decline",
		Defaulted:             []string{"D-000003"},
		OpenPositions:         []string{"D-000007"},
		ISO:                   deal.ISOFacts{Present: true},
		Stipulations:          []string{"Voided check"},
		Disclosure:            deal.DisclosureFacts{StateUnknown: true, Required: true, SignatureRequired: true, Stale: true},
		UCCConflicts:          []string{"NY 20260101-1"},
		ParticipationProblems: []string{"together they are more than 100 %"},
	}
}

func codes(blocks []deal.Block) []string {
	out := make([]string, len(blocks))
	for i, b := range blocks {
		out[i] = string(b.Code)
	}
	return out
}

func TestFundableDealHasNoBlocks(t *testing.T) {
	for _, move := range []deal.State{deal.Prefunded, deal.Funded} {
		if blocks := deal.Evaluate(move, policy(t, deal.Full), fundable(), nil); len(blocks) != 0 {
			t.Errorf("%s: %v", move, blocks)
		}
	}
}

func TestEveryBlockThatAppliesIsReportedInOrder(t *testing.T) {
	differing := blocked() // which excludes NO_ACCEPTED_APPROVAL
	differing.Approval = deal.ApprovalFacts{Accepted: true, Expired: true, Differing: []string{"factorRate"}}
	for name, c := range map[string]struct {
		move  deal.State
		facts deal.Facts
		want  string
	}{
		"approval without an accepted offer": {deal.Prefunded, blocked(), `ECONOMICS_INCOMPLETE ECONOMICS_INCONSISTENT
			NO_ACCEPTED_APPROVAL OFFER_EXPIRED STATEMENT_ALTERED STATEMENT_MISSING_OR_STALE DECISION_DECLINED
			MERCHANT_DEFAULTED OPEN_POSITION ISO_NOT_ELIGIBLE`},
		"approval on other terms": {deal.Prefunded, differing, `ECONOMICS_INCOMPLETE ECONOMICS_INCONSISTENT OFFER_EXPIRED
			TERMS_DIFFER_FROM_APPROVAL STATEMENT_ALTERED STATEMENT_MISSING_OR_STALE DECISION_DECLINED MERCHANT_DEFAULTED
			OPEN_POSITION ISO_NOT_ELIGIBLE`},
		"funding": {deal.Funded, differing, `TERMS_DIFFER_FROM_APPROVAL STATEMENT_ALTERED STIPS_OUTSTANDING
			DISCLOSURE_STATE_UNKNOWN DISCLOSURE_UNDELIVERED DISCLOSURE_UNSIGNED DISCLOSURE_STALE CONTRACT_UNSIGNED
			BANK_UNVERIFIED UCC_CONFLICT PARTICIPATION_INVALID`},
		"a move that is not guarded": {deal.Withdrawn, blocked(), ""},
	} {
		got := codes(deal.Evaluate(c.move, policy(t, deal.Full), c.facts, nil))
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

func TestOnlySoftBlocksCanBeOverridden(t *testing.T) {
	all := map[deal.BlockCode]bool{}
	for _, code := range deal.BlockCodes() {
		all[code] = true
	}
	for _, move := range []deal.State{deal.Prefunded, deal.Funded} {
		for _, b := range deal.Evaluate(move, policy(t, deal.Full), blocked(), all) {
			if !b.Hard || deal.MayBeOverridden(b.Code) {
				t.Errorf("%s: the soft block %s holds though it is overridden", move, b.Code)
			}
		}
	}
	left := codes(deal.Evaluate(deal.Prefunded, policy(t, deal.Full), blocked(), all))
	if want := []string{"ECONOMICS_INCOMPLETE", "ECONOMICS_INCONSISTENT", "STATEMENT_ALTERED"}; !slices.Equal(left, want) {
		t.Errorf("left over: %v", left)
	}
	if deal.MayBeOverridden("NO_SUCH_BLOCK") {
		t.Error("an unknown block may be overridden")
	}
}

func TestOverriddenBlocksAreReported(t *testing.T) {
	given := map[deal.BlockCode]bool{deal.NoAcceptedApproval: true, deal.EconomicsIncomplete: true}
	told := map[deal.BlockCode]deal.Block{}
	for _, b := range deal.Assess(deal.Prefunded, policy(t, deal.Full), blocked(), given) {
		told[b.Code] = b
	}
	if b := told[deal.NoAcceptedApproval]; !b.Overridden ||
		b.Problem != "The merchant has not accepted an offer for this deal." ||
		b.Remedy != "Send one and get it accepted." {
		t.Errorf("%+v", b)
	}
	if told[deal.EconomicsIncomplete].Overridden || told[deal.OfferExpired].Overridden ||
		!told[deal.EconomicsIncomplete].Hard {
		t.Errorf("%+v", told)
	}
}

func TestSoftBlocks(t *testing.T) {
	var soft []string
	for _, rule := range deal.BlockRules {
		if !rule.Hard {
			soft = append(soft, string(rule.Code))
		}
	}
	want := strings.Fields(`NO_ACCEPTED_APPROVAL OFFER_EXPIRED STATEMENT_MISSING_OR_STALE DECISION_DECLINED
		MERCHANT_DEFAULTED OPEN_POSITION ISO_NOT_ELIGIBLE UCC_CONFLICT`)
	if !slices.Equal(soft, want) {
		t.Errorf("soft are %v", soft)
	}
}

func TestBlockTableIsComplete(t *testing.T) {
	if len(deal.BlockRules) != 20 {
		t.Errorf("there are %d blocks", len(deal.BlockRules))
	}
	for i, rule := range deal.BlockRules {
		if rule.Title == "" || rule.Needs == 0 || len(rule.At) == 0 {
			t.Errorf("%s: %+v", rule.Code, rule)
		}
		if slices.Index(deal.BlockCodes(), rule.Code) != i {
			t.Errorf("%s is there twice", rule.Code)
		}
	}
}

func TestStatementAnalysisMaxAge(t *testing.T) {
	for name, c := range map[string]struct {
		statement deal.StatementFacts
		says      string
	}{
		"none":        {deal.StatementFacts{}, "has no statement analysis"},
		"45 days old": {deal.StatementFacts{Present: true, PeriodEnd: day("2026-02-14")}, ""},
		"46 days old": {
			deal.StatementFacts{Present: true, PeriodEnd: day("2026-02-13")}, "2026-02-13, more than 45 days ago",
		},
		"of a period without end":  {deal.StatementFacts{Present: true}, "does not say when its period ends"},
		"of a period not over yet": {deal.StatementFacts{Present: true, PeriodEnd: day("2026-04-30")}, ""},
	} {
		facts := fundable()
		facts.Statement = c.statement
		blocks := deal.Evaluate(deal.Prefunded, policy(t, deal.Full), facts, nil)
		switch {
		case c.says == "" && len(blocks) > 0:
			t.Errorf("%s: %v", name, blocks)
		case c.says != "" && (len(blocks) != 1 || !strings.Contains(blocks[0].Message, c.says)):
			t.Errorf("%s: got %v, want %q", name, blocks, c.says)
		}
	}
}

func TestBlocksIgnoreOtherFacts(t *testing.T) {
	for name, change := range map[string]func(*deal.Facts){
		"no disclosure where none is required": func(f *deal.Facts) {
			f.Disclosure = deal.DisclosureFacts{SignatureRequired: true, Stale: true}
		},
		"no signature where delivery is enough": func(f *deal.Facts) {
			f.Disclosure = deal.DisclosureFacts{Required: true, Delivered: true}
		},
		"no ISO":                      func(f *deal.Facts) { f.ISO = deal.ISOFacts{} },
		"a referral is not a decline": func(f *deal.Facts) { f.Recommendation = "refer" },
		"no decision":                 func(f *deal.Facts) { f.Recommendation = "" },
	} {
		facts := fundable()
		change(&facts)
		for _, move := range []deal.State{deal.Prefunded, deal.Funded} {
			if blocks := deal.Evaluate(move, policy(t, deal.Full), facts, nil); len(blocks) > 0 {
				t.Errorf("%s: %v", name, blocks)
			}
		}
	}
	without := fundable()
	without.Approval = deal.ApprovalFacts{Differing: []string{"factorRate"}}
	if blocks := deal.Evaluate(deal.Prefunded, policy(t, deal.Integrator), without, nil); len(blocks) > 0 {
		t.Errorf("terms differ from an offer that nobody accepted: %v", blocks)
	}
}

func TestISOMessages(t *testing.T) {
	for says, iso := range map[string]deal.ISOFacts{
		"is not active;":                              {Present: true, AgreementSigned: true},
		"has not signed its agreement;":               {Present: true, Active: true},
		"not active and has not signed its agreement": {Present: true},
	} {
		facts := fundable()
		facts.ISO = iso
		blocks := deal.Evaluate(deal.Prefunded, policy(t, deal.Full), facts, nil)
		if len(blocks) != 1 || !strings.Contains(blocks[0].Message, says) {
			t.Errorf("%v: %v", iso, blocks)
		}
	}
}

func TestEveryMessageIsASentence(t *testing.T) {
	differing := blocked()
	differing.Approval = deal.ApprovalFacts{Accepted: true, Differing: []string{"factorRate", "termDays"}}
	var messages []string
	for _, facts := range []deal.Facts{blocked(), differing} {
		for _, move := range []deal.State{deal.Prefunded, deal.Funded} {
			for _, b := range deal.Evaluate(move, policy(t, deal.Full), facts, nil) {
				messages = append(messages, b.Message)
			}
		}
	}
	for _, m := range messages {
		if m[0] < 'A' || m[0] > 'Z' || !strings.HasSuffix(m, ".") || !strings.Contains(m, "; ") {
			t.Errorf("not a sentence with a remedy: %q", m)
		}
	}
}

func TestLongListsAreCutShort(t *testing.T) {
	for _, c := range []struct {
		n    int
		says string
	}{
		{1, "The deal lacks x; "},
		{2, "lacks x and x; "},
		{3, "lacks x, x and x; "},
		{10, strings.Repeat("x, ", 8) + "x and x; "},
		{11, strings.Repeat("x, ", 9) + "x and 1 more; "},
	} {
		facts := fundable()
		facts.MissingTerms = slices.Repeat([]string{"x"}, c.n)
		blocks := deal.Evaluate(deal.Prefunded, policy(t, deal.Full), facts, nil)
		if len(blocks) != 1 || !strings.Contains(blocks[0].Message, c.says) {
			t.Errorf("%d: %v", c.n, blocks)
		}
	}
}

func TestBlocksBecomeOneConflict(t *testing.T) {
	if f := deal.Fault(nil); f != nil {
		t.Errorf("no block is %v", f)
	}
	hard := deal.Block{Code: deal.BankUnverified, Hard: true, Message: "100 % wrong; do it."}
	soft := deal.Block{Code: deal.UCCConflict, Message: "Others came first; wait."}
	for message, blocks := range map[string][]deal.Block{
		"A funding block prevents this move.":                                                   {hard},
		"A funding block prevents this move. Staff with the permission can override it.":        {soft},
		"2 funding blocks prevent this move. Staff with the permission can override 1 of them.": {hard, soft},
		"2 funding blocks prevent this move. Staff with the permission can override them.":      {soft, soft},
		"3 funding blocks prevent this move. Staff with the permission can override 2 of them.": {hard, soft, soft},
		"2 funding blocks prevent this move.":                                                   {hard, hard},
	} {
		f := deal.Fault(blocks)
		if f.Code != fault.Conflict || f.Message != message || len(f.Details) != len(blocks) {
			t.Errorf("%v, want %q", f, message)
		}
		for i, d := range f.Details {
			if d.Path != "blocks."+string(blocks[i].Code) || d.Message != blocks[i].Message {
				t.Errorf("detail %+v of %+v", d, blocks[i])
			}
		}
	}
}

func TestGuardedMoves(t *testing.T) {
	for _, from := range deal.States {
		for _, to := range deal.States {
			want := from == deal.Submitted && to == deal.Prefunded || from == deal.Prefunded && to == deal.Funded
			if deal.Guarded(from, to) != want {
				t.Errorf("%s to %s: guarded is %t", from, to, !want)
			}
		}
	}
}
