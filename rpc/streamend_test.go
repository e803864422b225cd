package rpc_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/types/known/emptypb"

	"paydown/internal/apptest"
	"paydown/internal/service"
	"paydown/rpc"
	"paydown/rpc/adminv1"
)

// reflecting is a stream over HTTP/2 on which a client has asked once for the server's description, and got it.
// It reports how the stream ends.
func reflecting(t *testing.T, a *apptest.App, token string) <-chan error {
	t.Helper()
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{Protocols: protocols}
	t.Cleanup(transport.CloseIdleConnections)
	client := connect.NewClient[emptypb.Empty, emptypb.Empty](&http.Client{Transport: transport},
		a.Admin.URL+"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", connect.WithGRPC())
	stream := client.CallBidiStream(t.Context())
	stream.RequestHeader().Set("Authorization", "Bearer "+token)
	const listServices = 7 // of a ServerReflectionRequest, whose type nobody has who only serves it
	asked := new(emptypb.Empty)
	asked.ProtoReflect().
		SetUnknown(protowire.AppendString(protowire.AppendTag(nil, listServices, protowire.BytesType), "*"))
	if err := stream.Send(asked); err != nil {
		t.Fatal(err)
	}
	if _, err := stream.Receive(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := stream.Receive()
		ended <- err
	}()
	return ended
}

// A handler that waits for a client's message also ends when the caller's access ends.
func TestSilentClientLosesStream(t *testing.T) {
	a := apptest.OnSQLite(t)
	issued := token(t, a, service.NewAdminToken{Name: "ops"})
	ended := reflecting(t, a, issued.Token)
	if _, err := a.AdminTokens.Revoke(t.Context(), issued.ID); err != nil {
		t.Fatal(err)
	}
	if err := within(t, "a stream of a token that was revoked", ended); connect.CodeOf(
		err,
	) != connect.CodeUnauthenticated {
		t.Errorf("the stream ended with %v", err)
	}
}

// beginRequest is a call over a connection of its own, of which the server has only the bytes sent so far.
func beginRequest(t *testing.T, c *caller, procedure string, length int, body string) net.Conn {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(c.base, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	_, err = fmt.Fprintf(
		conn,
		"POST /%s HTTP/1.1\r\nHost: admin\r\nAuthorization: %s\r\nContent-Type: application/connect+json\r\n"+
			"Content-Length: %d\r\n\r\n%s",
		procedure,
		c.header.Get("Authorization"),
		length,
		body,
	)
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

// awaitStreams waits until n calls stream.
func awaitStreams(t *testing.T, s *rpc.Server, n int) {
	t.Helper()
	for deadline := time.Now().Add(patience); s.OpenStreams() != n; {
		if time.Now().After(deadline) {
			t.Fatalf("%d calls stream, want %d", s.OpenStreams(), n)
		}
		time.Sleep(time.Millisecond)
	}
}

const readAudit = "paydown.admin.v1.OperationsService/ReadAudit"

// A call whose message never completes is told that the server stops, and does not delay the stop.
func TestServerStopsDuringPartialMessage(t *testing.T) {
	a := apptest.OnSQLite(t)
	s, c := served(t, a)
	conn := beginRequest(t, c, readAudit, 100, "\x00\x00\x00")
	awaitStreams(t, s, 1)
	s.EndStreams()
	awaitStreams(t, s, 0)
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = answer.Body.Close() }()
	end := make([]byte, 4096)
	n, _ := answer.Body.Read(end)
	if !strings.Contains(string(end[:n]), `"unavailable"`) {
		t.Errorf("%d %s", answer.StatusCode, end[:n])
	}
}

// endless sends messages for as long as they are accepted.
type endless struct {
	broken
	sent chan struct{} // tells of the first of them
}

func (e *endless) ReadAudit(
	_ context.Context, _ *adminv1.ReadAuditRequest, out *connect.ServerStream[adminv1.ReadAuditResponse],
) error {
	for {
		if err := out.Send(&adminv1.ReadAuditResponse{ActorName: strings.Repeat("x", 64<<10)}); err != nil {
			return err
		}
		select {
		case e.sent <- struct{}{}:
		default:
		}
	}
}

// A client that does not read what it is sent keeps no stream open either.
func TestServerStopsWithStalledReader(t *testing.T) {
	a := apptest.OnSQLite(t)
	s, c := served(t, a)
	handler := &endless{sent: make(chan struct{}, 1)}
	s.Put(handler, handler)
	body := fmt.Sprintf(`{"tenant": %q}`, a.Tenant(t, "idle.test"))
	message := string(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(body)))) + body
	beginRequest(t, c, readAudit, len(message), message)
	within(t, "the first message", handler.sent)
	s.EndStreams()
	awaitStreams(t, s, 0)
}
