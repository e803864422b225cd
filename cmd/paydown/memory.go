package main

import (
	"runtime/debug"
	"time"
)

// settleAfter is when, after the start, its garbage is given back. The first requests are not to wait for that.
const settleAfter = 500 * time.Millisecond

// settle gives back what only the start needed: its garbage, and the program's own pages.
func settle() {
	debug.FreeOSMemory()
	_, _ = unmapProgram() // what stays mapped is only not given back
}
