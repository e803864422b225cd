package rest_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/secret"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

const endpoints = "/webhook-endpoints"

// seedEndpoint creates an endpoint and returns its id and its secret.
func seedEndpoint(tb testing.TB, c *apptest.Client, values apptest.Object) (id int, signing string) {
	tb.Helper()
	made := c.Post(
		tb,
		endpoints,
		merged(apptest.Object{"url": "https://hooks.example.com/paydown", "events": []string{"*"}}, values),
	)
	return made.In("webhookEndpoint").ID(), made.Text("secret")
}

func endpointRow(tb testing.TB, a *apptest.App, host string, id int) *ent.WebhookEndpoint {
	tb.Helper()
	row, err := a.Store.Reader().WebhookEndpoint.Get(a.Operator(tb, host), id)
	if err != nil {
		tb.Fatal(err)
	}
	return row
}

func columns(tb testing.TB, what string, o apptest.Object, want ...string) {
	tb.Helper()
	var got []string
	for name := range o {
		got = append(got, name)
	}
	sameTexts(tb, what+" has", got, want)
}

func TestWebhookEndpointCreateGetList(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "endpoints.test")
		a.Clock.Set(monday)
		answer := c.Do(t, "POST", endpoints, apptest.Object{
			"url": "https://Hooks.example.com:8443/a?b=c", "events": []string{"payment.paid", "deal.created", "payment.paid"},
		})
		made := answer.Want(t, 201)
		columns(t, "the reply of a create", made, "webhookEndpoint", "secret")
		endpoint := made.In("webhookEndpoint")
		columns(
			t, "an endpoint", endpoint, "id", "url", "events", "isActive", "failureStreak", "disabledAt", "disabledReason",
			"lastDeliveredAt", "createdAt",
		)
		if endpoint.Text("url") != "https://Hooks.example.com:8443/a?b=c" ||
			fmt.Sprint(endpoint["events"]) != "[payment.paid deal.created]" ||
			endpoint["isActive"] != true ||
			endpoint.Int("failureStreak") != 0 ||
			endpoint["disabledAt"] != nil ||
			!strings.HasPrefix(endpoint.Text("createdAt"), "2026-01-05T14:00:0") {
			t.Errorf("made %v", endpoint)
		}
		if !regexp.MustCompile(`^whsec_[A-Za-z0-9+/]{43}=$`).MatchString(made.Text("secret")) {
			t.Errorf("the secret is %q", made["secret"])
		}
		off, _ := seedEndpoint(t, c, apptest.Object{"isActive": false})
		one := c.Get(t, path(endpoints, off))
		columns(t, "the reply of a get", one, "webhookEndpoint", "deliveries")
		if e := one.In("webhookEndpoint"); e["isActive"] != false || e["disabledAt"] != nil ||
			fmt.Sprint(e["events"]) != "[*]" {
			t.Errorf("got %v", e)
		}
		if deliveries, ok := one["deliveries"].([]any); !ok || len(deliveries) != 0 {
			t.Errorf("a new endpoint has the deliveries %v", one["deliveries"])
		}
		page := c.Get(t, endpoints+"?sort=createdAt:desc&fields=url&limit=1")
		columns(t, "a page", page, "webhookEndpoints", "count", "hasMore", "nextCursor", "events")
		columns(t, "a narrowed endpoint", page.List("webhookEndpoints")[0], "id", "url")
		if page.Int("count") != 1 || page["hasMore"] != true {
			t.Errorf("page %v of %v", page["count"], page["hasMore"])
		}
		next := c.Get(
			t, endpoints+query("sort", "createdAt:desc", "fields", "url", "limit", "1", "cursor", page.Text("nextCursor")),
		)
		sameIDs(t, "the next page", idsOf(next.List("webhookEndpoints")), []int{endpoint.ID()})
		var kinds []string
		for _, k := range page.List("events") {
			columns(t, "an entry of the catalogue", k, "event", "description", "version", "example")
			if k.Text("description") == "" || k.Int("version") != 1 || len(k.In("example")) < 2 {
				t.Errorf("entry %v", k)
			}
			kinds = append(kinds, k.Text("event"))
		}
		if len(kinds) != len(webhook.Catalogue) || kinds[0] != "deal.created" {
			t.Errorf("the catalogue has %v", kinds)
		}
		c.Do(t, "GET", endpoints+"?sort=updatedAt", nil).Problem(t, 400, "invalid_sort")
		c.Do(t, "GET", endpoints+"?q=x", nil).Problem(t, 400, "validation_error")
		c.Do(t, "GET", path(endpoints, off)+"?expand=deliveries", nil).Problem(t, 400, "invalid_expand")
		c.Do(t, "GET", path(endpoints, off)+"?fields=secret", nil).Problem(t, 400, "validation_error")
	})
}

