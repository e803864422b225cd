package apicheck_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"paydown/internal/apptest"
)

// The audits of the graphql-http package, by the authors of the specification, including those of SHOULD
// requirements.
func TestTheGraphSpeaksGraphQLOverHTTP(t *testing.T) {
	if _, err := os.Stat("node_modules/graphql-http"); err != nil {
		install := exec.CommandContext(
			t.Context(), "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error",
		)
		if said, err := install.CombinedOutput(); err != nil {
			t.Fatalf("npm ci: %v\n%s", err, said)
		}
	}
	a := apptest.OnSQLite(t, apptest.Introspecting()) // one of them reads a type of the schema
	c := a.Client(t, "audits.test")
	said, err := exec.CommandContext(t.Context(), "node", "graphqlhttp.mjs", a.HTTP.URL, c.Host, c.Token).CombinedOutput()
	if err != nil || strings.Contains(string(said), " SHOULD ") {
		t.Errorf("%v\n%s", err, said)
	}
	t.Logf("%s", said)
}
