package graph_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent/auditentry"
	"paydown/internal/apptest"
	"paydown/internal/service"
)

// patience is how long a test waits at most, on a busy machine.
const patience = 2 * time.Minute

// stream is a stream being read.
type stream struct {
	*http.Response
	lines *bufio.Reader
	end   context.CancelFunc
}

// subscribe opens a stream and reads its first comment.
func subscribe(t *testing.T, c *apptest.Client, query string) *stream {
	t.Helper()
	s := open(t, c, query)
	if s.StatusCode != http.StatusOK || !strings.HasPrefix(s.Header.Get("Content-Type"), "text/event-stream") {
		t.Fatalf("%s: %d %v", query, s.StatusCode, s.Header)
	}
	return s
}

func open(t *testing.T, c *apptest.Client, query string) *stream {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Base+"/graphql", strings.NewReader(bodyOf(t, query, nil)))
	if err != nil {
		t.Fatal(err)
	}
	r.Host = c.Host
	maps.Copy(r.Header, c.Header)
	if c.Token != "" {
		r.Header.Set("Authorization", "Bearer "+c.Token)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "text/event-stream")
	resp, err := c.HTTP.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return &stream{resp, bufio.NewReader(resp.Body), cancel}
}

// event returns the next event, without comments; the name is "" if the stream has ended.
func (s *stream) event() (name string, data apptest.Object) {
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			return "", nil
		}
		line = strings.TrimRight(line, "\n")
		switch {
		case line == "" && name != "":
			return name, data
		case strings.HasPrefix(line, "event: "):
			name = line[len("event: "):]
		case strings.HasPrefix(line, "data: {"):
			_ = json.Unmarshal([]byte(line[len("data: "):]), &data)
		}
	}
}

// activity is the next event of a deal.
func (s *stream) activity(t *testing.T) apptest.Object {
	t.Helper()
	name, data := s.event()
	if name != "next" || data["errors"] != nil {
		t.Fatalf("event %q: %v", name, data)
	}
	return data.In("data").In("dealActivity")
}

// refusal ends the test unless the stream ends with that error; other events may come first.
func (s *stream) refusal(t *testing.T, code string) {
	t.Helper()
	name, data := s.event()
	for name == "next" && data["errors"] == nil {
		name, data = s.event()
	}
	if problems := data.List("errors"); name != "next" || len(problems) != 1 ||
		problems[0].In("extensions")["code"] != code {
		t.Fatalf("event %q: %v", name, data)
	}
	if name, _ := s.event(); name != "complete" {
		t.Errorf("then %q", name)
	}
}

func atoi(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func newDeal(t *testing.T, c *apptest.Client) int {
	t.Helper()
	merchant := made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
	return made(t, c, "/deals", "deal", apptest.Object{"merchantId": merchant.ID(), "fundedAmount": "50000.00"}).ID()
}

func newFee(t *testing.T, c *apptest.Client, deal int) {
	t.Helper()
	made(t, c, "/payments", "payment", apptest.Object{"dealId": deal, "type": "OTHER_FEE", "amount": "5.00"})
}

const activity = "subscription { dealActivity(dealId: %d) { id action entity entityId actorKind createdAt } }"

func TestDealActivityIsStreamed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "told.test")
		deal, other := newDeal(t, c), newDeal(t, c)
		writers := []*apptest.Client{c}
		if a.Store.IsPostgres() { // SQLite is one process's
			second := a.Replica(t).As(c.Host, c.Token)
			writers = append(writers, second)
		}
		s := subscribe(t, c, fmt.Sprintf(activity, deal))
		for _, writer := range writers {
			newFee(t, writer, other)
			writer.Patch(t, fmt.Sprintf("/deals/%d", deal), apptest.Object{"referenceId": "CRM " + writer.Base})
			newFee(t, writer, deal)
			if e := s.activity(t); e.Text("action") != "deal.update" || e.Text("entityId") != fmt.Sprint(deal) ||
				e.Text("actorKind") != "KEY" {
				t.Errorf("%v", e)
			}
			if e := s.activity(t); e.Text("action") != "payment.create" || e.Text("entity") != "payment" {
				t.Errorf("%v", e)
			}
		}
		reader := a.As(c.Host, a.Key(t, c.Host, "deals:read").Token)
		narrow := subscribe(t, reader, fmt.Sprintf(activity, deal))
		newFee(t, c, deal)
		c.Patch(t, fmt.Sprintf("/deals/%d", deal), apptest.Object{"referenceId": "CRM 2"})
		if e := narrow.activity(t); e.Text("action") != "deal.update" {
			t.Errorf("without payments:read: %v", e)
		}
	})
}

