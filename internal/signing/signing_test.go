package signing_test

import (
	"testing"
	"time"

	"paydown/internal/fault"
	"paydown/internal/signing"
)

func TestSignatureRequestMoves(t *testing.T) {
	all := []signing.Status{
		signing.Draft, signing.Sent, signing.Completed, signing.Declined, signing.Void, signing.Expired,
	}
	allowed := map[[2]signing.Status]bool{
		{signing.Draft, signing.Sent}: true, {signing.Draft, signing.Void}: true,
		{signing.Sent, signing.Completed}: true, {signing.Sent, signing.Declined}: true,
		{signing.Sent, signing.Void}: true, {signing.Sent, signing.Expired}: true,
	}
	for _, from := range all {
		for _, to := range all {
			err := signing.Check(from, to)
			if (err == nil) != allowed[[2]signing.Status{from, to}] || err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
		}
		if err := signing.RequireSent(from); (err == nil) != (from == signing.Sent) {
			t.Errorf("%s is under way: %v", from, err)
		}
	}
}

func TestSignerMoves(t *testing.T) {
	all := []signing.SignerStatus{signing.Pending, signing.Viewed, signing.Signed, signing.SignerDeclined}
	for i, from := range all {
		for j, to := range all {
			want := i < j && from != signing.Signed
			if err := signing.CheckSigner(from, to); (err == nil) != want || err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
		}
	}
}

func TestSignatureRequestExpiry(t *testing.T) {
	at := time.Date(2026, time.January, 5, 12, 0, 0, 0, time.UTC)
	for expires, over := range map[time.Duration]bool{-time.Second: true, 0: true, time.Millisecond: false} {
		until := at.Add(expires)
		if err := signing.CheckExpiry(&until, at); (err == nil) != over {
			t.Errorf("%s from now: %v", expires, err)
		}
	}
	if signing.CheckExpiry(nil, at) == nil {
		t.Error("a request without a deadline has expired")
	}
}
