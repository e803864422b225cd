package rpc_test

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"

	"paydown/internal/apptest"
	"paydown/internal/middleware"
	"paydown/internal/ratelimit"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/rpc"
	"paydown/rpc/adminv1"
	"paydown/rpc/adminv1/adminv1connect"
)

// carrying sends additional headers, and its own host if one is given.
type carrying struct {
	header http.Header
	host   string
}

// RoundTrip implements http.RoundTripper.
func (c carrying) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	maps.Copy(r.Header, c.header)
	if c.host != "" {
		r.Host = c.host
	}
	return http.DefaultTransport.RoundTrip(r)
}

func (c *caller) client() *http.Client { return &http.Client{Transport: carrying{c.header, c.host}} }

// following reads the audit trail as it is written, and sends the ids; the error that ends it comes last.
func following(ctx context.Context, c *caller, req *adminv1.ReadAuditRequest) (ids chan uint32, ended chan error) {
	ids, ended = make(chan uint32, 1000), make(chan error, 1)
	req.Follow = true
	go func() {
		stream, err := adminv1connect.NewOperationsServiceClient(c.client(), c.base).ReadAudit(ctx, req)
		if err != nil {
			ended <- err
			return
		}
		for stream.Receive() {
			ids <- stream.Msg().GetId()
		}
		ended <- stream.Err()
	}()
	return ids, ended
}

// patience is how long a test waits at most, on a busy machine.
const patience = 2 * time.Minute

func within[E any](t *testing.T, what string, c <-chan E) (e E) {
	t.Helper()
	select {
	case e = <-c:
	case <-time.After(patience):
		t.Fatalf("%s: nothing", what)
	}
	return e
}

// A stream ends with its caller's access: a revoked token, a lost permission, an ended session.
func TestStreamsEndWhenAccessEnds(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "cut.test")
		issued := token(t, a, service.NewAdminToken{Name: "ops"})
		signedIn := a.Staff(t, host, "admin")
		leaving := a.Staff(t, host, "admin")
		ids, ended := following(t.Context(), operator(a, issued.Token), &adminv1.ReadAuditRequest{Tenant: host})
		staffIDs, staffEnded := following(t.Context(), staff(a, signedIn), &adminv1.ReadAuditRequest{})
		outIDs, outEnded := following(t.Context(), staff(a, leaving), &adminv1.ReadAuditRequest{})
		within(t, "an operator", ids)
		within(t, "staff", staffIDs)
		within(t, "staff who sign out", outIDs)
		if _, err := a.AdminTokens.Revoke(t.Context(), issued.ID); err != nil {
			t.Fatal(err)
		}
		if err := within(t, "a revoked token", ended); connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Errorf("after its token was revoked: %v", err)
		}
		if got := leaving.Do(t, http.MethodPost, "/auth/logout", nil); got.Status >= 300 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
		if err := within(t, "a session that ended", outEnded); connect.CodeOf(err) != connect.CodeUnauthenticated {
			t.Errorf("after its session ended: %v", err)
		}
		ctx := a.Operator(t, host)
		role, err := a.Roles.Named(ctx, "underwriter")
		if err != nil {
			t.Fatal(err)
		}
		member, err := a.Users.Find(ctx, "admin@"+host)
		if err != nil {
			t.Fatal(err)
		}
		a.Member(t, host, "other@"+host, "admin") // one has to stay
		if _, err := a.Users.Update(ctx, member.ID, service.UserUpdate{RoleID: service.Some(role.ID)}); err != nil {
			t.Fatal(err)
		}
		err = within(t, "a permission that was lost", staffEnded)
		if code := connect.CodeOf(err); code != connect.CodeUnauthenticated && code != connect.CodePermissionDenied {
			t.Errorf("after its permission was lost: %v", err)
		}
	})
}

// A follower of the audit trail gets each entry once and in order, even one committed after later ones.
func TestAuditTrailHasNoGaps(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "trail.test")
		c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
		ids, _ := following(t.Context(), c, &adminv1.ReadAuditRequest{Tenant: host, Entity: "note"})
		client := adminv1connect.NewOperationsServiceClient(c.client(), c.base)
		read := func(after uint32) (got []uint32) {
			stream, err := client.ReadAudit(t.Context(), &adminv1.ReadAuditRequest{Tenant: host, Entity: "note", AfterId: after})
			if err != nil {
				t.Fatal(err)
			}
			for stream.Receive() {
				got = append(got, stream.Msg().GetId())
			}
			if err := stream.Err(); err != nil {
				t.Fatal(err)
			}
			return got
		}
		write := func(entity int, between func()) (id int) {
			err := a.Store.Write(a.Operator(t, host), func(ctx context.Context, tx *store.Tx) error {
				row := tx.AuditEntry.Create().SetActorKind("SYSTEM").SetActorName("test").SetSurface("SYSTEM").SetRequestID("req").
					SetAction("note.create").SetEntity("note").SetEntityID(entity).SaveX(ctx)
				id = row.ID
				between()
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			return id
		}
		var late, early int
		if a.Store.IsPostgres() {
			late = write(1, func() {
				early = write(2, func() {}) // committed first, with the higher id
				if got := read(0); len(got) != 0 {
					t.Errorf("while an earlier entry is open, %v is told", got)
				}
			})
		} else {
			late, early = write(1, func() {}), write(2, func() {})
		}
		first, second := within(t, "the first", ids), within(t, "the second", ids)
		if int(first) != late || int(second) != early {
			t.Errorf("followed %d, %d, want %d, %d", first, second, late, early)
		}
		if got := read(0); len(got) != 2 || int(got[0]) != late || int(got[1]) != early {
			t.Errorf("read %v, want %d and %d", got, late, early)
		}
		if got := read(first); len(got) != 1 {
			t.Errorf("after %d: %v", first, got)
		}
	})
}

