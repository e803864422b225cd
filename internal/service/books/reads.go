package books

import (
	"context"
	"slices"
	"time"

	"entgo.io/ent/dialect/sql"

	"paydown/ent"
	"paydown/ent/account"
	"paydown/ent/deal"
	"paydown/ent/journal"
	entposting "paydown/ent/posting"
	"paydown/ent/syndicator"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Ledger is the aggregate for reading the books. It needs the permission ledger.read.
type Ledger struct{ core *unit.Core }

// JournalListing describes the list of journal entries, in posting order.
var JournalListing = &list.Listing[ent.Journal]{
	Resource: "ledgerEntries", NoUpdatedAt: true, ByIDOnly: true,
	Filters: []list.Filter{
		{Name: "dealId", Column: journal.FieldDealID, Kind: list.IsID, Doc: "Only entries of this deal"},
		{Name: "paymentId", Column: journal.FieldPaymentID, Kind: list.IsID, Doc: "Only entries of this payment"},
		{
			Name: "syndicatorId", Column: entposting.FieldSyndicatorID, Kind: list.IsID,
			Doc: "Only entries with a line of this syndicator", Through: withLine,
		},
		{
			Name: "kind", Column: journal.FieldKind, Kind: list.IsEnum, Values: ledger.Kind("").Values(),
			Doc: "Only entries of this kind",
		},
	},
}

// withLine filters for entries that have a posting with the value in the column.
func withLine(column string, id int) func(*sql.Selector) {
	return func(s *sql.Selector) {
		lines := sql.Table(entposting.Table)
		s.Where(sql.In(s.C(journal.FieldID), sql.Select(lines.C(entposting.FieldJournalID)).From(lines).
			Where(sql.EQ(lines.C(column), id))))
	}
}

// Entries returns a page of journal entries.
func (s Ledger) Entries(ctx context.Context, req list.Request) (*list.Page[ent.Journal], error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	q, err := JournalListing.Query(s.core, actor, req)
	if err != nil {
		return nil, err
	}
	return list.FetchPage(ctx, s.core, q, s.core.Store.Reader().Journal.Query())
}

// EntriesOfDeals returns a page of the journal entries of each deal.
func (s Ledger) EntriesOfDeals(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Journal], error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	ofDeal := list.Belonging{Filter: "dealId", Column: journal.FieldDealID}
	return list.PagesFor(ctx, s.core, actor, JournalListing, ofDeal, ids, req,
		s.core.Store.Reader().Journal.Query())
}

// Lines lists the postings of each journal entry.
func (s Ledger) Lines(ctx context.Context, _ auth.Scope, ids []int) (map[int][]*ent.Posting, error) {
	if _, err := unit.RequirePermission(ctx, auth.ReadLedger); err != nil {
		return nil, err
	}
	rows, err := s.core.Store.Reader().Posting.Query().Where(entposting.JournalIDIn(ids...)).
		Order(entposting.ByID()).All(ctx)
	return list.GroupByOwner(rows, entposting.FieldJournalID), err
}

// AccountBalance is an account of the chart with its balance at the end of a day, on the debit or the credit
// side; the other side is zero.
type AccountBalance struct {
	ID            int
	Code, Name    string
	Type          ledger.AccountType
	Debit, Credit money.Amount
}