// A subscriber that reconnects from the last event id misses nothing and gets nothing twice, while several
// writers write.
func TestReconnectLosesAndRepeatsNothing(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "again.test")
		deal := newDeal(t, c)
		const writers, each = 6, 10
		var all sync.WaitGroup
		begin := make(chan struct{})
		for range writers {
			all.Go(func() {
				<-begin
				for range each {
					_, _ = c.Try(http.MethodPost, "/payments", apptest.Object{"dealId": deal, "type": "OTHER_FEE", "amount": "5.00"})
				}
			})
		}
		s := subscribe(t, c, fmt.Sprintf(activity, deal))
		close(begin)
		var got []int
		for len(got) < writers*each {
			got = append(got, atoi(t, s.activity(t).Text("id")))
			if len(got)%7 == 0 {
				s.end()
				s = subscribe(
					t, c, fmt.Sprintf("subscription { dealActivity(dealId: %d, after: %d) { id } }", deal, got[len(got)-1]),
				)
			}
		}
		all.Wait()
		want, err := a.Store.Reader().AuditEntry.Query().Where(auditentry.DealID(deal), auditentry.IDGTE(got[0])).
			Order(auditentry.ByID()).IDs(a.Operator(t, c.Host))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("told %v, want %v: %v", got, want, err)
		}
	})
}

func TestStreamEndsWithCredential(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "ends.test")
		deal := newDeal(t, c)
		operator := a.Operator(t, c.Host)
		key := a.Key(t, c.Host, "deals:read")
		byKey := subscribe(t, a.As(c.Host, key.Token), fmt.Sprintf(activity, deal))
		bySession := subscribe(t, a.Staff(t, c.Host, "sales"), fmt.Sprintf(activity, deal))
		changed := subscribe(t, a.Staff(t, c.Host, "funder"), fmt.Sprintf(activity, deal))
		if _, err := a.Keys.Revoke(operator, key.Key.ID); err != nil {
			t.Fatal(err)
		}
		byKey.refusal(t, "unauthorized")
		seller, err := a.Users.Find(operator, "sales@"+c.Host)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := a.Users.Disable(operator, seller.ID); err != nil {
			t.Fatal(err)
		}
		bySession.refusal(t, "unauthorized")
		role, err := a.Roles.Named(operator, "funder")
		if err != nil {
			t.Fatal(err)
		}
		_, err = a.Roles.Update(operator, role.ID, service.RoleInput{Permissions: service.Some([]string{"leads:read"})})
		if err != nil {
			t.Fatal(err)
		}
		if name, data := changed.event(); name != "" { // it is cut; asking again tells why
			t.Errorf("%q %v", name, data)
		}
		subscribe(t, a.Staff(t, c.Host, "funder"), fmt.Sprintf(activity, deal)).refusal(t, "forbidden")
	})
}

