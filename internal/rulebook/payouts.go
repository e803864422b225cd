package rulebook

import (
	"cmp"
	"slices"
)

// HoldDays is the number of banking days from a payment's cleared date until syndicators are paid their
// share.
const HoldDays = 5

// Batch is a payout of syndicators' shares.
type Batch struct {
	ID    int
	Items []*Item
}

// Item is what a batch pays a payee for one payment, or for an event without a payment.
type Item struct {
	Syndicator *Syndicator
	Payment    *Payment // nil: a write-off or a manual payout
	Episode    int
	Amount     Cents
	Status     string

	lines     []*Line
	share     bool  // share of a payment that was paid when the batch was made; otherwise a true-up
	takesBack *Item // the paid share that this item takes back
}

type itemKey struct {
	syndicator *Syndicator
	payment    *Payment
	episode    int
}

// Make drafts a batch of everything due on a day: shares whose hold is over, and, without a hold, amounts
// taken back and amounts without a payment. It returns nil if nothing is due.
//
// Reading: what a write-off gives a syndicator is not held, because no bank can return it. An adjustment that
// takes money back is not held either. (Alternative: both are held for five banking days, like collections.)
func (c *Company) Make(today Day) *Batch {
	held := c.takeCarried()
	groups := map[itemKey]*Item{}
	var order []itemKey
	for _, l := range c.Books.Lines {
		if l.Account != Payable || l.batched || l.Syndicator == nil || !l.held && !c.due(l, today) {
			continue
		}
		key := itemKey{l.Syndicator, l.Payment, l.Episode}
		if groups[key] == nil {
			groups[key] = &Item{Syndicator: l.Syndicator, Payment: l.Payment, Episode: l.Episode, Status: Pending}
			order = append(order, key)
		}
		groups[key].lines = append(groups[key].lines, l)
		groups[key].Amount -= l.Amount
	}
	b := &Batch{}
	for _, key := range order {
		item := groups[key]
		if item.Amount == 0 {
			continue
		}
		for _, l := range item.lines {
			l.batched = true
		}
		item.share, item.takesBack = item.partTotals(), c.paidShare(item)
		b.Items = append(b.Items, item)
	}
	if !b.isNeeded() {
		for _, item := range held {
			item.Status = Held
		}
		for _, item := range b.Items {
			item.release()
		}
		return nil
	}
	c.Batches = append(c.Batches, b)
	return b
}

// takeCarried puts the items that earlier batches held back into the next batch.
func (c *Company) takeCarried() []*Item {
	var held []*Item
	for _, b := range c.Batches {
		for _, item := range b.Items {
			if item.Status == Held {
				item.Status = Carried
				held = append(held, item)
				for _, l := range item.lines {
					l.held, l.carried = true, true
				}
				item.release()
			}
		}
	}
	return held
}

// isNeeded reports whether a batch has anything new, or pays out carried items.
func (b *Batch) isNeeded() bool {
	for _, item := range b.Items {
		if slices.ContainsFunc(item.lines, func(l *Line) bool { return !l.carried }) {
			return true
		}
	}
	for _, s := range b.payees() {
		var sum Cents
		for _, item := range b.itemsOf(s, Pending) {
			sum += item.Amount
		}
		if sum > 0 {
			return true
		}
	}
	return false
}

func (c *Company) due(l *Line, today Day) bool {
	p := l.Payment
	return p == nil || p.Status != Paid || p.episode != l.Episode || p.Type == SyndicatorPayout || p.Amount < 0 ||
		p.Cleared.PlusBanking(HoldDays) <= today
}

// Held is the amount owed to a syndicator for payments that are still within their hold.
func (c *Company) Held(s *Syndicator, today Day) Cents {
	var held Cents
	for _, l := range c.Books.Lines {
		if l.Account == Payable && l.Syndicator == s && !c.due(l, today) {
			held -= l.Amount
		}
	}
	return held
}

// cancelItems removes a returned payment's unpaid items from batches.
func (c *Company) cancelItems(p *Payment) {
	last := map[*Syndicator]*Item{}
	for _, b := range c.Batches {
		for _, item := range b.Items {
			if item.Payment == p && item.Episode == p.episode && item.share && item.Amount > 0 {
				last[item.Syndicator] = item
			}
		}
	}
	for _, item := range last {
		if item.Status != Paid {
			item.Status = Cancelled // also if it waits for the next batch
			item.release()
		}
	}
}

func (i *Item) release() {
	for _, l := range i.lines {
		l.batched = false
	}
	i.lines = nil
}

// paidShare returns the paid share of a returned payment.
func (c *Company) paidShare(item *Item) *Item {
	if item.Payment == nil || item.partTotals() {
		return nil
	}
	for _, b := range c.Batches {
		for _, other := range b.Items {
			if other.share && other.isOf(item) && other.Status == Paid && !c.isTakenBack(other) {
				return other
			}
		}
	}
	return nil
}

// partTotals reports whether an item's payment has not been returned.
func (i *Item) partTotals() bool {
	return i.Payment != nil && i.Payment.Status == Paid && i.Payment.episode == i.Episode
}

func (i *Item) isOf(other *Item) bool {
	return i.Syndicator == other.Syndicator && i.Payment == other.Payment && i.Episode == other.Episode
}

// isTakenBack reports whether a share was paid and then taken back.
func (c *Company) isTakenBack(share *Item) bool {
	for _, b := range c.Batches {
		if slices.ContainsFunc(b.Items, func(i *Item) bool { return i.takesBack == share && i.Status == Paid }) {
			return true
		}
	}
	return false
}

