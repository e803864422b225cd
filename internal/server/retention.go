package server

import (
	"github.com/prometheus/client_golang/prometheus"

	"paydown/internal/service"
)

// observeRetention exports what the retention sweeps of this process have removed, and when the last one
// finished. Only one process sweeps at a time.
func observeRetention(registry *prometheus.Registry, s *service.Service) {
	for _, what := range s.Retention.Kinds() {
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name:        "paydown_retention_removed_total",
			Help:        "Expired records removed, by kind.",
			ConstLabels: prometheus.Labels{"kind": what},
		}, func() float64 { return float64(s.Retention.Removed(what)) }))
	}
	registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "paydown_retention_last_sweep_timestamp_seconds",
		Help: "When this process last finished a retention sweep; 0 if it has not.",
	}, func() float64 {
		last := s.Retention.LastSweep()
		if last.IsZero() {
			return 0
		}
		return float64(last.Unix())
	}))
}
