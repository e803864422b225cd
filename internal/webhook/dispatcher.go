package webhook

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"
)

// Observer is notified of deliveries. Its methods must return at once.
type Observer interface {
	// Tried reports an attempt.
	Tried(Outcome)
	// Left reports the first attempt of a delivery, with the time since its event.
	Left(after time.Duration)
	// Ended reports a delivery that ended.
	Ended(Verdict, Outcome)
	// Stale reports results that were rejected because another process had taken over the deliveries.
	Stale(n int)
}

type unobserved struct{}

func (unobserved) Tried(Outcome)          {}
func (unobserved) Left(time.Duration)     {}
func (unobserved) Ended(Verdict, Outcome) {}
func (unobserved) Stale(int)              {}

// DispatcherConfig configures a Dispatcher.
type DispatcherConfig struct {
	Queue    Queue
	Send     func(context.Context, Attempt) Outcome
	Log      *slog.Logger
	Observer Observer      // may be nil
	Bounds   Bounds        // the zero value means DefaultBounds
	Poll     time.Duration // interval of looking at the queue without a signal; 0 means one second
}

// Dispatcher claims deliveries from a queue, sends them and stores the results. Several dispatchers, each in
// its own process, may share a queue.
//
// One goroutine decides what is sent next, one stores results, and each attempt has one of its own. Results are
// stored in batches: those that arrive while a batch is being stored make up the next.
type Dispatcher struct {
	cfg     DispatcherConfig
	slots   *slots
	events  chan struct{} // signals events to fan out
	waiting chan struct{} // signals deliveries that may be due
	freed   chan struct{} // signals a free slot
	results chan Result
	tries   sync.WaitGroup

	complaints sync.Mutex
	complained time.Time
}

const (
	// Lease is how long a delivery is held for an attempt, including the time to store the result.
	Lease = 30 * time.Second
	// AttemptTimeout limits an attempt, from the name lookup to the last byte of the response.
	AttemptTimeout = 10 * time.Second
	// leaseMargin must be left of a lease for an attempt to start.
	leaseMargin = AttemptTimeout + 5*time.Second

	defaultPoll = time.Second
	// linger lets claims collect into batches while there is more to do than there are slots.
	linger = 3 * time.Millisecond
	// stopGrace is how long attempts in flight may take after the dispatcher was told to stop.
	stopGrace = 5 * time.Second
	// storeGrace limits the storing of the last results after that.
	storeGrace = 5 * time.Second
	// resultsAtOnce is the maximum size of a batch of results.
	resultsAtOnce = 512
	// internalPause is the average pause of a delivery after an internal error.
	internalPause = 5 * time.Second
)

// NewDispatcher returns a dispatcher; Run starts it.
func NewDispatcher(cfg DispatcherConfig) *Dispatcher {
	if cfg.Bounds == (Bounds{}) {
		cfg.Bounds = DefaultBounds
	}
	if cfg.Poll == 0 {
		cfg.Poll = defaultPoll
	}
	if cfg.Observer == nil {
		cfg.Observer = unobserved{}
	}
	return &Dispatcher{
		cfg: cfg, slots: newSlots(cfg.Bounds), events: make(chan struct{}, 1), waiting: make(chan struct{}, 1),
		freed: make(chan struct{}, 1), results: make(chan Result, 2*resultsAtOnce),
	}
}

// Happened signals that events were stored. It never blocks.
func (d *Dispatcher) Happened() { signal(d.events) }

// Due signals that deliveries may be due. It never blocks.
func (d *Dispatcher) Due() { signal(d.waiting) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // already signaled
	}
}

// Ended counts deliveries that ended without an attempt, because their endpoint is no longer active.
func (d *Dispatcher) Ended(n int) {
	for range n {
		d.cfg.Observer.Ended(Dropped, Outcome{})
	}
}

// InFlight returns the number of deliveries being sent.
func (d *Dispatcher) InFlight() int { return d.slots.inFlight() }

// Failing lists the endpoints whose last attempt by this process failed.
func (d *Dispatcher) Failing() []int { return d.slots.failingEndpoints() }

// Run works until the context ends. Attempts in flight then have a moment to finish; those that do not are
// returned to the queue. All results are stored before Run returns.
func (d *Dispatcher) Run(ctx context.Context) {
	sending, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	stored := make(chan struct{})
	storing, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	go func() {
		defer close(stored)
		d.store(storing)
	}()
	d.decide(ctx, sending)
	grace := time.AfterFunc(stopGrace, abort)
	defer grace.Stop()
	limit := time.AfterFunc(stopGrace+storeGrace, giveUp)
	defer limit.Stop()
	d.tries.Wait()
	close(d.results)
	<-stored
	d.signalOthers(storing, &look{}) // for the deliveries that were returned
}

