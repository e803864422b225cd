package apptest

import "runtime"

// Cost returns the memory that work allocates: bytes and objects. It measures cost independently of the
// machine's speed. It measures the whole process, so no other test should run at the same time.
func Cost(work func()) (bytes, objects uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}
