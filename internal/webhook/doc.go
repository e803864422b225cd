// Package webhook is what paydown and the outside tell each other by themselves: the catalogue of events with the form
// of each payload, the envelope they travel in, how deliveries are signed and verified, and which addresses may be
// delivered to.
package webhook