// look is when to look at the queue next.
type look struct {
	at      time.Time
	crowded bool      // some due deliveries got no slot: look when one is free
	turn    int       // index of the endpoint that is served first
	help    time.Time // earliest time of the next call for help
}

// decide fans events out and claims deliveries until the context ends.
func (d *Dispatcher) decide(ctx, sending context.Context) {
	var next look
	events := true // start with events of earlier processes
	timer := time.NewTimer(0)
	defer timer.Stop()
	for ctx.Err() == nil {
		if events {
			events = d.fanOut(ctx, sending, &next)
		}
		if !monotonic().Before(next.at) {
			d.claim(ctx, sending, &next)
		}
		if events {
			continue
		}
		var freed <-chan struct{}
		if next.crowded {
			freed = d.freed
		}
		timer.Reset(next.at.Sub(monotonic()))
		select {
		case <-ctx.Done():
		case <-d.events:
			events = true
		case <-d.waiting:
			next.at = monotonic()
		case <-freed:
			next.crowded, next.at = false, monotonic().Add(linger)
		case <-timer.C:
			events = true // in case a signal was missed
		}
	}
}

// fanOut creates the deliveries of events, and reports whether there are more events.
func (d *Dispatcher) fanOut(ctx, sending context.Context, next *look) (more bool) {
	taken, rest, more, err := d.cfg.Queue.FanOut(ctx, d.slots)
	if err != nil {
		d.warn(ctx, "make deliveries of events", err) // deliveries that already wait are still looked for
		return false
	}
	d.begin(sending, taken)
	if rest && !next.crowded {
		next.at = monotonic()
	}
	return more
}

// claim claims due deliveries as far as there are slots.
func (d *Dispatcher) claim(ctx, sending context.Context, next *look) {
	next.at, next.crowded = monotonic().Add(jittered(d.cfg.Poll)), false
	backlog, err := d.cfg.Queue.Backlog(ctx)
	if err != nil {
		d.rest(ctx, "look up due deliveries", err, next)
		return
	}
	due := backlog[:0]
	for _, b := range backlog {
		if b.In <= 0 {
			due = append(due, b)
		} else if at := monotonic().Add(b.In); at.Before(next.at) {
			next.at = at
		}
	}
	if len(due) == 0 {
		return
	}
	next.turn++
	quotas, full := d.slots.share(due, next.turn%len(due))
	if full {
		d.signalOthers(ctx, next)
	}
	next.crowded = true
	if len(quotas) == 0 {
		return
	}
	taken, err := d.cfg.Queue.Claim(ctx, quotas)
	if err != nil {
		d.rest(ctx, "claim due deliveries", err, next)
	}
	next.crowded = d.returnUnused(quotas, taken) < len(due)
	d.begin(sending, taken)
}

// returnUnused frees slots for which nothing was claimed, and returns the number of endpoints with such slots:
// they have no more due deliveries.
func (d *Dispatcher) returnUnused(quotas []Quota, taken []*Delivery) (exhausted int) {
	got := make(map[int]int, len(quotas))
	for _, t := range taken {
		got[t.Endpoint]++
	}
	for _, q := range quotas {
		if got[q.Endpoint] < q.N {
			exhausted++
		}
		for range q.N - got[q.Endpoint] {
			d.slots.Leave(q.Tenant, q.Endpoint)
		}
	}
	return exhausted
}

// rest backs off from a queue that failed.
func (d *Dispatcher) rest(ctx context.Context, what string, err error, next *look) {
	d.warn(ctx, what, err)
	next.at, next.crowded = monotonic().Add(jittered(d.cfg.Poll)), false
}

func (d *Dispatcher) warn(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		d.cfg.Log.WarnContext(ctx, "delivery queue unavailable", "task", what, "error", err)
	}
}

// signalOthers tells other processes that there is more to do than this one has slots for, at limited intervals.
func (d *Dispatcher) signalOthers(ctx context.Context, next *look) {
	if monotonic().Before(next.help) {
		return
	}
	next.help = monotonic().Add(d.cfg.Poll / 4)
	if err := d.cfg.Queue.SignalOthers(ctx); err != nil {
		d.warn(ctx, "notify other processes of waiting deliveries", err)
	}
}

// jittered returns a random duration between half of d and d.
func jittered(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1) //nolint:gosec // jitter, not a secret
}

// begin starts the attempts, each in the slot that was reserved for it.
func (d *Dispatcher) begin(ctx context.Context, taken []*Delivery) {
	for _, t := range taken {
		d.tries.Go(func() { d.try(ctx, t) })
	}
}

