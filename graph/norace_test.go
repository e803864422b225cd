//go:build !race

package graph_test

// slower is how much longer things take with the race detector, which is off.
const slower = 1
