package main

import (
	"bufio"
	"context"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/secret"
	"paydown/internal/server"
	"paydown/internal/service"
	"paydown/internal/store"
	"paydown/internal/webhook"
)

// engineConfig is the configuration of a delivering process.
type engineConfig struct {
	DB, Secret string
	Authority  []byte // PEM of whom it trusts, over HTTPS
	Tenants    []int
	First      int     // number of the first event
	Rate       float64 // events a second; 0: as many as are delivered
	WarmUp     time.Duration
	Stretch    time.Duration
	Stretches  int
	Events     int  // to commit, however long that takes; 0: until the stretches are over
	Purging    bool // in every other stretch, beginning with the second
}

// loaded is what a process that delivers has to tell in the end.
type loaded struct {
	Committed map[int]int64 // by number of the event, in ns since 1970
	Purged    int
}

const (
	// ahead is how many events wait for their delivery while the engine is saturated, and eventsACommit how many of
	// them are committed together.
	ahead         = 2000
	eventsACommit = 20
	// loaders commit at a steady rate: one alone would wait for the disk for too long.
	loaders = 4
)

// engine is the product's service as `paydown serve` runs it, without listeners, and what commits events beside it.
type engine struct {
	engineConfig
	store   *store.Store
	service *service.Service
	data    []byte // of an event, with a verb for its number

	next, received atomic.Int64 // of its own events, whichever process delivers them
	mu             sync.Mutex
	loaded
}

// runEngine begins when it reads a line. Each further line says how many of its events were received, and it ends with
// its input.
func runEngine(cfg engineConfig) error {
	server.TuneCollections() // as serve does
	e := &engine{engineConfig: cfg, loaded: loaded{Committed: map[int]int64{}}}
	box, err := secret.Open(cfg.Secret)
	if err != nil {
		return err
	}
	if e.store, err = store.Open(cfg.DB, nil); err != nil {
		return err
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cfg.Authority)
	sender := webhook.NewSender(webhook.SenderConfig{Guard: loopback, RootCAs: roots})
	e.service = service.New(service.Config{
		Store: e.store, Secrets: box, Log: slog.New(slog.NewJSONHandler(os.Stderr, nil)), Webhooks: loopback, Sender: sender,
	})
	if e.data, err = eventData(); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var serving sync.WaitGroup
	serving.Go(func() { e.service.Run(ctx) })
	lines := bufio.NewScanner(os.Stdin)
	fmt.Println("ready")
	lines.Scan()
	var told sync.WaitGroup
	told.Go(func() {
		for lines.Scan() {
			if n, err := strconv.ParseInt(lines.Text(), 10, 64); err == nil {
				e.received.Store(n)
			}
		}
	})
	if err := e.load(ctx, time.Now()); err != nil {
		return err
	}
	if err := json.NewEncoder(os.Stdout).Encode(e.loaded); err != nil {
		return err
	}
	told.Wait() // until all is received
	cancel()
	serving.Wait()
	sender.Close()
	return e.store.Close()
}

// eventData pads an event so that its whole envelope is as large as it should be.
func eventData() ([]byte, error) {
	data := func(padding int) ([]byte, error) {
		return json.Marshal(webhook.LeadCreated{LeadID: 1_000_000, BusinessName: strings.Repeat("x", padding), Status: "NEW"})
	}
	bare, err := data(0)
	if err != nil {
		return nil, err
	}
	envelope, err := json.Marshal(webhook.NewEnvelope("lead.created", webhook.Version, time.Now(), bare))
	if err != nil {
		return nil, err
	}
	padded, err := data(bodySize - len(envelope))
	return []byte(strings.Replace(string(padded), "1000000", "%07d", 1)), err
}

