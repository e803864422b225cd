package rpc_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
	"paydown/rpc/adminv1/adminv1connect"
)

const keyService = "paydown.admin.v1.KeyService/"

func whoami(t *testing.T, a *apptest.App, host, token string) int {
	t.Helper()
	return a.As(host, token).Do(t, http.MethodGet, "/whoami", nil).Status
}

// The life cycle of a key through plain JSON alone.
func TestKeyMethodsOverJSON(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "keys.test")
		c := operator(a, token(t, a, service.NewAdminToken{Name: "ops laptop"}).Token)
		made := c.call(t, keyService+"CreateKey", apptest.Object{
			"tenant": host, "name": "importer", "scopes": []string{"deals:read"},
		}).one(t)
		first, id := made.Text("token"), made.In("key").ID()
		if id == 0 || whoami(t, a, host, first) != 200 {
			t.Fatalf("made %v", made)
		}
		rotated := c.call(t, keyService+"RotateKey", apptest.Object{"tenant": host, "id": id}).one(t)
		second := rotated.Text("token")
		if whoami(t, a, host, first) != 200 || whoami(t, a, host, second) != 200 {
			t.Error("the old key and the new one do not both work")
		}
		again := c.call(t, keyService+"RotateKey", apptest.Object{"tenant": host, "id": id})
		if again.code != "failed_precondition" {
			t.Errorf("rotated twice: %v", again)
		}
		a.Clock.Advance(24*time.Hour - time.Minute)
		if whoami(t, a, host, first) != 200 {
			t.Error("the old key ends before its 24 hours")
		}
		a.Clock.Advance(2 * time.Minute)
		if whoami(t, a, host, first) != 401 || whoami(t, a, host, second) != 200 {
			t.Error("the old key goes on after 24 hours, or took the new one along")
		}
		other := a.Replica(t)
		if whoami(t, other, host, second) != 200 {
			t.Error("a second process does not know the key")
		}
		newest := rotated.In("key").ID()
		c.call(t, keyService+"RevokeKey", apptest.Object{"tenant": host, "id": newest}).one(t)
		revoked := time.Now()
		for asked := revoked; whoami(t, other, host, second) != 401; asked = time.Now() {
			if late := asked.Sub(revoked); late > time.Second {
				t.Fatalf("a second process lets a revoked key in that is sent %s later", late)
			}
		}
		listed := c.call(t, keyService+"ListKeys", apptest.Object{"tenant": host}).one(t)
		if len(listed.List("keys")) != 2 || strings.Contains(a.Log.String(), second) {
			t.Errorf("listed %v", listed)
		}
		if got := c.call(t, keyService+"GetKeyUsage", apptest.Object{"tenant": host, "id": id}); got.code != "" {
			t.Errorf("usage: %v", got)
		}
		trail := c.call(t, "paydown.admin.v1.OperationsService/ReadAudit", apptest.Object{"tenant": host, "entity": "apiKey"})
		var actions []string
		for _, e := range trail.messages {
			// Stored values have the names used by the other surfaces.
			if after := e.In("after"); after.Text("tokenLast4") == "" || after["rate_limit"] != nil ||
				after["tenant_id"] != nil ||
				after["edges"] != nil {
				t.Errorf("%s: %v", e.Text("action"), after)
			}
			actions = append(actions, e.Text("actorKind")+" "+e.Text("actorName")+" "+e.Text("surface")+" "+e.Text("action"))
		}
		want := "OPERATOR ops laptop RPC key.create;OPERATOR ops laptop RPC key.rotate;" +
			"OPERATOR ops laptop RPC apiKey.update;OPERATOR ops laptop RPC key.revoke"
		if got := strings.Join(actions, ";"); got != want {
			t.Errorf("the audit trail says %q, want %q", got, want)
		}
	})
}

func TestFieldErrors(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "wrong.test")
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	for name, want := range map[string]struct {
		message apptest.Object
		code    string
		path    string
	}{
		"a rule of the description": {
			apptest.Object{"tenant": host, "name": "x", "expiresDays": 7}, "validation_error", "expiresDays",
		},
		"days that are none": {
			apptest.Object{"tenant": host, "name": "x", "scopes": []string{"deals:read"}, "expiresDays": 0},
			"validation_error", "expiresDays",
		},
		"a rule of the service": {
			apptest.Object{"tenant": host, "name": "x", "scopes": []string{"no"}}, "validation_error", "scopes.0",
		},
		"no company":             {apptest.Object{"name": "x"}, "validation_error", "tenant"},
		"a company there is not": {apptest.Object{"tenant": "nobody.test", "name": "x"}, "not_found", ""},
	} {
		got := c.call(t, keyService+"CreateKey", want.message)
		var info apptest.Object
		for _, d := range got.problem.List("details") {
			info = d.In("debug")
		}
		if info.Text("code") != want.code || info.Text("requestId") == "" {
			t.Errorf("%s: %v", name, got.problem)
		}
		if want.path != "" && (len(info.List("details")) != 1 || info.List("details")[0].Text("path") != want.path) {
			t.Errorf("%s: %v", name, got.problem)
		}
	}
	made := apptest.Object{"name": "x", "scopes": []string{"deals:read"}, "rateLimit": 5000}
	if got := staff(a, a.Staff(t, host, "admin")).call(t, keyService+"CreateKey", made); got.code != "invalid_argument" {
		t.Errorf("staff lift the limit: %v", got)
	}
	got := c.call(t, keyService+"GetKey", apptest.Object{"tenant": host, "id": 1, "idd": 2})
	if got.code != "invalid_argument" {
		t.Errorf("a field that there is not: %v", got)
	}
}

// The same methods answer GET, Connect, gRPC-Web and gRPC, with generated clients and with a gRPC client of its
// own.
func TestProtocols(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "protocols.test")
	a.Key(t, host)
	issued := token(t, a, service.NewAdminToken{Name: "ops"})
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	h2c := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	bearer := connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
			req.Header().Set("Authorization", "Bearer "+issued.Token)
			return next(ctx, req)
		}
	}))
	for name, options := range map[string][]connect.ClientOption{
		"Connect": nil, "GET": {connect.WithHTTPGet()}, "gRPC-Web": {connect.WithGRPCWeb()}, "gRPC": {connect.WithGRPC()},
	} {
		client := adminv1connect.NewKeyServiceClient(h2c, a.Admin.URL, append(options, bearer)...)
		answer, err := client.ListKeys(t.Context(), &adminv1.ListKeysRequest{Tenant: host})
		if err != nil || len(answer.GetKeys()) != 1 {
			t.Errorf("%s: %v %v", name, answer, err)
		}
		_, err = client.GetKey(t.Context(), &adminv1.GetKeyRequest{Tenant: host, Id: 4000})
		if connect.CodeOf(err) != connect.CodeNotFound {
			t.Errorf("%s, a key there is not: %v", name, err)
		}
	}
	conn, err := grpc.NewClient(
		strings.TrimPrefix(a.Admin.URL, "http://"),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
	)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	ctx := metadata.AppendToOutgoingContext(t.Context(), "authorization", "Bearer "+issued.Token)
	var listed adminv1.ListKeysResponse
	err = conn.Invoke(ctx, "/paydown.admin.v1.KeyService/ListKeys", &adminv1.ListKeysRequest{Tenant: host}, &listed)
	if err != nil {
		t.Fatal(err)
	}
	if len(listed.GetKeys()) != 1 {
		t.Errorf("over gRPC: %v", &listed)
	}
}
