// Package ledger is the double-entry bookkeeping of a deal: from what happened, and from what stands in the books
// already, it works out the entries to store. It reads no clock and no database and changes nothing that it is given.
//
// What always holds:
//
//  1. Every entry adds up to zero, to the cent; a debit is positive and a credit negative (Entry.Check).
//  2. Nothing is ever changed. Reverse negates an entry line by line and keeps its kind, so that the sum of the lines of
//     a kind is what stands of it once whatever was reversed is left out.
//  3. What a merchant paid goes to the receivable until that is used up, then to what was written off, and what is left
//     is unapplied. Receivable less unapplied is what was purchased, less what was discounted or written off, less what
//     was paid, whatever the order of payments, returns and adjustments (Outstanding, Collected).
//  4. Deferred income and participations are each what the progress of the receivable says, rounded once. A payment posts
//     the difference between that and the books, never a share of the payment, so no cent is lost or made on the way,
//     and a receivable of zero leaves both at exactly zero.
//  5. Syndicators share by cumulative rounding, in the order of their ids. The house has what they leave.
//  6. A line has a syndicator where it belongs to the account of one: payable, wallet, participation, what the house
//     charges or bears for that one. What the house has on its own has none.
//
// A payment that is returned is undone by the exact reversal of the entries of its episode. Returns need not come in
// the order of the payments, so the books may then hold a cent, or a surplus, where 3 and 4 would not have it: Settle
// says what to add, which is mostly nothing. It must follow every reversal, and the funding of a deal.
package ledger