// cancelUnpaidShares cancels a batch's items for returned payments whose shares turned out never to be paid, because
// the transfer was returned too. True-ups stay.
func (c *Company) cancelUnpaidShares(b *Batch) {
	for _, item := range b.Items {
		if item.partTotals() || item.Status != Pending && item.Status != Held {
			continue
		}
		switch share := item.takesBack; {
		case share != nil && share.Status != Paid:
			c.reduceTakeBack(item, share)
		case item.share && !c.isTakenBack(item):
			for _, other := range c.Batches {
				for _, back := range other.Items {
					if back.takesBack == item && (back.Status == Pending || back.Status == Held) {
						c.reduceTakeBack(back, item)
					}
				}
			}
			item.Status = Cancelled
			item.release()
		}
	}
}

// reduceTakeBack changes an item so that it does not take back a share that was not paid.
func (c *Company) reduceTakeBack(item, share *Item) {
	item.takesBack = nil
	item.Amount += share.Amount
	item.lines = append(item.lines, share.lines...)
	share.Status, share.lines = Cancelled, nil
	if item.Amount == 0 {
		item.Status = Cancelled
	}
}

// PaidOut is one transfer of a batch.
type PaidOut struct {
	Syndicator *Syndicator
	Amount     Cents
}

// PayBatch pays each payee the sum of its items. If it is negative, the items are carried into the next
// batch.
//
// Reading: they are also carried if the sum exceeds what the payee is owed by then: returns and manual
// payouts since the batch was made are netted against them in the next batch. (Alternative: everything is
// paid, and the excess is taken back later.)
func (c *Company) PayBatch(b *Batch, today Day) []PaidOut {
	c.cancelUnpaidShares(b)
	var paid []PaidOut
	for _, s := range b.payees() {
		var sum Cents
		var items []*Item
		for _, item := range append(b.itemsOf(s, Pending), b.itemsOf(s, Held)...) {
			if p := item.Payment; p != nil && item.Amount > 0 && p.Status == Paid && p.episode == item.Episode &&
				p.Cleared.PlusBanking(HoldDays) > today {
				item.Status = Held // its cleared date was moved later after the batch was made
				continue
			}
			items = append(items, item)
			sum += item.Amount
		}
		carried := sum < 0 || sum > c.PayableTo(s)
		for _, item := range items {
			item.Status = Paid
			if carried {
				item.Status = Carried
				for _, l := range item.lines {
					l.carried = true
				}
				item.release()
			}
		}
		if sum > 0 && !carried {
			c.transfer(s, sum, today)
			paid = append(paid, PaidOut{s, sum})
		}
	}
	return paid
}

// transfer pays a syndicator; a negative amount was returned. It belongs to no batch.
func (c *Company) transfer(s *Syndicator, amount Cents, today Day) {
	c.direct(Line{Effective: today, Syndicator: s, batched: true}, map[string]Cents{Payable: amount, Cash: -amount})
}

// FailTransfer posts the return of a batch's transfer to a payee: its items wait to be paid again.
func (c *Company) FailTransfer(b *Batch, s *Syndicator, today Day) {
	var sum Cents
	for _, item := range b.itemsOf(s, Paid) {
		sum += item.Amount
		item.Status = Failed
	}
	c.transfer(s, -sum, today)
}

// Release lets a payee's failed items be paid with the batch's next payment.
func (b *Batch) Release(s *Syndicator) {
	for _, item := range b.itemsOf(s, Failed) {
		item.Status = Pending
	}
}

// IsPaid reports whether every item is paid, cancelled or carried.
func (b *Batch) IsPaid() bool {
	return !slices.ContainsFunc(b.Items,
		func(i *Item) bool { return i.Status == Pending || i.Status == Failed || i.Status == Held })
}

func (b *Batch) itemsOf(s *Syndicator, status string) []*Item {
	var items []*Item
	for _, item := range b.Items {
		if item.Syndicator == s && item.Status == status {
			items = append(items, item)
		}
	}
	return items
}

func (b *Batch) payees() []*Syndicator {
	var payees []*Syndicator
	for _, item := range b.Items {
		if !slices.Contains(payees, item.Syndicator) {
			payees = append(payees, item.Syndicator)
		}
	}
	slices.SortFunc(payees, func(a, b *Syndicator) int { return cmp.Compare(a.ID, b.ID) })
	return payees
}

// PayCommissions pays an ISO the commissions of deals, less what it owes for clawed-back commissions.
//
// Reading: the set-off is what the ISO owes on the day of the payment, in whichever batch. If that is more
// than the commissions, everything is carried and nothing is posted. (Alternative: the commissions are set
// off as far as possible.)
func (c *Company) PayCommissions(iso *ISO, deals []*Deal, today Day) Cents {
	var sum Cents
	for _, d := range deals {
		sum += d.Terms.Commission()
	}
	setOff := c.Books.Sum(Where{Account: DueFromISO, ISO: iso})
	if sum < setOff {
		return 0
	}
	for _, d := range deals {
		d.commission = commissionPaid
		c.direct(Line{Effective: today, Deal: d, ISO: iso},
			map[string]Cents{CommissionOwed: d.Terms.Commission(), Cash: -d.Terms.Commission()})
	}
	c.direct(Line{Effective: today, ISO: iso}, map[string]Cents{Cash: setOff, DueFromISO: -setOff})
	return sum - setOff
}

// CommissionWaits reports whether a deal's commission is owed, and whether it is safe from a default.
func (d *Deal) CommissionWaits(today Day) (owed, safe bool) {
	return d.commission == commissionOwed, today > d.FundedOn+ClawbackDays
}
