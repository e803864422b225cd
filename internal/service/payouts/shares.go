package payouts

import (
	"cmp"
	"context"
	"slices"

	"paydown/ent/payoutitem"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service/unit"
)

// HoldDays is how many banking days a cleared payment is held before its shares are paid out. Most returns
// arrive by then. The number is a product decision.
const HoldDays = 5

// share is what a syndicator is due of a payment in one of its paid episodes or, without a payment, of what was
// trued up on a deal. reverses is the item of an earlier batch that it reverses, if any.
type share struct {
	deal, syndicator int
	payment, episode int
	amount           money.Amount
	reverses         *int
}

// sharesDue returns the shares of a period that no batch has yet, the shares to reverse, and other amounts
// due, ordered by deal and syndicator.
func sharesDue(ctx context.Context, t *unit.Tx, from, to civil.Date) ([]share, error) {
	due, err := collectedShares(ctx, t, from, to)
	if err != nil {
		return nil, err
	}
	back, err := returnedShares(ctx, t)
	if err != nil {
		return nil, err
	}
	rest, err := otherShares(ctx, t)
	if err != nil {
		return nil, err
	}
	due = slices.Concat(due, back, rest)
	slices.SortFunc(due, byParty)
	return due, nil
}

// byParty orders shares by deal, syndicator and payment; those without a payment come last.
func byParty(a, b share) int {
	ofNone := func(s share) int {
		if s.payment == 0 {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(a.deal, b.deal), cmp.Compare(a.syndicator, b.syndicator), cmp.Compare(ofNone(a), ofNone(b)),
		cmp.Compare(a.payment, b.payment), cmp.Compare(a.episode, b.episode), a.amount.Cmp(b.amount))
}

// collectedShares returns the shares of payments that cleared in the period and that no batch has. A positive
// share is held for HoldDays; a negative one, of an adjustment, is not.
func collectedShares(ctx context.Context, t *unit.Tx, from, to civil.Date) ([]share, error) {
	rows, err := t.CollectedShares(ctx, t.Actor.TenantID, string(ledger.SyndicatorPayable), from, to)
	if err != nil {
		return nil, err
	}
	var due []share
	for _, r := range rows {
		s := share{
			deal: r.DealID, syndicator: r.SyndicatorID, payment: r.PaymentID, episode: r.Episode, amount: money.Cents(-r.Cents),
		}
		if s.amount.Sign() < 0 || !schedule.AddBankingDays(r.ClearedDate, HoldDays).After(t.Today()) {
			due = append(due, s)
		}
	}
	return due, nil
}

// returnedShares returns the reversals of paid-out items whose payment was returned since.
func returnedShares(ctx context.Context, t *unit.Tx) ([]share, error) {
	ids, err := t.ReturnedItems(ctx, t.Actor.TenantID)
	if err != nil {
		return nil, err
	}
	var back []share
	for part := range slices.Chunk(ids, unit.RowsAtOnce) {
		items, err := t.PayoutItem.Query().Where(payoutitem.IDIn(part...)).All(ctx)
		if err != nil {
			return nil, err
		}
		for _, item := range items {
			back = append(back, share{
				deal: *item.DealID, syndicator: *item.SyndicatorID, payment: *item.CollectedPaymentID, episode: *item.Episode,
				amount: item.Amount.Neg(), reverses: &item.ID,
			})
		}
	}
	return back, nil
}

// otherShares returns, by deal and syndicator, payable amounts that come from no payment of the merchant: cents
// trued up after a return, surplus applied to a reopened receivable, and losses the tenant covers, less manual
// payouts. It returns what no batch has yet, whatever the day: items do not name their days, so the sum up to
// the end of one period could not be compared with batches that went further.
func otherShares(ctx context.Context, t *unit.Tx) ([]share, error) {
	sums, err := t.UnsharedCents(ctx, t.Actor.TenantID, string(ledger.SyndicatorPayable))
	if err != nil || len(sums) == 0 {
		return nil, err
	}
	items, err := t.PayoutItem.Query().Where(payoutitem.SyndicatorIDNotNil(), payoutitem.CollectedPaymentIDIsNil(),
		payoutitem.CarriedFromIDIsNil(), payoutitem.StatusNEQ(payoutitem.StatusCANCELLED)).All(ctx)
	if err != nil {
		return nil, err
	}
	type party struct{ deal, syndicator int }
	inBatches := map[party]money.Amount{}
	for _, item := range items {
		if item.DealID != nil {
			p := party{*item.DealID, *item.SyndicatorID}
			inBatches[p] = inBatches[p].Add(item.Amount)
		}
	}
	var due []share
	for _, s := range sums {
		left := money.Cents(-s.Cents).Sub(inBatches[party{s.DealID, s.SyndicatorID}])
		if !left.IsZero() {
			due = append(due, share{deal: s.DealID, syndicator: s.SyndicatorID, amount: left})
		}
	}
	return due, nil
}
