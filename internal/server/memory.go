package server

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The heap may grow to five times its live size before a collection, but by no more than mostRoom, unless that is
// less than half of its live size. Some 8 MB are live, so Go's default of 100 percent would collect dozens of times a
// second under load; with 400 percent of whatever is live, a burst of large answers or password hashes would leave
// hundreds of megabytes.
const (
	gcPercent = 400
	mostRoom  = 48 << 20
)

// percentFor returns GOGC for a heap with so many live bytes.
func percentFor(live uint64) int {
	live = max(live, 1)
	room := max(min(live*gcPercent/100, mostRoom), live/2)
	return int(room * 100 / live) //nolint:gosec // between 50 and gcPercent
}

// TuneCollections keeps GOGC at what percentFor says of each collection's live heap. GOGC in the environment takes
// precedence; a GOMEMLIMIT applies besides.
func TuneCollections() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(gcPercent)
	c := &collection{percent: gcPercent, live: []metrics.Sample{{Name: "/gc/heap/live:bytes"}}}
	runtime.SetFinalizer(c, (*collection).ended)
}

// collection is garbage, so each collection ends with its finalizer.
type collection struct {
	percent int
	live    []metrics.Sample
}

func (c *collection) ended() {
	metrics.Read(c.live)
	// Setting GOGC stops the program for some microseconds, so a small change is not worth it.
	if want := percentFor(c.live[0].Value.Uint64()); want*8 < c.percent*7 || want*7 > c.percent*8 {
		c.percent = want
		debug.SetGCPercent(want)
	}
	runtime.SetFinalizer(c, (*collection).ended)
}