func TestInvalidWebhookEndpoints(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "refused.test")
		events := []string{"deal.created"}
		kept, _ := seedEndpoint(t, c, apptest.Object{"url": "https://public.example/"})
		for _, url := range []string{
			"http://hooks.example.com/", "https://127.0.0.1/", "https://localhost/", "https://169.254.169.254/latest/",
			"https://[::1]/",
			"https://2130706433/", "https://10.0.0.1/", "https://u:p@hooks.example.com/",
			"hooks.example.com", "", "https://hooks.example.com/" + strings.Repeat("x", 500),
		} {
			for _, try := range [][2]string{{"POST", endpoints}, {"PATCH", path(endpoints, kept)}} {
				body := apptest.Object{"url": url}
				if try[0] == "POST" {
					body["events"] = events
				}
				answer := c.Do(t, try[0], try[1], body)
				messages := answer.Problem(t, 400, "validation_error")
				if len(messages) != 1 || messages["url"] == "" || (len(url) > 20 && strings.Contains(string(answer.Body), url)) {
					t.Errorf("%s of %q: %s", try[0], url, answer.Body)
				}
			}
		}
		for body, want := range map[string][]string{
			`{}`:        {"events", "url"},
			`{"url":1}`: {"events", "url"},
			`{"url":"https://127.0.0.1/","events":[]}`:                                            {"events", "url"},
			`{"url":"https://a.example/","events":["deal.created","deal.deleted","","*","x\ty"]}`: {"events.1", "events.2", "events.3", "events.4"},
			`{"url":"https://a.example/","events":["*","deal.created"]}`:                          {"events.0"},
			`{"url":"https://a.example/","events":["Deal.created"]}`:                              {"events.0"},
			`{"url":"https://a.example/","events":"*"}`:                                           {"events"},
			`{"url":"https://a.example/","events":null}`:                                          {"events"},
			`{"url":null,"events":["*"]}`:                                                         {"url"},
			`{"url":"https://a.example/","events":["*"],"isActive":null}`:                         {"isActive"},
			`{"url":"https://a.example/","events":["*"],"isActive":"yes"}`:                        {"isActive"},
			`{"url":"https://a.example/","events":["*"],"secret":"whsec_x"}`:                      {"secret"},
			`{"url":"https://a.example/","events":["*"],"failureStreak":0,"disabledAt":null}`:     {"disabledAt", "failureStreak"},
			`{"url":"https://a.example/","events":[` + strings.Repeat(`"*",`, 100) + `"*"]}`:      {"events"},
		} {
			messages := c.Do(t, "POST", endpoints, body).Problem(t, 400, "validation_error")
			for _, path := range want {
				if messages[path] == "" {
					t.Errorf("%s names %v, want %v", body, messages, want)
				}
			}
		}
		messages := c.Do(t, "POST", endpoints, apptest.Object{"url": "https://a.example/", "events": []string{"x"}}).
			Problem(t, 400, "validation_error")
		for _, k := range webhook.Catalogue {
			if !strings.Contains(messages["events.0"], k.Event) {
				t.Errorf("%q does not list %s", messages["events.0"], k.Event)
			}
		}
		sameIDs(t, "what is there", idsOf(c.Get(t, endpoints).List("webhookEndpoints")), []int{kept})
	})
}

