package server_test

import (
	"strings"
	"testing"

	"paydown/internal/server"
)

func TestRetentionMetrics(t *testing.T) {
	r := run(t, server.Config{}, nil)
	metrics := string(r.get(t, r.admin, "/metrics").Body)
	for _, line := range []string{
		`paydown_retention_removed_total{kind="idempotency_records"} 0`,
		`paydown_retention_removed_total{kind="webhook_deliveries"} 0`,
		`paydown_retention_removed_total{kind="inbound_names"} 0`,
		`paydown_retention_removed_total{kind="rate_windows"} 0`,
		`paydown_retention_last_sweep_timestamp_seconds 0`,
	} {
		if !strings.Contains(metrics, line+"\n") {
			t.Errorf("no %s among the metrics", line)
		}
	}
}
