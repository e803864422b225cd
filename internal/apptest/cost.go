package apptest

import "runtime"

// Cost is the memory that the process has allocated by the end of work: bytes, and objects. It tells what work costs
// whatever the speed of the machine. It is the whole process's, so that no other test should run at the same time.
func Cost(work func()) (bytes, objects uint64) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	work()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc, after.Mallocs - before.Mallocs
}
