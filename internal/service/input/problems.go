package input

import (
	"paydown/internal/fault"
)

// MergeProblems appends the problems in more whose fields are not yet in first.
func MergeProblems(first, more []fault.Detail) []fault.Detail {
	named := map[string]bool{}
	for _, d := range first {
		named[d.Path] = true
	}
	for _, d := range more {
		if !named[d.Path] {
			first = append(first, d)
		}
	}
	return first
}