// The creator of an endpoint learns nothing of what its name resolves to: each name has the same answer, and
// none is looked up. It is checked before each delivery.
func TestEndpointErrorsDoNotRevealDNS(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "names.test")
		admin := a.Staff(t, "names.test", "admin")
		a.Names.Set("private.example", "192.168.0.1")
		a.Names.Set("metadata.example", "169.254.169.254")
		a.Names.Set("public.example", "8.8.8.8")
		first := ""
		for _, name := range []string{"nowhere.example", "private.example", "metadata.example", "public.example"} {
			answer := c.Do(t, "POST", endpoints, apptest.Object{"url": "https://" + name + "/", "events": []string{"*"}})
			made := answer.Want(t, 201).In("webhookEndpoint")
			id := made.ID()
			c.Patch(t, path(endpoints, id), apptest.Object{"url": "https://" + name + "/moved"})
			admin.Graph(
				t,
				fmt.Sprintf(`mutation { updateWebhookEndpoint(id: %d, input: {url: "https://%s/again"}) { url } }`, id, name),
				nil,
			)
			delete(made, "id")
			delete(made, "url")
			delete(made, "createdAt")
			if lowerBody := fmt.Sprint(made); first == "" {
				first = lowerBody
			} else if lowerBody != first {
				t.Errorf("%s is answered with %s, another with %s", name, lowerBody, first)
			}
		}
		if asked := a.Names.Asked(); asked != 0 {
			t.Errorf("%d names were looked up", asked)
		}
		for _, url := range []string{
			"https://192.168.0.1/", "https://localhost/", "https://metadata.google.internal/", "https://[fd00:ec2::254]/",
			"https://a.internal/",
			"https://hooks.example.com/\u200b", "https://hooks\u00ad.example.com/",
		} {
			messages := c.Do(t, "POST", endpoints, apptest.Object{"url": url, "events": []string{"*"}}).
				Problem(t, 400, "validation_error")
			if messages["url"] == "" {
				t.Errorf("%s: %v", url, messages)
			}
		}
	})
}

func TestDevelopersMayDeliverToTheirOwnMachine(t *testing.T) {
	a := apptest.OnSQLite(t, apptest.AllowingLoopback())
	c := a.Client(t, "private.test")
	seedEndpoint(t, c, apptest.Object{"url": "http://127.0.0.1:9000/hook"})
	a.Names.Set("localhost", "127.0.0.1", "::1")
	seedEndpoint(t, c, apptest.Object{"url": "http://localhost:9000/hook"})
	for _, url := range []string{"http://192.168.0.1/", "http://169.254.169.254/"} {
		messages := c.Do(t, "POST", endpoints, apptest.Object{"url": url, "events": []string{"*"}}).
			Problem(t, 400, "validation_error")
		if !strings.Contains(messages["url"], "public") {
			t.Errorf("%s: %v", url, messages)
		}
	}
	c.Do(t, "POST", endpoints, apptest.Object{"url": "ftp://localhost/", "events": []string{"*"}}).
		Problem(t, 400, "validation_error")
}

// pause puts an endpoint into the state that too many failures cause.
func pause(tb testing.TB, a *apptest.App, host string, id, streak int) {
	tb.Helper()
	behind(tb, a, host, func(ctx context.Context, tx *store.Tx) error {
		return tx.WebhookEndpoint.UpdateOneID(id).SetIsActive(false).SetFailureStreak(streak).SetDisabledAt(tx.At()).
			SetDisabledReason("20 deliveries in a row failed").Exec(ctx)
	})
}

