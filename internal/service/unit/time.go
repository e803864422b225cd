package unit

import (
	"time"

	"paydown/internal/fault"
	"paydown/internal/webhook"
)

// RefuseFuture refuses an occurredAt in the future. The sender's clock may be ahead by as much as the tolerance of
// a signature's timestamp.
func (t *Tx) RefuseFuture(occurredAt time.Time) error {
	if occurredAt.After(t.At().Add(webhook.Freshness)) {
		return fault.Field("occurredAt", "must not lie in the future")
	}
	return nil
}

// Past reports whether at is now or earlier; nil is never past.
func Past(at *time.Time, now time.Time) bool { return at != nil && !now.Before(*at) }

// TimeLayout is the layout of times in messages to people.
const TimeLayout = "January 2, 2006 at 15:04 MST"

// FormatTime formats a time in the tenant's time zone for a message.
func (t *Tx) FormatTime(at time.Time) string {
	return at.In(t.Zone()).Format(TimeLayout)
}
