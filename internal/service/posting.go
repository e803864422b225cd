package service

import (
	"context"
	"fmt"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/ent/participation"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/store"
)

// posting is what goes into the ledger at once, and what it belongs to.
type posting struct {
	deal         *int
	payment      *int
	episode      *int
	revision     int // of the episode: how often it was booked again for another day
	disbursement *int
	payoutItem   *int
	// on is the day that the entries count for; today where it is zero.
	on civil.Date
	// reverses are the journals that the entries undo, one for one; nil where they undo none.
	reverses []int
	entries  []ledger.Entry
}

// post stores entries. An entry without lines moves nothing and is left out.
func (t *tx) post(ctx context.Context, p posting) error {
	var journals []*ent.JournalCreate
	var kept []ledger.Entry
	for i, e := range p.entries {
		if len(e.Lines) == 0 {
			continue
		}
		if err := e.Check(); err != nil {
			return err
		}
		j := t.Journal.Create().SetKind(e.Kind).SetLineCount(len(e.Lines)).SetOccurredAt(t.At()).
			SetEffectiveDate(t.effectiveDate(p.on)).SetNillableDealID(p.deal).SetNillablePaymentID(p.payment).
			SetNillableEpisode(p.episode).SetRevision(p.revision).
			SetNillableDisbursementID(p.disbursement).SetNillablePayoutItemID(p.payoutItem)
		if e.Memo != "" {
			j.SetMemo(e.Memo)
		}
		if p.reverses != nil {
			j.SetReversesID(p.reverses[i])
		}
		journals, kept = append(journals, j), append(kept, e)
	}
	if len(kept) == 0 {
		return nil
	}
	made, err := t.Journal.CreateBulk(journals...).Save(ctx)
	if err != nil {
		return fmt.Errorf("post: %w", err)
	}
	var lines []*ent.PostingCreate
	ids := make([]int, len(made))
	for i, e := range kept {
		ids[i] = made[i].ID
		for _, l := range e.Lines {
			lines = append(lines, t.line(made[i], e, l, p))
		}
	}
	t.affect("journal", created, ids...)
	return t.Posting.CreateBulk(lines...).Exec(ctx)
}

// effectiveDate is the day that an entry counts for which is meant for a day: that day, or today where none is meant. No
// entry counts for a day to come.
func (t *tx) effectiveDate(meant civil.Date) civil.Date {
	today := t.today()
	if meant.IsZero() || meant.After(today) {
		return today
	}
	return meant
}

func (t *tx) line(j *ent.Journal, e ledger.Entry, l ledger.Line, p posting) *ent.PostingCreate {
	c := t.Posting.Create().SetJournalID(j.ID).SetKind(e.Kind).SetAccount(string(l.Account)).SetAmount(l.Amount).
		SetNillableDealID(p.deal).SetNillablePaymentID(p.payment)
	if l.DealID != 0 {
		c.SetDealID(l.DealID)
	}
	if l.SyndicatorID != 0 {
		c.SetSyndicatorID(l.SyndicatorID)
	}
	if l.ISOID != 0 {
		c.SetIsoID(l.ISOID)
	}
	return c
}

// balances sums the deal's postings.
func (t *tx) balances(ctx context.Context, dealID int) (ledger.Balances, error) {
	sums, err := t.DealSums(ctx, t.actor.TenantID, dealID)
	if err != nil {
		return nil, fmt.Errorf("balances of deal %d: %w", dealID, err)
	}
	return balancesOf(sums), nil
}

// balancesOf are the balances that sums of postings come to.
func balancesOf(sums []store.Sum) ledger.Balances {
	b := make(ledger.Balances, len(sums))
	for _, s := range sums {
		key := ledger.Key{Account: ledger.Account(s.Account), SyndicatorID: s.SyndicatorID, Kind: ledger.Kind(s.Kind)}
		b[key] = b[key].Add(money.Cents(s.Cents))
	}
	return b
}

// ledgerFacts are what the books need to know of a deal.
func (t *tx) ledgerFacts(ctx context.Context, d *ent.Deal) (ledger.Facts, error) {
	f := factsOfDeal(d, t.zone())
	funded, payback, err := t.furtherDraws(ctx, d)
	if err != nil {
		return f, err
	}
	f.Funded, f.Payback = f.Funded.Add(funded), f.Payback.Add(payback)
	rows, err := t.Participation.Query().Where(participation.DealID(d.ID)).
		Order(participation.BySyndicatorID()).All(ctx)
	for _, p := range rows {
		f.Participants = append(f.Participants, participantOf(p))
	}
	return f, err
}

// factsOfDeal are the facts of a deal that nobody takes part in and on which nothing further was drawn.
func factsOfDeal(d *ent.Deal, zone *time.Location) ledger.Facts {
	terms := termsOf(d, zone)
	f := ledger.Facts{Funded: orZero(d.FundedAmount), Payback: orZero(d.PaybackAmount), BankFee: terms.BankFee()}
	if d.IsoID != nil {
		f.Commission = terms.Commission()
	}
	return f
}

func orZero(a *money.Amount) money.Amount {
	if a == nil {
		return money.Zero
	}
	return *a
}

func participantOf(p *ent.Participation) ledger.Participant {
	out := ledger.Participant{
		SyndicatorID: p.SyndicatorID, Percent: p.Percent, ProfitSplitPercent: p.ProfitSplitPercent,
		CAFRecognition: ledger.CAFRecognition(p.CafRecognition), ProfitAccrual: ledger.ProfitAccrual(p.ProfitAccrual),
		LossProtected: p.LossProtected, SharesCommission: p.FrontsCommission,
		SharesBankFee: p.ParticipatesInBankFee != nil && *p.ParticipatesInBankFee,
	}
	if p.ManagementFeePercent != nil {
		out.ManagementFeePercent = *p.ManagementFeePercent
	}
	if p.ManagementFeeBasis != nil {
		out.ManagementFeeBasis = ledger.FeeBasis(*p.ManagementFeeBasis)
	}
	return out
}

