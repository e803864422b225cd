package unit

import (
	"context"
)

// Signals are what a write sets going in this process once it has committed. New wires them before anything is written; one
// that is nil sets nothing going. None of them is needed for anything to happen: whoever is signaled also looks by itself.
type Signals struct {
	Recorded func()                // the audit trail has grown
	Happened func(context.Context) // events were stored
	Due      func(context.Context) // deliveries are due
	Mail     func()                // notifications are due for mail; nil where none is sent by mail
	Moved    map[string]func()     // what is cached under a change mark is out of date, by the mark's name
}

// SignalMark tells every process, this one among them, that the records behind a change mark have changed.
func (t *Tx) SignalMark(ctx context.Context, mark string) error {
	if forget := t.Core.Signals.Moved[mark]; forget != nil {
		t.AfterCommit(forget)
	}
	return t.MoveMark(ctx, mark)
}

// signalEvents says that events were stored, once the write commits.
func (t *Tx) signalEvents(ctx context.Context) {
	if happened := t.Core.Signals.Happened; happened != nil {
		t.AfterCommit(func() { happened(ctx) })
	}
}

// SignalDeliveries says that deliveries are due, once the write commits.
func (t *Tx) SignalDeliveries(ctx context.Context) {
	if due := t.Core.Signals.Due; due != nil {
		t.AfterCommit(func() { due(ctx) })
	}
}
