package input

import (
	"paydown/internal/fault"
)

// MergeProblems adds what later checks found of fields that earlier ones have not named yet.
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
