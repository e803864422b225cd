package deal_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"paydown/internal/deal"
	"paydown/internal/fault"
)

var code = regexp.MustCompile(`^[A-Z][A-Z_]*$`)

func TestDefaultPipelineHasEveryCategory(t *testing.T) {
	if s := deal.DefaultPipeline[0]; s.Code != "NEW" || s.Category != deal.CategoryOpen {
		t.Errorf("a submission begins at %+v", s)
	}
	seen := map[string]bool{}
	covered := map[string]bool{}
	before := 0
	for _, s := range deal.DefaultPipeline {
		if !code.MatchString(s.Code) || seen[s.Code] || s.Name == "" || s.Position <= before {
			t.Errorf("%+v", s)
		}
		seen[s.Code], covered[string(s.Category)], before = true, true, s.Position
	}
	for _, c := range deal.CategoryOpen.Values() {
		if !covered[c] {
			t.Errorf("no status is %s", c)
		}
	}
}

func TestCategories(t *testing.T) {
	for _, name := range deal.CategoryOpen.Values() {
		c := deal.SubmissionCategory(name)
		if c.NeedsReason() != (c == deal.CategoryDeclined) {
			t.Errorf("%s: needs a reason is %t", c, c.NeedsReason())
		}
		ended := []string{"DECLINED", "REJECTED_BY_MERCHANT", "WITHDRAWN"}
		if c.Ended() != slices.Contains(ended, name) {
			t.Errorf("%s: ended is %t", c, c.Ended())
		}
	}
}

func TestDefaultChoicesHaveUniqueCodesAndNames(t *testing.T) {
	for list, choices := range map[string][]deal.Choice{
		"decline reasons": deal.DefaultDeclineReasons, "disposition reasons": deal.DefaultDispositionReasons,
	} {
		seen := map[string]bool{}
		for _, c := range choices {
			if !code.MatchString(c.Code) || c.Name == "" || seen[c.Code] || seen[c.Name] {
				t.Errorf("%s: %+v", list, c)
			}
			seen[c.Code], seen[c.Name] = true, true
		}
	}
	if unique := slices.Compact(slices.Sorted(slices.Values(deal.DefaultMerchantStatuses))); len(unique) !=
		len(deal.DefaultMerchantStatuses) {
		t.Error("duplicate merchant status")
	}
}

func TestSubmissionMoves(t *testing.T) {
	all := deal.SubmissionCategory("").Values()
	final := "DECLINED REJECTED_BY_MERCHANT WITHDRAWN"
	for _, from := range all {
		for _, to := range all {
			allowed := !strings.Contains(final, from) && (from != "FUNDED" || to == "FUNDED" || to == "ACCEPTED")
			a := deal.PipelineStatus{Code: "FROM_HERE", Category: deal.SubmissionCategory(from)}
			err := deal.AllowedSubmissionMove(a, deal.PipelineStatus{Code: "TO_THERE", Category: deal.SubmissionCategory(to)})
			if (err == nil) != allowed {
				t.Errorf("%s to %s: %v", from, to, err)
			}
			if err != nil && (!fault.Is(err, fault.Conflict) || !strings.Contains(err.Error(), "FROM_HERE")) {
				t.Errorf("%s to %s: %v", from, to, err)
			}
		}
	}
}

func TestPrecedes(t *testing.T) {
	way := []deal.SubmissionCategory{deal.CategoryOpen, deal.CategoryOffered, deal.CategoryAccepted, deal.CategoryFunded}
	for i, here := range way {
		for j, there := range way {
			if here.Precedes(there) != (i < j) {
				t.Errorf("%s precedes %s: %t", here, there, here.Precedes(there))
			}
		}
		for _, ended := range deal.EndedCategories() {
			if ended.Precedes(here) || here.Precedes(ended) {
				t.Errorf("%s precedes another category", ended)
			}
		}
	}
}