func TestWebhookEndpointsAreChanged(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "changed.test")
		id, _ := seedEndpoint(t, c, nil)
		one := path(endpoints, id)
		audits := func() int {
			n, err := a.Store.Reader().
				AuditEntry.Query().
				Where(auditentry.Entity("webhookEndpoint"), auditentry.EntityID(id)).
				Count(a.Operator(t, c.Host))
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		changed := c.Patch(t, one, apptest.Object{"url": "https://new.example/", "events": []string{"deal.created"}})
		columns(t, "the reply of a change", changed, "webhookEndpoint")
		if e := changed.In("webhookEndpoint"); e.Text("url") != "https://new.example/" ||
			fmt.Sprint(e["events"]) != "[deal.created]" ||
			e["isActive"] != true {
			t.Errorf("changed to %v", e)
		}
		if n := audits(); n != 2 {
			t.Errorf("%d audit entries of a create and a change", n)
		}
		for _, nothing := range []string{`{}`, `{"isActive":true}`, `{"url":"https://new.example/","events":["deal.created"]}`} {
			c.Patch(t, one, nothing)
		}
		if n := audits(); n != 2 {
			t.Errorf("changes of nothing left %d audit entries", n-2)
		}
		// Turning off is not a pause, and ends waiting deliveries.
		waiting := c.Do(t, "POST", one+"?action=test", nil).Want(t, 202).In("delivery")
		off := c.Patch(t, one, apptest.Object{"isActive": false}).In("webhookEndpoint")
		if off["isActive"] != false || off["disabledAt"] != nil || off["disabledReason"] != nil {
			t.Errorf("turned off: %v", off)
		}
		ended := c.Get(t, one).List("deliveries")[0]
		if ended.ID() != waiting.ID() || ended.Text("status") != "FAILED" || ended.Text("error") != "endpoint_inactive" {
			t.Errorf("what waited is %v", ended)
		}
		pause(t, a, c.Host, id, 20)
		paused := c.Patch(t, one, apptest.Object{"isActive": false, "url": "https://mended.example/"}).In("webhookEndpoint")
		if paused["isActive"] != false || paused["disabledAt"] == nil || paused.Int("failureStreak") != 20 {
			t.Errorf("a pause was ended by turning off: %v", paused)
		}
		again := c.Patch(t, one, apptest.Object{"isActive": true}).In("webhookEndpoint")
		if again["isActive"] != true || again["disabledAt"] != nil || again["disabledReason"] != nil ||
			again.Int("failureStreak") != 0 {
			t.Errorf("turned on again: %v", again)
		}
		if shown := c.Get(t, one).In("webhookEndpoint"); fmt.Sprint(shown) != fmt.Sprint(again) {
			t.Errorf("it is %v, and was said to be %v", shown, again)
		}
		// A streak below the pause is not reset by changes other than enabling.
		behind(t, a, c.Host, func(ctx context.Context, tx *store.Tx) error {
			return tx.WebhookEndpoint.UpdateOneID(id).SetFailureStreak(7).Exec(ctx)
		})
		if e := c.Patch(t, one, apptest.Object{"isActive": true, "events": []string{"*"}}).In("webhookEndpoint"); e.Int(
			"failureStreak",
		) != 7 {
			t.Errorf("the streak of an active endpoint became %v", e["failureStreak"])
		}
		if deleted := c.Delete(t, one); deleted["deleted"] != true || deleted.ID() != id {
			t.Errorf("deleted %v", deleted)
		}
		for _, method := range []string{"GET", "DELETE"} {
			c.Do(t, method, one, nil).Problem(t, 404, "not_found")
		}
		c.Do(t, "PATCH", one, apptest.Object{"isActive": false}).Problem(t, 404, "not_found")
		c.Do(t, "PATCH", one, apptest.Object{"url": "https://127.0.0.1/"}).Problem(t, 400, "validation_error")
	})
}

