package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// scenario is one measured way of delivering.
type scenario struct {
	name      string
	https     bool
	endpoints int  // each of a tenant of its own; every event is one tenant's, in turns
	processes int  // that deliver, each committing an equal part of the events
	purging   bool // a purge of old deliveries goes on in every other stretch
	postgres  bool // makes sense there alone
}

var scenarios = []scenario{
	{name: "Deliveries to one endpoint", endpoints: 1, processes: 1},
	{name: "Deliveries over HTTPS", https: true, endpoints: 1, processes: 1},
	{name: "Deliveries to 100 endpoints", endpoints: 100, processes: 1},
	{name: "Deliveries by two processes", endpoints: 100, processes: 2, postgres: true},
	{name: "Deliveries during a purge", endpoints: 1, processes: 1, purging: true},
}

const (
	bodySize   = 1 << 10 // bytes of a delivery's body
	steadyRate = 400     // events a second
	stretches  = 2
)

// measured is the result of a scenario.
type measured struct {
	Database    string  `json:"database"`
	Scenario    string  `json:"scenario"`
	PerSecond   float64 `json:"perSecond"`   // saturated
	CPU         float64 `json:"cpuMicros"`   // of the delivering processes, for a delivery, saturated
	Rate        float64 `json:"steadyRate"`  // events a second that were asked for
	Reached     float64 `json:"reachedRate"` // and those that there were
	P50         float64 `json:"p50Millis"`   // from commit to receipt
	P99         float64 `json:"p99Millis"`
	Dent        float64 `json:"dent,omitempty"` // deliveries a second during a purge to those without, saturated
	QuietP99    float64 `json:"quietP99Millis,omitempty"`
	Purged      int     `json:"purged,omitempty"`
	OldRows     int     `json:"oldRows,omitempty"`
	Repeated    int     `json:"repeated"` // receipts beyond the first
	LoadAverage string  `json:"loadAverage"`
}

// deliveries measures how fast events reach their receiver, on both databases. The processes that deliver the events
// also commit them, with one loader each, the way a write of the API does, but without the rest of such a write.
func deliveries(s *stage, o options) {
	wanted := func(c scenario, database string) bool {
		return o.wants(c.name) && (!c.postgres || database == "postgres")
	}
	var all []measured
	for name := range strings.SplitSeq(o.databases, ",") {
		var some []scenario
		for _, c := range scenarios {
			if wanted(c, name) {
				some = append(some, c)
			}
		}
		if len(some) == 0 {
			continue
		}
		one := o
		one.databases = name
		yard := newYard(s, o.scale, name, databasesOf(s, one)[name], some)
		for i, c := range some {
			m := yard.measure(s, o, c, i)
			all = append(all, m)
			fmt.Fprintf(
				os.Stderr, "%s, %s: %.0f/s, p50 %.1f ms, p99 %.1f ms\n", m.Database, m.Scenario, m.PerSecond, m.P50, m.P99,
			)
		}
	}
	if len(all) == 0 {
		return
	}
	report(s, o, all)
	if o.json != "" {
		raw, err := json.MarshalIndent(map[string]any{"machine": machine(), "fsync": o.fsync, "deliveries": all}, "", "  ")
		s.must(err)
		s.must(os.WriteFile(filepath.Clean(o.json), append(raw, '\n'), 0o600))
	}
}

func report(s *stage, o options, all []measured) {
	s.printf("%s; fsync %t. Bodies of %d bytes. Deliveries a second while more wait, over %s; then %d events a second\n"+
		"for as long, each committed by itself: "+
		"ms from right after the commit to when the receiver has the whole request. CPU of\n"+
		"the delivering processes in µs a delivery, saturated. "+
		"Of the purge: deliveries a second with it to those without, and\n"+
		"p99 with and without.\n\n",
		machine(), o.fsync, bodySize, stretches*o.stretch, steadyRate)
	s.printf("| database | scenario | deliveries/s | CPU | at, events/s | p50 | p99 | " +
		"purge: ratio | p99 | rows purged |\n")
	s.printf("|---|---|---:|---:|---:|---:|---:|---|---|---:|\n")
	for _, m := range all {
		dent, p99, purged := "", "", ""
		if m.OldRows > 0 {
			dent, p99 = fmt.Sprintf("**%.2f**", m.Dent), fmt.Sprintf("%.1f / %.1f", m.P99, m.QuietP99)
			purged = fmt.Sprintf("%d of %d", m.Purged, m.OldRows)
		}
		s.printf("| %s | %s | %.0f | %.0f | %.0f | %.1f | %.1f | %s | %s | %s |\n", m.Database, m.Scenario, m.PerSecond,
			m.CPU, m.Reached, m.P50, m.P99, dent, p99, purged)
	}
	s.printf("\n")
}

// measure runs a scenario twice: saturated, then at the steady rate.
func (y *yard) measure(s *stage, o options, c scenario, number int) measured {
	m := measured{Database: y.name, Scenario: c.name, Rate: steadyRate, LoadAverage: loadAverage()}
	if c.purging {
		m.OldRows = y.addOld(s, o.old)
	}
	full := y.run(s, c, number, 0)
	m.Repeated = full.repeated
	m.CPU = float64(full.cpu.Microseconds()) / float64(max(1, full.received))
	m.PerSecond = full.perSecond(false)
	if c.purging {
		m.PerSecond = full.perSecond(true)
		if quiet := full.perSecond(false); quiet > 0 {
			m.Dent = m.PerSecond / quiet
		}
		m.Purged = full.purged
	}
	steady := y.run(s, c, number, steadyRate)
	m.Repeated += steady.repeated
	m.Purged += steady.purged
	m.Reached = steady.perSecond(c.purging)
	m.P50, m.P99 = millis(steady.latency(c.purging, 0.5)), millis(steady.latency(c.purging, 0.99))
	if c.purging {
		m.QuietP99 = millis(steady.latency(false, 0.99))
		if m.Purged == 0 {
			s.Fatal("there was nothing to purge")
		}
	}
	return m
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

func loadAverage() string {
	raw, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(raw))[:3], " ")
}
