package booktest

import (
	"fmt"
	"strings"
	"testing"

	"paydown/ent"
	"paydown/ent/inboundevent"
	"paydown/internal/apptest"
)

// Processor is the desk's payment processor, which reports transfers.
type Processor struct {
	*apptest.Sender
	Told int
}

// Tell sends an event under a new id, and returns how it is stored.
func (p *Processor) Tell(t *testing.T, b *Desk, event apptest.Object) *ent.InboundEvent {
	t.Helper()
	p.Told++
	return b.Inbound(t, p.Sender, "processor", fmt.Sprintf("evt-%d", p.Told), event)
}

// Inbound sends an event for the first time and returns how it is stored.
func (d *Desk) Inbound(t *testing.T, s *apptest.Sender, source, id string, event apptest.Object) *ent.InboundEvent {
	t.Helper()
	event["eventId"] = id
	if got := s.Send(t, source, event).Want(t, 202); got["duplicate"] != false || got.Text("id") != id {
		t.Fatalf("acknowledged as %v", got)
	}
	ctx, read := d.Inside(t)
	return read.InboundEvent.Query().Where(inboundevent.Source(source), inboundevent.ExternalID(id)).OnlyX(ctx)
}

// Applied requires that an event was applied.
func Applied(t *testing.T, e *ent.InboundEvent) {
	t.Helper()
	if e.State != inboundevent.StateAPPLIED || e.Error != nil || e.AppliedAt == nil || e.DealID == nil ||
		e.MerchantID == nil {
		t.Fatalf("%s is %s, error %v", e.ExternalID, e.State, e.Error)
	}
}

// KeptWith checks that an event failed for a reason and is kept.
func KeptWith(t *testing.T, e *ent.InboundEvent, reason string) {
	t.Helper()
	if e.State != inboundevent.StateFAILED || e.Error == nil || !strings.Contains(*e.Error, reason) || e.AppliedAt != nil {
		text := "none"
		if e.Error != nil {
			text = *e.Error
		}
		t.Errorf("%s is %s with the error %s, want one that says %s", e.ExternalID, e.State, text, reason)
	}
}
