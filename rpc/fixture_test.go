package rpc_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"testing"

	"google.golang.org/protobuf/reflect/protoreflect"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/rpc"
	"paydown/rpc/adminv1"
)

// caller calls methods as plain JSON, unary and streaming, like curl.
type caller struct {
	base, host string
	from       string // the address that a trusted proxy names; "" for none
	header     http.Header
}

// operator calls the operators' listener with a token; "" sends none.
func operator(a *apptest.App, token string) *caller {
	c := &caller{base: a.Admin.URL, header: http.Header{}}
	if token != "" {
		c.header.Set("Authorization", "Bearer "+token)
	}
	return c
}

// staff calls the host of a company with a session.
func staff(a *apptest.App, signedIn *apptest.Client) *caller {
	return &caller{base: a.HTTP.URL + "/rpc", host: signedIn.Host, header: signedIn.Header}
}

// called is how a call ended.
type called struct {
	code     string // "" where it was answered
	problem  apptest.Object
	messages []apptest.Object
	status   int
}

func (c *caller) call(t *testing.T, procedure string, message any) called {
	t.Helper()
	return c.send(t, procedure, message, streams(procedure))
}

func streams(procedure string) bool {
	for _, m := range rpc.Methods() {
		if rpc.ProcedureOf(m) == procedure {
			return m.IsStreamingServer()
		}
	}
	return false
}

func (c *caller) send(t *testing.T, procedure string, message any, streams bool) called {
	t.Helper()
	body, err := json.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	media := "application/json"
	if streams {
		body, media = append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body))), body...), "application/connect+json"
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+"/"+procedure, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = c.host
	maps.Copy(r.Header, c.header)
	if c.from != "" {
		r.Header.Set("X-Forwarded-For", c.from)
	}
	r.Header.Set("Content-Type", media)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	if !streams || answer.Header.Get("Content-Type") != media {
		return unary(t, answer.StatusCode, raw)
	}
	return streamed(t, raw)
}

func unary(t *testing.T, status int, raw []byte) called {
	t.Helper()
	object := apptest.Object{}
	if err := json.Unmarshal(raw, &object); err != nil {
		t.Fatalf("%d, and no JSON: %s", status, raw)
	}
	if status == http.StatusOK {
		return called{messages: []apptest.Object{object}, status: status}
	}
	return called{code: object.Text("code"), problem: object, status: status}
}

func streamed(t *testing.T, raw []byte) called {
	t.Helper()
	var out called
	for len(raw) >= 5 {
		flags, size := raw[0], binary.BigEndian.Uint32(raw[1:5])
		object := apptest.Object{}
		body := raw[5 : 5+size]
		if flags&1 != 0 {
			body = gunzipped(t, body)
		}
		if err := json.Unmarshal(body, &object); err != nil {
			t.Fatal(err)
		}
		if flags&2 != 0 {
			out.problem = object.In("error")
			out.code = out.problem.Text("code")
			return out
		}
		out.messages, raw = append(out.messages, object), raw[5+size:]
	}
	t.Fatal("the stream has no end")
	return out
}

// one is the only message of a response; it ends the test if there is none.
func (c called) one(t *testing.T) apptest.Object {
	t.Helper()
	if c.code != "" || len(c.messages) != 1 {
		t.Fatalf("not answered: %s %v %v", c.code, c.problem, c.messages)
	}
	return c.messages[0]
}

// token creates an admin token.
func token(t *testing.T, a *apptest.App, in service.NewAdminToken) *service.IssuedAdminToken {
	t.Helper()
	issued, err := a.AdminTokens.Create(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return issued
}

// exampleRequest is a valid message of a method, about a company's record 1.
func exampleRequest(m protoreflect.MethodDescriptor, host string) apptest.Object {
	message := apptest.Object{}
	fields := m.Input().Fields()
	if fields.ByName("tenant") != nil {
		message["tenant"] = host
	}
	if fields.ByName("id") != nil {
		message["id"] = 1
	}
	return message
}

const (
	company      = adminv1.Access_ACCESS_COMPANY
	operatorOnly = adminv1.Access_ACCESS_OPERATOR
)
