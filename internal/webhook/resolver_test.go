package webhook_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"paydown/internal/webhook"
)

// nameServer answers for the names that a test sets; others do not exist.
type nameServer struct {
	net.PacketConn
	mu    sync.Mutex
	names map[string]string // addresses, or what goes wrong: SERVFAIL, REFUSED or silence
	asked map[string]int    // by name and type
}

const (
	servfail = "SERVFAIL"
	refusal  = "REFUSED"
	silence  = "silence"
)

func startNameServer(tb testing.TB, names map[string]string) *nameServer {
	tb.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	s := &nameServer{PacketConn: conn, names: names, asked: map[string]int{}}
	var done sync.WaitGroup
	done.Go(func() {
		packet := make([]byte, 1500)
		for {
			n, from, err := conn.ReadFrom(packet)
			if err != nil {
				return
			}
			if reply := s.reply(packet[:n]); reply != nil {
				_, _ = conn.WriteTo(reply, from)
			}
		}
	})
	tb.Cleanup(func() {
		_ = conn.Close()
		done.Wait()
	})
	return s
}

// Set changes what a name resolves to.
func (s *nameServer) Set(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[name] = text
}

// Asked is the number of queries for a name's IPv4 addresses.
func (s *nameServer) Asked(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[name+". TypeA"]
}

func (s *nameServer) reply(query []byte) []byte {
	var p dnsmessage.Parser
	header, err := p.Start(query)
	if err != nil {
		return nil
	}
	q, err := p.Question()
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked[q.Name.String()+" "+q.Type.String()]++
	text, known := s.names[strings.TrimSuffix(q.Name.String(), ".")]
	m := dnsmessage.Message{
		Header:    dnsmessage.Header{ID: header.ID, Response: true, RecursionAvailable: true, RecursionDesired: true},
		Questions: []dnsmessage.Question{q},
	}
	switch {
	case text == silence:
		return nil
	case text == servfail:
		m.RCode = dnsmessage.RCodeServerFailure
	case text == refusal:
		m.RCode = dnsmessage.RCodeRefused
	case !known:
		m.RCode = dnsmessage.RCodeNameError
	default:
		for word := range strings.FieldsSeq(text) {
			if r, ok := record(q, word); ok {
				m.Answers = append(m.Answers, r)
			}
		}
	}
	packed, err := m.Pack()
	if err != nil {
		return nil
	}
	return packed
}

func record(q dnsmessage.Question, word string) (dnsmessage.Resource, bool) {
	r := dnsmessage.Resource{Header: dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class, TTL: 60}}
	addr, err := netip.ParseAddr(word)
	switch {
	case q.Type == dnsmessage.TypeNS && err != nil:
		r.Body = &dnsmessage.NSResource{NS: dnsmessage.MustNewName(word)}
	case q.Type == dnsmessage.TypeA && addr.Is4():
		r.Body = &dnsmessage.AResource{A: addr.As4()}
	case q.Type == dnsmessage.TypeAAAA && addr.Is6():
		r.Body = &dnsmessage.AAAAResource{AAAA: addr.As16()}
	default:
		return r, false
	}
	return r, true
}

// root is the answer of a working name server about the root.
const root = "a.root-servers.net."

func (s *nameServer) guard() webhook.Guard {
	g := loopback(nil)
	g.Resolve = webhook.NewResolver(s.LocalAddr().String()).Lookup
	return g
}

func TestLookups(t *testing.T) {
	for name, c := range map[string]struct {
		names    map[string]string
		code     string
		internal bool
	}{
		"an address":                       {map[string]string{"hooks.example": "127.0.0.1"}, "", false},
		"a private address":                {map[string]string{"hooks.example": "127.0.0.2"}, "dns", false},
		"a public address and a private":   {map[string]string{"hooks.example": "127.0.0.1 127.0.0.2"}, "dns", false},
		"a private address of IPv6":        {map[string]string{"hooks.example": "127.0.0.1 fd00:ec2::254"}, "dns", false},
		"a mapped one":                     {map[string]string{"hooks.example": "::ffff:10.0.0.1"}, "dns", false},
		"no such name":                     {map[string]string{}, "dns", false},
		"a name without an address":        {map[string]string{"hooks.example": ""}, "dns", false},
		"its servers fail":                 {map[string]string{"hooks.example": servfail, "": root}, "dns", false},
		"its servers refuse":               {map[string]string{"hooks.example": refusal, "": root}, "dns", false},
		"its servers are silent":           {map[string]string{"hooks.example": silence, "": root}, "dns", false},
		"its servers fail, the root is no": {map[string]string{"hooks.example": servfail}, "dns", false},
		"all servers fail":                 {map[string]string{"hooks.example": servfail, "": servfail}, "dns", true},
		"all servers refuse":               {map[string]string{"hooks.example": refusal, "": refusal}, "dns", true},
		"all servers are silent":           {map[string]string{"hooks.example": silence, "": silence}, "dns", true},
	} {
		t.Run(name, func(t *testing.T) {
			cfg := webhook.SenderConfig{Guard: startNameServer(t, c.names).guard()}
			if strings.Contains(name, "silent") {
				cfg.Timeout = 2 * soon
			}
			s := sender(t, cfg)
			r := receive(t, "127.0.0.1:0", answering(ok204))
			o := s.Send(t.Context(), webhook.Attempt{URL: fmt.Sprintf("http://hooks.example:%d/", r.Port())})
			if o.Error != c.code || o.Internal != c.internal {
				t.Errorf("%+v, want %q, internal %t", o, c.code, c.internal)
			}
			if cfg.Timeout > 0 && o.Duration < cfg.Timeout {
				t.Errorf("it took %s", o.Duration)
			}
			if n := r.accepted.Load(); (n > 0) != (c.code == "") {
				t.Errorf("%d connections", n)
			}
		})
	}
	t.Run("nobody is there", func(t *testing.T) {
		server := startNameServer(t, nil)
		s := sender(t, webhook.SenderConfig{Guard: server.guard(), Timeout: time.Second})
		_ = server.Close()
		if o := s.Send(t.Context(), webhook.Attempt{URL: "http://hooks.example/"}); o.Error != "dns" || !o.Internal {
			t.Errorf("%+v", o)
		}
	})
}

