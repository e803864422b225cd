package e2e

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/webhookdelivery"
	"paydown/internal/apptest"
	"paydown/internal/secret"
	"paydown/internal/service"
	"paydown/internal/store"
)

// The program is killed while it resends failed deliveries, ten thousand of them in a soak test. The next one
// continues, the command line that ordered it follows it to its end, and each delivery is repeated once.
func TestARecoverySurvivesTheEndOfItsProcess(t *testing.T) {
	t.Parallel()
	failed := apptest.Length(600, 10_000)
	installations(t, func(t *testing.T, i *installation) {
		heard := &arrivals{ids: map[string]bool{}}
		receiver := httptest.NewServer(heard)
		defer receiver.Close()
		flags := []string{"--webhook-allow-cidr", "127.0.0.0/8", "--webhook-allow-http"}
		server := i.serve(t, flags...)
		admin := regexp.MustCompile(`"adminAddr":"([^"]+)"`).FindStringSubmatch(server.log.String())[1]
		endpoint := server.Post(t, "/webhook-endpoints", object{"url": receiver.URL, "events": []string{"lead.created"}}).
			In("webhookEndpoint").
			ID()
		s, inside := i.inside(t)
		fail(inside, t, s, endpoint, failed)
		release := i.stuckAt(t, fmt.Sprintf("failed-%d", failed-1)) // so that it is under way when the program is killed

		var token struct{ Token string }
		created := i.run(t, "admin", "token", "create", "--name", "night shift", "--json")
		if err := json.Unmarshal(created, &token); err != nil {
			t.Fatal(err)
		}
		recovery := i.command("admin", "webhooks", "recover", "--json", "--server", "http://"+admin, "--tenant", i.host)
		recovery.Env = append(recovery.Env, "PAYDOWN_ADMIN_TOKEN="+token.Token)
		var problems strings.Builder
		recovery.Stderr = &problems
		out, err := recovery.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := recovery.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = recovery.Process.Kill() }()
		lines := bufio.NewScanner(out)
		var told struct {
			Recovery struct {
				State                         string
				Matched, Redelivered, Skipped int
			}
		}
		for lines.Scan() {
			if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
				t.Fatalf("%s: %v", lines.Bytes(), err)
			}
			if told.Recovery.Redelivered > 0 && told.Recovery.State == "RUNNING" && server.cmd.ProcessState == nil {
				server.kill()
				break
			}
		}
		if told.Recovery.State != "RUNNING" {
			t.Fatalf("it was over before anybody could end it: %+v %s", told, problems.String())
		}
		half := repeated(inside, t, s, endpoint)
		release()
		i.serve(t, append(flags, "--admin-addr", admin)...)
		for lines.Scan() {
			if err := json.Unmarshal(lines.Bytes(), &told); err != nil {
				t.Fatalf("%s: %v", lines.Bytes(), err)
			}
		}
		if err := recovery.Wait(); err != nil {
			t.Fatalf("%v %s", err, problems.String())
		}
		if r := told.Recovery; r.State != "DONE" || r.Matched != failed || r.Redelivered != failed || r.Skipped != 0 {
			t.Errorf("it ends as %+v", r)
		}
		counts := repeated(inside, t, s, endpoint)
		for id, times := range counts {
			if times != 1 {
				t.Errorf("delivery %d was repeated %d times", id, times)
			}
		}
		if len(half) == 0 || len(half) >= failed || len(counts) != failed {
			t.Errorf(
				"%d deliveries were repeated, %d of them before the end of the first process, want %d", len(counts), len(half),
				failed,
			)
		}
		i.verified(t)
		before, deadline := 0, time.Now().Add(patience)
		for heard.count() < failed {
			time.Sleep(20 * time.Millisecond)   // another process sends the messages; only counting shows its progress
			if n := heard.count(); n > before { // however long the machine takes for all of them
				before, deadline = n, time.Now().Add(patience)
			}
			if time.Now().After(deadline) {
				t.Fatalf("%d messages arrived, want %d", heard.count(), failed)
			}
		}
		if n := heard.count(); n != failed {
			t.Errorf("%d messages arrived, want %d", n, failed)
		}
	})
}

