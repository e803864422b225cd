package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/civil"
	"paydown/internal/service"
)

// Accounts implements exec.QueryResolver.
func (r queryResolver) Accounts(ctx context.Context, asOf *civil.Date) ([]*service.AccountBalance, error) {
	return r.s.Ledger.Chart(ctx, asOf)
}

// LedgerEntries implements exec.QueryResolver.
func (r queryResolver) LedgerEntries(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Journal], error) {
	return list(ctx, service.JournalListing, pageArgs{first, after, filter, sort}, r.s.Ledger.Entries)
}

// DealStatement implements exec.QueryResolver.
func (r queryResolver) DealStatement(ctx context.Context, dealID int, from, to civil.Date) (*service.Statement, error) {
	return stated(ctx)(r.s.Ledger.OfMerchant(ctx, dealID, from, to))
}

// SyndicatorStatement implements exec.QueryResolver.
func (r queryResolver) SyndicatorStatement(
	ctx context.Context, syndicatorID int, from, to civil.Date,
) (*service.Statement, error) {
	return stated(ctx)(r.s.Ledger.OfSyndicator(ctx, syndicatorID, from, to))
}

type ledgerEntryResolver struct{ *resolver }

// Postings implements exec.LedgerEntryResolver.
func (r ledgerEntryResolver) Postings(ctx context.Context, x *ent.Journal) ([]*ent.Posting, error) {
	return several(ctx, x, func(x *ent.Journal) int { return x.ID }, r.s.Ledger.Lines)
}

// stated makes the lines of a statement siblings.
func stated(ctx context.Context) func(*service.Statement, error) (*service.Statement, error) {
	return func(s *service.Statement, err error) (*service.Statement, error) {
		if err != nil {
			return nil, err
		}
		joined(ctx, s.Lines)
		return s, nil
	}
}

type statementLineResolver struct{ *resolver }

// Deal implements exec.StatementLineResolver.
func (r statementLineResolver) Deal(ctx context.Context, x *service.StatementLine) (*ent.Deal, error) {
	return one(ctx, x, func(x *service.StatementLine) *int { return x.DealID }, r.s.Deals.ByIDs)
}
