package rest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/inboundevent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
	"paydown/internal/webhook"
)

const inbound = "/api/webhooks/inbound/"

// keyed removes the signed operation from a description: what holds for all others does not hold for it.
func keyed(doc apptest.Object) apptest.Object {
	delete(doc.In("paths"), inbound+"{source}")
	return doc
}

// inboundEvents are the events that a tenant has received, in order.
func inboundEvents(tb testing.TB, a *apptest.App, host string) []*ent.InboundEvent {
	tb.Helper()
	rows, err := a.Store.Reader().InboundEvent.Query().Order(inboundevent.ByID()).All(a.Operator(tb, host))
	if err != nil {
		tb.Fatal(err)
	}
	return rows
}

// wantAcknowledged ends the test unless the response says that the event was received, for the first time or again.
func wantAcknowledged(tb testing.TB, a *apptest.Answer, id string, duplicate bool) {
	tb.Helper()
	status := map[bool]int{false: 202, true: 200}[duplicate]
	o := a.Want(tb, status)
	if o["received"] != true || o["duplicate"] != duplicate || o["id"] != id || len(o) != 3 {
		tb.Fatalf("acknowledged as %v, want %s, duplicate %v", o, id, duplicate)
	}
	framed(tb, "the receipt", a)
}

func TestInboundSignature(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host, other := a.Tenant(t, "signed.test"), a.Tenant(t, "other.test")
		ours, theirs := a.Sender(t, host), a.Sender(t, other)
		const body = `{"eventId":"evt-1","amount":"5.00"}`
		now := a.Clock.Now()
		good := webhook.Sign([]byte(ours.Secret), now, []byte(body))
		stamp := webhook.Timestamp(now)
		at := func(d time.Duration) (string, string) {
			return webhook.Timestamp(now.Add(d)), webhook.Sign([]byte(ours.Secret), now.Add(d), []byte(body))
		}
		staleStamp, stale := at(-5*time.Minute - 10*time.Second)
		futureStamp, future := at(5*time.Minute + 10*time.Second)
		for name, r := range map[string]struct{ stamp, signature, body string }{
			"nothing":                   {"", "", body},
			"no signature":              {stamp, "", body},
			"no timestamp":              {"", good, body},
			"no hex":                    {stamp, "signature", body},
			"half a signature":          {stamp, good[:32], body},
			"another signature":         {stamp, strings.Repeat("0", 64), body},
			"another tenant's":          {stamp, webhook.Sign([]byte(theirs.Secret), now, []byte(body)), body},
			"another body":              {stamp, good, body + " "},
			"another time":              {webhook.Timestamp(now.Add(-time.Second)), good, body},
			"a stale timestamp":         {staleStamp, stale, body},
			"a timestamp to come":       {futureStamp, future, body},
			"a timestamp in words":      {"now", good, body},
			"a timestamp in millis":     {stamp + "000", good, body},
			"a signature of the body":   {stamp, webhook.Sign([]byte(ours.Secret), time.Unix(0, 0), []byte(body)), body},
			"a signature without a key": {stamp, webhook.Sign(nil, now, []byte(body)), body},
			"nothing, and no JSON":      {"", "", "{"},
			"a wrong one, and no JSON":  {stamp, good, "{"},
		} {
			c := a.As(host, a.Key(t, host).Token) // a key is no signature
			if r.stamp != "" {
				c = c.With("X-Timestamp", r.stamp)
			}
			if r.signature != "" {
				c = c.With("X-Signature", r.signature)
			}
			refusal(t, name, c.Do(t, "POST", inbound+"anything", r.body), 401, "unauthorized")
		}
		for _, d := range []time.Duration{-4*time.Minute - 50*time.Second, 0, 4*time.Minute + 50*time.Second} {
			stamp, signature := at(d)
			answer := a.As(host, "").With("X-Timestamp", stamp).With("X-Signature", strings.ToUpper(signature)).
				Do(t, "POST", inbound+"anything", body)
			if answer.Status != 202 && answer.Status != 200 {
				t.Errorf("%s off: %d %s", d, answer.Status, answer.Body)
			}
		}
		if got := len(inboundEvents(t, a, host)); got != 1 {
			t.Errorf("%d events are kept, want 1", got)
		}
		if got := len(inboundEvents(t, a, other)); got != 0 {
			t.Errorf("the other tenant has %d events", got)
		}
	})
}

