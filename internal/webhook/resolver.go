package webhook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
)

// ErrNoDNS is why a name could not be looked up where no name could be: the servers that we ask do not answer. That is
// no fault of whoever the name belongs to.
var ErrNoDNS = errors.New("webhook: no name server answers")

// Resolver looks names up in DNS, and can tell a name that has gone wrong from name servers of ours that have. It is safe
// for concurrent use.
//
// Those who ask for one name at the same time share a look-up, and an answer serves for a second, so that a busy endpoint
// does not cost a question a delivery. That is no way around a Guard: it judges the addresses whenever they are used.
// Failures are not kept.
type Resolver struct {
	dns *net.Resolver

	mu       sync.Mutex
	underway map[string]*lookup
	answers  *lru.Cache[string, answer]
	// heard is when name servers were last asked for the root and knew of it, as elapsed has it.
	heard atomic.Int64
}

const (
	answerAge  = time.Second
	answersMax = 4096
	// patience is how long a look-up may take before another one is made to tell whose fault that is.
	patience = time.Second
	// root is what that is made for: it belongs to no receiver, and every resolver knows it.
	root = "."
)

type answer struct {
	addrs []netip.Addr
	at    time.Duration
}

// lookup is one that is under way, for everybody who waits for it. It ends when nobody does.
type lookup struct {
	waiting int
	cancel  context.CancelFunc
	done    chan struct{} // closed once addrs and err are there
	addrs   []netip.Addr
	err     error
}

// system asks the servers that the machine is set up with.
var system = NewResolver("")

// NewResolver makes a Resolver that asks the name server at an address such as 127.0.0.1:53, or, for "", those that the
// machine is set up with. The machine's file of hosts comes first in either case.
func NewResolver(server string) *Resolver {
	r := &Resolver{underway: map[string]*lookup{}}
	r.dns = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, cmp.Or(server, address))
		if err == nil {
			context.AfterFunc(ctx, func() { _ = conn.Close() }) // net waits for an answer even where nobody else does
		}
		return conn, err
	}}
	r.answers, _ = lru.New[string, answer](answersMax) // fails for sizes below one
	r.heard.Store(-1)
	return r
}

// Lookup is for Guard.Resolve: all addresses of a name, in the order in which they should be tried. It fails with ErrNoDNS
// where no name could be looked up now.
func (r *Resolver) Lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	if addrs, ok := r.known(name); ok {
		return addrs, nil
	}
	begun := elapsed()
	defer r.suspect(ctx)()
	addrs, err := r.join(ctx, name, func(ctx context.Context) ([]netip.Addr, error) {
		if addrs, ok := r.known(name); ok {
			return addrs, nil // since a moment ago
		}
		asked := elapsed()
		addrs, err := r.dns.LookupNetIP(ctx, "ip", rooted(name))
		if err == nil {
			r.answers.Add(name, answer{addrs, asked})
		}
		return addrs, err
	})
	if err == nil || notFound(err) {
		return addrs, err
	}
	works := func() bool { return r.heard.Load() >= int64(begun) }
	if !works() {
		r.ask(ctx)
	}
	if !works() {
		return nil, fmt.Errorf("%w: %w", ErrNoDNS, err)
	}
	return nil, err
}

// known is an answer that serves still.
func (r *Resolver) known(name string) ([]netip.Addr, bool) {
	a, ok := r.answers.Get(name)
	return a.addrs, ok && elapsed()-a.at < answerAge
}

// rooted is a full name as it stands by itself, so that no search domain of the machine is tried with it. Names of one
// label are left to those, and to the file of hosts.
func rooted(name string) string {
	if strings.Contains(name, ".") {
		name += "."
	}
	return name
}

// suspect asks for the root if the look-up that begins now takes long, so that it is known in time whose fault it is.
// What it returns calls that off.
func (r *Resolver) suspect(ctx context.Context) func() {
	ctx, cancel := context.WithCancel(ctx)
	after := patience
	if until, ok := ctx.Deadline(); ok {
		after = min(after, time.Until(until)/4)
	}
	t := time.AfterFunc(after, func() { r.ask(ctx) })
	return func() {
		t.Stop()
		cancel()
	}
}

// ask notes whether name servers answer at all.
func (r *Resolver) ask(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	_, _ = r.join(ctx, root, func(ctx context.Context) ([]netip.Addr, error) {
		_, err := r.dns.LookupNS(ctx, root)
		if err == nil || notFound(err) {
			r.heard.Store(int64(elapsed()))
		}
		return nil, err
	})
}

func notFound(err error) bool {
	e, ok := errors.AsType[*net.DNSError](err)
	return ok && e.IsNotFound
}

// join waits for the look-up of the name that is under way, or begins one.
func (r *Resolver) join(
	ctx context.Context, name string, look func(context.Context) ([]netip.Addr, error),
) ([]netip.Addr, error) {
	r.mu.Lock()
	l := r.underway[name]
	if l == nil {
		l = &lookup{done: make(chan struct{})}
		var shared context.Context
		shared, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
		r.underway[name] = l
		go func() {
			l.addrs, l.err = look(shared)
			r.leave(name, l, true)
			close(l.done)
		}()
	}
	l.waiting++
	r.mu.Unlock()
	select {
	case <-l.done:
		return l.addrs, l.err
	case <-ctx.Done():
		r.leave(name, l, false)
		return nil, ctx.Err()
	}
}

// leave counts one who waited off, or all of them when the look-up is over. Nobody joins a look-up after the last left.
func (r *Resolver) leave(name string, l *lookup, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l.waiting--; l.waiting > 0 && !over {
		return
	}
	l.cancel()
	if r.underway[name] == l {
		delete(r.underway, name)
	}
}