func TestSubscriptionToUnknownRecordFails(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, theirs := a.Client(t, "mine.test"), a.Client(t, "theirs.test")
		foreign := newDeal(t, theirs)
		endpoint := apptest.NewRows(a, theirs.Host).One(t, "WebhookEndpoint")
		subscribe(t, c, fmt.Sprintf(activity, foreign)).refusal(t, "not_found")
		subscribe(
			t, c, fmt.Sprintf("subscription { webhookDeliveryLog(endpointId: %d) { id } }", endpoint),
		).refusal(t, "not_found")
		unscoped := a.As(c.Host, a.Key(t, c.Host, "leads:read").Token)
		subscribe(t, unscoped, fmt.Sprintf(activity, newDeal(t, c))).refusal(t, "forbidden")
		subscribe(t, unscoped, "subscription { webhookDeliveryLog(endpointId: 1) { id } }").refusal(t, "forbidden")
		if unknown := open(t, c, "subscription { nothing }"); unknown.StatusCode != http.StatusBadRequest {
			t.Errorf("what there is not: %d", unknown.StatusCode)
		}
		two := open(
			t,
			c,
			fmt.Sprintf(
				"subscription { a: dealActivity(dealId: %[1]d) { id } b: dealActivity(dealId: %[1]d) { id } }", newDeal(t, c),
			),
		)
		if two.StatusCode != http.StatusBadRequest {
			t.Errorf("two at once: %d", two.StatusCode)
		}
	})
}

func TestDeliveriesAreStreamed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Names.Set("hooks.example.com", "93.184.215.14")
		c := a.Client(t, "log.test")
		endpoint := made(
			t,
			c,
			"/webhook-endpoints",
			"webhookEndpoint",
			apptest.Object{"url": "https://hooks.example.com/x", "events": []string{"*"}},
		)
		s := subscribe(
			t,
			c,
			fmt.Sprintf(
				"subscription { webhookDeliveryLog(endpointId: %d) { id event status endpoint { url } } }", endpoint.ID(),
			),
		)
		for range 2 {
			c.Graph(t, fmt.Sprintf(`mutation { testWebhookEndpoint(id: %d, event: "lead.created") { id } }`, endpoint.ID()), nil)
			name, data := s.event()
			reported := data.In("data").In("webhookDeliveryLog")
			if name != "next" || reported.Text("event") != "lead.created" || reported.Text("status") != "PENDING" ||
				reported.In("endpoint").Text("url") == "" {
				t.Errorf("%q %v", name, data)
			}
		}
	})
}

func TestAttemptsAreStreamed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, others := a.Client(t, "log.test"), a.Client(t, "others.test")
		receiver := apptest.NewReceiver(
			t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		)
		endpoint := made(
			t, c, "/webhook-endpoints", "webhookEndpoint",
			apptest.Object{"url": receiver.URL, "events": []string{"lead.created"}},
		)
		for _, noise := range []*apptest.Client{c, others} { // what others get is not told here
			made(
				t, noise, "/webhook-endpoints", "webhookEndpoint",
				apptest.Object{"url": receiver.URL, "events": []string{"merchant.created"}},
			)
		}
		tries := fmt.Sprintf(
			`subscription { webhookTries(endpointId: %d) { id number responseStatus delivery { status attempts event } } }`,
			endpoint.ID(),
		)
		s := subscribe(t, c, tries)
		made(t, others, "/merchants", "merchant", apptest.Object{"legalName": "Bakery"})
		made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Bakery"})
		made(t, c, "/leads", "lead", apptest.Object{"businessName": "Bakery"})
		for _, want := range []string{"1 503 PENDING 1", "2 200 DELIVERED 2"} {
			name, data := s.event()
			reported := data.In("data").In("webhookTries")
			delivery := reported.In("delivery")
			got := fmt.Sprintf(
				"%d %d %s %d", reported.Int("number"), reported.Int("responseStatus"), delivery.Text("status"),
				delivery.Int("attempts"),
			)
			if name != "next" || got != want || delivery.Text("event") != "lead.created" {
				t.Errorf("%q %v, want %s", name, data, want)
			}
			receiver.Answer(nil)
			a.AdvanceAll(time.Minute)
		}
	}, apptest.Delivering())
}

