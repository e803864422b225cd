//go:build race

package e2e

// The program is built with the same flags as the tests, so that the build reuses their packages and races in
// the program are detected too.
func init() { buildFlags = append(buildFlags, "-race") }
