package unit

import (
	"time"

	"paydown/internal/fault"
	"paydown/internal/webhook"
)

// RefuseFuture refuses a time that lies in the future. The sender's clock may be as far ahead of ours as the timestamp of a
// signature may.
func (t *Tx) RefuseFuture(occurredAt time.Time) error {
	if occurredAt.After(t.At().Add(webhook.Freshness)) {
		return fault.Field("occurredAt", "must not lie in the future")
	}
	return nil
}

func Past(at *time.Time, now time.Time) bool { return at != nil && !now.Before(*at) }

// TimeLayout is how people are told an instant.
const TimeLayout = "January 2, 2006 at 15:04 MST"

// FormatTime is an instant as people of the tenant say it.
func (t *Tx) FormatTime(at time.Time) string {
	return at.In(t.Zone()).Format(TimeLayout)
}
