package service

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/ent/account"
	entdeal "paydown/ent/deal"
	"paydown/ent/journal"
	entpayment "paydown/ent/payment"
	entposting "paydown/ent/posting"
	"paydown/ent/syndicator"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
	"paydown/internal/store"
)

// Ledger is for reading the books. It needs the permission ledger.read.
type Ledger struct{ *core }

// JournalListing describes the list of entries. They come in the order in which they were booked.
var JournalListing = &Listing[ent.Journal]{
	Resource: "ledgerEntries", NoUpdatedAt: true, ByIDOnly: true,
	Filters: []Filter{
		{Name: "dealId", Column: journal.FieldDealID, Kind: IsID, Doc: "Only entries of this deal"},
		{Name: "paymentId", Column: journal.FieldPaymentID, Kind: IsID, Doc: "Only entries of this payment"},
		{
			Name: "syndicatorId", Column: entposting.FieldSyndicatorID, Kind: IsID, Doc: "Only entries with a line of this syndicator",
			Through: withLine,
		},
		{
			Name: "kind", Column: journal.FieldKind, Kind: IsEnum, Values: ledger.Kind("").Values(),
			Doc: "Only entries of this kind",
		},
	},
}

// withLine narrows entries to those of which a posting has a value in a column.
func withLine(column string, id int) func(*sql.Selector) {
	return func(s *sql.Selector) {
		lines := sql.Table(entposting.Table)
		s.Where(sql.In(s.C(journal.FieldID), sql.Select(lines.C(entposting.FieldJournalID)).From(lines).
			Where(sql.EQ(lines.C(column), id))))
	}
}

