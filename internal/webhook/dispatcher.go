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

// Observer is told what happens; each method returns at once.
type Observer interface {
	// Tried is a try that was made: how it went and how long it took.
	Tried(Outcome)
	// Left is the first try of a delivery: how long after its event.
	Left(after time.Duration)
	// Ended is a delivery that is over: what became of it.
	Ended(Verdict, Outcome)
	// Stale is results that were refused since somebody else had the deliveries by then.
	Stale(n int)
}

type unobserved struct{}

func (unobserved) Tried(Outcome)          {}
func (unobserved) Left(time.Duration)     {}
func (unobserved) Ended(Verdict, Outcome) {}
func (unobserved) Stale(int)              {}

// DispatcherConfig is what a Dispatcher is made of.
type DispatcherConfig struct {
	Queue    Queue
	Send     func(context.Context, Attempt) Outcome
	Log      *slog.Logger
	Observer Observer      // may be nil
	Bounds   Bounds        // the zero value: DefaultBounds
	Poll     time.Duration // how often to look at the queue without being told to; 0: one second
}

// Dispatcher takes deliveries from a queue, tries them and stores what came of it. Several, in processes of their own, may
// share a queue.
//
// One goroutine decides what is tried next, one stores results, and each try has one of its own. Results are stored
// in batches: those that come while a batch is being stored make up the next.
type Dispatcher struct {
	cfg     DispatcherConfig
	slots   *slots
	events  chan struct{} // there are events to fan out
	waiting chan struct{} // there may be deliveries due
	freed   chan struct{} // a place is free
	results chan Result
	tries   sync.WaitGroup

	complaints sync.Mutex
	complained time.Time
}

const (
	// Lease is how long a delivery is held for its try: the try, and the time to store what came of it.
	Lease = 30 * time.Second
	// AttemptTimeout bounds a try, from the look-up of the name to the last byte of the answer.
	AttemptTimeout = 10 * time.Second
	// leaseMargin has to be left of a lease for a try to begin.
	leaseMargin = AttemptTimeout + 5*time.Second

	defaultPoll = time.Second
	// linger has claims taken in batches while there is more to do than there are places.
	linger = 3 * time.Millisecond
	// stopGrace is how long tries that are under way may take once the dispatcher is to stop.
	stopGrace = 5 * time.Second
	// storeGrace bounds the storing of the last results after that: no try waits for longer to have its own stored.
	storeGrace = 5 * time.Second
	// resultsAtOnce is how many results are stored together.
	resultsAtOnce = 512
	// ourPause is about how long a delivery rests after a failure that was ours.
	ourPause = 5 * time.Second
)

// NewDispatcher makes a dispatcher; Run starts it.
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

// Happened says that events were stored. It never waits.
func (d *Dispatcher) Happened() { signal(d.events) }

// Due says that deliveries may be due. It never waits.
func (d *Dispatcher) Due() { signal(d.waiting) }

func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default: // it is on already
	}
}

// Ended notes deliveries that ended otherwise than by a try, since their endpoint is not active any more.
func (d *Dispatcher) Ended(n int) {
	for range n {
		d.cfg.Observer.Ended(Dropped, Outcome{})
	}
}

// InFlight is how many deliveries are being tried.
func (d *Dispatcher) InFlight() int { return d.slots.inFlight() }

// Troubled lists the endpoints whose last try from here failed.
func (d *Dispatcher) Troubled() []int { return d.slots.troubled() }

// Run works until the context ends. Tries under way then have a moment to end; those that do not are given back, and
// everything that came of the others is stored before Run returns.
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
	d.callForHelp(storing, &look{}) // with what was given back
}

// look is when to look at the queue the next time.
type look struct {
	at      time.Time
	crowded bool      // there was no place for some that are due: look once there is one
	turn    int       // whose turn it is first among those who wait
	help    time.Time // from when to call for help again
}

// decide fans events out and takes deliveries until the context ends.
func (d *Dispatcher) decide(ctx, sending context.Context) {
	var next look
	events := true // those of the time before
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
			events = true // of which nobody has told, perhaps
		}
	}
}

// fanOut makes deliveries of events, and reports whether there are more of them.
func (d *Dispatcher) fanOut(ctx, sending context.Context, next *look) (more bool) {
	taken, rest, more, err := d.cfg.Queue.FanOut(ctx, d.slots)
	if err != nil {
		d.warn(ctx, "make deliveries of events", err) // what waits already is looked for all the same
		return false
	}
	d.begin(sending, taken)
	if rest && !next.crowded {
		next.at = monotonic()
	}
	return more
}

// claim takes what is due, as far as there are places.
func (d *Dispatcher) claim(ctx, sending context.Context, next *look) {
	next.at, next.crowded = monotonic().Add(jittered(d.cfg.Poll)), false
	backlog, err := d.cfg.Queue.Backlog(ctx)
	if err != nil {
		d.rest(ctx, "see which deliveries are due", err, next)
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
		d.callForHelp(ctx, next)
	}
	next.crowded = true
	if len(quotas) == 0 {
		return
	}
	taken, err := d.cfg.Queue.Claim(ctx, quotas)
	if err != nil {
		d.rest(ctx, "take the deliveries that are due", err, next)
	}
	next.crowded = d.returnUnused(quotas, taken) < len(due)
	d.begin(sending, taken)
}

// returnUnused gives places back that nothing was taken for, and returns for how many endpoints that was so: they have
// nothing left that is due.
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