func TestANameOfIPv6Alone(t *testing.T) {
	server := startNameServer(t, map[string]string{"six.example": "2606:4700::1 2606:4700::2"})
	addrs, err := webhook.NewResolver(server.LocalAddr().String()).Lookup(t.Context(), "six.example")
	if want := []netip.Addr{netip.MustParseAddr("2606:4700::1"), netip.MustParseAddr("2606:4700::2")}; err != nil ||
		!slices.Equal(addrs, want) {
		t.Errorf("%v, %v", addrs, err)
	}
}

// Failures are classified for each lookup: name servers that worked before may have failed since.
func TestNameServersThatGoDown(t *testing.T) {
	server := startNameServer(t, map[string]string{"bad.example": servfail, "": root})
	r := webhook.NewResolver(server.LocalAddr().String())
	for _, step := range []struct {
		root     string
		internal bool
	}{{root, false}, {servfail, true}, {root, false}} {
		server.Set("", step.root)
		if _, err := r.Lookup(t.Context(), "bad.example"); err == nil || errors.Is(err, webhook.ErrNoDNS) != step.internal {
			t.Errorf("while the root gives %s: %v", step.root, err)
		}
	}
}

// Simultaneous lookups share an answer, which is kept for a second; failures are not kept.
func TestLookupsAreShared(t *testing.T) {
	server := startNameServer(t, map[string]string{"hooks.example": "127.0.0.1", "": root})
	r := webhook.NewResolver(server.LocalAddr().String())
	look := func(name string) error {
		_, err := r.Lookup(t.Context(), name)
		return err
	}
	var all sync.WaitGroup
	began := time.Now()
	for range 50 {
		all.Go(func() {
			if err := look("hooks.example"); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	asked := server.Asked("hooks.example")
	if asked != 1 && time.Since(began) < time.Second {
		t.Errorf("asked %d times by fifty at once", asked)
	}
	server.Set("hooks.example", "127.0.0.9")
	eventually(t, "the answer is asked for again", func() bool {
		addrs, err := r.Lookup(t.Context(), "hooks.example")
		return err == nil && addrs[0] == netip.MustParseAddr("127.0.0.9")
	})
	if again := server.Asked("hooks.example") - asked; again != 1 {
		t.Errorf("asked %d times for the other answer", again)
	}
	for want := range 3 {
		if err := look("none.example"); err == nil || server.Asked("none.example") != want+1 {
			t.Errorf("%v after %d questions, want %d", err, server.Asked("none.example"), want+1)
		}
	}
}

// One caller that gives up does not end the lookup of another; the last one does.
func TestLookupEndsWithoutWaiters(t *testing.T) {
	server := startNameServer(t, map[string]string{"slow.example": silence, "": root})
	r := webhook.NewResolver(server.LocalAddr().String())
	patient, cancel := context.WithCancel(t.Context())
	hasty, giveUp := context.WithTimeout(t.Context(), soon)
	defer giveUp()
	ended := make(chan error, 1)
	go func() {
		_, err := r.Lookup(patient, "slow.example")
		ended <- err
	}()
	if _, err := r.Lookup(hasty, "slow.example"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the hasty one got %v", err)
	}
	select {
	case err := <-ended:
		t.Errorf("the patient one got %v", err)
	default:
	}
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the patient one got %v", err)
	}
	nothingRuns(t)
}

// The machine's own names resolve without a name server.
func TestTheMachinesOwnNames(t *testing.T) {
	server := startNameServer(t, nil)
	addrs, err := webhook.NewResolver(server.LocalAddr().String()).Lookup(t.Context(), "localhost")
	if err != nil || len(addrs) == 0 || !addrs[0].IsLoopback() {
		t.Errorf("%v, %v", addrs, err)
	}
	if server.Asked("localhost") > 0 {
		t.Error("a name server was asked for localhost")
	}
}
