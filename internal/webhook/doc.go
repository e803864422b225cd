// Package webhook defines events and delivers them: the catalogue of events with their payload types, the
// envelope, signing and verification, the addresses that may be delivered to, the sender, and the dispatcher
// over a queue.
package webhook
