package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"paydown/internal/service"
)

// keyMetrics reports whether this process can read the sealed values in the database.
type keyMetrics struct{ keys service.SecretKeys }

var (
	valuesUnreadable = describe("paydown_secret_values_unreadable",
		"Sealed values whose secret key this process lacks; counted every 5 minutes, absent if they could not be counted.")
	keysMissing = describe("paydown_secret_keys_missing",
		"Secret keys in use that this process lacks; if there are any, it is not ready.")
	unsealFailures = describe("paydown_secret_unseal_failures_total",
		"Sealed values that this process needed and could not open.")
)

// Describe implements prometheus.Collector.
func (m keyMetrics) Describe(out chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{valuesUnreadable, keysMissing, unsealFailures} {
		out <- d
	}
}

// Collect implements prometheus.Collector.
func (m keyMetrics) Collect(out chan<- prometheus.Metric) {
	if n, known := m.keys.Unreadable(); known {
		out <- prometheus.MustNewConstMetric(valuesUnreadable, prometheus.GaugeValue, float64(n))
	}
	out <- prometheus.MustNewConstMetric(keysMissing, prometheus.GaugeValue, float64(m.keys.Missing()))
	out <- prometheus.MustNewConstMetric(unsealFailures, prometheus.CounterValue, float64(m.keys.Failures()))
}

func observeSecretKeys(registry *prometheus.Registry, s *service.Service) {
	registry.MustRegister(keyMetrics{s.SecretKeys})
}
