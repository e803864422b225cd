package server

import (
	"context"
	"log/slog"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"paydown/internal/service"
	"paydown/internal/store"
)

const (
	// queueAge is the maximum age of the queue depth shown. It limits the database queries however often metrics
	// are scraped.
	queueAge = 5 * time.Second
	// queueTimeout limits the query. If it fails, the metrics are exported without the depth.
	queueTimeout = 2 * time.Second
)

// queueMetrics reports how far the deliveries of all tenants are behind.
type queueMetrics struct {
	read func(context.Context) (*store.QueueDepth, error)
	log  *slog.Logger
	now  func() time.Time

	mu    sync.Mutex
	depth *store.QueueDepth // nil if it could not be read
	at    time.Time
}

func describe(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

var (
	queueRead = describe("paydown_webhook_queue_read",
		"1 if the queue depth could be read, else 0 and the metrics of the queue are absent.")
	queueWaiting = describe("paydown_webhook_queue_waiting",
		"Deliveries that have not ended, of all processes; counted up to 20000.")
	queueDue = describe("paydown_webhook_queue_due",
		"Deliveries that are due and that no process is sending; counted up to 20000.")
	queueOldest = describe("paydown_webhook_queue_oldest_due_seconds",
		"How long the oldest due delivery has been due; 0 if none is due.")
	eventsDepth = describe("paydown_webhook_events_waiting",
		"Events whose deliveries have not been created yet; counted up to 20000.")
	eventsOldest = describe("paydown_webhook_events_oldest_seconds",
		"Age of the oldest event whose deliveries have not been created yet; 0 if there is none.")
	endpoints     = describe("paydown_webhook_endpoints", "Endpoints that are healthy, failing or paused.", "state")
	failureStreak = describe("paydown_webhook_endpoint_failure_streak",
		"Consecutive failed deliveries of an endpoint that is failing or paused; at most 100 endpoints.",
		"endpoint", "state")
	mailDue = describe("paydown_mail_waiting", "Notifications waiting to be sent by mail; counted up to 20000.")
)

// Describe implements prometheus.Collector.
func (q *queueMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{
		queueRead, queueWaiting, queueDue, queueOldest, eventsDepth, eventsOldest, endpoints, failureStreak, mailDue,
	} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (q *queueMetrics) Collect(out chan<- prometheus.Metric) {
	gauge := func(d *prometheus.Desc, value float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, value, labels...)
	}
	depth := q.fresh()
	if depth == nil {
		gauge(queueRead, 0)
		return
	}
	gauge(queueRead, 1)
	gauge(queueWaiting, float64(depth.Waiting))
	gauge(queueDue, float64(depth.Due))
	gauge(queueOldest, depth.OldestDue.Seconds())
	gauge(eventsDepth, float64(depth.Events))
	gauge(eventsOldest, depth.OldestEvent.Seconds())
	gauge(endpoints, float64(depth.Healthy), "healthy")
	gauge(endpoints, float64(depth.Failing), "failing")
	gauge(endpoints, float64(depth.Paused), "paused")
	gauge(mailDue, float64(depth.Mail))
	for _, e := range depth.FailingOrPaused {
		state := "failing"
		if e.Paused {
			state = "paused"
		}
		gauge(failureStreak, float64(e.Streak), strconv.Itoa(e.ID), state)
	}
}

// fresh returns the current depth, or nil. Concurrent scrapes share one query.
func (q *queueMetrics) fresh() *store.QueueDepth {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.at.IsZero() && q.now().Sub(q.at) < queueAge {
		return q.depth
	}
	ctx, cancel := context.WithTimeout(context.Background(), queueTimeout)
	defer cancel()
	depth, err := q.read(ctx)
	if err != nil {
		q.log.WarnContext(ctx, "cannot read the queue depth for the metrics", "error", err)
	}
	q.depth, q.at = depth, q.now()
	return depth
}

// observeDeliveries exports the metrics of the queue and, if this process sends deliveries or mail, of its
// sending.
func observeDeliveries(registry *prometheus.Registry, cfg Config) *queueMetrics {
	s := cfg.Service
	queue := &queueMetrics{read: s.WebhookDeliveries.QueueDepth, log: cfg.Log, now: time.Now}
	registry.MustRegister(queue)
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "paydown_webhook_sends_in_flight", Help: "Deliveries that this process is sending.",
	}, func() float64 { return float64(s.WebhookDeliveries.InFlight()) }))
	if cfg.Deliveries != nil {
		cfg.Deliveries.register(registry)
	}
	for _, outcome := range service.MailOutcomes {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        "paydown_mail_total",
			Help:        "Attempts to send a notification by mail, by outcome: sent, failed (will be retried) or given_up.",
			ConstLabels: prometheus.Labels{"outcome": string(outcome)},
		}, func() float64 { return float64(s.Notifications.Mailed(outcome)) }))
	}
	return queue
}
