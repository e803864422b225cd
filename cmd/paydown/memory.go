package main

import (
	"runtime/debug"
	"time"
)

// releaseAfter is how long after the start its memory is released, so that the first requests do not wait for that.
const releaseAfter = 500 * time.Millisecond

// releaseMemory returns to the system what only the start needed: garbage, and pages of the program itself.
func releaseMemory() {
	debug.FreeOSMemory()
	_, _ = releaseProgram() // best effort: an error only means that the process stays larger
}
