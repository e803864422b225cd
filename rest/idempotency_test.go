package rest_test

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

const replayed = "Idempotency-Replayed"

func TestRepeatedWriteReturnsStoredAnswer(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "repeat.test")
		keyed := c.With("Idempotency-Key", "order-1")
		body := `{"businessName":"Harbor Street","notes":"a\nb"}`
		first := keyed.Do(t, "POST", "/leads", body)
		lead := first.Want(t, 201).In("lead")
		c.Patch(t, path("/leads", lead.ID()), apptest.Object{"notes": "changed since"})
		before := countRecords(t, a, c)
		for range 3 {
			again := keyed.Do(t, "POST", "/leads", body)
			framed(t, "the replay", again)
			if again.Status != 201 || !bytes.Equal(again.Body, first.Body) || again.Header.Get(replayed) != "true" ||
				first.Header.Get(replayed) != "" {
				t.Errorf("%d %v %s, first %s", again.Status, again.Header, again.Body, first.Body)
			}
			if again.Header.Get("X-Request-Id") == first.Header.Get("X-Request-Id") {
				t.Error("the replay has the request id of the first")
			}
		}
		c.Delete(t, path("/leads", lead.ID()))
		if again := keyed.Do(t, "POST", "/leads", body); again.Status != 201 || again.Header.Get(replayed) != "true" {
			t.Errorf("with the record gone: %d", again.Status)
		}
		if after := countRecords(t, a, c); after[0] != before[0]-1 {
			t.Errorf("a replay made something: %v, before %v", after, before)
		}
		for _, other := range []string{
			`{"businessName":"Harbor Street","notes":"a\nc"}`, body + " ", `{"notes":"a\nb","businessName":"Harbor Street"}`,
		} {
			refusal(t, other, keyed.Do(t, "POST", "/leads", other), 422, "idempotency_key_reused")
		}
		refusal(t, "a wrong body", keyed.Do(t, "POST", "/leads", `{"notes":5}`), 400, "validation_error")
	})
}

func TestErrorIsNotStored(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "mend.test")
		merchant := seedMerchant(t, c, nil)
		for name, r := range map[string]struct {
			path        string
			wrong, good apptest.Object
			status      int
		}{
			"validation": {"/leads", apptest.Object{"businessName": ""}, apptest.Object{"businessName": "x"}, 400},
			"reference":  {"/deals", apptest.Object{"merchantId": 987654321}, apptest.Object{"merchantId": merchant}, 422},
			"conflict":   {"/funders", apptest.Object{"name": "x", "isHouse": true}, apptest.Object{"name": "x"}, 409},
		} {
			keyed := c.With("Idempotency-Key", name)
			for range 2 {
				if answer := keyed.Do(t, "POST", r.path, r.wrong); answer.Status != r.status || answer.Header.Get(replayed) != "" {
					t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
				}
			}
			if answer := keyed.Do(t, "POST", r.path, r.good); answer.Status != 201 || answer.Header.Get(replayed) != "" {
				t.Errorf("%s, mended: %d %s", name, answer.Status, answer.Body)
			}
			if answer := keyed.Do(t, "POST", r.path, r.good); answer.Header.Get(replayed) != "true" {
				t.Errorf("%s, mended and repeated: %d %s", name, answer.Status, answer.Body)
			}
		}
	})
}

func TestStoredAnswerLifetime(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		a.Clock.Set(monday)
		c := a.Client(t, "day.test").With("Idempotency-Key", "daily")
		body := apptest.Object{"businessName": "x"}
		first := c.Post(t, "/leads", body).In("lead").ID()
		a.Clock.Advance(24*time.Hour - time.Minute)
		if again := c.Post(t, "/leads", body).In("lead").ID(); again != first {
			t.Errorf("within a day: %d, want %d", again, first)
		}
		a.Clock.Advance(2 * time.Minute)
		next := c.Do(t, "POST", "/leads", apptest.Object{"businessName": "another"})
		if id := next.Want(t, 201).In("lead").ID(); id == first || next.Header.Get(replayed) != "" {
			t.Errorf("after a day: %d, %v", id, next.Header)
		}
		if again := c.Do(t, "POST", "/leads", apptest.Object{"businessName": "another"}); again.Header.Get(
			replayed,
		) != "true" {
			t.Error("the next day's answer is not kept")
		}
		c.Do(t, "POST", "/leads", body).Problem(t, 422, "idempotency_key_reused")
	})
}

