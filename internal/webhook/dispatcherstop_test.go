package webhook_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"paydown/internal/webhook"
)

// dumbQueue is a queue whose database stores results and never answers.
type dumbQueue struct{ *memoryQueue }

func (dumbQueue) Complete(ctx context.Context, _ []webhook.Result) (int, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// A dispatcher whose database does not answer stops within moments, however many results it holds.
func TestDispatcherStopsWithHungDatabase(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		queue := dumbQueue{&memoryQueue{}}
		for n := range 2400 {
			queue.add(10 + n%300)
		}
		var sent atomic.Int64
		d := webhook.NewDispatcher(webhook.DispatcherConfig{
			Queue: queue, Log: slog.New(slog.DiscardHandler),
			Send: func(context.Context, webhook.Attempt) webhook.Outcome { sent.Add(1); return accepting },
		})
		ctx, end := context.WithCancel(t.Context())
		over := make(chan struct{})
		go func() {
			defer close(over)
			d.Run(ctx)
		}()
		time.Sleep(5 * time.Second)
		synctest.Wait()
		if sent.Load() < 1500 || d.InFlight() == 0 {
			t.Fatalf("%d are sent and %d wait to be stored: too few to be in each other's way", sent.Load(), d.InFlight())
		}
		begun := time.Now()
		end()
		<-over
		if took := time.Since(begun); took > 15*time.Second {
			t.Errorf("it took %s to stop", took)
		}
	})
}
