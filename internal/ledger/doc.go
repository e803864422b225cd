// Package ledger is the double-entry bookkeeping of a deal. From an event and the current balances it
// computes the entries to store. It reads no clock and no database, and does not modify its arguments.
//
// Invariants:
//
//  1. Every entry balances to the cent; a debit is positive and a credit negative (Entry.Check).
//  2. Entries are immutable. Reverse negates an entry line by line and keeps its kind, so that the sum of
//     a kind's lines is its net amount after reversals.
//  3. A merchant's payment reduces the receivable to zero, then recovers write-offs, and the rest is
//     unapplied. Receivable less unapplied equals the purchased amount less discounts, write-offs and
//     payments, in whichever order payments, returns and adjustments come (Outstanding, Collected).
//  4. Deferred income and participations each follow from the progress of the receivable, rounded once. A
//     payment posts the difference to the books, never a share of the payment, so no cent is lost or
//     created, and at a receivable of zero both are exactly zero.
//  5. Syndicators share by cumulative rounding in the order of their ids. The house has the rest.
//  6. A line has a syndicator if it belongs to the syndicator's account: payable, wallet, participation,
//     or an amount that the house charges or bears for that syndicator. The house's own lines have none.
//
// A returned payment is undone by the exact reversal of the entries of its episode. Returns may come in
// another order than the payments, so afterwards the books may deviate from 3 and 4 by a cent or a surplus.
// Settle computes the correcting entries; usually there are none. It must follow every reversal, and the
// funding of a deal.
package ledger