// The same body is the same request only for the same tenant, the same key or its successor, and the same
// operation.
func TestIdempotencyKeyScope(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "one.test"), a.Client(t, "two.test")
		if _, err := a.Tenants.ProvisionSandbox(t.Context(), c.Host); err != nil {
			t.Fatal(err)
		}
		own := a.Key(t, c.Host)
		body := apptest.Object{"businessName": "x", "name": "x"}
		delete(body, "name")
		post := func(client *apptest.Client, path string) *apptest.Answer {
			client = client.With("Idempotency-Key", "same")
			if path == "/isos" || path == "/syndicators" {
				return client.Do(t, "POST", path, apptest.Object{"name": "x"})
			}
			return client.Do(t, "POST", path, body)
		}
		first := post(a.As(c.Host, own.Token), "/leads")
		next, err := a.Keys.Rotate(a.Operator(t, c.Host), own.Key.ID)
		if err != nil {
			t.Fatal(err)
		}
		last, err := a.Keys.Rotate(a.Operator(t, c.Host), next.Key.ID)
		if err != nil {
			t.Fatal(err)
		}
		test := a.NewKey(t, c.Host, service.NewKey{Name: "t", Kind: auth.Test, Scopes: auth.AllScopes().Strings()})
		for name, r := range map[string]struct {
			client *apptest.Client
			path   string
			replay bool
		}{
			"the key":                    {a.As(c.Host, own.Token), "/leads", true},
			"its replacement":            {a.As(c.Host, next.Token), "/leads", true},
			"the replacement's":          {a.As(c.Host, last.Token), "/leads", true},
			"with a bare question mark":  {a.As(c.Host, own.Token), "/leads?", true},
			"with an escape in the path": {a.As(c.Host, own.Token), "/lea%64s", true},
			"another key":                {c, "/leads", false},
			"another tenant":             {other, "/leads", false},
			"the sandbox":                {a.As(c.Host, test.Token), "/leads", false},
			"another collection":         {a.As(c.Host, own.Token), "/isos", false},
			"yet another collection":     {a.As(c.Host, own.Token), "/syndicators", false},
		} {
			answer := post(r.client, r.path)
			if answer.Status != 201 || (answer.Header.Get(replayed) == "true") != r.replay {
				t.Errorf("%s: %d, replayed %q", name, answer.Status, answer.Header.Get(replayed))
			}
			if r.replay && !bytes.Equal(answer.Body, first.Body) {
				t.Errorf("%s: %s", name, answer.Body)
			}
		}
	})
}

func TestIdempotencyKeySyntax(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "syntax.test")
	visible := ""
	for b := byte(0x21); b <= 0x7e; b++ {
		visible += string(b)
	}
	for _, good := range []string{
		"a", strings.Repeat("x", 255), visible, "'; DROP TABLE leads; --", "0b7c1e0a-6f0d-4f5e-9d3b-1c2d3e4f5a6b",
	} {
		if strings.Contains(good, " ") {
			good = strings.ReplaceAll(good, " ", "_")
		}
		for _, want := range []string{"", "true"} {
			answer := c.With("Idempotency-Key", good).Do(t, "POST", "/leads", apptest.Object{"businessName": "x"})
			if answer.Status != 201 || answer.Header.Get(replayed) != want {
				t.Errorf("%.40q: %d %s", good, answer.Status, answer.Body)
			}
		}
	}
	before := c.Get(t, "/leads").Int("count")
	for _, bad := range []string{"", " ", "a b", strings.Repeat("x", 256), "é", "a\tb", "\u00a0", "🍵"} {
		messages := c.With("Idempotency-Key", bad).
			Do(t, "POST", "/leads", apptest.Object{"businessName": "x"}).
			Problem(t, 400, "validation_error")
		if len(messages) != 1 || messages["Idempotency-Key"] == "" {
			t.Errorf("%.40q: %v", bad, messages)
		}
	}
	c.With("Idempotency-Key", "a").
		With("Idempotency-Key", "b").
		Do(t, "POST", "/leads", apptest.Object{"businessName": "x"}).
		Problem(t, 400, "validation_error")
	if after := c.Get(t, "/leads").Int("count"); after != before {
		t.Errorf("%d leads, before %d", after, before)
	}
}