func TestOnlySubscriptionsAreStreams(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "only.test")
	for query, part := range map[string]string{
		"{ leads { totalCount } }":                                   "leads",
		`mutation { createLead(input: {businessName: "x"}) { id } }`: "createLead",
	} {
		answer := exactly(t, c, "text/event-stream", bodyOf(t, query, nil))
		if answer.Want(t, http.StatusOK).In("data").In(part) == nil ||
			!strings.HasPrefix(answer.Header.Get("Content-Type"), "application/json") {
			t.Errorf("%s: %v %s", query, answer.Header, answer.Body)
		}
	}
	answer := post(t, c, bodyOf(t, fmt.Sprintf(activity, 1), nil))
	if code := errorOf(t, answer, http.StatusNotAcceptable); code != "not_acceptable" {
		t.Errorf("a subscription without a stream: %s", answer.Body)
	}
}

func TestStreamLimit(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "many.test")
	deal := newDeal(t, c)
	var last *stream
	for range 20 {
		last = subscribe(t, c, fmt.Sprintf(activity, deal))
	}
	if s := open(t, c, fmt.Sprintf(activity, deal)); s.StatusCode != http.StatusTooManyRequests ||
		s.Header.Get("Retry-After") == "" {
		t.Errorf("the 21st: %d", s.StatusCode)
	}
	subscribe(t, a.As(c.Host, a.Key(t, c.Host).Token), fmt.Sprintf(activity, deal)) // another caller's
	last.end()
	await(t, func() bool { return open(t, c, fmt.Sprintf(activity, deal)).StatusCode == http.StatusOK })
}

// await polls until the condition is true.
func await(t *testing.T, so func() bool) {
	t.Helper()
	deadline, look := time.NewTimer(patience), time.NewTicker(20*time.Millisecond)
	defer deadline.Stop()
	defer look.Stop()
	for !so() {
		select {
		case <-deadline.C:
			t.Fatal("it does not come to be")
		case <-look.C:
		}
	}
}

// A stream is exempt from the server's time limits for responses, and ends when the server stops.
func TestStreamOutlivesTimeoutsAndEndsOnShutdown(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "bounds.test")
	deal := newDeal(t, c)
	surface := surfaceOf(a).KeepingAlive(50 * time.Millisecond)
	server := httptest.NewUnstartedServer(surface)
	server.Config.ReadTimeout, server.Config.WriteTimeout = time.Second, time.Second
	server.Start()
	t.Cleanup(server.Close)
	here := *c
	here.Base = server.URL
	s := subscribe(t, &here, fmt.Sprintf(activity, deal))
	for range 60 { // comments and the empty lines after them: 1.5 s
		if _, err := s.lines.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	newFee(t, c, deal)
	if e := s.activity(t); e.Text("action") != "payment.create" {
		t.Errorf("%v", e)
	}
	surface.EndStreams()
	surface.EndStreams()
	if name, data := s.event(); name != "" {
		t.Errorf("%q %v", name, data)
	}
	if refused := open(t, &here, fmt.Sprintf(activity, deal)); refused.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("a new one: %d", refused.StatusCode)
	}
}

func TestSlowReaderIsDisconnected(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "slow.test")
	deal := newDeal(t, c)
	surface := surfaceOf(a).Impatient(200 * time.Millisecond)
	server := httptest.NewServer(surface)
	t.Cleanup(server.Close)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	var fields strings.Builder // so that an event is large
	for i := range 1_000 {
		fmt.Fprintf(&fields, "f%d: createdAt ", i)
	}
	body := bodyOf(t, fmt.Sprintf("subscription { dealActivity(dealId: %d) { %s } }", deal, fields.String()), nil)
	fmt.Fprintf(
		conn,
		"POST /graphql HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n"+
			"Accept: text/event-stream\r\nContent-Length: %d\r\n\r\n%s",
		c.Host,
		c.Token,
		len(body),
		body,
	)
	await(t, func() bool { return surface.Streams() == 1 })
	for range 300 {
		newFee(t, c, deal)
	}
	await(t, func() bool { return surface.Streams() == 0 })
}
