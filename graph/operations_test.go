package graph_test

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"paydown/internal/apptest"
)

var write = flag.Bool("write", false, "write operations.txt anew")

// fieldOf are the root fields for the operations of REST whose names do not say it; "" where the graph has none: a key
// asks REST about itself, and other systems deliver their events there.
var fieldOf = map[string][]string{
	"whoami": nil, "receiveInboundEvent": nil,
	"getStatementAnalysis":           {"statementAnalyses"}, // of the deal, newest first
	"deliverStatementAnalysisOfDeal": {"deliverStatementAnalysis"},
	"deliverStatementAnalysis":       {"deliverTargetedStatementAnalysis"},
	"actOnWebhookEndpoint":           {"rotateWebhookSecret", "testWebhookEndpoint"},
}

// The table of operations shows at a glance what each surface has and under which scope. Where the surfaces change on
// purpose, write it anew: go test ./graph -run Operations -write
func TestTheTableOfOperationsIsTrue(t *testing.T) {
	lines := []string{fmt.Sprintf("%-34s %-26s %-52s %s", "operation", "scope", "REST", "GraphQL")}
	taken := map[string]bool{}
	for path, item := range described(t).In("paths") {
		for method, o := range item.(map[string]any) {
			op := apptest.Object(o.(map[string]any))
			id := op.Text("operationId")
			fields, special := fieldOf[id]
			if !special {
				name := strings.TrimPrefix(strings.TrimPrefix(id, "list"), "get")
				fields = []string{strings.ToLower(name[:1]) + name[1:]}
			}
			for _, name := range fields {
				field := rootField(name)
				if field == nil {
					t.Errorf("%s: the graph has no %s", id, name)
					continue
				}
				if _, needs := guards(field); needs != op.Text("x-scope") {
					t.Errorf("%s needs %s, and %s of the graph %s", id, op.Text("x-scope"), name, needs)
				}
				taken[name] = true
			}
			lines = append(lines, line(id, op.Text("x-scope"), strings.ToUpper(method)+" "+path, strings.Join(fields, ", ")))
		}
	}
	for _, definition := range []*ast.Definition{schema.Query, schema.Mutation} {
		for _, f := range definition.Fields {
			if _, needs := guards(f); !taken[f.Name] && !strings.HasPrefix(f.Name, "__") {
				lines = append(lines, line(f.Name, needs, "", f.Name))
			}
		}
	}
	slices.Sort(lines[1:])
	table := strings.Join(lines, "\n") + "\n"
	const file = "operations.txt"
	if *write {
		if err := os.WriteFile(file, []byte(table), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if written, err := os.ReadFile(file); err != nil || string(written) != table {
		t.Errorf("graph/%s is behind (%v): see this test", file, err)
	}
}

func line(operation, scope, rest, field string) string {
	if scope == "" {
		scope = "-"
	}
	if rest == "" {
		rest = "-"
	}
	if field == "" {
		field = "-"
	}
	return fmt.Sprintf("%-34s %-26s %-52s %s", operation, scope, rest, field)
}

func rootField(name string) *ast.FieldDefinition {
	if f := schema.Query.Fields.ForName(name); f != nil {
		return f
	}
	return schema.Mutation.Fields.ForName(name)
}
