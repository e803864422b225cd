package deal

import "paydown/internal/status"

// BankStatus is the status of a merchant's bank account, which is used for funding and collection.
type BankStatus string

// The statuses of a bank account.
const (
	Unverified BankStatus = "UNVERIFIED"
	Verified   BankStatus = "VERIFIED"
	Revoked    BankStatus = "REVOKED"
)

// bankMoves is the table of status changes. An account whose authorization was revoked has to be entered
// again.
var bankMoves = status.Table[BankStatus]{
	Unverified: {Verified, Revoked},
	Verified:   {Revoked},
}

// CheckBank returns a conflict unless a bank account may change from one status to the other.
func CheckBank(from, to BankStatus) error { return bankMoves.Check("bank account", from, to) }

// IsRoutingNumber reports whether the text is an ABA routing number: nine digits whose weighted sum,
// including the check digit at the end, is a multiple of ten.
func IsRoutingNumber(s string) bool {
	if len(s) != 9 || s == "000000000" {
		return false
	}
	sum := 0
	for i, digit := range []byte(s) {
		if digit < '0' || digit > '9' {
			return false
		}
		sum += int(digit-'0') * [3]int{3, 7, 1}[i%3]
	}
	return sum%10 == 0
}