// arrivals are the messages that arrived, by id.
type arrivals struct {
	mu  sync.Mutex
	ids map[string]bool
}

// ServeHTTP implements http.Handler.
func (m *arrivals) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ids[r.Header.Get("webhook-id")] = true
	w.WriteHeader(http.StatusNoContent)
}

func (m *arrivals) count() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.ids)
}

// stuckAt has the database refuse to repeat the delivery of a message until it is released, which stops a
// recovery there.
func (i *installation) stuckAt(t *testing.T, message string) (release func()) {
	t.Helper()
	driver, source := "postgres", i.db
	refuse := []string{
		`CREATE FUNCTION stuck() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'stuck'; END $$`,
		`CREATE TRIGGER stuck BEFORE INSERT ON webhook_deliveries FOR EACH ROW
			WHEN (NEW.redelivery_of_id = %d) EXECUTE FUNCTION stuck()`,
	}
	again := []string{`DROP TRIGGER stuck ON webhook_deliveries`, `DROP FUNCTION stuck()`}
	if path, ok := store.SQLitePath(i.db); ok {
		driver, source = "sqlite", "file:"+path+"?_pragma=busy_timeout(60000)"
		refuse = []string{`CREATE TRIGGER stuck BEFORE INSERT ON webhook_deliveries
			WHEN NEW.redelivery_of_id = %d BEGIN SELECT RAISE(ABORT, 'stuck'); END`}
		again = []string{`DROP TRIGGER stuck`}
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	var id int
	const query = `SELECT id FROM webhook_deliveries WHERE message_id = $1`
	if err := db.QueryRowContext(t.Context(), query, message).Scan(&id); err != nil {
		t.Fatal(err)
	}
	do := func(statements []string) {
		for _, statement := range statements {
			if strings.Contains(statement, "%d") {
				statement = fmt.Sprintf(statement, id)
			}
			if _, err := db.ExecContext(t.Context(), statement); err != nil {
				t.Fatal(err)
			}
		}
	}
	do(refuse)
	return func() { do(again) }
}

// inside returns the database, and the context of an operator in the company.
func (i *installation) inside(t *testing.T) (*store.Store, context.Context) {
	t.Helper()
	s, err := store.Open(i.db, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	box, err := secret.Open(i.secret)
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := service.New(service.Config{Store: s, Secrets: box}).Tenants.AsOperator(context.Background(), i.host)
	if err != nil {
		t.Fatal(err)
	}
	return s, ctx
}

// fail creates failed deliveries to an endpoint.
func fail(ctx context.Context, t *testing.T, s *store.Store, endpoint, n int) {
	t.Helper()
	const part = 200
	for from := 0; from < n; from += part {
		err := s.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			rows := make([]*ent.WebhookDeliveryCreate, part)
			for k := range rows {
				rows[k] = tx.WebhookDelivery.Create().SetEndpointID(endpoint).SetMessageID(fmt.Sprintf("failed-%d", from+k)).
					SetEvent("lead.created").SetStatus(webhookdelivery.StatusFAILED).
					SetPayload([]byte(`{"event":"lead.created","version":1,"occurredAt":"2026-01-05T14:00:00Z","data":{"leadId":1}}`))
			}
			return tx.WebhookDelivery.CreateBulk(rows...).Exec(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// repeated counts how often each delivery to an endpoint was repeated.
func repeated(ctx context.Context, t *testing.T, s *store.Store, endpoint int) map[int]int {
	t.Helper()
	of, err := s.Reader().WebhookDelivery.Query().
		Where(webhookdelivery.EndpointID(endpoint), webhookdelivery.RedeliveryOfIDNotNil()).
		Select(webhookdelivery.FieldRedeliveryOfID).Ints(ctx)
	if err != nil {
		t.Fatal(err)
	}
	counts := map[int]int{}
	for _, id := range of {
		counts[id]++
	}
	return counts
}
