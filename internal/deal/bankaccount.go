package deal

import "paydown/internal/status"

// BankStatus is where a bank account stands that a merchant is paid into and collected from.
type BankStatus string

// The statuses of a bank account.
const (
	Unverified BankStatus = "UNVERIFIED"
	Verified   BankStatus = "VERIFIED"
	Revoked    BankStatus = "REVOKED"
)

// bankMoves is the table of status changes. An account whose authorization is gone needs to be given anew.
var bankMoves = status.Table[BankStatus]{
	Unverified: {Verified, Revoked},
	Verified:   {Revoked},
}

// CheckBank is nil where a bank account may move so, and otherwise a conflict.
func CheckBank(from, to BankStatus) error { return bankMoves.Check("bank account", from, to) }

// IsRoutingNumber reports whether the text is a routing number of the American Bankers Association: nine digits, the last
// of which makes the weighted sum a multiple of ten.
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
