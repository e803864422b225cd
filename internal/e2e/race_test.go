//go:build race

package e2e

import "time"

// The program is built as the tests are, so that the build has its packages already and the program is watched for
// races as well.
func init() { buildFlags = append(buildFlags, "-race") }

// All of it is several times as slow when it is watched for races, and a busy machine stands still for seconds.
func init() { promptly = 5 * time.Second }
