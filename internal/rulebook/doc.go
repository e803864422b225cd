// Package rulebook is a second, independent statement of the money rules, for tests only. It knows nothing of
// the product: it has its own types for cents and millionths and shares no code with internal/ledger,
// internal/pricing or internal/schedule, so that a mistake there is not repeated here. internal/e2e drives
// random deals through the API and compares the product with it.
//
// The position of a deal is a function of a few sums (collected, discounted, written off, recovered). Each
// event changes the sums; it posts the difference between the function's new result and what is already
// posted. This is cumulative rounding: rounding differences never add up.
//
// Where the rules allow several readings, the chosen one is marked "Reading:", with its alternative.
package rulebook
