package main

import "time"

// scale is how much is measured.
type scale struct {
	copies int // of the deal that is measured on

	slice  time.Duration // how long each server runs at a time; every client sends a request at least
	rounds int           // pairs of slices

	rows    int // records of the long list
	page    int // the deep page
	samples int // how often each page is read

	warmUp    time.Duration // of deliveries, before anything is measured
	stretch   time.Duration // of measuring deliveries
	events    int           // that each process commits in all; 0: as many as the stretches take
	endpoints int           // at most
	old       int           // deliveries that are purged while others are made

	starts     int           // of the binary
	rest, load time.Duration // before its memory is weighed
	strangers  int           // addresses of a flood
	signIns    int           // at a time
}

func fullScale() scale {
	return scale{
		copies: 6000, slice: time.Second, rounds: 7, rows: 1_000_000, page: 10_000, samples: 300,
		warmUp: time.Second, stretch: 3 * time.Second, endpoints: 100, old: 1_000_000,
		starts: 7, rest: 2 * time.Second, load: 5 * time.Second, strangers: 105_000, signIns: 300,
	}
}

// shortScale does everything that the full one does, as little of it as there can be: what it prints as figures says
// nothing. No count depends on how fast the machine is.
func shortScale() scale {
	return scale{
		copies: firstWritten + 40, rounds: 2, rows: 2000, page: 10, samples: 3,
		stretch: time.Minute, events: 2 * eventsACommit, endpoints: 4, old: 200,
		starts: 1, strangers: 200, signIns: 20,
	}
}
