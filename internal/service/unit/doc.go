// Package unit is one write: who asks, the transaction, the idempotency claim, the audit trail, the events, and the
// helpers that store records. Every other package of the service builds on it.
package unit
