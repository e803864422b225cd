package server_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/internal/apptest"
	"paydown/internal/server"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// scrape returns the metrics of the admin listener, by name and labels.
func scrape(t *testing.T, s *server.Server) map[string]string {
	t.Helper()
	answer := httptest.NewRecorder()
	server.Admin(s).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if answer.Code != http.StatusOK {
		t.Fatalf("the metrics answer %d %s", answer.Code, answer.Body)
	}
	metrics := map[string]string{}
	for line := range strings.Lines(answer.Body.String()) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), " "); ok && name != "#" {
			metrics[name] = value
		}
	}
	return metrics
}

func logger(a *apptest.App) *slog.Logger { return slog.New(slog.NewJSONHandler(a.Log, nil)) }

func wantMetrics(t *testing.T, got, want map[string]string) {
	t.Helper()
	for name, value := range want {
		if got[name] != value {
			t.Errorf("%s is %q, want %q", name, got[name], value)
		}
	}
}

func TestDeliveryMetrics(t *testing.T) {
	m := server.NewDeliveryMetrics()
	a := apptest.OnSQLite(t)
	s := server.New(server.Config{Service: a.Service, Log: logger(a), Deliveries: m})
	wantMetrics(t, scrape(t, s), map[string]string{
		`paydown_webhook_attempts_total{outcome="delivered"}`:           "0",
		`paydown_webhook_attempts_total{outcome="blocked_address"}`:     "0",
		`paydown_webhook_attempts_total{outcome="internal_error"}`:      "0",
		`paydown_webhook_deliveries_total{outcome="endpoint_inactive"}`: "0",
		`paydown_mail_total{outcome="given_up"}`:                        "0",
		`paydown_webhook_sends_in_flight`:                               "0",
	})
	m.Left(3 * time.Millisecond)
	m.Left(-time.Second) // a clock that was set back
	m.Tried(webhook.Outcome{Status: 204, Duration: 20 * time.Millisecond})
	m.Tried(webhook.Outcome{Error: webhook.CodeTimeout, Duration: 10 * time.Second})
	m.Tried(webhook.Outcome{Error: webhook.CodeDNS, Internal: true})
	m.Ended(webhook.Delivered, webhook.Outcome{Status: 204})
	m.Ended(webhook.Failed, webhook.Outcome{Status: 500, Error: webhook.CodeStatus})
	m.Ended(webhook.Dropped, webhook.Outcome{})
	m.Stale(2)
	wantMetrics(t, scrape(t, s), map[string]string{
		`paydown_webhook_attempts_total{outcome="delivered"}`:            "1",
		`paydown_webhook_attempts_total{outcome="timeout"}`:              "1",
		`paydown_webhook_attempts_total{outcome="internal_error"}`:       "1",
		`paydown_webhook_attempts_total{outcome="dns"}`:                  "0",
		`paydown_webhook_attempt_seconds_bucket{le="0.025"}`:             "2",
		`paydown_webhook_attempt_seconds_bucket{le="10"}`:                "3",
		`paydown_webhook_first_attempt_delay_seconds_bucket{le="0.001"}`: "1",
		`paydown_webhook_first_attempt_delay_seconds_bucket{le="0.005"}`: "2",
		`paydown_webhook_deliveries_total{outcome="delivered"}`:          "1",
		`paydown_webhook_deliveries_total{outcome="status"}`:             "1",
		`paydown_webhook_deliveries_total{outcome="endpoint_inactive"}`:  "1",
		`paydown_webhook_stale_results_total`:                            "2",
	})
}

