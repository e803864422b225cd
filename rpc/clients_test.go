package rpc_test

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/rpc/adminv1"
	"paydown/rpc/adminv1/adminv1connect"
)

// tool calls a unary method with a message, and returns the response as JSON.
type tool func(t *testing.T, procedure string, message apptest.Object) apptest.Object

// command is a tool that is a program: its output is the response.
func command(args func(procedure, message string) *exec.Cmd) tool {
	return func(t *testing.T, procedure string, message apptest.Object) apptest.Object {
		t.Helper()
		raw, err := json.Marshal(message)
		if err != nil {
			t.Fatal(err)
		}
		cmd := args(procedure, string(raw))
		var failed strings.Builder
		cmd.Stderr = &failed
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%v: %v\n%s%s", cmd.Args[0], err, out, &failed)
		}
		answer := apptest.Object{}
		if err := json.Unmarshal(out, &answer); err != nil {
			t.Fatalf("%s: %v", out, err)
		}
		return answer
	}
}

// client is the generated client, with one protocol.
func client(a *apptest.App, token string, options ...connect.ClientOption) tool {
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	h2c := &http.Client{Transport: &http.Transport{Protocols: protocols}}
	bearer := connect.WithInterceptors(connect.UnaryInterceptorFunc(func(next connect.UnaryFunc) connect.UnaryFunc {
		return func(ctx context.Context, req connect.AnyRequest) (connect.AnyResponse, error) {
			req.Header().Set("Authorization", "Bearer "+token)
			return next(ctx, req)
		}
	}))
	options = append(options, bearer)
	keys := adminv1connect.NewKeyServiceClient(h2c, a.Admin.URL, options...)
	webhooks := adminv1connect.NewWebhookServiceClient(h2c, a.Admin.URL, options...)
	return func(t *testing.T, procedure string, message apptest.Object) apptest.Object {
		t.Helper()
		var answer proto.Message
		var err error
		host, id := message.Text("tenant"), uint32(message["id"].(int))
		switch procedure {
		case keyService + "RotateKey":
			answer, err = keys.RotateKey(t.Context(), &adminv1.RotateKeyRequest{Tenant: host, Id: id})
		case webhookService + "RedeliverDelivery":
			answer, err = webhooks.RedeliverDelivery(t.Context(), &adminv1.RedeliverDeliveryRequest{Tenant: host, Id: id})
		default:
			t.Fatalf("not asked of this client: %s", procedure)
		}
		if err != nil {
			t.Fatal(err)
		}
		raw, err := protojson.Marshal(answer)
		object := apptest.Object{}
		if err != nil || json.Unmarshal(raw, &object) != nil {
			t.Fatalf("%s %v", raw, err)
		}
		return object
	}
}

// grpcurl compiles the program, at the version in internal/apicheck/grpcurl.
func grpcurl(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "grpcurl")
	err := apptest.Build(
		filepath.Join("..", "internal", "apicheck", "grpcurl"), "github.com/fullstorydev/grpcurl/cmd/grpcurl", path,
	)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// Keys are rotated and deliveries repeated with any client of one of the protocols that knows only the address:
