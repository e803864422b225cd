package delivery

import (
	"context"
	"sync"
	"time"

	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// outbound delivers webhooks in this process.
type outbound struct {
	core  *unit.Core
	guard webhook.Guard
	// sender and dispatcher make deliveries; nil if this process makes none.
	sender     *webhook.Sender
	dispatcher *webhook.Dispatcher
	recoveries chan struct{} // signals a new recovery
	quiet      quiet
}

func newOutbound(c *unit.Core, guard webhook.Guard, sender *webhook.Sender, observer webhook.Observer) *outbound {
	o := &outbound{core: c, guard: guard, sender: sender, recoveries: make(chan struct{}, 1)}
	if sender != nil {
		o.dispatcher = webhook.NewDispatcher(webhook.DispatcherConfig{
			Queue: deliveryQueue{c, o}, Send: sender.Send, Log: c.Log, Observer: observer,
		})
	}
	return o
}

// wakeTimeout limits how long signaling other processes may delay a committed write.
const wakeTimeout = 2 * time.Second

// happened signals dispatchers that events were stored, except those of a tenant without endpoints; due signals
// that deliveries are due.
func (o *outbound) happened(ctx context.Context) {
	if !o.quiet.covers(ctx) {
		o.wake(ctx, (*webhook.Dispatcher).Happened)
	}
}

func (o *outbound) due(ctx context.Context) { o.wake(ctx, (*webhook.Dispatcher).Due) }

// wake signals this process's dispatcher or, if this process makes no deliveries, those of other processes. A
// failed signal loses nothing, because dispatchers also poll.
func (o *outbound) wake(ctx context.Context, tell func(*webhook.Dispatcher)) {
	if o.dispatcher != nil {
		tell(o.dispatcher)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wakeTimeout)
	defer cancel()
	if err := o.core.Store.Notify(ctx, dispatchChannel); err != nil {
		o.core.Log.WarnContext(ctx, "cannot signal other processes about events; they will find them by polling",
			"error", err)
	}
}

// run makes deliveries until the context ends.
func (o *outbound) run(ctx context.Context) {
	if o.dispatcher == nil {
		return
	}
	var work sync.WaitGroup
	work.Go(func() {
		o.core.Store.Listen(ctx, dispatchChannel, func() {
			o.dispatcher.Happened()
			o.dispatcher.Due()
			o.core.Signals.Recorded()
		})
	})
	work.Go(func() { o.dispatcher.Run(ctx) })
	work.Wait()
}

// closeConnections closes connections to an endpoint that was deleted, moved or turned off, once the write
// commits. Other processes close theirs after a minute without use.
func (o *outbound) closeConnections(t *unit.Tx, endpointID int) {
	if o.sender != nil {
		t.AfterCommit(func() { o.sender.Forget(endpointID) })
	}
}
