package graph_test

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"paydown/internal/apptest"
	"paydown/rpc"
	"paydown/rpc/adminv1"
)

var write = flag.Bool("write", false, "write operations.txt again")

// fieldOf are the root fields for the REST operations with another name; "" if GraphQL has none: a key reads
// itself by REST, and other systems deliver their events there.
var fieldOf = map[string][]string{
	"whoami": nil, "receiveInboundEvent": nil,
	"getStatementAnalysis":           {"statementAnalyses"}, // of the deal, newest first
	"deliverStatementAnalysisOfDeal": {"deliverStatementAnalysis"},
	"deliverStatementAnalysis":       {"deliverTargetedStatementAnalysis"},
	"actOnWebhookEndpoint":           {"rotateWebhookSecret", "testWebhookEndpoint"},
}

// rowOf are the rows of admin methods that another surface has under another name; the rest have rows of their
// own.
var rowOf = map[string]string{
	"ListKeys": "apiKeys", "GetKey": "apiKey", "CreateKey": "createApiKey", "UpdateKey": "updateApiKey",
	"RotateKey": "rotateApiKey",
	"RevokeKey": "revokeApiKey", "ListEndpoints": "listWebhookEndpoints", "GetEndpoint": "getWebhookEndpoint",
	"EnableEndpoint": "updateWebhookEndpoint", "DisableEndpoint": "updateWebhookEndpoint",
	"RotateSecret": "actOnWebhookEndpoint",
	"SendTest":     "actOnWebhookEndpoint", "ListDeliveries": "webhookDeliveries", "GetDelivery": "webhookDelivery",
	"RedeliverDelivery": "redeliverWebhook", "ListEvents": "inboundEvents", "GetEvent": "inboundEvent",
	"ReapplyEvent": "reapplyInboundEvent", "GetTenant": "company", "UpdateTenantSettings": "updateCompany",
	"RotateInboundSecret": "rotateInboundSecret", "GetFundingPolicy": "fundingPolicy",
	"SetFundingPolicy": "saveFundingPolicy",
	"ListUsers":        "users", "GetUser": "user", "CreateUser": "createUser", "UpdateUser": "updateUser",
	"ListRoles":     "roles",
	"ResetPassword": "resetUserPassword", "DropSecondFactor": "dropUserSecondFactor", "DisableUser": "disableUser",
	"EnableUser": "enableUser", "ReadAudit": "auditEntries",
}

// calls are the admin methods by row, and who may call the methods that no other surface has.
func calls() (by map[string][]string, alone map[string]string) {
	by, alone = map[string][]string{}, map[string]string{}
	for _, m := range rpc.Methods() {
		name := string(m.Name())
		row, known := rowOf[name]
		if !known {
			row = strings.ToLower(name[:1]) + name[1:]
			alone[row] = "operators"
			if rpc.AccessOf(m) == adminv1.Access_ACCESS_COMPANY {
				alone[row] = "edit-company-settings"
			}
		}
		by[row] = append(by[row], strings.TrimPrefix(rpc.ProcedureOf(m), "paydown.admin.v1."))
	}
	return by, alone
}

// The table of operations shows what each surface has and under which scope. After an intended change of the
// surfaces, update it: go test ./graph -run Operations -write
func TestOperationsTableIsUpToDate(t *testing.T) {
	lines := []string{line("operation", "scope", "REST", "GraphQL", []string{"RPC"})}
	called, alone := calls()
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
			lines = append(
				lines, line(id, op.Text("x-scope"), strings.ToUpper(method)+" "+path, strings.Join(fields, ", "), called[id]),
			)
			delete(called, id)
		}
	}
	for _, definition := range []*ast.Definition{schema.Query, schema.Mutation} {
		for _, f := range definition.Fields {
			if _, needs := guards(f); !taken[f.Name] && !strings.HasPrefix(f.Name, "__") {
				lines = append(lines, line(f.Name, needs, "", f.Name, called[f.Name]))
				delete(called, f.Name)
			}
		}
	}
	for row, methods := range called {
		if alone[row] == "" {
			t.Errorf("%s: there is no row %s", strings.Join(methods, ", "), row)
		}
		lines = append(lines, line(row, alone[row], "", "", methods))
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

func line(operation, scope, rest, field string, methods []string) string {
	return fmt.Sprintf("%-34s %-26s %-52s %-42s %s", operation, cmp.Or(scope, "-"), cmp.Or(rest, "-"), cmp.Or(field, "-"),
		cmp.Or(strings.Join(methods, ", "), "-"))
}

func rootField(name string) *ast.FieldDefinition {
	if f := schema.Query.Fields.ForName(name); f != nil {
		return f
	}
	return schema.Mutation.Fields.ForName(name)
}