func TestAnEndpointIsTested(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "tested.test")
		id, _ := seedEndpoint(t, c, apptest.Object{"events": []string{"deal.created"}})
		one := path(endpoints, id)
		before := a.Clock.Now()
		made := c.Do(t, "POST", one+"?action=test", nil).Want(t, 202)
		columns(t, "the reply of a test", made, "delivery")
		delivery := made.In("delivery")
		columns(
			t, "a delivery", delivery, "id", "endpointId", "event", "payload", "status", "attempts", "responseStatus", "error",
			"durationMs", "responseSnippet", "deliveredAt", "createdAt", "updatedAt",
		)
		payload := delivery.In("payload")
		columns(t, "an envelope", payload, "id", "event", "version", "occurredAt", "data")
		if delivery.Int("endpointId") != id || delivery.Text("event") != "webhook.test" ||
			delivery.Text("status") != "PENDING" ||
			delivery.Int("attempts") != 0 ||
			delivery["deliveredAt"] != nil ||
			delivery["responseStatus"] != nil {
			t.Errorf("delivery %v", delivery)
		}
		if payload.Text("event") != "webhook.test" || payload.Int("version") != 1 ||
			payload.Text("occurredAt") != delivery.Text("createdAt") ||
			payload.In("data").Int("endpointId") != id ||
			payload.In("data").Text("message") == "" {
			t.Errorf("payload %v", payload)
		}
		row, err := a.Store.Reader().WebhookDelivery.Get(a.Operator(t, c.Host), delivery.ID())
		if err != nil {
			t.Fatal(err)
		}
		if row.MessageID != payload.Text("id") || row.NextAttemptAt == nil || row.NextAttemptAt.After(a.Clock.Now()) ||
			row.NextAttemptAt.Before(before.Truncate(time.Millisecond)) || row.OutboxEventID != nil || row.LockedUntil != nil {
			t.Errorf("queued as %+v", row)
		}
		for range 52 {
			c.Do(t, "POST", one+"?action=test", "{}").Want(t, 202)
		}
		recent := c.Get(t, one).List("deliveries")
		ids := idsOf(recent)
		if len(ids) != 50 || !slices.IsSortedFunc(ids, func(a, b int) int { return b - a }) || ids[0] != delivery.ID()+52 {
			t.Errorf("the latest deliveries are %v", ids)
		}
		if fields := c.Get(t, one+"?fields=url"); len(fields.In("webhookEndpoint")) != 2 ||
			len(fields.List("deliveries")) != 50 {
			t.Errorf("with fields: %v", fields.In("webhookEndpoint"))
		}
		// The same key tests once.
		keyed := c.With("Idempotency-Key", "once")
		first := keyed.Do(t, "POST", one+"?action=test", nil)
		second := keyed.Do(t, "POST", one+"?action=test", nil)
		if first.Status != 202 || second.Status != 202 || !bytes.Equal(first.Body, second.Body) ||
			second.Header.Get(replayed) != "true" {
			t.Errorf("%s, then %s", first.Body, second.Body)
		}
		// An inactive one gets nothing.
		c.Patch(t, one, apptest.Object{"isActive": false})
		if messages := c.Do(t, "POST", one+"?action=test", nil).Problem(t, 409, "conflict"); messages["isActive"] == "" {
			t.Errorf("%v", messages)
		}
		for _, bad := range []string{"", "?action=", "?action=ping", "?action=Test", "?action=rotate%20"} {
			c.Do(t, "POST", one+bad, nil).Problem(t, 400, "bad_request")
		}
		for _, bad := range []string{"?action=test&x=1", "?action=test&action=test", "?Action=test"} {
			if answer := c.Do(t, "POST", one+bad, nil); answer.Status != 400 {
				t.Errorf("%s: %d", bad, answer.Status)
			}
		}
		for _, body := range []string{"[]", `{"a":1}`, "x"} {
			c.Do(t, "POST", one+"?action=test", body).Problem(t, 400, "bad_request")
		}
		for _, action := range []string{"test", "rotate"} {
			c.Do(t, "POST", path(endpoints, 987654321)+"?action="+action, nil).Problem(t, 404, "not_found")
			c.Do(t, "POST", endpoints+"/0?action="+action, nil).Problem(t, 400, "invalid_id")
		}
		c.Delete(t, one)
		left, err := a.Store.Reader().
			WebhookDelivery.Query().
			Where(webhookdelivery.EndpointID(id)).
			Count(a.Operator(t, c.Host))
		if err != nil || left != 0 {
			t.Errorf("%d deliveries of a deleted endpoint are left, %v", left, err)
		}
	})
}

// opened decrypts what is stored for an endpoint.
func opened(tb testing.TB, key string, sealed []byte, id int) string {
	tb.Helper()
	box, err := secret.Open(key)
	if err != nil {
		tb.Fatal(err)
	}
	plain, err := box.Unseal(sealed, fmt.Sprintf("webhook_endpoints/%d", id))
	if err != nil {
		tb.Fatal(err)
	}
	return string(plain)
}

