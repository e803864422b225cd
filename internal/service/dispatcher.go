package service

import (
	"context"
	"sync"
	"time"

	"paydown/internal/webhook"
)

// newDispatcher is nil where there is nobody to send with.
func newDispatcher(c *core, cfg Config) *webhook.Dispatcher {
	if cfg.Sender == nil {
		return nil
	}
	return webhook.NewDispatcher(webhook.DispatcherConfig{
		Queue: deliveryQueue{c}, Send: cfg.Sender.Send, Log: cfg.Log, Observer: cfg.Observer,
	})
}

// wakeTimeout bounds how long a write that has committed is held up by telling others of its events.
const wakeTimeout = 2 * time.Second

// wake tells the dispatcher of this process of work or, where it makes no deliveries, those of others. Nothing is lost where
// that fails: dispatchers look by themselves.
func (c *core) wake(ctx context.Context, tell func(*webhook.Dispatcher)) {
	if c.dispatcher != nil {
		tell(c.dispatcher)
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wakeTimeout)
	defer cancel()
	if err := c.store.Notify(ctx, dispatchChannel); err != nil {
		c.log.WarnContext(ctx, "cannot tell others of events: they will find them a little later", "error", err)
	}
}

// Happened says that events were committed past this service's own writes, which say so by themselves.
func (s *Service) Happened(ctx context.Context) { s.wake(ctx, (*webhook.Dispatcher).Happened) }

// dispatch makes deliveries until the context ends.
func (c *core) dispatch(ctx context.Context) {
	if c.dispatcher == nil {
		return
	}
	var work sync.WaitGroup
	work.Go(func() {
		c.store.Listen(ctx, dispatchChannel, func() {
			c.dispatcher.Happened()
			c.dispatcher.Due()
			c.feeds.stir()
		})
	})
	work.Go(func() { c.dispatcher.Run(ctx) })
	work.Wait()
}

// forgetConnections closes those to an endpoint that was deleted, moved or turned off, once the write commits. Other
// processes close theirs when they have not used them for a minute.
func (t *tx) forgetConnections(endpointID int) {
	if sender := t.core.sender; sender != nil {
		t.AfterCommit(func() { sender.Forget(endpointID) })
	}
}
