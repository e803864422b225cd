package server

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"paydown/internal/webhook"
)

// DeliveryMetrics counts how the deliveries of this process go. It is a webhook.Observer: give it to the service, and to
// the server to show. The zero value is of no use; see NewDeliveryMetrics.
type DeliveryMetrics struct {
	attempts   *prometheus.CounterVec
	durations  prometheus.Histogram
	delays     prometheus.Histogram
	deliveries *prometheus.CounterVec
	stale      prometheus.Counter
}

// The outcomes of attempts and deliveries that have no error code.
const (
	outcomeDelivered = "delivered"
	// outcomeOurs is an attempt that failed for want of something on this machine. The delivery is tried again.
	outcomeOurs = "ours"
	// outcomeInactive is a delivery that ended since its endpoint was turned off or paused.
	outcomeInactive = "endpoint_inactive"
)

// NewDeliveryMetrics makes metrics that start at nothing. Every outcome is there from the start, so that its first
// occurrence is an increase.
func NewDeliveryMetrics() *DeliveryMetrics {
	m := &DeliveryMetrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "paydown_webhook_attempts_total",
			Help: "Attempts at deliveries, by outcome: delivered, an error code, or ours where this machine was at fault.",
		}, []string{"outcome"}),
		durations: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "paydown_webhook_attempt_seconds", Help: "Time of an attempt, from the look-up of the name to the end of the answer.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		delays: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "paydown_webhook_first_attempt_delay_seconds", Help: "Time from an event to the first attempt at each of its deliveries.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
		}),
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "paydown_webhook_deliveries_total",
			Help: "Deliveries that are over, by outcome: delivered, the error code of the last attempt, or endpoint_inactive.",
		}, []string{"outcome"}),
		stale: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "paydown_webhook_stale_results_total",
			Help: "Results of attempts that were refused, since another process had the delivery by then.",
		}),
	}
	for _, outcome := range append([]string{outcomeDelivered}, webhook.Codes...) {
		m.attempts.WithLabelValues(outcome)
		m.deliveries.WithLabelValues(outcome)
	}
	m.attempts.WithLabelValues(outcomeOurs)
	m.deliveries.WithLabelValues(outcomeInactive)
	return m
}

// Tried implements webhook.Observer.
func (m *DeliveryMetrics) Tried(o webhook.Outcome) {
	outcome := outcomeOf(o)
	if o.Ours {
		outcome = outcomeOurs
	}
	m.attempts.WithLabelValues(outcome).Inc()
	m.durations.Observe(o.Duration.Seconds())
}

// Left implements webhook.Observer.
func (m *DeliveryMetrics) Left(after time.Duration) { m.delays.Observe(max(after, 0).Seconds()) }

// Ended implements webhook.Observer.
func (m *DeliveryMetrics) Ended(v webhook.Verdict, o webhook.Outcome) {
	outcome := outcomeOf(o)
	if v == webhook.Dropped {
		outcome = outcomeInactive
	}
	m.deliveries.WithLabelValues(outcome).Inc()
}

// Stale implements webhook.Observer.
func (m *DeliveryMetrics) Stale(n int) { m.stale.Add(float64(n)) }

func outcomeOf(o webhook.Outcome) string {
	if o.Error == "" {
		return outcomeDelivered
	}
	return o.Error
}

func (m *DeliveryMetrics) register(registry *prometheus.Registry) {
	registry.MustRegister(m.attempts, m.durations, m.delays, m.deliveries, m.stale)
}