func TestSigningSecretsAreRotated(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "rotated.test")
		id, first := seedEndpoint(t, c, nil)
		rotate := func() string {
			made := c.Do(t, "POST", path(endpoints, id)+"?action=rotate", nil).Want(t, 200)
			columns(t, "the reply of a rotation", made, "webhookEndpoint", "secret")
			if made.In("webhookEndpoint").ID() != id {
				t.Errorf("rotated %v", made)
			}
			return made.Text("secret")
		}
		if row := endpointRow(t, a, c.Host, id); opened(t, a.Secret, row.Secret, id) != first || row.PreviousSecret != nil {
			t.Error("the secret that is stored is not the one that was shown")
		}
		second := rotate()
		row := endpointRow(t, a, c.Host, id)
		if second == first || opened(t, a.Secret, row.Secret, id) != second ||
			opened(t, a.Secret, row.PreviousSecret, id) != first {
			t.Error("after a rotation the secrets are not the new one and the one before")
		}
		left := row.PreviousSecretExpiresAt.Sub(a.Clock.Now())
		if left > 24*time.Hour || left < 24*time.Hour-time.Minute {
			t.Errorf("the previous secret signs for another %s", left)
		}
		third := rotate()
		row = endpointRow(t, a, c.Host, id)
		if opened(t, a.Secret, row.Secret, id) != third || opened(t, a.Secret, row.PreviousSecret, id) != second {
			t.Error("after a second rotation the secrets are not the new one and the one before")
		}
		// A value sealed for one endpoint cannot be opened for another.
		box, err := secret.Open(a.Secret)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := box.Unseal(row.Secret, fmt.Sprintf("webhook_endpoints/%d", id+1)); err == nil {
			t.Error("the secret can be unsealed for another endpoint")
		}
		actions, err := a.Store.Reader().
			AuditEntry.Query().
			Where(auditentry.EntityID(id), auditentry.Entity("webhookEndpoint")).
			Order(auditentry.ByID()).
			Select(auditentry.FieldAction).
			Strings(a.Operator(t, c.Host))
		if err != nil || fmt.Sprint(actions) != "[webhookEndpoint.create webhookEndpoint.rotate webhookEndpoint.rotate]" {
			t.Errorf("audited as %v, %v", actions, err)
		}
	})
}

// A secret is only in the two responses that create it, and in their replays; nowhere else is it readable.
func TestSigningSecretsAreShownOnce(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c := a.Client(t, "once.test")
		body := apptest.Object{"url": "https://hooks.example.com/paydown", "events": []string{"*"}}
		keyed := c.With("Idempotency-Key", "k1")
		first, again := keyed.Do(t, "POST", endpoints, body), keyed.Do(t, "POST", endpoints, body)
		made := first.Want(t, 201)
		if again.Status != 201 || !bytes.Equal(again.Body, first.Body) || again.Header.Get(replayed) != "true" {
			t.Errorf("%s, then %d %s", first.Body, again.Status, again.Body)
		}
		id := made.In("webhookEndpoint").ID()
		rotate := path(endpoints, id) + "?action=rotate"
		rotated, replay := keyed.Do(t, "POST", rotate, nil), keyed.Do(t, "POST", rotate, nil)
		if !bytes.Equal(rotated.Body, replay.Body) || replay.Header.Get(replayed) != "true" {
			t.Errorf("%s, then %s", rotated.Body, replay.Body)
		}
		if late := keyed.Do(t, "POST", endpoints, body); late.Status != 201 || !bytes.Equal(late.Body, first.Body) {
			t.Errorf("later: %d %s", late.Status, late.Body)
		}
		secrets := []string{made.Text("secret"), rotated.Want(t, 200).Text("secret")}
		if secrets[0] == secrets[1] || secrets[1] == "" {
			t.Fatalf("secrets %v", secrets)
		}
		ctx, read := a.Operator(t, c.Host), a.Store.Reader()
		places := map[string]string{
			"the log": a.Log.String(), "the list": string(c.Do(t, "GET", endpoints, nil).Body),
			"the endpoint": string(c.Do(t, "GET", path(endpoints, id), nil).Body),
			"a change":     string(c.Do(t, "PATCH", path(endpoints, id), apptest.Object{"isActive": false}).Body),
		}
		for i, row := range read.AuditEntry.Query().AllX(ctx) {
			places[fmt.Sprintf("audit entry %d", i)] = string(row.Before) + string(row.After) + string(row.Effects)
		}
		records := read.IdempotencyRecord.Query().AllX(ctx)
		if len(records) != 2 {
			t.Errorf("%d answers are stored", len(records))
		}
		for i, row := range records {
			places[fmt.Sprintf("stored answer %d", i)] = string(row.Body)
			if !row.Sealed {
				t.Errorf("stored answer %d is not sealed", i)
			}
		}
		for i, row := range read.WebhookEndpoint.Query().AllX(ctx) {
			places[fmt.Sprintf("row %d", i)] = string(row.Secret) + string(row.PreviousSecret) + fmt.Sprint(row)
			if len(row.Secret) < 60 || len(row.PreviousSecret) < 60 {
				t.Errorf("row %d has %d and %d bytes of secrets", i, len(row.Secret), len(row.PreviousSecret))
			}
		}
		for place, text := range places {
			for _, s := range secrets {
				if strings.Contains(text, s) || strings.Contains(text, strings.TrimPrefix(s, "whsec_")) {
					t.Errorf("%s has the secret: %s", place, text)
				}
			}
		}
		if text := places["the endpoint"]; strings.Contains(strings.ToLower(text), "secret") {
			t.Errorf("the endpoint speaks of secrets: %s", text)
		}
	})
}

