package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// mostMiB is what the server may use at most while it is flooded.
const mostMiB = 300

const (
	memberEmail    = "member@bench.test"
	memberPassword = "walnut ferry onyx trellis"
	memberAddress  = "203.0.113.7"
)

// flood is many requests of strangers, each from an address of its own.
type flood struct {
	name     string
	workers  int
	requests int // in all; 0: until the time is over
	request  func(t *target, n int) []byte
	// answers are the statuses that strangers may get.
	answers []int
	// signIns says that a member of staff signs in all the while, from a network that the company knows.
	signIns bool
}

func allFloods(o options) []flood {
	return []flood{
		{
			name: "flood: strangers' addresses", workers: 64, requests: o.strangers,
			request: func(t *target, n int) []byte {
				return t.requestFrom(strangerAddress(n), http.MethodGet, listPath, "")
			},
			answers: []int{http.StatusUnauthorized, http.StatusTooManyRequests},
		},
		{
			name: "flood: sign-ins", workers: o.signIns,
			request: func(t *target, n int) []byte {
				return t.requestFrom(strangerAddress(n), http.MethodPost, "/auth/login",
					fmt.Sprintf(`{"email": "stranger%d@bench.test", "password": "walnut ferry onyx gate"}`, n))
			},
			answers: []int{http.StatusUnauthorized, http.StatusTooManyRequests, http.StatusServiceUnavailable},
			signIns: true,
		},
	}
}

// strangerAddress is an address of the benchmarking networks and those after them.
func strangerAddress(n int) string {
	return fmt.Sprintf("198.%d.%d.%d", 18+n>>16, n>>8&255, n&255)
}

// requestFrom is a request of somebody without a key, as a trusted proxy passes it on.
func (t *target) requestFrom(address, method, path, body string) []byte {
	request := string(t.request(method, path, body))
	request = strings.Replace(request, t.token, strings.Repeat("x", len(t.token)), 1)
	passedOn := "\r\nX-Forwarded-Proto: https\r\nX-Forwarded-For: " + address + "\r\n"
	return []byte(strings.Replace(request, "\r\n", passedOn, 1))
}

// floods floods the server and prints the most memory that it had.
func floods(s *stage, o options) {
	wanted := slices.DeleteFunc(allFloods(o), func(f flood) bool { return !o.wants(f.name) })
	if len(wanted) == 0 {
		return
	}
	s.printf("%s; each request is from another address.\n\n", machine())
	s.printf("| database | flood | at a time | requests/s | refused | peak memory, MiB " +
		"| member's sign-ins | p50 ms | p99 ms |\n" +
		"|---|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for name, dbURL := range databasesOf(s, o) {
		i := install(s, o, name, dbURL, false, firstWritten+1)
		s.must(i.runWith(strings.NewReader(memberPassword+"\n"), nil, "user", "create", "--tenant", host,
			"--email", memberEmail, "--role", "admin", "--password-stdin"))
		for _, f := range wanted {
			t, stop, err := i.serve(i.token, "--trusted-proxies", "127.0.0.1")
			s.must(err)
			s.must(t.untilReady())
			outcome, err := f.run(t, o.load)
			s.must(err)
			peak, err := peakMiB(t.pid)
			s.must(err)
			stop()
			if peak > mostMiB {
				s.Fatalf("%s: %.0f MiB on %s, at most %d are allowed", f.name, peak, name, mostMiB)
			}
			signIns := "| | | |"
			if f.signIns {
				slices.Sort(outcome.signIns)
				signIns = fmt.Sprintf("| %d | %s | %s |", len(outcome.signIns),
					ms(percentile(outcome.signIns, 0.5)), ms(percentile(outcome.signIns, 0.99)))
			}
			s.printf("| %s | %s | %d | %.0f | %d %% | %.0f %s\n", name, strings.TrimPrefix(f.name, "flood: "), f.workers,
				float64(outcome.requests)/outcome.took.Seconds(), 100*outcome.refused/outcome.requests, peak, signIns)
		}
	}
	s.printf("\n")
}

// flooded is what came of a flood.
type flooded struct {
	requests, refused int
	took              time.Duration
	signIns           []time.Duration // of the member
}

// run floods the server for a while; each worker sends a request at least.
func (f flood) run(t *target, d time.Duration) (flooded, error) {
	if f.signIns {
		if _, err := signIn(t); err != nil { // the network becomes known
			return flooded{}, err
		}
	}
	var sent, refused atomic.Int64
	var group sync.WaitGroup
	errs := make([]error, f.workers)
	began := time.Now()
	for i := range f.workers {
		group.Go(func() {
			errs[i] = f.work(t, func(before int) (int, bool) {
				if f.requests == 0 && before > 0 && time.Since(began) > d {
					return 0, false
				}
				n := int(sent.Add(1))
				return n, f.requests == 0 || n <= f.requests
			}, &refused)
		})
	}
	var over atomic.Bool
	var outcome flooded
	var member sync.WaitGroup
	var memberErr error
	if f.signIns {
		member.Go(func() {
			for len(outcome.signIns) == 0 || !over.Load() {
				took, err := signIn(t)
				if err != nil {
					memberErr = err
					return
				}
				outcome.signIns = append(outcome.signIns, took)
			}
		})
	}
	group.Wait()
	outcome.took = time.Since(began)
	over.Store(true)
	member.Wait()
	outcome.requests, outcome.refused = int(sent.Load()), int(refused.Load())
	return outcome, errors.Join(errors.Join(errs...), memberErr)
}

// work sends what next numbers, over one connection.
func (f flood) work(t *target, next func(before int) (int, bool), refused *atomic.Int64) error {
	c, err := dial(t.addr)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	for before := 0; ; before++ {
		n, more := next(before)
		if !more {
			return nil
		}
		status, body, err := c.do(f.request(t, n))
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		if !slices.Contains(f.answers, status) {
			return fmt.Errorf("%s: status %d: %s", f.name, status, body)
		}
		if status != http.StatusUnauthorized {
			refused.Add(1)
		}
	}
}

// signIn signs the member in and returns how long that took.
func signIn(t *target) (time.Duration, error) {
	c, err := dial(t.addr)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.Close() }()
	began := time.Now()
	status, body, err := c.do(t.requestFrom(memberAddress, http.MethodPost, "/auth/login",
		fmt.Sprintf(`{"email": %q, "password": %q}`, memberEmail, memberPassword)))
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("status %d: %s", status, body)
	}
	if err != nil {
		return 0, fmt.Errorf("a member signs in: %w", err)
	}
	return time.Since(began), nil
}
