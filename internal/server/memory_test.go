package server

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
)

func TestTheHeapGrowsByABoundedAmount(t *testing.T) {
	const mib = 1 << 20
	for live, want := range map[uint64]int{
		0: 400, 8 * mib: 400, 12 * mib: 400, 24 * mib: 200, 40 * mib: 120, 48 * mib: 100, 500 * mib: 50,
	} {
		if got := percentFor(live); got != want {
			t.Errorf("GOGC %d at %d live bytes, want %d", got, live, want)
		}
	}
}

// kept is what the next test keeps live.
var kept [][]byte

// Some 60 MiB are live, and garbage is made in blocks of a password hash's size. GOGC=400 would let the heap grow to
// 300 MiB.
func TestGarbageIsCollectedBeforeItIsMuch(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	TuneCollections()
	defer func() { kept = nil }()
	for range 32 {
		kept = append(kept, make([]byte, 1<<20))
	}
	for range 3 { // of which each sets GOGC for the next
		runtime.GC()
	}
	heap := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	most := uint64(0)
	for range 200 {
		kept[0] = make([]byte, 19<<20)
		metrics.Read(heap)
		most = max(most, heap[0].Value.Uint64())
	}
	if most > 220<<20 {
		t.Errorf("the heap grew to %d MiB", most>>20)
	}
}

func TestGOGCTakesPrecedence(t *testing.T) {
	t.Setenv("GOGC", "150")
	defer debug.SetGCPercent(debug.SetGCPercent(150))
	TuneCollections()
	if got := debug.SetGCPercent(150); got != 150 {
		t.Errorf("GOGC %d", got)
	}
}