// However many are created at once, a tenant never has more than fifty; other tenants do not count.
func TestWebhookEndpointLimit(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "fifty.test"), a.Client(t, "other.test")
		seedEndpoint(t, other, nil)
		for range 44 {
			seedEndpoint(t, c, nil)
		}
		var made sync.WaitGroup
		statuses := make(chan int, 16)
		for range cap(statuses) {
			made.Go(func() {
				answer, err := c.Try(http.MethodPost, endpoints, `{"url":"https://hooks.example.com/","events":["*"]}`)
				if err != nil {
					t.Error(err)
					return
				}
				statuses <- answer.Status
			})
		}
		made.Wait()
		close(statuses)
		count := map[int]int{}
		for status := range statuses {
			count[status]++
		}
		if count[201] != 6 || count[409] != 10 {
			t.Errorf("of 16 with room for 6: %v", count)
		}
		rows := c.Get(t, endpoints+"?limit=200").List("webhookEndpoints")
		if len(rows) != 50 {
			t.Errorf("there are %d", len(rows))
		}
		c.Do(t, "POST", endpoints, apptest.Object{"url": "https://hooks.example.com/", "events": []string{"*"}}).
			Problem(t, 409, "conflict")
		c.Delete(t, path(endpoints, rows[0].ID()))
		seedEndpoint(t, c, nil)
		seedEndpoint(t, other, nil)
	})
}

func TestOtherTenantsEndpointsAreNotFound(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		c, other := a.Client(t, "mine.test"), a.Client(t, "theirs.test")
		id, signing := seedEndpoint(t, other, nil)
		other.Do(t, "POST", path(endpoints, id)+"?action=test", nil).Want(t, 202)
		before := endpointRow(t, a, other.Host, id)
		one := path(endpoints, id)
		c.Do(t, "GET", one, nil).Problem(t, 404, "not_found")
		c.Do(t, "PATCH", one, apptest.Object{"url": "https://evil.example/"}).Problem(t, 404, "not_found")
		c.Do(t, "DELETE", one, nil).Problem(t, 404, "not_found")
		c.Do(t, "POST", one+"?action=rotate", nil).Problem(t, 404, "not_found")
		c.Do(t, "POST", one+"?action=test", nil).Problem(t, 404, "not_found")
		if rows := c.Get(t, endpoints+query("ids", fmt.Sprint(id))).List("webhookEndpoints"); len(rows) != 0 {
			t.Errorf("listed: %v", rows)
		}
		after := endpointRow(t, a, other.Host, id)
		if fmt.Sprint(after) != fmt.Sprint(before) || opened(t, a.Secret, after.Secret, id) != signing {
			t.Errorf("it was %v and is %v", before, after)
		}
		if n := len(other.Get(t, one).List("deliveries")); n != 1 {
			t.Errorf("it has %d deliveries", n)
		}
	})
}