// try makes one attempt of a delivery.
func (d *Dispatcher) try(ctx context.Context, t *Delivery) {
	r := Result{Delivery: t}
	switch {
	case t.Inactive:
		r.Verdict = Dropped
	case t.Held.Sub(monotonic()) < leaseMargin:
		r.Verdict = Returned // the process was suspended: another one may have claimed it
	default:
		r = d.send(ctx, t)
	}
	d.results <- r // blocks while the database is slow, so that no more is claimed than it can store
	outcome := r.Outcome
	if r.Verdict == Dropped || r.Verdict == Returned {
		outcome = Outcome{Internal: true} // says nothing about the endpoint
	}
	if d.slots.learn(t.Tenant, t.Endpoint, outcome) {
		signal(d.freed)
	}
}

func (d *Dispatcher) send(ctx context.Context, t *Delivery) Result {
	r := Result{Delivery: t}
	header, err := Headers(t.MessageID, t.Event, t.Now(), t.Body, t.Secret, t.Previous)
	if err != nil {
		d.cfg.Log.ErrorContext(ctx, "cannot sign a delivery", "delivery", t.ID, "error", err)
		r.Outcome, r.Verdict, r.After = Outcome{Internal: true}, Returned, jittered(2*internalPause)
		return r
	}
	if t.Tries == 0 {
		d.cfg.Observer.Left(t.Age)
	}
	begun := monotonic()
	r.Outcome = d.attempt(ctx, t, Attempt{Endpoint: t.Endpoint, URL: t.URL, Header: header, Body: t.Body})
	if r.Error != "" && monotonic().Sub(begun) >= leaseMargin {
		r.Internal = true // the process was suspended, and the receiver's time ran out meanwhile
	}
	d.cfg.Observer.Tried(r.Outcome)
	var more bool
	switch {
	case r.Internal:
		r.Verdict, r.After = Returned, jittered(2*internalPause)
		if ctx.Err() != nil {
			r.After = 0 // stopping: other processes continue at once
			break
		}
		d.complain(ctx, t, r.Error)
	case r.Error == "":
		r.Verdict = Delivered
	default:
		r.Verdict = Failed
		if r.After, more = Backoff(t.Tries + 1); more {
			r.Verdict = Retry
		}
	}
	return r
}

// complain logs an internal error, at most once a minute.
func (d *Dispatcher) complain(ctx context.Context, t *Delivery, code string) {
	d.complaints.Lock()
	defer d.complaints.Unlock()
	if now := monotonic(); now.Sub(d.complained) >= time.Minute {
		d.complained = now
		d.cfg.Log.WarnContext(ctx, "deliveries are failing because of this machine: check DNS, network and process limits",
			"error", code, "endpoint", t.Endpoint)
	}
}

// attempt sends. If that panics, it is an internal error, whatever the receiver did to cause it. It ends
// neither the process nor the delivery.
func (d *Dispatcher) attempt(ctx context.Context, t *Delivery, a Attempt) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			d.cfg.Log.ErrorContext(ctx, "panic in a delivery", "delivery", t.ID, "endpoint", t.Endpoint, "panic", fmt.Sprint(p),
				"stack", string(debug.Stack()))
			o = Outcome{Error: CodeConnection, Internal: true}
		}
	}()
	return d.cfg.Send(ctx, a)
}

// store stores results until the channel is closed. It retries failed batches until their leases end and other
// processes take over the deliveries.
func (d *Dispatcher) store(ctx context.Context) {
	for first := range d.results {
		batch := d.batch(first)
		for {
			stale, err := d.cfg.Queue.Complete(ctx, batch)
			if err == nil {
				d.tell(batch, stale)
				break
			}
			d.cfg.Log.WarnContext(ctx, "cannot store delivery results", "results", len(batch), "error", err)
			batch = slices.DeleteFunc(batch, func(r Result) bool { return r.Held.Sub(monotonic()) <= 0 })
			if len(batch) == 0 || !pauseFor(ctx, jittered(d.cfg.Poll/4)) {
				break
			}
		}
	}
}

// batch adds the results that have arrived meanwhile.
func (d *Dispatcher) batch(first Result) []Result {
	batch := []Result{first}
	for len(batch) < resultsAtOnce {
		select {
		case r, open := <-d.results:
			if !open {
				return batch
			}
			batch = append(batch, r)
		default:
			return batch
		}
	}
	return batch
}

func (d *Dispatcher) tell(batch []Result, stale int) {
	if stale > 0 {
		d.cfg.Observer.Stale(stale)
	}
	for _, r := range batch {
		if r.Verdict != Retry && r.Verdict != Returned {
			d.cfg.Observer.Ended(r.Verdict, r.Outcome)
		}
	}
}

// pauseFor waits, and returns false if the context ended first.
func pauseFor(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
