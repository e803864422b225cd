package unit

import (
	"context"
)

// Signals wake background work of this process after a write commits. New sets them before the first write; nil
// ones are skipped. They only save time: all background work also polls.
type Signals struct {
	Recorded func()                // the audit trail has grown
	Happened func(context.Context) // events were stored
	Due      func(context.Context) // deliveries are due
	Mail     func()                // notifications are due for mail; nil where none is sent by mail
	Moved    map[string]func()     // what is cached under a change mark is out of date, by the mark's name
}

// SignalMark tells every process, including this one, that the records of a change mark have changed.
func (t *Tx) SignalMark(ctx context.Context, mark string) error {
	if forget := t.Core.Signals.Moved[mark]; forget != nil {
		t.AfterCommit(forget)
	}
	return t.MoveMark(ctx, mark)
}

// signalEvents wakes the event fan-out after the commit.
func (t *Tx) signalEvents(ctx context.Context) {
	if happened := t.Core.Signals.Happened; happened != nil {
		t.AfterCommit(func() { happened(ctx) })
	}
}

// SignalDeliveries wakes webhook delivery after the commit.
func (t *Tx) SignalDeliveries(ctx context.Context) {
	if due := t.Core.Signals.Due; due != nil {
		t.AfterCommit(func() { due(ctx) })
	}
}
