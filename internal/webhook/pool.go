package webhook

import (
	"container/list"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// link is an established connection, encrypted or not, that counts the bytes it reads.
type link struct {
	net.Conn          // the connection that carries HTTP
	tcp      net.Conn // the TCP connection below it
	read     atomic.Int64
}

func (l *link) Read(p []byte) (int, error) {
	n, err := l.Conn.Read(p)
	l.read.Add(int64(n))
	return n, err
}

// Close skips TLS's close notification, which would wait for receivers that read nothing. HTTP itself marks the
// end of messages.
func (l *link) Close() error { return l.tcp.Close() }

// conn is a connection that serves one attempt after another.
type conn struct {
	http   *http.ClientConn
	link   *link
	line   *line
	origin string     // scheme, host and port that it was made for
	peer   netip.Addr // the connected address
	kept   bool       // whether an attempt was made over it before
	idle   *list.Element
	since  time.Duration // when it became idle, on the clock of elapsed
}

// line holds the connections of one endpoint.
type line struct {
	endpoint int
	idle     []*conn // the most recently used one is last
	busy     int
	gone     bool
}

// pool keeps idle connections: at most idleMax of them, none longer than keep, so that neither thousands of
// endpoints nor busy ones can use up the machine's file descriptors.
type pool struct {
	keep    time.Duration
	idleMax int

	mu     sync.Mutex
	lines  map[int]*line
	idle   *list.List // of *conn, the longest idle one first
	sweep  *time.Timer
	closed bool
}

func newPool(keep time.Duration, idleMax int) *pool {
	p := &pool{keep: keep, idleMax: idleMax, lines: map[int]*line{}, idle: list.New()}
	p.sweep = time.AfterFunc(keep, p.expire)
	p.sweep.Stop()
	return p
}

// enter starts an attempt at an endpoint; leave ends it.
func (p *pool) enter(endpoint int) *line {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lines[endpoint]
	if l == nil {
		l = &line{endpoint: endpoint, gone: p.closed}
		p.lines[endpoint] = l
	}
	l.busy++
	return l
}

func (p *pool) leave(l *line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l.busy--
	p.forgetEmpty(l)
}

func (p *pool) forgetEmpty(l *line) {
	if l.busy == 0 && len(l.idle) == 0 && p.lines[l.endpoint] == l {
		delete(p.lines, l.endpoint)
	}
}

// take returns an idle connection to the origin at one of the addresses, or nil. It closes the endpoint's
// connections to other origins, because the endpoint was moved.
func (p *pool) take(l *line, origin string, addrs []netip.Addr) *conn {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, c := range slices.Backward(l.idle) { // removing one keeps the positions of those before it
		switch {
		case c.http.Err() != nil || c.origin != origin:
			p.drop(c)
		case slices.Contains(addrs, c.peer):
			p.remove(c)
			return c
		}
	}
	return nil
}

// put keeps a connection for the endpoint's next attempt. Its attempt must not have left yet.
func (p *pool) put(c *conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c.line.gone {
		_ = c.http.Close()
		return
	}
	if p.idle.Len() >= p.idleMax {
		p.drop(p.idle.Front().Value.(*conn))
	}
	c.kept, c.since = true, elapsed()
	c.idle = p.idle.PushBack(c)
	c.line.idle = append(c.line.idle, c)
	if p.idle.Len() == 1 {
		p.sweep.Reset(p.keep)
	}
}

func (p *pool) remove(c *conn) {
	p.idle.Remove(c.idle)
	i := slices.Index(c.line.idle, c)
	c.line.idle = slices.Delete(c.line.idle, i, i+1)
}

func (p *pool) drop(c *conn) {
	p.remove(c)
	p.forgetEmpty(c.line)
	_ = c.http.Close()
}

// expire closes connections that were idle for too long.
func (p *pool) expire() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for e := p.idle.Front(); e != nil; e = p.idle.Front() {
		c := e.Value.(*conn)
		if left := p.keep - (elapsed() - c.since); left > 0 {
			p.sweep.Reset(left)
			return
		}
		p.drop(c)
	}
}

// forget closes an endpoint's idle connections, and those in use once their attempts end.
func (p *pool) forget(endpoint int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if l := p.lines[endpoint]; l != nil {
		p.end(l)
	}
}

func (p *pool) end(l *line) {
	l.gone = true
	delete(p.lines, l.endpoint)
	for len(l.idle) > 0 {
		p.drop(l.idle[0])
	}
}

func (p *pool) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.closed = true
	p.sweep.Stop()
	for _, l := range p.lines {
		p.end(l)
	}
}