// served is a surface of its own, in which a test may replace handlers.
func served(t *testing.T, a *apptest.App) (*rpc.Server, *caller) {
	t.Helper()
	s := rpc.New(rpc.Config{Config: middleware.Config{
		Service: a.Service, Log: slog.New(slog.NewJSONHandler(a.Log, nil)), Limiter: ratelimit.New(nil, a.Clock.Now),
	}})
	listening := httptest.NewServer(s.Operators())
	t.Cleanup(func() { s.EndStreams(); listening.Close() })
	c := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	c.base = listening.URL
	return s, c
}

type broken struct {
	adminv1connect.UnimplementedKeyServiceHandler
	adminv1connect.UnimplementedOperationsServiceHandler
	began chan struct{}
}

func (*broken) ListKeys(context.Context, *adminv1.ListKeysRequest) (*adminv1.ListKeysResponse, error) {
	panic("hunter2")
}

func (*broken) GetKey(context.Context, *adminv1.GetKeyRequest) (*adminv1.GetKeyResponse, error) {
	return nil, errors.New("hunter2 at 10.0.0.1:5432")
}

func (*broken) ReadAudit(
	_ context.Context, _ *adminv1.ReadAuditRequest, out *connect.ServerStream[adminv1.ReadAuditResponse],
) error {
	if err := out.Send(&adminv1.ReadAuditResponse{Id: 1}); err != nil {
		return err
	}
	panic("hunter2")
}

func (b *broken) CheckIntegrity(
	ctx context.Context, _ *adminv1.CheckIntegrityRequest, _ *connect.ServerStream[adminv1.CheckIntegrityResponse],
) error {
	b.began <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

// A panic or an internal error, in a call or in a stream, is logged and not shown.
func TestInternalErrorsAreHidden(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "broken.test")
	s, c := served(t, a)
	s.Put(&broken{}, &broken{})
	for _, procedure := range []string{
		keyService + "ListKeys", keyService + "GetKey", "paydown.admin.v1.OperationsService/ReadAudit",
	} {
		got := c.call(t, procedure, apptest.Object{"tenant": host, "id": 1})
		if strings.HasSuffix(procedure, "ListKeys") || strings.HasSuffix(procedure, "ReadAudit") {
			got = c.call(t, procedure, apptest.Object{"tenant": host})
		}
		if got.code != "internal" || strings.Contains(got.problem.Text("message"), "hunter2") ||
			info(t, got.problem).Text("code") != "internal_error" {
			t.Errorf("%s: %v", procedure, got)
		}
	}
	if !strings.Contains(a.Log.String(), "hunter2") || !strings.Contains(a.Log.String(), `"msg":"panic"`) {
		t.Error("what broke is not logged")
	}
}

// A caller's streams are limited, and so is their duration if the caller says so.
func TestStreamsAreBounded(t *testing.T) {
	a := apptest.OnSQLite(t)
	s, c := served(t, a)
	b := &broken{began: make(chan struct{})}
	s.Put(b, b)
	client := adminv1connect.NewOperationsServiceClient(c.client(), c.base)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range rpc.MaxStreamsOfCaller {
		go func() {
			if stream, err := client.CheckIntegrity(ctx, &adminv1.CheckIntegrityRequest{}); err == nil {
				stream.Receive()
			}
		}()
		within(t, "a stream", b.began)
	}
	check := func(ctx context.Context) error {
		stream, err := client.CheckIntegrity(ctx, &adminv1.CheckIntegrityRequest{})
		if err != nil {
			return err
		}
		stream.Receive()
		return stream.Err()
	}
	if err := check(t.Context()); connect.CodeOf(err) != connect.CodeResourceExhausted {
		t.Errorf("one stream too many: %v", err)
	}
	// Another token, although of the same name, has its own limit of streams.
	other := operator(a, token(t, a, service.NewAdminToken{Name: "ops"}).Token)
	other.base = c.base
	limited, stop := context.WithTimeout(t.Context(), time.Second)
	defer stop()
	client = adminv1connect.NewOperationsServiceClient(other.client(), c.base)
	go func() { <-b.began }()
	if err := check(limited); connect.CodeOf(err) != connect.CodeDeadlineExceeded {
		t.Errorf("by another token, for a second: %v", err)
	}
	cancel()
	for deadline := time.Now().Add(patience); s.OpenStreams() > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("%d streams stay open", s.OpenStreams())
		}
		time.Sleep(time.Millisecond)
	}
}