// postPayment posts a payment that has become PAID and returns the deal's balances after it.
func (t *tx) postPayment(ctx context.Context, d *ent.Deal, p *ent.Payment) (ledger.Balances, error) {
	facts, balances, err := t.books(ctx, d)
	if err != nil {
		return nil, err
	}
	var method payment.Method
	if p.Method != nil {
		method = *p.Method
	}
	syndicator := 0
	if p.SyndicatorID != nil {
		syndicator = *p.SyndicatorID
	}
	entries, err := ledger.Pay(facts, balances, p.Type, p.Amount, method, syndicator)
	if err != nil {
		return nil, err
	}
	err = t.post(ctx, posting{
		deal: &p.DealID, payment: &p.ID, episode: &p.Episode, on: clearedOn(p), entries: entries,
	})
	balances.Post(entries...)
	return balances, err
}

// clearedOn is the day on which a payment cleared; zero where it has not.
func clearedOn(p *ent.Payment) civil.Date {
	if p.ClearedDate == nil {
		return civil.Date{}
	}
	return *p.ClearedDate
}

// postedBy are the entries of the payment's last paid episode that have not been reversed, with their postings.
func (t *tx) postedBy(ctx context.Context, p *ent.Payment) ([]*ent.Journal, error) {
	posted, err := t.Journal.Query().Where(journal.PaymentID(p.ID), journal.Episode(p.Episode)).
		WithPostings().Order(journal.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	undone := map[int]bool{}
	for _, j := range posted {
		if j.ReversesID != nil {
			undone[*j.ReversesID], undone[j.ID] = true, true
		}
	}
	return slices.DeleteFunc(posted, func(j *ent.Journal) bool { return undone[j.ID] }), nil
}

// undo is the exact reversal of entries of a payment.
func undo(p *ent.Payment, posted []*ent.Journal, on civil.Date) posting {
	undone := posting{deal: &p.DealID, payment: &p.ID, episode: &p.Episode, on: on}
	for _, j := range posted {
		undone.revision = j.Revision
		undone.reverses = append(undone.reverses, j.ID)
		undone.entries = append(undone.entries, ledger.Reverse(entryOf(j)))
	}
	return undone
}

// reversePayment undoes for a day what the payment's last paid episode posted. settle must follow.
func (t *tx) reversePayment(ctx context.Context, p *ent.Payment, on civil.Date) error {
	posted, err := t.postedBy(ctx, p)
	if err != nil {
		return err
	}
	return t.post(ctx, undo(p, posted, on))
}

// rebook has what a payment posted count for another day: the entries are reversed for the day they counted for, and
// booked again, line for line, for the new one. All of them are kept.
func (t *tx) rebook(ctx context.Context, p *ent.Payment) error {
	posted, err := t.postedBy(ctx, p)
	if err != nil || len(posted) == 0 {
		return err
	}
	if err := t.post(ctx, undo(p, posted, posted[0].EffectiveDate)); err != nil {
		return err
	}
	again := posting{
		deal: &p.DealID, payment: &p.ID, episode: &p.Episode, revision: posted[0].Revision + 1, on: clearedOn(p),
	}
	for _, j := range posted {
		again.entries = append(again.entries, entryOf(j))
	}
	return t.post(ctx, again)
}

// books are a deal's facts and balances.
func (t *tx) books(ctx context.Context, d *ent.Deal) (ledger.Facts, ledger.Balances, error) {
	facts, err := t.ledgerFacts(ctx, d)
	if err != nil {
		return facts, nil, err
	}
	balances, err := t.balances(ctx, d.ID)
	return facts, balances, err
}

// settle adds for a day what a reversal, or the funding of the deal, leaves to be trued up; mostly that is nothing.
func (t *tx) settle(ctx context.Context, d *ent.Deal, on civil.Date) (ledger.Balances, error) {
	facts, balances, err := t.books(ctx, d)
	if err != nil {
		return nil, err
	}
	return balances, t.settleBooks(ctx, d, facts, balances, on)
}

// settleBooks is settle for who has read the books already; it posts to the balances as well.
func (t *tx) settleBooks(
	ctx context.Context, d *ent.Deal, facts ledger.Facts, balances ledger.Balances, on civil.Date,
) error {
	entries, err := ledger.Settle(facts, balances)
	if err != nil {
		return err
	}
	balances.Post(entries...)
	return t.post(ctx, posting{deal: &d.ID, on: on, entries: entries})
}

// entryOf is a stored journal as an entry.
func entryOf(j *ent.Journal) ledger.Entry {
	e := ledger.Entry{Kind: j.Kind, Lines: make([]ledger.Line, len(j.Edges.Postings))}
	if j.Memo != nil {
		e.Memo = *j.Memo
	}
	for i, p := range j.Edges.Postings {
		l := ledger.Line{Account: ledger.Account(p.Account), Amount: p.Amount}
		if p.SyndicatorID != nil {
			l.SyndicatorID = *p.SyndicatorID
		}
		if p.IsoID != nil {
			l.ISOID = *p.IsoID
		}
		if p.DealID != nil && (j.DealID == nil || *p.DealID != *j.DealID) {
			l.DealID = *p.DealID
		}
		e.Lines[i] = l
	}
	return e
}
