package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// compare runs each request against the product and against the other server in turns, and prints a table.
func compare(s *stage, o options) {
	if !slices.ContainsFunc(workloads(o.copies), func(w workload) bool { return o.wants(w.name) }) {
		return
	}
	var all []*installation
	var versions []string
	for name, dbURL := range databasesOf(s, o) {
		i := install(s, o, name, dbURL, true, o.copies)
		i.startOther(s, o)
		all = append(all, i)
		versions = append(versions, i.version(s))
	}
	slices.SortFunc(all, func(a, b *installation) int { return cmp.Compare(a.name, b.name) })
	slices.Sort(versions)
	other := all[0].other.name
	s.printf("%s, %s; fsync %t. %d pairs of slices of %s, in turns; medians, the ratio is that of a pair.\n\n",
		machine(), strings.Join(versions, ", "), o.fsync, o.rounds, o.slice)
	s.printf("Two figures are paydown's and that of %s: latencies in ms; "+
		"CPU of the server's process in µs, allocations and\n"+
		"SQL statements (without BEGIN and COMMIT) of one request.\n\n", other)
	s.printf("| database | request | clients | paydown req/s | %s req/s | ratio (min–max) "+
		"| p50 | p99 | CPU | allocations | SQL |\n", other)
	s.printf("|---|---|---:|---:|---:|---|---|---|---|---|---|\n")
	for _, i := range all {
		wanted := slices.DeleteFunc(workloads(o.copies), func(w workload) bool { return !o.wants(w.name) })
		s.must(check(s.Context(), i.database, i.served, i.other, wanted))
		statements := map[string]counts{}
		if o.against == "" {
			var err error
			statements, err = countStatements(i.product, i.served, i.other, wanted)
			s.must(err)
		}
		for _, w := range wanted {
			for _, workers := range []int{8, 1} {
				p, b := alternate(s, o, i, w, workers)
				n := statements[w.name]
				s.printf("| %s | %s | %d | %.0f | %.0f | %s | %s / %s | %s / %s | %.0f / %.0f | %.0f / %.0f | %d / %d |\n",
					i.name, w.name, workers, p.perSecond(), b.perSecond(), ratios(p, b),
					ms(p.latency(0.5)), ms(b.latency(0.5)), ms(p.latency(0.99)), ms(b.latency(0.99)),
					p.cpu(), b.cpu(), p.allocs(), b.allocs(), n.product, n.bare)
			}
		}
	}
	s.printf("\n")
}

// series are the slices of one server.
type series []slice

// alternate runs both servers in turns; which of them begins changes from round to round.
func alternate(s *stage, o options, i *installation, w workload, workers int) (p, b series) {
	for _, t := range []*target{i.served, i.other} {
		_, err := run(t, w, workers, o.slice/4)
		s.must(err)
	}
	for round := range o.rounds {
		pair := []*target{i.served, i.other}
		if round%2 == 1 {
			slices.Reverse(pair)
		}
		for _, t := range pair {
			one, err := run(t, w, workers, o.slice)
			s.must(err)
			if t == i.served {
				p = append(p, one)
			} else {
				b = append(b, one)
			}
		}
	}
	return p, b
}

func (s series) of(value func(slice) float64) float64 {
	values := make([]float64, len(s))
	for i, one := range s {
		values[i] = value(one)
	}
	return median(values)
}

func (s series) perSecond() float64 { return s.of(func(one slice) float64 { return one.perSecond }) }
func (s series) allocs() float64    { return s.of(func(one slice) float64 { return one.allocs }) }
func (s series) cpu() float64       { return s.of(func(one slice) float64 { return one.cpu }) }

func (s series) latency(p float64) time.Duration {
	var all []time.Duration
	for _, one := range s {
		all = append(all, one.latencies...)
	}
	slices.Sort(all)
	return percentile(all, p)
}

func ratios(p, b series) string {
	all := make([]float64, len(p))
	for i := range p {
		all[i] = p[i].perSecond / b[i].perSecond
	}
	return fmt.Sprintf("**%.2f** (%.2f–%.2f)", median(all), slices.Min(all), slices.Max(all))
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f", float64(d.Microseconds())/1000) }
