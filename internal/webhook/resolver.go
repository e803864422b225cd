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

// ErrNoDNS is returned if no name can be looked up now, because this machine's name servers do not answer. It
// is not the fault of the name's owner.
var ErrNoDNS = errors.New("webhook: no name server answers")

// Resolver looks names up in DNS, and distinguishes a broken name from broken name servers of this machine. It
// is safe for concurrent use.
//
// Concurrent lookups of one name share a query, and an answer is reused for a second, so that a busy endpoint
// does not cost a query per delivery. This does not bypass a Guard, which checks the addresses whenever they
// are used. Failures are not kept.
type Resolver struct {
	dns *net.Resolver

	mu       sync.Mutex
	inFlight map[string]*lookup
	answers  *lru.Cache[string, answer]
	// lastAnswer is when the name servers last answered a query for the root, on the clock of elapsed.
	lastAnswer atomic.Int64
}

const (
	answerAge  = time.Second
	answersMax = 4096
	// patience is how long a lookup may take before the root is queried to find out whose fault the delay is.
	patience = time.Second
	// root is the name for that query: it belongs to no receiver, and every resolver knows it.
	root = "."
)

type answer struct {
	addrs []netip.Addr
	at    time.Duration
}

// lookup is a lookup in flight, shared by everybody who waits for it. It is canceled when nobody waits.
type lookup struct {
	waiting int
	cancel  context.CancelFunc
	done    chan struct{} // closed once addrs and err are set
	addrs   []netip.Addr
	err     error
}

// system uses the machine's configured name servers.
var system = NewResolver("")

// NewResolver returns a Resolver for the name server at an address such as 127.0.0.1:53, or, for "", for the
// machine's configured name servers. The machine's hosts file takes precedence in either case.
func NewResolver(server string) *Resolver {
	r := &Resolver{inFlight: map[string]*lookup{}}
	r.dns = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, cmp.Or(server, address))
		if err == nil {
			context.AfterFunc(ctx, func() { _ = conn.Close() }) // net keeps waiting for an answer even if nobody else does
		}
		return conn, err
	}}
	r.answers, _ = lru.New[string, answer](answersMax) // fails only for sizes below one
	r.lastAnswer.Store(-1)
	return r
}

// Lookup is for Guard.Resolve. It returns all addresses of a name, in the order in which to try them. It fails
// with ErrNoDNS if no name can be looked up now.
func (r *Resolver) Lookup(ctx context.Context, name string) ([]netip.Addr, error) {
	if addrs, ok := r.known(name); ok {
		return addrs, nil
	}
	begun := elapsed()
	defer r.suspect(ctx)()
	addrs, err := r.join(ctx, name, func(ctx context.Context) ([]netip.Addr, error) {
		if addrs, ok := r.known(name); ok {
			return addrs, nil // answered a moment ago
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
	works := func() bool { return r.lastAnswer.Load() >= int64(begun) }
	if !works() {
		r.ask(ctx)
	}
	if !works() {
		return nil, fmt.Errorf("%w: %w", ErrNoDNS, err)
	}
	return nil, err
}

// known returns an answer that is still valid.
func (r *Resolver) known(name string) ([]netip.Addr, bool) {
	a, ok := r.answers.Get(name)
	return a.addrs, ok && elapsed()-a.at < answerAge
}

// rooted makes a full name absolute, so that the machine's search domains are not tried. Single-label names are
// left to those and to the hosts file.
func rooted(name string) string {
	if strings.Contains(name, ".") {
		name += "."
	}
	return name
}

// suspect queries the root if the lookup that starts now is slow, so that it is known in time whose fault the
// delay is. The function that it returns cancels that.
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

// ask records whether name servers answer at all.
func (r *Resolver) ask(ctx context.Context) {
	if ctx.Err() != nil {
		return
	}
	_, _ = r.join(ctx, root, func(ctx context.Context) ([]netip.Addr, error) {
		_, err := r.dns.LookupNS(ctx, root)
		if err == nil || notFound(err) {
			r.lastAnswer.Store(int64(elapsed()))
		}
		return nil, err
	})
}

func notFound(err error) bool {
	e, ok := errors.AsType[*net.DNSError](err)
	return ok && e.IsNotFound
}

// join waits for the lookup of the name that is in flight, or starts one.
func (r *Resolver) join(
	ctx context.Context, name string, look func(context.Context) ([]netip.Addr, error),
) ([]netip.Addr, error) {
	r.mu.Lock()
	l := r.inFlight[name]
	if l == nil {
		l = &lookup{done: make(chan struct{})}
		var shared context.Context
		shared, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
		r.inFlight[name] = l
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

// leave removes one waiter, or all of them when the lookup has ended. Nobody can join a lookup after the last
// has left.
func (r *Resolver) leave(name string, l *lookup, over bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if l.waiting--; l.waiting > 0 && !over {
		return
	}
	l.cancel()
	if r.inFlight[name] == l {
		delete(r.inFlight, name)
	}
}
