package delivery

import (
	"context"
	"sync"
	"time"

	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// outbound is what delivers webhooks in this process.
type outbound struct {
	core  *unit.Core
	guard webhook.Guard
	// sender and dispatcher make deliveries; nil where this process makes none.
	sender     *webhook.Sender
	dispatcher *webhook.Dispatcher
	recoveries chan struct{} // says that one was ordered
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

// wakeTimeout bounds how long a write that has committed is held up by telling others of its events.
const wakeTimeout = 2 * time.Second

// happened tells dispatchers that events were stored, due that deliveries are due.
func (o *outbound) happened(ctx context.Context) { o.wake(ctx, (*webhook.Dispatcher).Happened) }

func (o *outbound) due(ctx context.Context) { o.wake(ctx, (*webhook.Dispatcher).Due) }

// wake tells the dispatcher of this process of work or, where it makes no deliveries, those of others. Nothing is lost where
// that fails: dispatchers look by themselves.
func (o *outbound) wake(ctx context.Context, tell func(*webhook.Dispatcher)) {
	if o.dispatcher != nil {
		tell(o.dispatcher)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wakeTimeout)
	defer cancel()
	if err := o.core.Store.Notify(ctx, dispatchChannel); err != nil {
		o.core.Log.WarnContext(ctx, "cannot tell others of events: they will find them a little later", "error", err)
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

// forgetConnections closes those to an endpoint that was deleted, moved or turned off, once the write commits. Other
// processes close theirs when they have not used them for a minute.
func (o *outbound) forgetConnections(t *unit.Tx, endpointID int) {
	if o.sender != nil {
		t.AfterCommit(func() { o.sender.Forget(endpointID) })
	}
}
