package underwriting_test

import (
	"encoding/json"
	"strings"
	"testing"

	"paydown/internal/underwriting"
)

func TestPolicyProblemsAreReported(t *testing.T) {
	raw, err := json.Marshal(underwriting.DefaultPolicy())
	if err != nil {
		t.Fatal(err)
	}
	if _, problems := underwriting.ReadPolicy(raw); len(problems) > 0 {
		t.Fatalf("the default: %v", problems)
	}
	for change, want := range map[[2]string]string{
		{`"max":20`, `"max":21`}:                                      "rules.rules",
		{`"max":20`, `"max":-1`}:                                      "rules.rules.0.max",
		{`"metric":"trendPct","max"`, `"metric":"mood","max"`}:        "rules.rules.6.metric",
		{`"metric":"trendPct","max"`, `"metric":"holdbackPct","max"`}: "rules.rules.6.metric",
		{`"atLeast":"100000"`, `"atLeast":"100"`}:                     "rules.rules.0.bands.1",
		{`"points":20`, `"points":22`}:                                "rules.rules.0.bands.0.points",
		{`"A":75`, `"A":55`}:                                          "rules.categories",
		{`"A":75`, `"D":55`}:                                          "rules.categories",
		{`"approve":55`, `"approve":39`}:                              "rules.approve",
		{`"leastMonths":3`, `"leastMonths":-3`}:                       "rules.leastMonths",
		{`"code":"STACKING"`, `"code":"stacking"`}:                    "rules.flags.1.code",
		{`"code":"STACKING"`, `"code":"ALTERED"`}:                     "rules.flags.1.code",
		{`"severity":"KNOCK_OUT"`, `"severity":"HARD"`}:               "rules.flags.0.severity",
		{`"above":"2",`, ``}:                                          "rules.flags.1",
		{`"cap":"500000.00"`, `"cap":"0.00"`}:                         "rules.offer.cap",
		{`"holdbackPct":"25.00"`, `"holdbackPct":"101.00"`}:           "rules.offer.holdbackPct",
		{`"leastMonths":3`, `"leastMonths":3,"mood":1`}:               "rules",
	} {
		if !strings.Contains(string(raw), change[0]) {
			t.Fatalf("%s does not hold %s", raw, change[0])
		}
		_, problems := underwriting.ReadPolicy(json.RawMessage(strings.Replace(string(raw), change[0], change[1], 1)))
		found := false
		for _, p := range problems {
			found = found || p.Path == want
		}
		if !found {
			t.Errorf("%s: %v, want %s", change[1], problems, want)
		}
	}
}
