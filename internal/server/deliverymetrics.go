package server

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"paydown/internal/webhook"
)

// DeliveryMetrics counts the deliveries of this process. It is a webhook.Observer: pass it to the service, and
// to the server to export. Use NewDeliveryMetrics; the zero value is not usable.
type DeliveryMetrics struct {
	attempts   *prometheus.CounterVec
	durations  prometheus.Histogram
	delays     prometheus.Histogram
	deliveries *prometheus.CounterVec
	stale      prometheus.Counter
}

// Outcomes of attempts and deliveries that have no error code.
const (
	outcomeDelivered = "delivered"
	// outcomeInternalError is an attempt that failed because of this machine. It is retried and does not count
	// against the endpoint.
	outcomeInternalError = "internal_error"
	// outcomeInactive is a delivery that ended because its endpoint was turned off or paused.
	outcomeInactive = "endpoint_inactive"
)

// NewDeliveryMetrics returns metrics that are all zero. Every outcome exists from the start, so that its first
// occurrence is an increase.
func NewDeliveryMetrics() *DeliveryMetrics {
	m := &DeliveryMetrics{
		attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "paydown_webhook_attempts_total",
			Help: "Delivery attempts, by outcome: delivered, an error code, or internal_error if this machine was at fault.",
		}, []string{"outcome"}),
		durations: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "paydown_webhook_attempt_seconds",
			Help:    "Duration of an attempt, from the name lookup to the end of the response.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
		}),
		delays: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name:    "paydown_webhook_first_attempt_delay_seconds",
			Help:    "Time from an event to the first attempt of each of its deliveries.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300},
		}),
		deliveries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "paydown_webhook_deliveries_total",
			Help: "Deliveries that ended, by outcome: delivered, the error code of the last attempt, or endpoint_inactive.",
		}, []string{"outcome"}),
		stale: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "paydown_webhook_stale_results_total",
			Help: "Results that were rejected because another process had taken over the delivery.",
		}),
	}
	for _, outcome := range append([]string{outcomeDelivered}, webhook.Codes...) {
		m.attempts.WithLabelValues(outcome)
		m.deliveries.WithLabelValues(outcome)
	}
	m.attempts.WithLabelValues(outcomeInternalError)
	m.deliveries.WithLabelValues(outcomeInactive)
	return m
}

// Tried implements webhook.Observer.
func (m *DeliveryMetrics) Tried(o webhook.Outcome) {
	outcome := outcomeOf(o)
	if o.Internal {
		outcome = outcomeInternalError
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
