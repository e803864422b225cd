// Package signing defines the statuses of signature requests and of their signers. It reads no clock and no
// database.
package signing

import (
	"time"

	"paydown/internal/fault"
	"paydown/internal/status"
)

// Status is the status of a signature request.
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

// requests is the table of allowed status changes. Only signers complete or decline a request.
var requests = status.Table[Status]{
	Draft: {Sent, Void},
	Sent:  {Completed, Declined, Void, Expired},
}

// Check returns a conflict unless a request may change from one status to the other.
func Check(from, to Status) error { return requests.Check("signature request", from, to) }

// RequireSent refuses a signer's action on a request that is not out for signature.
func RequireSent(s Status) error {
	if s != Sent {
		return fault.Conflictf("The signature request is %s and cannot be signed.", s)
	}
	return nil
}

// CheckExpiry returns a conflict unless a request with this deadline has expired at the given time.
func CheckExpiry(expires *time.Time, at time.Time) error {
	if expires == nil || at.Before(*expires) {
		return fault.Conflictf("The signature request has not expired yet.").
			With("status", "can become EXPIRED after expiresAt")
	}
	return nil
}

// DefaultLife is the default time for signing: 30 days.
const DefaultLife = 30 * 24 * time.Hour

// SignerStatus is the status of a signer.
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

// CheckSigner returns a conflict unless a signer may change from one status to the other.
func CheckSigner(from, to SignerStatus) error {
	switch {
	case from == Signed && to == SignerDeclined:
		return fault.Conflictf("The signer has already signed.")
	case from == SignerDeclined && to == Signed:
		return fault.Conflictf("The signer has already declined.")
	}
	return signers.Check("signer", from, to)
}