// Chart lists the accounts with their balances at the end of a day; the current balances if asOf is nil.
func (s Ledger) Chart(ctx context.Context, asOf *civil.Date) ([]*AccountBalance, error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	accounts, err := s.core.Store.Reader().Account.Query().Order(account.ByCode()).All(ctx)
	if err != nil {
		return nil, err
	}
	// Entries are never in the future, but another process's clock may be ahead.
	through := civil.On(s.core.Store.Now(), unit.ZoneOf(actor)).AddDays(1)
	if asOf != nil {
		through = *asOf
	}
	sums, err := s.core.Store.CentsThrough(ctx, actor.TenantID, store.Part{}, through)
	if err != nil {
		return nil, err
	}
	balances := BalancesOf(sums)
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

// Statement lists what was posted between a party and the tenant in a period. A positive amount is in the
// party's favor: what a syndicator has in the wallet and is owed, or what a merchant has paid and does not owe.
type Statement struct {
	From, To         civil.Date
	Opening, Closing money.Amount
	Lines            []*StatementLine
}

// StatementLine is one posting of a statement, with the balance after it.
type StatementLine struct {
	// EffectiveDate is the day the posting counts for, OccurredAt when it was recorded.
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

// maxStatementLines limits the length of a statement.
const maxStatementLines = 5000

// OfSyndicator returns the statement of a syndicator's wallet and payable amounts.
func (s Ledger) OfSyndicator(ctx context.Context, id int, from, to civil.Date) (*Statement, error) {
	if _, err := unit.RequirePermission(ctx, auth.ReadLedger); err != nil {
		return nil, err
	}
	if found, err := s.core.Store.Reader().Syndicator.Query().Where(syndicator.ID(id)).Exist(ctx); err != nil || !found {
		return nil, orMissing(err, "syndicator")
	}
	return s.statement(ctx, store.Part{SyndicatorID: id}, from, to, ledger.SyndicatorWallet, ledger.SyndicatorPayable)
}

// OfMerchant returns the statement of what a merchant owes on a deal.
func (s Ledger) OfMerchant(ctx context.Context, dealID int, from, to civil.Date) (*Statement, error) {
	if _, err := unit.RequirePermission(ctx, auth.ReadLedger); err != nil {
		return nil, err
	}
	if found, err := s.core.Store.Reader().Deal.Query().Where(entdeal.ID(dealID)).Exist(ctx); err != nil || !found {
		return nil, orMissing(err, "deal")
	}
	return s.statement(ctx, store.Part{DealID: dealID}, from, to, ledger.Receivable, ledger.UnappliedCash)
}

// orMissing returns the database error, or a not-found error if the record does not exist.
func orMissing(err error, what string) error {
	if err == nil {
		return fault.Missing(what)
	}
	return err
}

func (s Ledger) statement(
	ctx context.Context, of store.Part, from, to civil.Date, accounts ...ledger.Account,
) (*Statement, error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	if to.Before(from) {
		return nil, fault.Field("to", "must not be before from")
	}
	sums, err := s.core.Store.CentsThrough(ctx, actor.TenantID, of, from.AddDays(-1))
	if err != nil {
		return nil, err
	}
	st := &Statement{From: from, To: to}
	codes := make([]string, len(accounts))
	for i, a := range accounts {
		codes[i] = string(a)
		st.Opening = st.Opening.Sub(BalancesOf(sums).Of(a))
	}
	query := s.core.Store.Reader().Posting.Query().Where(entposting.AccountIn(codes...),
		entposting.HasJournalWith(
			journal.TenantID(actor.TenantID), journal.EffectiveDateGTE(from), journal.EffectiveDateLTE(to),
		))
	if of.SyndicatorID != 0 {
		query.Where(entposting.SyndicatorID(of.SyndicatorID))
	} else {
		query.Where(entposting.DealID(of.DealID))
	}
	rows, err := query.WithJournal().Order(entposting.ByJournalID(), entposting.ByID()).
		Limit(maxStatementLines + 1).All(ctx)
	if err != nil {
		return nil, err
	}
	if len(rows) > maxStatementLines {
		return nil, fault.Field("from", "starts a period with more than %d lines; request a shorter one", maxStatementLines)
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
			EffectiveDate: j.EffectiveDate, OccurredAt: j.OccurredAt, Kind: p.Kind, Memo: j.Memo,
			Account: p.Account, DealID: p.DealID, PaymentID: p.PaymentID,
			Amount: p.Amount.Neg(), Balance: st.Closing,
		}
	}
	return st, nil
}

// PartyBalances are a syndicator's balances with the tenant.
type PartyBalances struct {
	// Wallet is the cash available for further deals, Payable what is owed out of collections. Payable is negative
	// if money was returned after it was paid out.
	Wallet, Payable money.Amount
}

// BalancesOfSyndicators returns the balances of each syndicator.
func (s Ledger) BalancesOfSyndicators(ctx context.Context, _ auth.Scope, ids []int) (map[int]*PartyBalances, error) {
	actor, err := unit.RequirePermission(ctx, auth.ReadLedger)
	if err != nil {
		return nil, err
	}
	sums, err := s.core.Store.PartySums(ctx, actor.TenantID, ids)
	found := make(map[int]*PartyBalances, len(ids))
	for _, id := range ids {
		b := BalancesOf(sums[id])
		found[id] = &PartyBalances{Wallet: b.Of(ledger.SyndicatorWallet).Neg(), Payable: b.Of(ledger.SyndicatorPayable).Neg()}
	}
	return found, err
}

// DealPosition is the collection status of a deal.
type DealPosition struct {
	// Outstanding is what the merchant still owes of the receivable, Collected what was paid against it, Surplus
	// what was paid beyond it.
	Outstanding, Collected, Surplus money.Amount
	WrittenOff, Recovered           money.Amount
	PaidDownPct                     money.Rate
	// NextPayment is the next due debit; nil if none is scheduled.
	NextPayment *ent.Payment
}