// A key makes only POST idempotent; other methods ignore the header.
func TestOnlyPostIsStored(t *testing.T) {
	a := apptest.OnSQLite(t)
	plain := a.Client(t, "post.test")
	lead := path("/leads", seedLead(t, plain, nil))
	for _, key := range []string{"k", "not a valid key"} {
		c := plain.With("Idempotency-Key", key)
		c.Get(t, "/leads")
		for _, notes := range []string{"one", "two", "one"} {
			answer := c.Do(t, "PATCH", lead, apptest.Object{"notes": notes})
			if got := answer.Want(t, 200).In("lead").Text("notes"); got != notes || answer.Header.Get(replayed) != "" {
				t.Errorf("%s: notes are %s, want %s", key, got, notes)
			}
		}
	}
	c := plain.With("Idempotency-Key", "k")
	c.Delete(t, lead)
	c.Do(t, "DELETE", lead, nil).Problem(t, 404, "not_found")
}

// However many requests come at once, to however many processes, the write is done once.
func TestConcurrentWritesRunOnce(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "race.test")
		apps := []*apptest.App{a}
		if a.Store.IsPostgres() {
			apps = append(apps, a.Replica(t))
		}
		for round := range 5 {
			key := strings.Repeat("r", round+1)
			answers := make([]*apptest.Answer, 8)
			var all sync.WaitGroup
			for i := range answers {
				all.Go(func() {
					client := apps[i%len(apps)].As(c.Host, c.Token).With("Idempotency-Key", key)
					answers[i], _ = client.Try("POST", "/leads", apptest.Object{"businessName": "x"})
				})
			}
			all.Wait()
			fresh := 0
			var body []byte
			for _, answer := range answers {
				switch {
				case answer == nil:
					t.Fatal("no answer")
				case answer.Status == 409:
					refusal(t, "at once", answer, 409, "conflict")
					if answer.Header.Get("Retry-After") != "1" {
						t.Errorf("Retry-After is %q", answer.Header.Get("Retry-After"))
					}
				case answer.Status != 201:
					t.Errorf("%d %s", answer.Status, answer.Body)
				default:
					if body == nil {
						body = answer.Body
					}
					if !bytes.Equal(answer.Body, body) {
						t.Errorf("%s and %s", answer.Body, body)
					}
					if answer.Header.Get(replayed) == "" {
						fresh++
					}
				}
			}
			if n := c.Get(t, "/leads").Int("count"); fresh != 1 || n != round+1 {
				t.Fatalf("round %d: done %d times, %d leads", round, fresh, n)
			}
		}
		events, err := a.Store.Reader().OutboxEvent.Query().Count(a.Operator(t, c.Host))
		if err != nil || events != 5 {
			t.Errorf("%d events, %v", events, err)
		}
	})
}

// A write that fails after its work leaves nothing, including its key.
func TestRolledBackWriteStoresNoAnswer(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "rollback.test")
		keyed := c.With("Idempotency-Key", "k")
		sabotage(t, a.DB, `ALTER TABLE outbox_events RENAME TO moved_away`)
		refusal(
			t, "without an outbox", keyed.Do(t, "POST", "/leads", apptest.Object{"businessName": "x"}), 500, "internal_error",
		)
		sabotage(t, a.DB, `ALTER TABLE moved_away RENAME TO outbox_events`)
		if n := c.Get(t, "/leads").Int("count"); n != 0 {
			t.Errorf("%d leads of a write that failed", n)
		}
		stored, err := a.Store.Reader().IdempotencyRecord.Query().Count(a.Operator(t, c.Host))
		if err != nil || stored != 0 {
			t.Errorf("%d answers are kept, %v", stored, err)
		}
		if answer := keyed.Do(t, "POST", "/leads", apptest.Object{"businessName": "x"}); answer.Status != 201 ||
			answer.Header.Get(replayed) != "" {
			t.Errorf("again: %d %s", answer.Status, answer.Body)
		}
	})
}
