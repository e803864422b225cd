//go:build race

package e2e

// The program is built as the tests are, so that the build has its packages already and the program is watched for
// races as well.
func init() { buildFlags = append(buildFlags, "-race") }