// rest leaves a queue alone for a moment that does not answer.
func (d *Dispatcher) rest(ctx context.Context, what string, err error, next *look) {
	d.warn(ctx, what, err)
	next.at, next.crowded = monotonic().Add(jittered(d.cfg.Poll)), false
}

func (d *Dispatcher) warn(ctx context.Context, what string, err error) {
	if ctx.Err() == nil {
		d.cfg.Log.WarnContext(ctx, "the queue of deliveries does not answer", "task", what, "error", err)
	}
}

// callForHelp tells other processes that there is more to do than places here, now and then.
func (d *Dispatcher) callForHelp(ctx context.Context, next *look) {
	if monotonic().Before(next.help) {
		return
	}
	next.help = monotonic().Add(d.cfg.Poll / 4)
	if err := d.cfg.Queue.CallForHelp(ctx); err != nil {
		d.warn(ctx, "tell other processes of deliveries that wait", err)
	}
}

// jittered is between half of a duration and all of it.
func jittered(d time.Duration) time.Duration {
	return d/2 + rand.N(d/2+1) //nolint:gosec // jitter, not a secret
}

// begin tries deliveries, each in a place that was taken for it.
func (d *Dispatcher) begin(ctx context.Context, taken []*Delivery) {
	for _, t := range taken {
		d.tries.Go(func() { d.try(ctx, t) })
	}
}

// try makes one try of a delivery.
func (d *Dispatcher) try(ctx context.Context, t *Delivery) {
	r := Result{Delivery: t}
	switch {
	case t.Inactive:
		r.Verdict = Dropped
	case t.Held.Sub(monotonic()) < leaseMargin:
		r.Verdict = Returned // the process stood still: somebody else may have it by now
	default:
		r = d.send(ctx, t)
	}
	d.results <- r // where the database is slow this waits, and no more is taken than it can store
	learnt := r.Outcome
	if r.Verdict == Dropped || r.Verdict == Returned {
		learnt = Outcome{Ours: true} // nothing, of the endpoint
	}
	if d.slots.learn(t.Tenant, t.Endpoint, learnt) {
		signal(d.freed)
	}
}

func (d *Dispatcher) send(ctx context.Context, t *Delivery) Result {
	r := Result{Delivery: t}
	header, err := Headers(t.MessageID, t.Event, t.Now(), t.Body, t.Secret, t.Previous)
	if err != nil {
		d.cfg.Log.ErrorContext(ctx, "cannot sign a delivery", "delivery", t.ID, "error", err)
		r.Outcome, r.Verdict, r.After = Outcome{Ours: true}, Returned, jittered(2*ourPause)
		return r
	}
	if t.Tries == 0 {
		d.cfg.Observer.Left(t.Age)
	}
	begun := monotonic()
	r.Outcome = d.attempt(ctx, t, Attempt{Endpoint: t.Endpoint, URL: t.URL, Header: header, Body: t.Body})
	if r.Error != "" && monotonic().Sub(begun) >= leaseMargin {
		r.Ours = true // the process stood still, and the receiver's time ran out meanwhile
	}
	d.cfg.Observer.Tried(r.Outcome)
	var more bool
	switch {
	case r.Ours:
		r.Verdict, r.After = Returned, jittered(2*ourPause)
		if ctx.Err() != nil {
			r.After = 0 // we stop: others go on with it at once
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

// complain logs a failure that is ours, one a minute: nobody else will hear of it.
func (d *Dispatcher) complain(ctx context.Context, t *Delivery, code string) {
	d.complaints.Lock()
	defer d.complaints.Unlock()
	if now := monotonic(); now.Sub(d.complained) >= time.Minute {
		d.complained = now
		d.cfg.Log.WarnContext(ctx, "deliveries wait for something that is wrong here: name servers, the network, or what the process may use",
			"error", code, "endpoint", t.Endpoint)
	}
}

// attempt sends. Where that panics, whatever the receiver did to bring it about, the fault is ours; it ends neither the
// process nor the delivery.
func (d *Dispatcher) attempt(ctx context.Context, t *Delivery, a Attempt) (o Outcome) {
	defer func() {
		if p := recover(); p != nil {
			d.cfg.Log.ErrorContext(ctx, "a delivery panicked", "delivery", t.ID, "endpoint", t.Endpoint, "panic", fmt.Sprint(p),
				"stack", string(debug.Stack()))
			o = Outcome{Error: CodeConnection, Ours: true}
		}
	}()
	return d.cfg.Send(ctx, a)
}

// store stores results until there are none to come. What the database does not take it is offered again, until the
// leases of it have ended and others see to the deliveries.
func (d *Dispatcher) store(ctx context.Context) {
	for first := range d.results {
		batch := d.batch(first)
		for {
			stale, err := d.cfg.Queue.Complete(ctx, batch)
			if err == nil {
				d.tell(batch, stale)
				break
			}
			d.cfg.Log.WarnContext(ctx, "cannot store what came of deliveries", "results", len(batch), "error", err)
			batch = slices.DeleteFunc(batch, func(r Result) bool { return r.Held.Sub(monotonic()) <= 0 })
			if len(batch) == 0 || !pauseFor(ctx, jittered(d.cfg.Poll/4)) {
				break
			}
		}
	}
}

// batch adds to a result those that have come meanwhile.
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

// pauseFor waits, and reports false where the context ended first.
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
