package deal

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
)

// TermsHash is a SHA-256 over a deal's terms, by their public names and in wire form; a term without a value is left
// out. The same terms always have the same hash, and no two sets of terms share one, so that what was allowed or shown
// for certain terms (an override, a disclosure) can be tied to them.
func TermsHash(terms map[string]string) []byte {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(terms)) {
		value := terms[name]
		// Lengths go before the texts: without them a name and its value could be cut elsewhere.
		fmt.Fprintf(h, "%d:%s%d:%s", len(name), name, len(value), value)
	}
	return h.Sum(nil)
}