func TestInboundRequiresSecret(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "secretless.test")
	sender := &apptest.Sender{Client: a.As(host, ""), Secret: "", Now: a.Clock.Now}
	refusal(t, "signed with nothing", sender.Send(t, "processor", `{"eventId":"1"}`), 403, "forbidden")
	refusal(t, "unsigned", a.As(host, "").Do(t, "POST", inbound+"processor", `{"eventId":"1"}`), 403, "forbidden")
	refusal(t, "an unknown host", a.As("nobody.test", "").Do(t, "POST", inbound+"processor", "{}"), 404, "not_found")
	first := a.Sender(t, host)
	wantAcknowledged(t, first.Send(t, "x", `{"eventId":"1"}`), "1", false)
	second := a.Sender(t, host) // another secret takes the place of the first
	refusal(t, "the earlier secret", first.Send(t, "x", `{"eventId":"2"}`), 401, "unauthorized")
	wantAcknowledged(t, second.Send(t, "x", `{"eventId":"2"}`), "2", false)
	for _, s := range []string{first.Secret, second.Secret} {
		if strings.Contains(a.Log.String(), s) {
			t.Error("the secret is in the log")
		}
	}
	ctx := a.Operator(t, host)
	for _, e := range a.Store.Reader().AuditEntry.Query().AllX(ctx) {
		if strings.Contains(string(e.Before)+string(e.After), "ecret\"") || strings.Contains(string(e.After), second.Secret) {
			t.Errorf("%s has the secret", e.Action)
		}
	}
	row := a.Store.Reader().Tenant.Query().OnlyX(ctx)
	if len(row.InboundWebhookSecret) == 0 || strings.Contains(string(row.InboundWebhookSecret), second.Secret) {
		t.Error("the secret is not encrypted at rest")
	}
}

