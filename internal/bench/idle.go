package main

import (
	"slices"
	"time"
)

// idle measures the binary on a database that exists: from the start of the process until /readyz says ready, and its
// memory, at rest and after load.
func idle(s *stage, o options) {
	if !o.wants("idle") {
		return
	}
	s.printf("%s; the median of %d starts on an existing database.\n\n", machine(), o.starts)
	s.printf("| database | start to ready, ms | RSS at rest, MiB | RSS after %s of lists with 8 clients, MiB |\n"+
		"|---|---:|---:|---:|\n", o.load)
	for name, dbURL := range databasesOf(s, o) {
		i := install(s, o, name, dbURL, true, o.copies)
		var ready []time.Duration
		var rest, loaded float64
		for n := range o.starts {
			began := time.Now()
			t, stop, err := i.serve(i.token)
			s.must(err)
			s.must(t.untilReady())
			ready = append(ready, time.Since(began))
			if n == o.starts-1 {
				time.Sleep(o.rest) // what is measured is the process at rest
				rest, err = residentMiB(t.pid)
				s.must(err)
				_, err = run(t, workloads(o.copies)[2], 8, o.load)
				s.must(err)
				loaded, err = residentMiB(t.pid)
				s.must(err)
			}
			stop()
		}
		median := slices.Sorted(slices.Values(ready))[o.starts/2]
		s.printf("| %s | %.0f | %.0f | %.0f |\n", name, float64(median.Microseconds())/1000, rest, loaded)
	}
	s.printf("\n")
}
