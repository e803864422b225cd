//go:build race

package graph_test

// slower is how much longer things take with the race detector.
const slower = 10