func TestQueueMetrics(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host, other := a.Tenant(t, "queue.test"), a.Tenant(t, "other.test")
		s := server.New(server.Config{Service: a.Service, Log: logger(a)})
		clock := server.QueueClock(s)
		wantMetrics(t, scrape(t, s), map[string]string{
			"paydown_webhook_queue_read": "1", "paydown_webhook_queue_waiting": "0", "paydown_webhook_queue_due": "0",
			"paydown_webhook_queue_oldest_due_seconds": "0", "paydown_webhook_events_waiting": "0",
			"paydown_webhook_events_oldest_seconds": "0", `paydown_webhook_endpoints{state="healthy"}`: "0",
		})
		var failing, paused *ent.WebhookEndpoint
		write(t, a, host, func(ctx context.Context, tx *store.Tx) error {
			now, err := tx.Clock(ctx)
			if err != nil {
				return err
			}
			endpoint := func() *ent.WebhookEndpointCreate {
				return tx.WebhookEndpoint.Create().SetURL("https://hooks.example").SetEvents([]string{"*"}).SetSecret([]byte("x"))
			}
			healthy := endpoint().SaveX(ctx)
			failing = endpoint().SetFailureStreak(7).SaveX(ctx)
			paused = endpoint().SetFailureStreak(20).SetIsActive(false).SetDisabledAt(now).SaveX(ctx)
			endpoint().SetIsActive(false).SaveX(ctx)
			for i, due := range []time.Duration{-time.Hour, -time.Minute, time.Hour} {
				tx.WebhookDelivery.Create().SetEndpointID(healthy.ID).SetMessageID(fmt.Sprint("due-", i)).SetEvent("lead.created").
					SetPayload([]byte("{}")).SetNextAttemptAt(now.Add(due)).ExecX(ctx)
			}
			tx.WebhookDelivery.Create().SetEndpointID(healthy.ID).SetMessageID("over").SetEvent("lead.created").
				SetPayload([]byte("{}")).SetStatus("DELIVERED").ExecX(ctx)
			return nil
		})
		write(t, a, other, func(ctx context.Context, tx *store.Tx) error {
			now, err := tx.Clock(ctx)
			if err != nil {
				return err
			}
			for _, age := range []time.Duration{2 * time.Minute, time.Minute} {
				tx.OutboxEvent.Create().SetEvent("lead.created").SetOccurredAt(now.Add(-age)).SetData([]byte("{}")).
					SetEntity("lead").SetEntityID(1).ExecX(ctx)
			}
			return nil
		})
		if got := scrape(t, s)["paydown_webhook_queue_waiting"]; got != "0" {
			t.Errorf("the database was asked again at once: %s", got)
		}
		clock(6 * time.Second)
		got := scrape(t, s)
		wantMetrics(t, got, map[string]string{
			"paydown_webhook_queue_read": "1", "paydown_webhook_queue_waiting": "3", "paydown_webhook_queue_due": "2",
			"paydown_webhook_events_waiting": "2", "paydown_mail_waiting": "0",
			`paydown_webhook_endpoints{state="healthy"}`: "1", `paydown_webhook_endpoints{state="failing"}`: "1",
			`paydown_webhook_endpoints{state="paused"}`:                                                       "1",
			fmt.Sprintf(`paydown_webhook_endpoint_failure_streak{endpoint="%d",state="failing"}`, failing.ID): "7",
			fmt.Sprintf(`paydown_webhook_endpoint_failure_streak{endpoint="%d",state="paused"}`, paused.ID):   "20",
		})
		about(t, got, "paydown_webhook_queue_oldest_due_seconds", time.Hour)
		about(t, got, "paydown_webhook_events_oldest_seconds", 2*time.Minute)
		if err := a.Store.Close(); err != nil {
			t.Fatal(err)
		}
		clock(6 * time.Second)
		got = scrape(t, s)
		wantMetrics(t, got, map[string]string{
			"paydown_webhook_queue_read": "0", "paydown_webhook_queue_waiting": "", "paydown_webhook_sends_in_flight": "0",
			`paydown_mail_total{outcome="sent"}`: "0",
		})
		if got["go_goroutines"] == "" {
			t.Error("the other metrics are gone with the database")
		}
	})
}

// However many endpoints fail, they have few series, failing endpoints before paused ones.
func TestMetricsOfEndpointsAreBounded(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		host := a.Tenant(t, "bounded.test")
		write(t, a, host, func(ctx context.Context, tx *store.Tx) error {
			rows := make([]*ent.WebhookEndpointCreate, 150)
			for i := range rows {
				rows[i] = tx.WebhookEndpoint.Create().SetURL("https://hooks.example").SetEvents([]string{"*"}).
					SetSecret([]byte("x")).SetFailureStreak(1 + i%19).SetIsActive(i%2 == 0)
				if i%2 == 1 {
					rows[i].SetFailureStreak(20).SetDisabledAt(tx.At())
				}
			}
			return tx.WebhookEndpoint.CreateBulk(rows...).Exec(ctx)
		})
		got := scrape(t, server.New(server.Config{Service: a.Service, Log: logger(a)}))
		states := map[string]int{}
		for name := range got {
			if labels, ok := strings.CutPrefix(name, "paydown_webhook_endpoint_failure_streak{"); ok {
				_, state, _ := strings.Cut(labels, "state=")
				states[state]++
			}
		}
		if states[`"failing"}`] != 75 || states[`"paused"}`] != 25 {
			t.Errorf("the series are %v", states)
		}
		wantMetrics(t, got, map[string]string{
			`paydown_webhook_endpoints{state="failing"}`: "75", `paydown_webhook_endpoints{state="paused"}`: "75",
		})
	})
}

func write(t *testing.T, a *apptest.App, host string, work func(context.Context, *store.Tx) error) {
	t.Helper()
	if err := a.Store.Write(a.Operator(t, host), work); err != nil {
		t.Fatal(err)
	}
}

// about checks a number of seconds, with a tolerance for a busy machine.
func about(t *testing.T, got map[string]string, name string, want time.Duration) {
	t.Helper()
	seconds, err := time.ParseDuration(got[name] + "s")
	if err != nil || seconds < want || seconds > want+patience {
		t.Errorf("%s is %s, want about %s", name, got[name], want)
	}
}
