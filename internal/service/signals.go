package service

import "context"

// signals are what a write sets going in this process once it has committed. New wires them before anything is written; one
// that is nil sets nothing going. None of them is needed for anything to happen: whoever is signaled also looks by itself.
type signals struct {
	recorded func()                // the audit trail has grown
	happened func(context.Context) // events were stored
	due      func(context.Context) // deliveries are due
	mail     func()                // notifications are due for mail; nil where none is sent by mail
	moved    map[string]func()     // what is cached under a change mark is out of date, by the mark's name
}

// moveMark tells every process, this one among them, that the records behind a change mark have changed.
func (t *tx) moveMark(ctx context.Context, mark string) error {
	if forget := t.core.signals.moved[mark]; forget != nil {
		t.AfterCommit(forget)
	}
	return t.MoveMark(ctx, mark)
}

// signalEvents says that events were stored, once the write commits.
func (t *tx) signalEvents(ctx context.Context) {
	if happened := t.core.signals.happened; happened != nil {
		t.AfterCommit(func() { happened(ctx) })
	}
}

// signalDeliveries says that deliveries are due, once the write commits.
func (t *tx) signalDeliveries(ctx context.Context) {
	if due := t.core.signals.due; due != nil {
		t.AfterCommit(func() { due(ctx) })
	}
}
