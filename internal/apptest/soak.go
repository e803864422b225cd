package apptest

import "os"

// SoakEnv makes long simulations run in full: `make soak` sets it.
const SoakEnv = "PAYDOWN_TEST_SOAK"

// Soaking reports whether long simulations run in full.
func Soaking() bool { return os.Getenv(SoakEnv) != "" }

// Length returns the size of a simulation: short is enough to see that it works, full is enough to find rare
// problems.
func Length[N any](short, full N) N {
	if Soaking() {
		return full
	}
	return short
}
