package disclosure_test

import (
	"testing"

	"paydown/internal/disclosure"
	"paydown/internal/fault"
)

func TestDisclosureMoves(t *testing.T) {
	all := []disclosure.Status{disclosure.Draft, disclosure.Delivered, disclosure.Signed, disclosure.Superseded}
	for i, from := range all {
		for j, to := range all {
			want := j == i+1 || j == 3 && i < 3
			if err := disclosure.Check(from, to); (err == nil) != want || err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
		}
	}
}