// curl, buf and grpcurl, which ask the server itself for the description, and the generated client.
func TestClientsRotateKeysAndRedeliver(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "tools.test")
	issued := token(t, a, service.NewAdminToken{Name: "tools"})
	bearer, address := "Authorization: Bearer "+issued.Token, strings.TrimPrefix(a.Admin.URL, "http://")
	grpcurlPath := grpcurl(t)
	buf := func(protocol string) tool {
		return command(func(procedure, message string) *exec.Cmd {
			cmd := exec.CommandContext(
				t.Context(), filepath.Join("..", ".ci", "buf"), "curl", "--protocol", protocol, "--http2-prior-knowledge", "-H",
				bearer, "--reflect-header", bearer, "-d", message, a.Admin.URL+"/"+procedure,
			)
			cmd.Env = append(os.Environ(), "BUF_CACHE_DIR="+t.TempDir())
			return cmd
		})
	}
	tools := map[string]tool{
		"curl": command(func(procedure, message string) *exec.Cmd {
			return exec.CommandContext(
				t.Context(), "curl", "-sS", "--fail-with-body", "-H", bearer, "-H", "Content-Type: application/json", "-d", message,
				a.Admin.URL+"/"+procedure,
			)
		}),
		"grpcurl": command(func(procedure, message string) *exec.Cmd {
			return exec.CommandContext(t.Context(), grpcurlPath, "-plaintext", "-H", bearer, "-d", message, address, procedure)
		}),
		"buf curl, Connect": buf("connect"), "buf curl, gRPC": buf("grpc"), "buf curl, gRPC-Web": buf("grpcweb"),
		"the client, Connect": client(a, issued.Token), "the client, gRPC": client(a, issued.Token, connect.WithGRPC()),
		"the client, gRPC-Web": client(a, issued.Token, connect.WithGRPCWeb()),
	}
	endpoint := failedDeliveries(t, a, host, len(tools), failedPayload)
	listed := operator(
		a, issued.Token,
	).call(t, webhookService+"ListDeliveries", apptest.Object{"tenant": host, "endpointId": endpoint}).
		one(t)
	failed := listed.List("deliveries")
	olds, news, n := map[string]string{}, map[string]string{}, 0
	for name, call := range tools {
		key := a.Key(t, host)
		rotated := call(t, keyService+"RotateKey", apptest.Object{"tenant": host, "id": key.Key.ID})
		olds[name], news[name] = key.Token, rotated.Text("token")
		if whoami(t, a, host, olds[name]) != 200 || whoami(t, a, host, news[name]) != 200 {
			t.Errorf("%s: the old key and the new one do not both work", name)
		}
		id := failed[n].ID()
		n++
		repeated := call(t, webhookService+"RedeliverDelivery", apptest.Object{"tenant": host, "id": id}).In("delivery")
		if repeated.Int("redeliveryOfId") != id || repeated.ID() == id || repeated.Text("status") != "PENDING" {
			t.Errorf("%s: repeated as %v", name, repeated)
		}
	}
	for id, times := range repeats(t, a, host, endpoint) {
		if times != 1 {
			t.Errorf("delivery %d was repeated %d times", id, times)
		}
	}
	a.Clock.Advance(24*time.Hour + time.Minute)
	for name := range tools {
		if whoami(t, a, host, olds[name]) != 401 || whoami(t, a, host, news[name]) != 200 {
			t.Errorf("%s: after 24 hours the old key is not over, or the new one is", name)
		}
	}
}

// Reflection and health have the same access control, and answer every protocol.
func TestReflectionAndHealthAreForOperators(t *testing.T) {
	a := apptest.OnSQLite(t)
	issued := token(t, a, service.NewAdminToken{Name: "tools"})
	address := strings.TrimPrefix(a.Admin.URL, "http://")
	program := grpcurl(t)
	list := func(args ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), program, append(args, "-plaintext", address, "list")...).CombinedOutput()
		return string(out), err
	}
	if out, err := list("-H", "Authorization: Bearer "+issued.Token); err != nil ||
		!strings.Contains(out, "paydown.admin.v1.KeyService") {
		t.Errorf("listed %s %v", out, err)
	}
	if out, err := list(); err == nil || strings.Contains(out, "KeyService") || !strings.Contains(out, "Unauthenticated") {
		t.Errorf("without a token: %s %v", out, err)
	}
	const check = "grpc.health.v1.Health/Check"
	c := operator(a, issued.Token)
	for _, message := range []apptest.Object{{}, {"service": "paydown.admin.v1.KeyService"}} {
		if got := c.send(t, check, message, false); got.code != "" ||
			!strings.HasSuffix(got.messages[0].Text("status"), "SERVING") {
			t.Errorf("%v: %v", message, got)
		}
	}
	if got := c.send(t, check, apptest.Object{"service": "no.such"}, false); got.code != "not_found" {
		t.Errorf("a service that there is not: %v", got)
	}
	if got := operator(a, "").send(t, check, apptest.Object{}, false); got.code != "unauthenticated" {
		t.Errorf("without a token: %v", got)
	}
	header := "Authorization: Bearer " + issued.Token
	out, err := exec.CommandContext(t.Context(), program, "-H", header, "-plaintext", address, check).
		CombinedOutput()
	if err != nil || !strings.Contains(string(out), "SERVING") {
		t.Errorf("over gRPC: %s %v", out, err)
	}
}
