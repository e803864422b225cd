package deal

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// TermsHash returns the SHA-256 of a deal's terms, keyed by public name, in API format, without empty terms.
// Equal terms always have the same hash, and different terms have different ones, so that an override or a
// disclosure can be tied to the terms it was made for.
func TermsHash(terms map[string]string) []byte {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(terms)) {
		value := terms[name]
		// Each text is prefixed with its length: otherwise different names and values could give the same input.
		fmt.Fprintf(h, "%d:%s%d:%s", len(name), name, len(value), value)
	}
	return h.Sum(nil)
}
