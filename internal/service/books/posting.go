package books

import (
	"context"
	"fmt"
	"slices"
	"time"

	"paydown/ent"
	"paydown/ent/journal"
	"paydown/ent/participation"
	"paydown/ent/syndicator"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// PayableTo returns what may be paid to a syndicator: what is owed over all deals, because an overpayment on
// one deal is deducted from the others. It locks the syndicator, so that payouts on two deals at the same time
// do not pay the same money twice. Lock deals before syndicators, as funding does.
func PayableTo(ctx context.Context, t *unit.Tx, syndicatorID int) (money.Amount, error) {
	if _, err := t.Syndicator.Query().Where(syndicator.ID(syndicatorID), unit.Locked).OnlyID(ctx); err != nil {
		return money.Zero, err
	}
	cents, err := t.WalletCents(ctx, t.Actor.TenantID, syndicatorID, string(ledger.SyndicatorPayable))
	return money.Max(money.Zero, money.Cents(-cents)), err
}

// Posting is a set of journal entries to post together, with the records they belong to.
type Posting struct {
	Deal         *int
	Payment      *int
	Episode      *int
	revision     int // of the episode: how often it was posted again for another day
	Disbursement *int
	PayoutItem   *int
	// On is the effective date of the entries; today if zero.
	On civil.Date
	// Reverses are the journal entries that Entries reverse, one for one; nil if they reverse none.
	Reverses []int
	Entries  []ledger.Entry
}

// Post stores entries. It skips entries without lines, which move nothing.
func Post(ctx context.Context, t *unit.Tx, p Posting) error {
	var entries []store.NewEntry
	for i, e := range p.Entries {
		if len(e.Lines) == 0 {
			continue
		}
		if err := e.Check(); err != nil {
			return err
		}
		entry := store.NewEntry{
			Kind: e.Kind, Memo: e.Memo, DealID: p.Deal, PaymentID: p.Payment, Episode: p.Episode, Revision: p.revision,
			DisbursementID: p.Disbursement, PayoutItemID: p.PayoutItem, EffectiveDate: effectiveDate(t, p.On),
			Lines: make([]store.NewLine, len(e.Lines)),
		}
		if p.Reverses != nil {
			entry.ReversesID = &p.Reverses[i]
		}
		for j, l := range e.Lines {
			entry.Lines[j] = line(l, p)
		}
		entries = append(entries, entry)
	}
	if len(entries) == 0 {
		return nil
	}
	ids, err := t.AddEntries(ctx, entries)
	if err != nil {
		return fmt.Errorf("post: %w", err)
	}
	t.Affect("journal", unit.Created, ids...)
	return nil
}

// effectiveDate returns the effective date for a requested day: that day, or today if it is zero or in the
// future.
func effectiveDate(t *unit.Tx, meant civil.Date) civil.Date {
	today := t.Today()
	if meant.IsZero() || meant.After(today) {
		return today
	}
	return meant
}

func line(l ledger.Line, p Posting) store.NewLine {
	row := store.NewLine{Account: string(l.Account), Amount: l.Amount, DealID: p.Deal}
	if l.DealID != 0 {
		row.DealID = &l.DealID
	}
	if l.SyndicatorID != 0 {
		row.SyndicatorID = &l.SyndicatorID
	}
	if l.ISOID != 0 {
		row.ISOID = &l.ISOID
	}
	return row
}

// Balances returns the deal's balances: the sums of its postings.
func Balances(ctx context.Context, t *unit.Tx, dealID int) (ledger.Balances, error) {
	sums, err := t.DealSums(ctx, t.Actor.TenantID, dealID)
	if err != nil {
		return nil, fmt.Errorf("balances of deal %d: %w", dealID, err)
	}
	return BalancesOf(sums), nil
}

// BalancesOf converts sums of postings to balances.
func BalancesOf(sums []store.Sum) ledger.Balances {
	b := make(ledger.Balances, len(sums))
	for _, s := range sums {
		key := ledger.Key{Account: ledger.Account(s.Account), SyndicatorID: s.SyndicatorID, Kind: ledger.Kind(s.Kind)}
		b[key] = b[key].Add(money.Cents(s.Cents))
	}
	return b
}

// LedgerFacts returns what the ledger needs to know about a deal.
func LedgerFacts(ctx context.Context, t *unit.Tx, d *ent.Deal) (ledger.Facts, error) {
	f, err := unsyndicated(ctx, t, d)
	if err != nil {
		return f, err
	}
	err = addParticipants(ctx, t, d, &f)
	return f, err
}

// unsyndicated returns the facts of a deal without its participations.
func unsyndicated(ctx context.Context, t *unit.Tx, d *ent.Deal) (ledger.Facts, error) {
	f := FactsOfDeal(d, t.Zone())
	funded, payback, err := FurtherDraws(ctx, t, d)
	f.Funded, f.Payback = f.Funded.Add(funded), f.Payback.Add(payback)
	return f, err
}

func addParticipants(ctx context.Context, t *unit.Tx, d *ent.Deal, f *ledger.Facts) error {
	rows, err := t.Participation.Query().Where(participation.DealID(d.ID)).
		Order(participation.BySyndicatorID()).All(ctx)
	for _, p := range rows {
		f.Participants = append(f.Participants, ParticipantOf(p))
	}
	return err
}

// FactsOfDeal returns the facts of a deal without participations and further draws.
func FactsOfDeal(d *ent.Deal, zone *time.Location) ledger.Facts {
	terms := TermsOf(d, zone)
	f := ledger.Facts{Funded: OrZero(d.FundedAmount), Payback: OrZero(d.PaybackAmount), BankFee: terms.BankFee()}
	if d.IsoID != nil {
		f.Commission = terms.Commission()
	}
	return f
}

// OrZero returns an amount, or zero if it is nil.
func OrZero(a *money.Amount) money.Amount {
	if a == nil {
		return money.Zero
	}
	return *a
}

// ParticipantOf returns a participation in the form that package ledger computes with.
func ParticipantOf(p *ent.Participation) ledger.Participant {
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

// PostPayment posts a payment that became PAID and returns the deal's balances after it.
func PostPayment(ctx context.Context, t *unit.Tx, d *ent.Deal, p *ent.Payment) (ledger.Balances, error) {
	facts, balances, err := Books(ctx, t, d)
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
	err = Post(ctx, t, Posting{
		Deal: &p.DealID, Payment: &p.ID, Episode: &p.Episode, On: ClearedOn(p), Entries: entries,
	})
	balances.Post(entries...)
	return balances, err
}

// ClearedOn returns the day on which a payment cleared; zero if it has not.
func ClearedOn(p *ent.Payment) civil.Date {
	if p.ClearedDate == nil {
		return civil.Date{}
	}
	return *p.ClearedDate
}

// postedBy returns the unreversed entries of the payment's last paid episode, with their postings.
func postedBy(ctx context.Context, t *unit.Tx, p *ent.Payment) ([]*ent.Journal, error) {
	posted, err := t.Journal.Query().Where(journal.PaymentID(p.ID), journal.Episode(p.Episode)).
		WithPostings().Order(journal.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	reversed := map[int]bool{}
	for _, j := range posted {
		if j.ReversesID != nil {
			reversed[*j.ReversesID], reversed[j.ID] = true, true
		}
	}
	return slices.DeleteFunc(posted, func(j *ent.Journal) bool { return reversed[j.ID] }), nil
}

// reversalOf returns the exact reversal of a payment's entries.
func reversalOf(p *ent.Payment, posted []*ent.Journal, on civil.Date) Posting {
	reversal := Posting{Deal: &p.DealID, Payment: &p.ID, Episode: &p.Episode, On: on}
	for _, j := range posted {
		reversal.revision = j.Revision
		reversal.Reverses = append(reversal.Reverses, j.ID)
		reversal.Entries = append(reversal.Entries, ledger.Reverse(EntryOf(j)))
	}
	return reversal
}

// ReversePayment reverses what the payment's last paid episode posted, with effective date on. The caller must
// true up the books.
func ReversePayment(ctx context.Context, t *unit.Tx, p *ent.Payment, on civil.Date) error {
	posted, err := postedBy(ctx, t, p)
	if err != nil {
		return err
	}
	return Post(ctx, t, reversalOf(p, posted, on))
}

// MoveToDay moves a payment's entries to its cleared date: it reverses them on their old effective date and
// posts them again, line for line, on the new one. All of them are kept.
func MoveToDay(ctx context.Context, t *unit.Tx, p *ent.Payment) error {
	posted, err := postedBy(ctx, t, p)
	if err != nil || len(posted) == 0 {
		return err
	}
	if err := Post(ctx, t, reversalOf(p, posted, posted[0].EffectiveDate)); err != nil {
		return err
	}
	again := Posting{
		Deal: &p.DealID, Payment: &p.ID, Episode: &p.Episode, revision: posted[0].Revision + 1, On: ClearedOn(p),
	}
	for _, j := range posted {
		again.Entries = append(again.Entries, EntryOf(j))
	}
	return Post(ctx, t, again)
}

// Books returns a deal's facts and balances, for a write that posts an entry afterwards.
func Books(ctx context.Context, t *unit.Tx, d *ent.Deal) (ledger.Facts, ledger.Balances, error) {
	return booksOf(ctx, t, d, true)
}

func booksOf(ctx context.Context, t *unit.Tx, d *ent.Deal, posts bool) (ledger.Facts, ledger.Balances, error) {
	facts, err := unsyndicated(ctx, t, d)
	if err != nil {
		return facts, nil, err
	}
	books, err := t.BooksOf(ctx, t.Actor.TenantID, d.ID, posts)
	if err != nil {
		return facts, nil, fmt.Errorf("books of deal %d: %w", d.ID, err)
	}
	if books.Participations > 0 {
		err = addParticipants(ctx, t, d, &facts)
	}
	return facts, BalancesOf(books.Sums), err
}

// TrueUp posts what a reversal or the deal's funding left open, usually nothing, with effective date on.
func TrueUp(ctx context.Context, t *unit.Tx, d *ent.Deal, on civil.Date) (ledger.Balances, error) {
	facts, balances, err := booksOf(ctx, t, d, false)
	if err != nil {
		return nil, err
	}
	return balances, TrueUpBooks(ctx, t, d, facts, balances, on)
}

// TrueUpBooks is TrueUp for callers that have already read the books; it also updates balances.
func TrueUpBooks(
	ctx context.Context, t *unit.Tx, d *ent.Deal, facts ledger.Facts, balances ledger.Balances, on civil.Date,
) error {
	entries, err := ledger.Settle(facts, balances)
	if err != nil {
		return err
	}
	balances.Post(entries...)
	return Post(ctx, t, Posting{Deal: &d.ID, On: on, Entries: entries})
}

// EntryOf converts a stored journal entry.
func EntryOf(j *ent.Journal) ledger.Entry {
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
