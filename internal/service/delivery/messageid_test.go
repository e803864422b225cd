package delivery

import (
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"testing"
	"time"

	"paydown/internal/store"
)

// The ids must never change: an event that is fanned out again after a crash, by whichever version, gets the same.
func TestMessageIDsStayTheSame(t *testing.T) {
	event := store.QueuedEvent{
		ID: 1234567, Tenant: 42, Event: "payment.paid", Data: []byte(`{"paymentId":7}`),
		OccurredAt: time.Date(2026, time.January, 5, 15, 0, 0, 123_000_000, time.UTC),
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\n%d\n%d\n%s\n%d\n%s", event.Tenant, 9, event.ID, event.Event,
		event.OccurredAt.UnixNano(), event.Data))
	want := "msg_" + base32.StdEncoding.EncodeToString(sum[:])[:26]
	if got := messageID(event, 9); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if allocations := testing.AllocsPerRun(100, func() { messageID(event, 9) }); allocations > 5 {
		t.Errorf("%.0f allocations", allocations)
	}
}
