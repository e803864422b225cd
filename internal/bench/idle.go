package main

import (
	"fmt"
	"slices"
	"time"
)

const starts = 7

// idle measures the binary on a database that exists: from the start of the process until /readyz says ready, and its
// memory, at rest and after load.
func idle(s *stage, o options) {
	if !o.wants("idle") {
		return
	}
	fmt.Printf("%s; the median of %d starts on an existing database.\n\n", machine(), starts)
	fmt.Println("| database | start to ready, ms | RSS at rest, MiB | RSS after 5 s of lists with 8 clients, MiB |\n|---|---:|---:|---:|")
	for name, dbURL := range databasesOf(s, o) {
		i := install(s, o, name, dbURL, true, 1000)
		var ready []time.Duration
		var rest, loaded float64
		for n := range starts {
			began := time.Now()
			t, stop, err := i.serve(i.token)
			s.must(err)
			s.must(t.untilReady())
			ready = append(ready, time.Since(began))
			if n == starts-1 {
				time.Sleep(2 * time.Second) // what is measured is the process at rest
				rest, err = residentMiB(t.pid)
				s.must(err)
				_, err = run(t, workloads(1000)[2], 8, 5*time.Second)
				s.must(err)
				loaded, err = residentMiB(t.pid)
				s.must(err)
			}
			stop()
		}
		fmt.Printf("| %s | %.0f | %.0f | %.0f |\n", name, float64(slices.Sorted(slices.Values(ready))[starts/2].Microseconds())/1000, rest, loaded)
	}
	fmt.Println()
}