// Entries returns a page of the entries of the books.
func (s Ledger) Entries(ctx context.Context, params map[string]string) (*Page[ent.Journal], error) {
	actor, err := entitled(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	q, err := JournalListing.read(s.core, actor, params)
	if err != nil {
		return nil, err
	}
	return fetch(ctx, s.core, q, s.store.Reader().Journal.Query())
}

// EntriesOfDeals returns a page of the entries of each of the deals.
func (s Ledger) EntriesOfDeals(ctx context.Context, ids []int, params map[string]string) (map[int]*Page[ent.Journal], error) {
	actor, err := entitled(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	return pagesFor(ctx, s.core, actor, JournalListing, belonging{"dealId", journal.FieldDealID}, ids, params, s.store.Reader().Journal.Query())
}

// Lines lists the postings of each of the entries.
func (s Ledger) Lines(ctx context.Context, _ auth.Scope, ids []int) (map[int][]*ent.Posting, error) {
	if _, err := entitled(ctx, auth.ReadLedger); err != nil {
		return nil, err
	}
	rows, err := s.store.Reader().Posting.Query().Where(entposting.JournalIDIn(ids...)).Order(entposting.ByID()).All(ctx)
	return byOwner(rows, entposting.FieldJournalID), err
}

// AccountBalance is an account of the chart with what is in it at the end of a day: on the side that it falls on, the other
// being zero.
type AccountBalance struct {
	ID            int
	Code, Name    string
	Type          ledger.AccountType
	Debit, Credit money.Amount
}

// Chart lists the accounts with their balances at the end of a day; of now where no day is given.
func (s Ledger) Chart(ctx context.Context, asOf *civil.Date) ([]*AccountBalance, error) {
	actor, err := entitled(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	accounts, err := s.store.Reader().Account.Query().Order(account.ByCode()).All(ctx)
	if err != nil {
		return nil, err
	}
	through := civil.On(s.store.Now(), zoneOf(actor)).AddDays(1) // no entry is of the future, whatever another process's clock says
	if asOf != nil {
		through = *asOf
	}
	sums, err := s.store.CentsThrough(ctx, actor.TenantID, store.Part{}, through)
	if err != nil {
		return nil, err
	}
	balances := balancesOf(sums)
	chart := make([]*AccountBalance, len(accounts))
	for i, a := range accounts {
		balance := balances.Of(ledger.Account(a.Code))
		chart[i] = &AccountBalance{
			ID: a.ID, Code: a.Code, Name: a.Name, Type: ledger.AccountType(a.Type),
			Debit: money.Max(balance, money.Zero), Credit: money.Max(balance.Neg(), money.Zero),
		}
	}
	return chart, nil
}

// Statement is what happened between a party and the house in a period. Amounts are in the party's favour where they are
// positive: what a syndicator has in the wallet and is owed, or what a merchant has paid and does not owe.
type Statement struct {
	From, To         civil.Date
	Opening, Closing money.Amount
	Lines            []*StatementLine
}

// StatementLine is one posting of a statement, with the balance after it.
type StatementLine struct {
	// EffectiveDate is the day that it counts for, OccurredAt when it was recorded.
	EffectiveDate civil.Date
	OccurredAt    time.Time
	Kind          ledger.Kind
	Memo          *string
	Account       string
	DealID        *int
	PaymentID     *int
	Amount        money.Amount
	Balance       money.Amount
}

// maxStatementLines bounds a statement.
const maxStatementLines = 5000

// OfSyndicator is the statement of a syndicator's wallet and of what is payable to them.
func (s Ledger) OfSyndicator(ctx context.Context, id int, from, to civil.Date) (*Statement, error) {
	if _, err := entitled(ctx, auth.ReadLedger); err != nil {
		return nil, err
	}
	if found, err := s.store.Reader().Syndicator.Query().Where(syndicator.ID(id)).Exist(ctx); err != nil || !found {
		return nil, orMissing(err, "syndicator")
	}
	return s.statement(ctx, store.Part{SyndicatorID: id}, from, to, ledger.SyndicatorWallet, ledger.SyndicatorPayable)
}

// OfMerchant is the statement of what a merchant owes on a deal.
func (s Ledger) OfMerchant(ctx context.Context, dealID int, from, to civil.Date) (*Statement, error) {
	if _, err := entitled(ctx, auth.ReadLedger); err != nil {
		return nil, err
	}
	if found, err := s.store.Reader().Deal.Query().Where(entdeal.ID(dealID)).Exist(ctx); err != nil || !found {
		return nil, orMissing(err, "deal")
	}
	return s.statement(ctx, store.Part{DealID: dealID}, from, to, ledger.Receivable, ledger.UnappliedCash)
}

// orMissing is the error of a look-up that found nothing: the database's, or that there is no such record.
func orMissing(err error, what string) error {
	if err == nil {
		return fault.Missing(what)
	}
	return err
}

func (s Ledger) statement(ctx context.Context, of store.Part, from, to civil.Date, accounts ...ledger.Account) (*Statement, error) {
	actor, err := entitled(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	if to.Before(from) {
		return nil, fault.Field("to", "must not be before from")
	}
	sums, err := s.store.CentsThrough(ctx, actor.TenantID, of, from.AddDays(-1))
	if err != nil {
		return nil, err
	}
	st := &Statement{From: from, To: to}
	codes := make([]string, len(accounts))
	for i, a := range accounts {
		codes[i] = string(a)
		st.Opening = st.Opening.Sub(balancesOf(sums).Of(a))
	}
	query := s.store.Reader().Posting.Query().Where(entposting.AccountIn(codes...),
		entposting.HasJournalWith(journal.TenantID(actor.TenantID), journal.EffectiveDateGTE(from), journal.EffectiveDateLTE(to)))
	if of.SyndicatorID != 0 {
		query.Where(entposting.SyndicatorID(of.SyndicatorID))
	} else {
		query.Where(entposting.DealID(of.DealID))
	}
	rows, err := query.WithJournal().Order(entposting.ByJournalID(), entposting.ByID()).Limit(maxStatementLines + 1).All(ctx)
	if err != nil {
		return nil, err
	}
	if len(rows) > maxStatementLines {
		return nil, fault.Field("from", "begins a period of more than %d lines; ask for a shorter one", maxStatementLines)
	}
	slices.SortStableFunc(rows, func(a, b *ent.Posting) int {
		return a.Edges.Journal.EffectiveDate.Sub(b.Edges.Journal.EffectiveDate)
	})
	st.Closing = st.Opening
	st.Lines = make([]*StatementLine, len(rows))
	for i, p := range rows {
		j := p.Edges.Journal
		st.Closing = st.Closing.Sub(p.Amount)
		st.Lines[i] = &StatementLine{
			EffectiveDate: j.EffectiveDate, OccurredAt: j.OccurredAt, Kind: p.Kind, Memo: j.Memo, Account: p.Account, DealID: p.DealID, PaymentID: p.PaymentID,
			Amount: p.Amount.Neg(), Balance: st.Closing,
		}
	}
	return st, nil
}

// PartyBalances are what a syndicator has with the house.
type PartyBalances struct {
	// Wallet is what there is for further deals, Payable what is owed out of collections; it may be negative where money
	// came back after it was paid out.
	Wallet, Payable money.Amount
}

// BalancesOfSyndicators are the balances of each of the syndicators.
func (s Ledger) BalancesOfSyndicators(ctx context.Context, _ auth.Scope, ids []int) (map[int]*PartyBalances, error) {
	actor, err := entitled(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	sums, err := s.store.PartySums(ctx, actor.TenantID, ids)
	found := make(map[int]*PartyBalances, len(ids))
	for _, id := range ids {
		b := balancesOf(sums[id])
		found[id] = &PartyBalances{Wallet: b.Of(ledger.SyndicatorWallet).Neg(), Payable: b.Of(ledger.SyndicatorPayable).Neg()}
	}
	return found, err
}

// DealPosition is where the collection of a deal stands.
type DealPosition struct {
	// Outstanding is what the merchant still owes of the receivable, Collected what was paid against it, Surplus what was
	// paid beyond it.
	Outstanding, Collected, Surplus money.Amount
	WrittenOff, Recovered           money.Amount
	PaidDownPct                     money.Rate
	// NextPayment is the debit that is due next; nil where none is scheduled.
	NextPayment *ent.Payment
}

// Positions say where each of the deals stands, in two statements. They are for whoever may read payments.
func (s Deals) Positions(ctx context.Context, through auth.Scope, ids []int) (map[int]*DealPosition, error) {
	actor, err := permit(ctx, through)
	if err != nil {
		return nil, err
	}
	sums, err := s.store.DealsSums(ctx, actor.TenantID, ids)
	if err != nil {
		return nil, err
	}
	next, err := s.nextPayments(ctx, actor, ids)
	if err != nil {
		return nil, err
	}
	found := make(map[int]*DealPosition, len(ids))
	for _, id := range ids {
		b := balancesOf(sums[id])
		// What was purchased, draws among it, is what the fundings debited.
		purchased := b.Of(ledger.Receivable, ledger.Funding, ledger.Renewal)
		found[id] = &DealPosition{
			Outstanding: ledger.Outstanding(b), Collected: ledger.Collected(b),
			Surplus: money.Max(money.Zero, ledger.Surplus(b)), WrittenOff: ledger.WrittenOff(b), Recovered: ledger.Recovered(b),
			PaidDownPct: deal.PaidDown(ledger.Collected(b), purchased), NextPayment: next[id],
		}
	}
	return found, nil
}

// nextPayments are the debits that are due next, by deal.
func (s Deals) nextPayments(ctx context.Context, actor *auth.Actor, ids []int) (map[int]*ent.Payment, error) {
	waiting := func(q *sql.Selector) {
		q.Where(sql.And(sql.EQ(q.C(entpayment.FieldStatus), payment.Pending), sql.EQ(q.C(entpayment.FieldDirection), payment.In),
			sql.NotNull(q.C(entpayment.FieldScheduledDate))))
	}
	order := store.Order{Column: entpayment.FieldScheduledDate}
	first := store.LeadersOfEach(actor.TenantID, entpayment.FieldDealID, ids, 1, waiting, order)
	rows, err := s.store.Reader().Payment.Query().Where(first).All(ctx)
	next := make(map[int]*ent.Payment, len(rows))
	for _, p := range rows {
		next[p.DealID] = p
	}
	return next, err
}
