package graph_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
	"paydown/internal/service"
)

const replayed = "Idempotency-Replayed"

// bodyOf returns a request's body, byte for byte.
func bodyOf(t *testing.T, query string, variables any) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

// post sends a body to the graph.
func post(t *testing.T, c *apptest.Client, body string) *apptest.Answer {
	t.Helper()
	return c.Do(t, http.MethodPost, "/graphql", body)
}

func TestRepeatedMutationReturnsStoredAnswer(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "repeat.test")
		merchant := made(t, c, "/merchants", "merchant", apptest.Object{"legalName": "Harbor Street Bakery LLC"})
		body := bodyOf(
			t,
			`mutation ($in: NewDeal!) {
				made: createDeal(input: $in) { id state merchant { legalName } payments { totalCount } } }`,
			apptest.Object{"in": apptest.Object{"merchantId": merchant.ID(), "fundedAmount": "50000.00"}},
		)
		keyed := c.With("Idempotency-Key", "deal-1")
		first := post(t, keyed, body)
		deal := first.Want(t, 200).In("data").In("made")
		if deal.In("merchant").Text("legalName") == "" || first.Header.Get(replayed) != "" {
			t.Fatalf("%s", first.Body)
		}
		made(
			t, c, "/payments", "payment",
			apptest.Object{"dealId": atoi(t, deal.Text("id")), "type": "OTHER_FEE", "amount": "5.00"},
		)
		for range 3 {
			again := post(t, keyed, body)
			if again.Status != 200 || !bytes.Equal(again.Body, first.Body) || again.Header.Get(replayed) != "true" {
				t.Errorf("%d %v %s, first %s", again.Status, again.Header, again.Body, first.Body)
			}
			if again.Header.Get("X-Request-Id") == first.Header.Get("X-Request-Id") {
				t.Error("the replay has the request id of the first")
			}
		}
		if n := c.Graph(t, "{ deals { totalCount } }", nil).In("deals").Int("totalCount"); n != 1 {
			t.Errorf("%d deals", n)
		}
		if code := errorOf(t, post(t, keyed, body+" "), http.StatusUnprocessableEntity); code != "idempotency_key_reused" {
			t.Errorf("another body: %s", code)
		}
		other := a.As(c.Host, a.Key(t, c.Host).Token).With("Idempotency-Key", "deal-1")
		if answer := post(t, other, body); answer.Header.Get(replayed) != "" {
			t.Errorf("another caller's key is answered with %s", answer.Body)
		}
	})
}

func TestFailedMutationIsNotStored(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "mend.test")
		keyed := c.With("Idempotency-Key", "lead")
		const query = `mutation ($in: NewLead!) { createLead(input: $in) { id } }`
		for range 2 {
			answer := post(t, keyed, bodyOf(t, query, apptest.Object{"in": apptest.Object{"businessName": ""}}))
			if answer.Header.Get(replayed) != "" || len(answer.Want(t, 200).List("errors")) != 1 {
				t.Errorf("%s", answer.Body)
			}
		}
		good := bodyOf(t, query, apptest.Object{"in": apptest.Object{"businessName": "Harbor Street"}})
		if first, again := post(t, keyed, good), post(t, keyed, good); first.Header.Get(replayed) != "" ||
			again.Header.Get(
				replayed,
			) != "true" || !bytes.Equal(first.Body, again.Body) || !strings.Contains(string(first.Body), `"id"`) {
			t.Errorf("%s, then %s", first.Body, again.Body)
		}
	})
}

func TestConcurrentMutationsRunOnce(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "race.test").With("Idempotency-Key", "at-once")
		body := bodyOf(t, `mutation { createLead(input: {businessName: "Harbor Street"}) { id } }`, nil)
		answers := make([]*apptest.Answer, 12)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() { answers[i], _ = c.Try(http.MethodPost, "/graphql", body) })
		}
		all.Wait()
		done := map[string]int{}
		for _, answer := range answers {
			switch {
			case answer == nil:
				t.Error("no answer")
			case answer.Status == http.StatusOK:
				done[string(answer.Body)]++
			default:
				if code := errorOf(t, answer, http.StatusConflict); code != "conflict" || answer.Header.Get("Retry-After") != "1" {
					t.Errorf("%d %s", answer.Status, answer.Body)
				}
			}
		}
		if n := c.Graph(t, "{ leads { totalCount } }", nil).In("leads").Int("totalCount"); n != 1 || len(done) != 1 {
			t.Errorf("%d leads, answers %v", n, done)
		}
	})
}

