package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"sync"
	"time"
)

// connection is a client's keep-alive connection. It costs next to nothing, so that the servers are what is measured.
type connection struct {
	net.Conn
	in   *bufio.Reader
	body []byte
}

func dial(addr string) (*connection, error) {
	c, err := net.Dial("tcp", addr) //nolint:noctx // loopback
	if err != nil {
		return nil, err
	}
	return &connection{Conn: c, in: bufio.NewReaderSize(c, 64<<10)}, nil
}

// request is what goes over the wire, all of it.
func (t *target) request(method, path, body string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n", method, path, host, t.token)
	if body != "" {
		fmt.Fprintf(&b, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	b.WriteString("\r\n")
	b.WriteString(body)
	return b.Bytes()
}

// do sends a request and returns the status and the body, which is good until the next call.
func (c *connection) do(request []byte) (int, []byte, error) {
	if _, err := c.Write(request); err != nil {
		return 0, nil, err
	}
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return 0, nil, err
	}
	if len(line) < len("HTTP/1.1 200") {
		return 0, nil, fmt.Errorf("no HTTP: %q", line)
	}
	status, err := strconv.Atoi(string(line[9:12]))
	if err != nil {
		return 0, nil, err
	}
	length := -1
	for {
		line, err := c.in.ReadSlice('\n')
		if err != nil {
			return 0, nil, err
		}
		if len(line) <= 2 {
			break
		}
		if value, ok := bytes.CutPrefix(line, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(value))); err != nil {
				return 0, nil, err
			}
		}
	}
	if length < 0 {
		return 0, nil, errors.New("an answer without Content-Length")
	}
	c.body = slices.Grow(c.body[:0], length)[:length]
	_, err = io.ReadFull(c.in, c.body)
	return status, c.body, err
}

// slice is what one server did in a short while.
type slice struct {
	perSecond float64
	allocs    float64
	cpu       float64 // of the server's process, in µs a request
	latencies []time.Duration
}

// run sends requests of the workload from so many workers for a while, at least one from each. next makes the request
// of a number that nobody else gets.
func run(t *target, w workload, workers int, d time.Duration) (slice, error) {
	before, err := t.mallocs()
	if err != nil {
		return slice{}, err
	}
	cpu, err := cpuOf(t.pid)
	if err != nil {
		return slice{}, err
	}
	latencies, errs := make([][]time.Duration, workers), make([]error, workers)
	var group sync.WaitGroup
	began := time.Now()
	for i := range workers {
		group.Go(func() { latencies[i], errs[i] = work(t, w, began.Add(d)) })
	}
	group.Wait()
	took := time.Since(began)
	if err := errors.Join(errs...); err != nil {
		return slice{}, fmt.Errorf("%s, %s: %w", t.name, w.name, err)
	}
	used, err := cpuOf(t.pid)
	if err != nil {
		return slice{}, err
	}
	after, err := t.mallocs()
	all := slices.Concat(latencies...)
	requests := float64(len(all))
	return slice{
		perSecond: requests / took.Seconds(), allocs: float64(after-before) / requests,
		cpu: float64((used - cpu).Microseconds()) / requests, latencies: all,
	}, err
}

// work sends requests over one connection until the time is over.
func work(t *target, w workload, until time.Time) ([]time.Duration, error) {
	c, err := dial(t.addr)
	if err != nil {
		return nil, err
	}
	defer func() { _ = c.Close() }()
	var latencies []time.Duration
	for {
		request := w.next(t)
		began := time.Now()
		if len(latencies) > 0 && began.After(until) {
			return latencies, nil
		}
		status, body, err := c.do(request)
		if err != nil {
			return nil, err
		}
		if status != w.status {
			return nil, fmt.Errorf("status %d, want %d: %s", status, w.status, body)
		}
		latencies = append(latencies, time.Since(began))
	}
}

func median[T int | float64 | time.Duration](values []T) T {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

func percentile(sorted []time.Duration, p float64) time.Duration {
	return sorted[min(len(sorted)-1, int(float64(len(sorted))*p))]
}
