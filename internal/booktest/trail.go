package booktest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"paydown/ent"
	"paydown/ent/auditentry"
	"paydown/ent/outboxevent"
	"paydown/internal/apptest"
	"paydown/internal/auth"
)

// written is a write that changed something.
type written struct{ requestID, action, entity, id string }

// told is an event with its payload.
type told struct{ event, data string }

// wrote records a write that left an audit entry.
func (d *Desk) wrote(answer *apptest.Answer, verb, path string, id int) {
	entity := Singular(path)
	d.writes = append(d.writes, written{
		answer.Header.Get("X-Request-Id"), entity + "." + verb, entity, fmt.Sprint(id),
	})
}

// Tells records an event that must be in the outbox.
func (d *Desk) Tells(t *testing.T, event string, data apptest.Object) {
	t.Helper()
	d.events = append(d.events, told{event, Text(t, data)})
}

// CheckTrail compares the audit trail and the outbox with the writes that were made: one entry for each,
// followed by those of its consequences, none for a write without effect or a refused one, and the events in
// order.
func (d *Desk) CheckTrail(t *testing.T) {
	t.Helper()
	ctx, read := d.Inside(t)
	var entries []written
	seen := map[string]bool{}
	byREST := read.AuditEntry.Query().Where(auditentry.Surface(string(auth.REST))).Order(auditentry.ByID())
	for _, e := range byREST.AllX(ctx) {
		if !seen[e.RequestID] {
			entries = append(entries, written{e.RequestID, e.Action, e.Entity, fmt.Sprint(e.EntityID)})
		}
		seen[e.RequestID] = true
		if e.ActorKind != string(auth.ByKey) || e.ActorID == nil || *e.ActorID != d.key || e.ActorName != "test" {
			t.Errorf("%s was done by %s %v %s", e.Action, e.ActorKind, e.ActorID, e.ActorName)
		}
		CheckSides(t, e)
	}
	SameList(t, "audit entry", entries, d.writes)
	var events []told
	for _, e := range read.OutboxEvent.Query().Order(outboxevent.ByID()).AllX(ctx) {
		events = append(events, told{e.Event, Canonical(t, e.Data)})
		if e.Version != 1 || e.OccurredAt.Before(Monday) {
			t.Errorf("%s has version %d and occurred at %s", e.Event, e.Version, e.OccurredAt)
		}
	}
	SameList(t, "event", events, d.events)
}

// CheckSides checks that an entry shows the record before and after, if it existed.
func CheckSides(t *testing.T, e *ent.AuditEntry) {
	t.Helper()
	_, verb, _ := strings.Cut(e.Action, ".")
	if (len(e.Before) > 0) != (verb != "create") || (len(e.After) > 0) != (verb != "delete") {
		t.Errorf("%s of %s %d: before %s, after %s", e.Action, e.Entity, e.EntityID, e.Before, e.After)
	}
	if string(e.Before) == string(e.After) {
		t.Errorf("%s of %s %d changed nothing: %s", e.Action, e.Entity, e.EntityID, e.After)
	}
	for _, side := range []json.RawMessage{e.Before, e.After} {
		var record struct{ ID int }
		if len(side) > 0 && (json.Unmarshal(side, &record) != nil || record.ID != e.EntityID) {
			t.Errorf("%s of %s %d shows another record: %s", e.Action, e.Entity, e.EntityID, side)
		}
	}
}