// If a process ends after the write has committed and before its response is stored, the next call returns what
// was written.
func TestMutationWithLostAnswerIsReplayed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "lost.test")
		key := a.Key(t, host)
		c := a.As(host, key.Token).With("Idempotency-Key", "lost")
		body := bodyOf(
			t, `mutation { createLead(input: {businessName: "Harbor Street"}) { id businessName status createdAt } }`, nil,
		)
		ctx := auth.With(context.Background(), &auth.Actor{
			Kind: auth.ByKey, ID: key.Key.ID, TenantID: key.Key.TenantID, Lineage: key.Key.ID, Scopes: auth.AllScopes(),
			Surface: auth.GraphQL,
		})
		var lead *ent.Lead
		_, err := a.OnceAnswered(ctx, service.Idempotency{
			Key: "lost", Request: "POST /graphql?", BodyHash: sha256.Sum256([]byte(body)),
		}, func(ctx context.Context) (service.Answer, bool) {
			var err error
			if lead, err = a.Leads.Create(ctx, service.LeadInput{BusinessName: service.Some("Harbor Street")}); err != nil {
				t.Error(err)
			}
			return service.Answer{}, false // as if the process had ended here
		})
		if err != nil || lead == nil {
			t.Fatal(err)
		}
		first, again := post(t, c, body), post(t, c, body)
		got := first.Want(t, 200).In("data").In("createLead")
		if got.Text("id") != fmt.Sprint(lead.ID) || got.Text("businessName") != "Harbor Street" ||
			got.Text("createdAt") == "" {
			t.Errorf("%s", first.Body)
		}
		if !bytes.Equal(first.Body, again.Body) || again.Header.Get(replayed) != "true" {
			t.Errorf("%s, then %s", first.Body, again.Body)
		}
		if n := c.Graph(t, "{ leads { totalCount } }", nil).In("leads").Int("totalCount"); n != 1 {
			t.Errorf("%d leads", n)
		}
	})
}

// A one-time secret is shown to whoever repeats the request with the key, and is sealed in the database.
func TestStoredSecretIsSealed(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "secret.test")
		admin := a.Staff(t, host, "admin").With("Idempotency-Key", "a-key")
		body := bodyOf(
			t,
			`mutation { createApiKey(input: {name: "CRM", kind: LIVE, scopes: ["leads:write"]}) {
				token apiKey { id last4 scopes isValid } } }`,
			nil,
		)
		first, again := post(t, admin, body), post(t, admin, body)
		token := first.Want(t, 200).In("data").In("createApiKey").Text("token")
		if !auth.WellFormed(token) || !bytes.Equal(first.Body, again.Body) || again.Header.Get(replayed) != "true" {
			t.Fatalf("%s, then %s", first.Body, again.Body)
		}
		if who := a.As(host, token).Get(t, "/whoami"); who.Text("name") != "CRM" {
			t.Errorf("%v", who)
		}
		kept, err := a.Store.Reader().IdempotencyRecord.Query().All(a.Operator(t, host))
		if err != nil || len(kept) != 1 || !kept[0].Sealed || bytes.Contains(kept[0].Body, []byte(token)) {
			t.Errorf("kept %v: %v", kept, err)
		}
		if log := a.Log.String(); strings.Contains(log, token) {
			t.Error("the token is in the log")
		}
	})
}

func TestIdempotencyKeyRequiresOneMutation(t *testing.T) {
	a := apptest.OnSQLite(t)
	c := a.Client(t, "form.test")
	const one = `createLead(input: {businessName: "x"}) { id }`
	for name, r := range map[string]struct{ key, query string }{
		"two fields":         {"k", "mutation { a: " + one + " b: " + one + " }"},
		"two by a fragment":  {"k", "mutation { a: " + one + " ...f } fragment f on Mutation { b: " + one + " }"},
		"a space in the key": {"a b", "mutation { " + one + " }"},
		"an empty key":       {"", "mutation { " + one + " }"},
	} {
		answer := post(t, c.With("Idempotency-Key", r.key), bodyOf(t, r.query, nil))
		if code := errorOf(t, answer, http.StatusBadRequest); code != "validation_error" ||
			!strings.Contains(string(answer.Body), `"Idempotency-Key"`) {
			t.Errorf("%s: %s", name, answer.Body)
		}
	}
	keyed := c.With("Idempotency-Key", "k")
	if n := c.Graph(t, "{ leads { totalCount } }", nil).In("leads").Int("totalCount"); n != 0 {
		t.Errorf("%d leads", n)
	}
	for range 2 { // what reads does not mind the key
		if answer := post(t, keyed, bodyOf(t, "{ leads { totalCount } }", nil)); answer.Header.Get(replayed) != "" {
			t.Errorf("%s", answer.Body)
		}
	}
	if answer := post(t, keyed, bodyOf(t, "mutation { __typename "+one+" }", nil)); answer.Status != 200 {
		t.Errorf("__typename beside it: %s", answer.Body)
	}
}
