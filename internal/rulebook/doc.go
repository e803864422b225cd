// Package rulebook is a second, independent statement of the money rules, for tests alone. It knows nothing of the product: it
// keeps whole cents and millionths of its own and shares no code with internal/ledger, internal/pricing or internal/schedule, so
// that a mistake there is not repeated here. internal/e2e drives random deals over the wire and compares the product with it.
//
// The position of a deal is a function of a few sums (collected, discounted, written off, recovered). Each event changes the
// sums; what the function gives afterwards, less what is posted already, is what the event posts. That is cumulative
// rounding: no rounding difference ever adds up.
//
// Where the rules leave a choice, the reading taken here is marked "Reading:" with its alternative.
package rulebook