func TestInboundEventFormat(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "form.test")
		s := a.Sender(t, host)
		for name, r := range map[string]struct {
			body   string
			status int
			code   string
			path   string
		}{
			"nothing":              {"", 400, "validation_error", "body"},
			"blank":                {" \n", 400, "validation_error", "body"},
			"no JSON":              {`{"eventId":`, 400, "invalid_json", ""},
			"more than one":        {`{"eventId":"1"} {}`, 400, "invalid_json", ""},
			"an array":             {`[{"eventId":"1"}]`, 400, "validation_error", "body"},
			"null":                 {`null`, 400, "validation_error", "body"},
			"no id":                {`{"amount":1}`, 400, "validation_error", "eventId"},
			"a null id":            {`{"eventId":null,"id":null}`, 400, "validation_error", "eventId"},
			"an empty id":          {`{"eventId":""}`, 400, "validation_error", "eventId"},
			"an object for an id":  {`{"id":{}}`, 400, "validation_error", "id"},
			"a fraction for an id": {`{"id":1.5}`, 400, "validation_error", "id"},
			"true for an id":       {`{"id":true}`, 400, "validation_error", "id"},
			"a long id":            {`{"id":"` + strings.Repeat("x", 256) + `"}`, 400, "validation_error", "id"},
			"a control character":  {`{"id":"a\tb"}`, 400, "validation_error", "id"},
			"an id twice":          {`{"id":"1","id":"2"}`, 400, "validation_error", "id"},
			"a name twice inside":  {`{"id":"1","x":[{"y":1,"y":2}]}`, 400, "validation_error", "x"},
			"a NUL":                {`{"id":"1","x":"\u0000"}`, 400, "validation_error", "x"},
			"half a surrogate":     {`{"id":"1","x":"\ud800"}`, 400, "validation_error", "x"},
			"no UTF-8":             {"{\"id\":\"1\",\"x\":\"\xff\"}", 400, "validation_error", "body"},
			"a boundless number":   {`{"id":"1","x":1e400}`, 400, "validation_error", "body"},
			"deep": {
				`{"id":"1","x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "}",
				400, "validation_error", "body",
			},
			"huge": {`{"id":"1","x":"` + strings.Repeat("x", 1<<20) + `"}`, 413, "payload_too_large", ""},
		} {
			answer := s.Send(t, "anything", r.body)
			refusal(t, name, answer, r.status, r.code)
			if messages := answer.Problem(t, r.status, r.code); r.path != "" && messages[r.path] == "" {
				t.Errorf("%s: details are %v, want one about %s", name, messages, r.path)
			}
		}
		const good = `{"id":"1"}`
		for _, source := range []string{
			"Upper", "under_score", "dot.ted", strings.Repeat("x", 65), "caf%C3%A9", "a%20b", "%00",
		} {
			answer := s.Sign(good).Do(t, "POST", inbound+source, good)
			if messages := answer.Problem(t, 400, "validation_error"); messages["source"] == "" {
				t.Errorf("source %s: %v", source, messages)
			}
		}
		refusal(t, "a parameter", s.Sign(good).Do(t, "POST", inbound+"x?retry=1", good), 400, "validation_error")
		refusal(
			t, "another media type", s.Sign(good).With("Content-Type", "text/plain").Do(t, "POST", inbound+"x", good), 415,
			"unsupported_media_type",
		)
		key := a.As(host, a.Key(t, host).Token)
		refusal(t, "GET", key.Do(t, "GET", inbound+"x", nil), 405, "method_not_allowed")
		refusal(t, "a path below", key.Do(t, "POST", inbound+"x/y", good), 404, "not_found")
		refusal(t, "no source", key.Do(t, "POST", inbound, good), 404, "not_found")
		refusal(t, "a path below, without a key", a.As(host, "").Do(t, "POST", inbound+"x/y", good), 401, "unauthorized")
		if kept := inboundEvents(t, a, host); len(kept) != 0 {
			t.Errorf("%d refused events are kept", len(kept))
		}
		statements := `{"id":"big","x":"` + strings.Repeat("x", 4<<20) + `"}`
		wantAcknowledged(t, s.Send(t, "bank-statements", statements), "big", false)
		refusal(
			t, "too many statements", s.Send(t, "bank-statements", `{"id":"2","x":"`+strings.Repeat("x", 8<<20)+`"}`), 413,
			"payload_too_large",
		)
	})
}

func TestUnknownSourcesAreStored(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "unknown.test")
		s := a.Sender(t, host)
		body := `{"id": 42, "score": 712.50, "ünïcode": "🍵 <b>&", "nested": {"b": [1, null], "a": true}}`
		wantAcknowledged(t, s.Send(t, "weather-reports", body), "42", false)
		wantAcknowledged(t, s.Send(t, "weather-reports", `{"eventId":"42"}`), "42", true) // the same name in words
		wantAcknowledged(t, s.Send(t, "other-reports", `{"eventId":"42"}`), "42", false)  // another source has its own ids
		wantAcknowledged(t, s.Send(t, "weather-reports", `{"eventId":"e","id":"42"}`), "e", false)
		kept := inboundEvents(t, a, host)
		if len(kept) != 3 {
			t.Fatalf("%d events are kept, want 3", len(kept))
		}
		e := kept[0]
		if e.Source != "weather-reports" || e.ExternalID != "42" || e.State != inboundevent.StateRECEIVED || e.Error != nil {
			t.Errorf("kept as %v", e)
		}
		var got, want any
		if json.Unmarshal(e.Payload, &got) != nil || json.Unmarshal([]byte(body), &want) != nil ||
			fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("kept %s, sent %s", e.Payload, body)
		}
		ctx := a.Operator(t, host)
		entry := a.Store.Reader().AuditEntry.Query().Where(auditentry.Surface(string(auth.Inbound))).
			Order(auditentry.ByID()).FirstX(ctx)
		if entry.ActorKind != string(auth.BySystem) || entry.ActorName != "inbound weather-reports" || entry.ActorID != nil ||
			entry.Entity != "inboundEvent" || entry.EntityID != e.ID || strings.Contains(string(entry.After), "712") {
			t.Errorf("the audit trail has %v", entry)
		}
		if _, err := a.Inbound.Reapply(ctx, e.ID); err == nil || !strings.Contains(err.Error(), "only stored") {
			t.Errorf("applying an event of an unknown source: %v", err)
		}
	})
}

func TestDuplicateWindow(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		host := a.Tenant(t, "thirty.test")
		s := a.Sender(t, host)
		body := `{"eventId":"evt-1"}`
		wantAcknowledged(t, s.Send(t, "x", body), "evt-1", false)
		a.Clock.Advance(30*24*time.Hour - time.Minute)
		wantAcknowledged(t, s.Send(t, "x", body), "evt-1", true)
		a.Clock.Advance(2 * time.Minute)
		wantAcknowledged(t, s.Send(t, "x", body), "evt-1", false)
		wantAcknowledged(t, s.Send(t, "x", body), "evt-1", true)
		if kept := inboundEvents(t, a, host); len(kept) != 2 {
			t.Errorf("%d events are kept, want 2", len(kept))
		}
	})
}

// An event sent many times at once, to two processes, is received once; a sender told of a repeat can rely on
// the event being stored.
func TestConcurrentDuplicatesAreReceivedOnce(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "once.test")
		first := a.Sender(t, c.Host)
		senders := []*apptest.Sender{first, first}
		if a.Store.IsPostgres() {
			senders[1] = first.Through(a.Replica(t))
		}
		deal := seedDeal(t, c, seedMerchant(t, c, nil), nil)
		const rounds, repeats = 5, 12
		for round := range rounds {
			body := fmt.Sprintf(`{"eventId":"round-%d","dealId":%d,"source":"reader"}`, round, deal)
			answers, errs := make([]*apptest.Answer, repeats), make([]error, repeats)
			var done sync.WaitGroup
			start := make(chan struct{})
			for i := range repeats {
				done.Go(func() {
					<-start
					answers[i], errs[i] = senders[i%2].Try("bank-statements", body)
				})
			}
			close(start)
			done.Wait()
			firsts := 0
			for i, answer := range answers {
				switch {
				case errs[i] != nil:
					t.Fatal(errs[i])
				case answer.Status == 202:
					firsts++
				case answer.Status != 200:
					t.Errorf("round %d: %d %s", round, answer.Status, answer.Body)
				}
			}
			if firsts != 1 {
				t.Errorf("round %d: received %d times", round, firsts)
			}
		}
		if kept := inboundEvents(t, a, c.Host); len(kept) != rounds {
			t.Errorf("%d events are kept, want %d", len(kept), rounds)
		}
		if n := a.Store.Reader().StatementAnalysis.Query().CountX(a.Operator(t, c.Host)); n != rounds {
			t.Errorf("%d analyses were made, want %d", n, rounds)
		}
	})
}

// Invalid signatures are counted by address, separately from everything else; valid events only by their
// company.
func TestInboundRateLimits(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "flood.test")
		s, stranger := a.Sender(t, host), a.As(host, "")
		wrong := stranger.With("X-Timestamp", webhook.Timestamp(a.Clock.Now())).With("X-Signature", strings.Repeat("0", 64))
		for i := range service.DefaultRateLimit {
			sent := stranger // unsigned
			if i%2 == 0 {
				sent = wrong
			}
			answer := sent.Do(t, "POST", inbound+"x", `{"eventId":"1"}`)
			refusal(t, "not signed well", answer, 401, "unauthorized")
			if left := headerInt(t, answer.Header, "X-RateLimit-Remaining"); left != service.DefaultRateLimit-1-i {
				t.Fatalf("request %d: %d left", i+1, left)
			}
			if i%10 == 0 {
				s.Send(t, "x", `{"eventId":"between"}`) // which takes nothing from the others
			}
		}
		for range 50 {
			refusedForRate(t, "unsigned", stranger.Do(t, "POST", inbound+"x", `{"eventId":"1"}`), service.DefaultRateLimit)
			refusedForRate(t, "signed wrong", wrong.Do(t, "POST", inbound+"x", `{"eventId":"1"}`), service.DefaultRateLimit)
		}
		stranger.Do(t, "GET", "/leads", nil).Problem(t, 401, "unauthorized") // is counted apart
		wantAcknowledged(t, s.Send(t, "x", `{"eventId":"meanwhile"}`), "meanwhile", false)

		for range service.DefaultRateLimit {
			stranger.Do(t, "GET", "/leads", nil)
		}
		refusedForRate(t, "a stranger elsewhere", stranger.Do(t, "GET", "/leads", nil), service.DefaultRateLimit)
		wantAcknowledged(t, s.Send(t, "x", `{"eventId":"too"}`), "too", false)
	})
}

func TestSignedEventsAreLimitedByCompany(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "many.test")
	s := a.Sender(t, host)
	answer := s.Send(t, "x", `{"eventId":"1"}`)
	wantAcknowledged(t, answer, "1", false)
	limit := headerInt(t, answer.Header, "X-RateLimit-Limit")
	if limit < 1000 || headerInt(t, answer.Header, "X-RateLimit-Remaining") != limit-1 {
		t.Fatalf("a signed event: %v", answer.Header)
	}
	for range limit - 1 {
		if answer = s.Send(t, "x", `{"eventId":"1"}`); answer.Status != 200 {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
	}
	refusedForRate(t, "one too many", s.Send(t, "x", `{"eventId":"1"}`), limit)
	a.Clock.Advance(time.Minute)
	wantAcknowledged(t, s.Send(t, "x", `{"eventId":"1"}`), "1", true)
}

// slowly is a body that pauses after some bytes until the test continues it; it signals when more bytes are
// read.
type slowly struct {
	bytes int
	asked chan struct{}
	once  sync.Once
	rest  chan struct{} // closed to let it end
}

func newSlowly(bytes int) *slowly {
	return &slowly{bytes: bytes, asked: make(chan struct{}), rest: make(chan struct{})}
}

func (s *slowly) Read(p []byte) (int, error) {
	if n := min(len(p), s.bytes); n > 0 {
		s.bytes -= n
		return n, nil
	}
	s.once.Do(func() { close(s.asked) })
	<-s.rest
	return 0, io.EOF
}

// unsigned is an event with well-formed headers, and a body that is not read to its end.
func unsigned(a *apptest.App, host, from, source string, length int64, body io.Reader) *http.Request {
	r := httptest.NewRequest(http.MethodPost, inbound+source, body)
	r.Host, r.ContentLength, r.RemoteAddr = host, length, from+":1234"
	r.Header.Set("X-Timestamp", webhook.Timestamp(a.Clock.Now()))
	r.Header.Set("X-Signature", strings.Repeat("0", 64))
	return r
}

// The body of an unauthenticated sender is not read if no body could make the request valid.
func TestUnauthenticatedBodiesAreNotRead(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "unread.test")
	a.Sender(t, host)
	stale := webhook.Timestamp(a.Clock.Now().Add(-10 * time.Minute))
	for name, r := range map[string]struct {
		header, value string
		length        int64
		status        int
	}{
		"a timestamp in words": {"X-Timestamp", "now", 100, 401},
		"a stale timestamp":    {"X-Timestamp", stale, 100, 401},
		"no signature":         {"X-Signature", "", 100, 401},
		"no hex":               {"X-Signature", strings.Repeat("x", 64), 100, 401},
		"too short":            {"X-Signature", strings.Repeat("0", 62), 100, 401},
		"too long a signature": {"X-Signature", strings.Repeat("0", 66), 100, 401},
		"too long a body":      {"X-Other", "", 8<<20 + 1, 413},
	} {
		body := newSlowly(0)
		close(body.rest)
		request := unsigned(a, host, "192.0.2.1", "bank-statements", r.length, body)
		request.Header.Set(r.header, r.value)
		answer := httptest.NewRecorder()
		a.HTTP.Config.Handler.ServeHTTP(answer, request)
		if answer.Code != r.status {
			t.Errorf("%s: %d %s", name, answer.Code, answer.Body)
		}
		select {
		case <-body.asked:
			t.Errorf("%s: the body was read", name)
		default:
		}
	}
}

// stalled sends n bodies of 8 MiB from an address, which do not end until release.
func stalled(t *testing.T, a *apptest.App, host, from string, n, bytes int) (release func()) {
	t.Helper()
	var done sync.WaitGroup
	bodies := make([]*slowly, n)
	for i := range bodies {
		bodies[i] = newSlowly(bytes)
		done.Go(func() {
			a.HTTP.Config.Handler.ServeHTTP(httptest.NewRecorder(), unsigned(a, host, from, "bank-statements", -1, bodies[i]))
		})
	}
	for _, body := range bodies {
		<-body.asked
	}
	return func() {
		for _, body := range bodies {
			close(body.rest)
		}
		done.Wait()
	}
}

// The bytes of large bodies in memory are limited; the next body is refused temporarily, and accepted once
// there is room. A small one still fits, and so do many that have sent nothing yet.
func TestUnverifiedBodiesAreBounded(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "bounded.test")
	s := a.Sender(t, host)
	large := `{"eventId":"1","text":"` + strings.Repeat("x", 7<<20) + `"}`
	idle := stalled(t, a, host, "192.0.2.2", 100, 0)
	release := stalled(t, a, host, "192.0.2.1", 7, 8<<20)
	refused := s.Send(t, "bank-statements", large)
	refused.Problem(t, 503, "unavailable")
	if headerInt(t, refused.Header, "Retry-After") < 1 {
		t.Errorf("no Retry-After: %v", refused.Header)
	}
	wantAcknowledged(t, s.Send(t, "x", `{"eventId":"1"}`), "1", false)
	release()
	wantAcknowledged(t, s.Send(t, "bank-statements", large), "1", false)
	idle()
}

// An address that has used up its invalid signatures has little room for more, and takes none from others.
func TestSuspectAddressBodyLimit(t *testing.T) {
	a := apptest.OnSQLite(t)
	host := a.Tenant(t, "suspect.test")
	s := a.Sender(t, host)
	for range service.DefaultRateLimit {
		body := newSlowly(0)
		close(body.rest)
		a.HTTP.Config.Handler.ServeHTTP(httptest.NewRecorder(), unsigned(a, host, "127.0.0.1", "x", -1, body))
	}
	release := stalled(t, a, host, "127.0.0.1", 1, 8<<20)
	refused := s.Send(t, "bank-statements", `{"eventId":"1","text":"`+strings.Repeat("x", 7<<20)+`"}`) // from there, too
	refused.Problem(t, 503, "unavailable")
	wantAcknowledged(t, s.Send(t, "x", `{"eventId":"1"}`), "1", false)
	others := stalled(t, a, host, "192.0.2.1", 7, 8<<20)
	others()
	release()
	large := `{"eventId":"1","text":"` + strings.Repeat("x", 7<<20) + `"}`
	wantAcknowledged(t, s.Send(t, "bank-statements", large), "1", false)
}

// An event that cannot be applied is stored with the reason, and can be applied when the reason is gone.
func TestUnappliedEventIsStored(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "later.test")
		s := a.Sender(t, c.Host)
		ctx := a.Operator(t, c.Host)
		merchant := seedMerchant(t, c, apptest.Object{"federalId": "98-7654321"})
		body := apptest.Object{"eventId": "stmt-1", "ein": "987654321", "grossDeposits": "180000.00", "pages": 12}
		wantAcknowledged(t, s.Send(t, "bank-statements", body), "stmt-1", false)
		e := inboundEvents(t, a, c.Host)[0]
		if e.State != inboundevent.StateFAILED || e.Error == nil || !strings.Contains(*e.Error, "ein: ") ||
			e.AppliedAt != nil {
			t.Fatalf("kept as %v", e)
		}
		wantAcknowledged(t, s.Send(t, "bank-statements", body), "stmt-1", true) // a repeat does not try again
		if _, err := a.Inbound.Reapply(ctx, e.ID); err == nil || !strings.Contains(err.Error(), "ein") {
			t.Errorf("applying it again: %v", err)
		}
		deal := seedDeal(t, c, merchant, nil)
		again, err := a.Inbound.Reapply(ctx, e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if again.State != inboundevent.StateAPPLIED || again.Error != nil || again.AppliedAt == nil ||
			again.DealID == nil || *again.DealID != deal || again.MerchantID == nil || *again.MerchantID != merchant {
			t.Errorf("applied as %v", again)
		}
		analysis := c.Get(t, path("/deals", deal)+"/statement-analysis").In("statementAnalysis")
		if analysis.Text("source") != "bank-statements" || analysis.Text("grossDeposits") != "180000.00" {
			t.Errorf("the analysis is %v", analysis)
		}
		if _, err := a.Inbound.Reapply(ctx, e.ID); err == nil || !strings.Contains(err.Error(), "already") {
			t.Errorf("applying it a third time: %v", err)
		}
		if _, err := a.Inbound.Reapply(ctx, 987654321); err == nil ||
			!strings.Contains(err.Error(), "No such inbound event") {
			t.Errorf("applying nothing: %v", err)
		}
		other := a.Operator(t, a.Tenant(t, "stranger.test"))
		if _, err := a.Inbound.Reapply(other, e.ID); err == nil || !strings.Contains(err.Error(), "No such inbound event") {
			t.Errorf("applying another tenant's: %v", err)
		}
		byKey := auth.With(
			context.Background(), &auth.Actor{Kind: auth.ByKey, TenantID: e.TenantID, Scopes: auth.AllScopes()},
		)
		if _, err := a.Inbound.Reapply(byKey, e.ID); err == nil || !strings.Contains(err.Error(), "API key") {
			t.Errorf("applying by a key: %v", err)
		}
		if n := a.Store.Reader().StatementAnalysis.Query().CountX(ctx); n != 1 {
			t.Errorf("%d analyses", n)
		}
	})
}

func TestFilesAreStoredWithSubject(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "files.test")
		s := a.Sender(t, c.Host)
		merchant := seedMerchant(t, c, apptest.Object{"federalId": "12-3456789"})
		deal := seedDeal(t, c, merchant, nil)
		elsewhere := seedMerchant(t, a.Client(t, "elsewhere.test"), nil)
		unrelated := seedMerchant(t, c, nil)
		for i, r := range []struct {
			source         string
			body           apptest.Object
			deal, merchant int
			reason         string // "" where it can be filed
		}{
			{"credit-profiles", apptest.Object{"merchantId": merchant, "fico": 712}, 0, merchant, ""},
			{"disclosures", apptest.Object{"dealId": deal}, deal, merchant, ""},
			{"legal-updates", apptest.Object{"ein": "12-3456789", "docket": "26-1042"}, 0, merchant, ""},
			{"legal-updates", apptest.Object{"dealId": deal, "merchantId": merchant}, deal, merchant, ""},
			{"legal-updates", apptest.Object{"dealId": deal, "merchantId": unrelated}, 0, 0, "merchantId: "},
			{"legal-updates", apptest.Object{"docket": "26-1042"}, 0, 0, "dealId: "},
			{"credit-profiles", apptest.Object{"merchantId": 987654321}, 0, 0, "merchantId: "},
			{"credit-profiles", apptest.Object{"merchantId": elsewhere}, 0, 0, "merchantId: "},
			{"credit-profiles", apptest.Object{"merchantId": "one", "dealId": -1}, 0, 0, "merchantId: "},
			{"credit-profiles", apptest.Object{"ein": "00-0000000"}, 0, 0, "ein: "},
		} {
			id := fmt.Sprintf("file-%d", i)
			r.body["eventId"] = id
			wantAcknowledged(t, s.Send(t, r.source, r.body), id, false)
			kept := inboundEvents(t, a, c.Host)
			e := kept[len(kept)-1]
			if r.reason == "" && (e.State != inboundevent.StateAPPLIED || e.Error != nil ||
				orZero(e.DealID) != r.deal || orZero(e.MerchantID) != r.merchant) {
				t.Errorf("%v is kept as %v", r.body, e)
			}
			if r.reason != "" &&
				(e.State != inboundevent.StateFAILED || e.Error == nil || !strings.Contains(*e.Error, r.reason)) {
				t.Errorf("%v is kept as %v", r.body, e)
			}
		}
		c.Do(t, "DELETE", path("/merchants", merchant), nil).Problem(t, http.StatusConflict, "conflict")
		c.Do(t, "DELETE", path("/deals", deal), nil).Problem(t, http.StatusConflict, "conflict")
	})
}

func orZero(id *int) int {
	if id == nil {
		return 0
	}
	return *id
}
