package rpc_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/rpc"
)

// tooLong is a value for a text or a list that no request may have, and the path in the error; "" for other
// fields.
func tooLong(field protoreflect.FieldDescriptor) (value any, path string) {
	switch {
	case field.IsList():
		return slices.Repeat([]string{"x"}, 1000), field.JSONName()
	case field.Kind() == protoreflect.StringKind:
		return strings.Repeat("x", 5000), field.JSONName()
	case field.Kind() == protoreflect.MessageKind && field.Message().Name() == "StringList":
		return apptest.Object{"values": slices.Repeat([]string{"x"}, 1000)}, field.JSONName() + ".values"
	default:
		return nil, ""
	}
}

func TestEveryTextAndListOfARequestIsBounded(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "bounds.test")
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	for _, m := range rpc.Methods() {
		fields := m.Input().Fields()
		for i := range fields.Len() {
			value, path := tooLong(fields.Get(i))
			if path == "" || path == "tenant" { // a tenant that is not there is refused before
				continue
			}
			message := exampleRequest(m, host)
			message[fields.Get(i).JSONName()] = value
			refuses(t, c, rpc.ProcedureOf(m), message, path)
		}
	}
}

// refuses makes a call that must fail as invalid_argument for a field, among others.
func refuses(t *testing.T, c *caller, procedure string, message apptest.Object, path string) {
	t.Helper()
	got := c.call(t, procedure, message)
	if got.code != "invalid_argument" {
		t.Errorf("%s with a bad %s: %q %v", procedure, path, got.code, got.problem)
		return
	}
	named := slices.ContainsFunc(info(t, got.problem).List("details"), func(d apptest.Object) bool {
		return d.Text("path") == path && strings.HasPrefix(d.Text("message"), "must be ")
	})
	if !named {
		t.Errorf("%s with a bad %s: %v", procedure, path, got.problem)
	}
}

func TestNumbersAndChoicesOfARequestAreChecked(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "choices.test")
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	for field, want := range map[string]struct {
		procedure string
		message   apptest.Object
		wrong     string
	}{
		"id":          {keyService + "GetKey", apptest.Object{"id": 0}, "is required"},
		"kind":        {keyService + "CreateKey", apptest.Object{"name": "x", "kind": "live"}, "must be LIVE or TEST"},
		"expiresDays": {keyService + "CreateKey", apptest.Object{"name": "x", "expiresDays": 7}, "must be 30, 90 or 365"},
		"rateLimit": {
			keyService + "CreateKey", apptest.Object{"name": "x", "rateLimit": 1_000_001}, "must be at most 1000000",
		},
		"status": {
			webhookService + "ListDeliveries", apptest.Object{"status": "LOST"}, "must be PENDING, DELIVERED or FAILED",
		},
		"limit":  {webhookService + "ListDeliveries", apptest.Object{"limit": 101}, "must be at most 100"},
		"roleId": {"paydown.admin.v1.UserService/UpdateUser", apptest.Object{"id": 1, "roleId": 0}, "is required"},
	} {
		want.message["tenant"] = host
		got := c.call(t, want.procedure, want.message)
		details := info(t, got.problem).List("details")
		if got.code != "invalid_argument" || len(details) != 1 || details[0].Text("path") != field ||
			details[0].Text("message") != want.wrong {
			t.Errorf("%s: %v", field, got.problem)
		}
	}
}
