package deal_test

import (
	"testing"

	"paydown/internal/deal"
	"paydown/internal/fault"
)

func TestBankAccountMoves(t *testing.T) {
	all := []deal.BankStatus{deal.Unverified, deal.Verified, deal.Revoked}
	for i, from := range all {
		for j, to := range all {
			if err := deal.CheckBank(from, to); (err == nil) != (i < j) || err != nil && !fault.Is(err, fault.Conflict) {
				t.Errorf("from %s to %s: %v", from, to, err)
			}
		}
	}
}

func TestRoutingNumberCheckDigit(t *testing.T) {
	for number, good := range map[string]bool{
		"021000021": true, "011401533": true, "091000019": true, "021000022": false, "012000021": false,
		"000000000": false, "02100002": false, "0210000210": false, "02100002x": false, "": false,
	} {
		if deal.IsRoutingNumber(number) != good {
			t.Errorf("%s is a routing number: %t", number, !good)
		}
	}
}
