// Package signing is the life of a document that is sent out to be signed, and of its signers. It reads no clock and no
// database.
package signing

import (
	"time"

	"paydown/internal/fault"
	"paydown/internal/status"
)

// Status is where a signature request stands.
type Status string

// The statuses of a request.
const (
	Draft     Status = "DRAFT"
	Sent      Status = "SENT"
	Completed Status = "COMPLETED"
	Declined  Status = "DECLINED"
	Void      Status = "VOID"
	Expired   Status = "EXPIRED"
)

// requests is the table of what becomes of a request. It is completed and declined by its signers alone.
var requests = status.Table[Status]{
	Draft: {Sent, Void},
	Sent:  {Completed, Declined, Void, Expired},
}

// Check is nil where a request may move so, and otherwise a conflict.
func Check(from, to Status) error { return requests.Check("signature request", from, to) }

// UnderWay refuses a signer's act on a request that is not out for signature.
func UnderWay(s Status) error {
	if s != Sent {
		return fault.Conflictf("The signature request is %s; nobody signs it.", s)
	}
	return nil
}

// CheckExpiry is nil where a request that may be signed until expires has run out by an instant, and otherwise a conflict.
func CheckExpiry(expires *time.Time, at time.Time) error {
	if expires == nil || at.Before(*expires) {
		return fault.Conflictf("The signature request has not run out.").With("status", "can become EXPIRED after expiresAt")
	}
	return nil
}

// GoodFor is how long a request may be signed unless something else is said: 30 days.
const GoodFor = 30 * 24 * time.Hour

// SignerStatus is where a signer stands.
type SignerStatus string

// The statuses of a signer.
const (
	Pending        SignerStatus = "PENDING"
	Viewed         SignerStatus = "VIEWED"
	Signed         SignerStatus = "SIGNED"
	SignerDeclined SignerStatus = "DECLINED"
)

var signers = status.Table[SignerStatus]{
	Pending: {Viewed, Signed, SignerDeclined},
	Viewed:  {Signed, SignerDeclined},
}

// CheckSigner is nil where a signer may move so, and otherwise a conflict.
func CheckSigner(from, to SignerStatus) error {
	switch {
	case from == Signed && to == SignerDeclined:
		return fault.Conflictf("The signer has signed already.")
	case from == SignerDeclined && to == Signed:
		return fault.Conflictf("The signer has declined already.")
	}
	return signers.Check("signer", from, to)
}