// load commits events for as long as is measured, or as many as there are to be.
func (e *engine) load(ctx context.Context, began time.Time) error {
	until := began.Add(e.WarmUp + time.Duration(e.Stretches)*e.Stretch)
	if e.Events > 0 {
		until = began.Add(patience)
	}
	ctx, cancel := context.WithDeadline(ctx, until)
	defer cancel()
	var work sync.WaitGroup
	var failed atomic.Pointer[error]
	try := func(f func(context.Context) error) {
		work.Go(func() {
			if err := f(ctx); err != nil && ctx.Err() == nil {
				failed.Store(&err)
				cancel()
			}
		})
	}
	if e.Rate == 0 {
		try(e.saturate)
	} else {
		for i := range loaders {
			try(func(ctx context.Context) error { return e.commitSteadily(ctx, began, i) })
		}
	}
	if e.Purging {
		try(func(ctx context.Context) error { return e.purge(ctx, began) })
	}
	work.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

// saturate commits events as long as not too many wait.
func (e *engine) saturate(ctx context.Context) error {
	for ctx.Err() == nil && !e.enough(int(e.next.Load())) {
		if e.next.Load()-e.received.Load() > ahead {
			time.Sleep(time.Millisecond) // none of what is measured waits for this
			continue
		}
		if err := e.commit(ctx, eventsACommit); err != nil {
			return err
		}
	}
	return nil
}

// commitSteadily commits one event at a time, when it is due.
func (e *engine) commitSteadily(ctx context.Context, began time.Time, loader int) error {
	between := time.Duration(float64(time.Second) / e.Rate)
	for n := loader; !e.enough(n); n += loaders {
		time.Sleep(time.Until(began.Add(time.Duration(n) * between))) // the steady rate that is asked for
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was to go on until then
		}
		if err := e.commit(ctx, 1); err != nil {
			return err
		}
	}
	return nil
}

// enough reports whether n events are all that there are to be.
func (e *engine) enough(n int) bool { return e.Events > 0 && n >= e.Events }

// commit commits events of the next tenant. It continues after the context ends, so that what is noted is what exists.
func (e *engine) commit(ctx context.Context, n int) error {
	last := int(e.next.Add(int64(n)))
	tenant := e.Tenants[last/n%len(e.Tenants)]
	ctx = auth.AsOperator(context.WithoutCancel(ctx), tenant, time.UTC, "")
	return e.store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
		rows := make([]*ent.OutboxEventCreate, n)
		for i := range rows {
			rows[i] = tx.OutboxEvent.Create().SetEvent("lead.created").SetVersion(webhook.Version).SetOccurredAt(tx.At()).
				SetData(fmt.Appendf(nil, string(e.data), e.First+last-n+i)).SetEntity("lead").SetEntityID(1)
		}
		tx.AfterCommit(func() {
			at := time.Now().UnixNano()
			e.service.WebhookDeliveries.Happened(ctx)
			e.mu.Lock()
			defer e.mu.Unlock()
			for i := range rows {
				e.Committed[e.First+last-n+i] = at
			}
		})
		return tx.OutboxEvent.CreateBulk(rows...).Exec(ctx)
	})
}

// purge sweeps in every other stretch, and stops once it is through. Where the number of events is given, it sweeps
// everything.
func (e *engine) purge(ctx context.Context, began time.Time) error {
	if e.Events > 0 {
		swept, err := e.service.Retention.Sweep(ctx)
		e.Purged = swept.Removed[store.DeliveryLog]
		return err
	}
	for n := 1; n < e.Stretches; n += 2 {
		from := began.Add(e.WarmUp + time.Duration(n)*e.Stretch)
		time.Sleep(time.Until(from)) // every other stretch of the measurement has the purge beside it
		ctx, cancel := context.WithDeadline(ctx, from.Add(e.Stretch))
		swept, err := e.service.Retention.Sweep(ctx)
		e.Purged += swept.Removed[store.DeliveryLog]
		over := ctx.Err() != nil
		cancel()
		if err != nil && !over {
			return err
		}
		if !over {
			return nil // there is nothing left
		}
	}
	return nil
}
