package apptest

import "os"

// SoakEnv has long simulations run in full: `make soak` sets it.
const SoakEnv = "PAYDOWN_TEST_SOAK"

// Soaking reports whether long simulations are to run in full.
func Soaking() bool { return os.Getenv(SoakEnv) != "" }

// Length is how much a simulation does: enough to see that it works, or, where it is to run in full, enough to come
// across what happens rarely.
func Length[N any](short, full N) N {
	if Soaking() {
		return full
	}
	return short
}
