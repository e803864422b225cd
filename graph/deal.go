package graph

import (
	"context"
	"time"

	"paydown/ent"
	"paydown/graph/model"
	"paydown/internal/service"
)

// Deal implements exec.QueryResolver.
func (r queryResolver) Deal(ctx context.Context, id int) (*ent.Deal, error) {
	return r.s.Deals.Get(ctx, id)
}

// Deals implements exec.QueryResolver.
func (r queryResolver) Deals(
	ctx context.Context, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Deal], error) {
	return list(ctx, service.DealListing, pageArgs{first, after, filter, sort}, r.s.Deals.List)
}

// CreateDeal implements exec.MutationResolver.
func (r mutationResolver) CreateDeal(ctx context.Context, input model.Input) (*ent.Deal, error) {
	return create(ctx, r.resolver, input, r.s.Deals.Create)
}

// UpdateDeal implements exec.MutationResolver.
func (r mutationResolver) UpdateDeal(
	ctx context.Context, id int, input model.Input, unchangedSince *time.Time,
) (*ent.Deal, error) {
	in, err := decode[service.DealUpdate](ctx, r.schema, input, service.ForUpdate)
	if err != nil {
		return nil, err
	}
	in.UnchangedSince = unchangedSince
	return r.s.Deals.Update(ctx, id, in)
}

// DeleteDeal implements exec.MutationResolver.
func (r mutationResolver) DeleteDeal(ctx context.Context, id int) (*int, error) {
	return remove(ctx, id, r.s.Deals.Delete)
}

type dealResolver struct{ *resolver }

func dealID(x *ent.Deal) int { return x.ID }

// Merchant implements exec.DealResolver.
func (r dealResolver) Merchant(ctx context.Context, x *ent.Deal) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.Deal) *int { return &x.MerchantID }, r.s.Merchants.ByIDs)
}

// Iso implements exec.DealResolver.
func (r dealResolver) Iso(ctx context.Context, x *ent.Deal) (*ent.ISO, error) {
	return one(ctx, x, func(x *ent.Deal) *int { return x.IsoID }, r.s.ISOs.ByIDs)
}

// FundedLender implements exec.DealResolver.
func (r dealResolver) FundedLender(ctx context.Context, x *ent.Deal) (*ent.Funder, error) {
	return one(ctx, x, func(x *ent.Deal) *int { return x.FundedLenderID }, r.s.Funders.ByIDs)
}

// InceptionLender implements exec.DealResolver.
func (r dealResolver) InceptionLender(ctx context.Context, x *ent.Deal) (*ent.Funder, error) {
	return one(ctx, x, func(x *ent.Deal) *int { return x.InceptionLenderID }, r.s.Funders.ByIDs)
}

// RenewedFromDeal implements exec.DealResolver.
func (r dealResolver) RenewedFromDeal(ctx context.Context, x *ent.Deal) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.Deal) *int { return x.RenewedFromDealID }, r.s.Deals.ByIDs)
}

// Payments implements exec.DealResolver.
func (r dealResolver) Payments(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Payment], error) {
	return connected(
		pageOf(ctx, x, dealID, service.PaymentListing, pageArgs{first, after, filter, sort}, r.s.Payments.OfDeals),
	)
}

// Submissions implements exec.DealResolver.
func (r dealResolver) Submissions(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Submission], error) {
	return connected(
		pageOf(ctx, x, dealID, service.SubmissionListing, pageArgs{first, after, filter, sort}, r.s.Submissions.OfDeals),
	)
}

// Decisions implements exec.DealResolver.
func (r dealResolver) Decisions(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.DecisionResult], error) {
	return connected(
		pageOf(ctx, x, dealID, service.DecisionListing, pageArgs{first, after, filter, sort}, r.s.Decisions.OfDeals),
	)
}

// Renewals implements exec.DealResolver.
func (r dealResolver) Renewals(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.RenewalOpportunity], error) {
	return connected(
		pageOf(ctx, x, dealID, service.RenewalListing, pageArgs{first, after, filter, sort}, r.s.Renewals.OfDeals),
	)
}

// CreditFacilities implements exec.DealResolver.
func (r dealResolver) CreditFacilities(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.CreditFacility], error) {
	return connected(
		pageOf(
			ctx, x, dealID, service.CreditFacilityListing, pageArgs{first, after, filter, sort}, r.s.CreditFacilities.OfDeals,
		),
	)
}

// Disclosures implements exec.DealResolver.
func (r dealResolver) Disclosures(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Disclosure], error) {
	return connected(
		pageOf(ctx, x, dealID, service.DisclosureListing, pageArgs{first, after, filter, sort}, r.s.Disclosures.OfDeals),
	)
}

// UccFilings implements exec.DealResolver.
func (r dealResolver) UccFilings(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.UCCFiling], error) {
	return connected(
		pageOf(ctx, x, dealID, service.UCCFilingListing, pageArgs{first, after, filter, sort}, r.s.UCCFilings.OfDeals),
	)
}

// Communications implements exec.DealResolver.
func (r dealResolver) Communications(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Communication], error) {
	return connected(
		pageOf(
			ctx, x, dealID, service.CommunicationListing, pageArgs{first, after, filter, sort}, r.s.Communications.OfDeals,
		),
	)
}

// StatementAnalyses implements exec.DealResolver.
func (r dealResolver) StatementAnalyses(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.StatementAnalysis], error) {
	return connected(
		pageOf(ctx, x, dealID, service.AnalysisListing, pageArgs{first, after, filter, sort}, r.s.Analyses.OfDeals),
	)
}

// WriteOffDeal implements exec.MutationResolver.
func (r mutationResolver) WriteOffDeal(ctx context.Context, id int, reason string) (*ent.Deal, error) {
	return r.s.Deals.WriteOff(ctx, id, reason)
}

// PayOffDeal implements exec.MutationResolver.
func (r mutationResolver) PayOffDeal(ctx context.Context, id int, input model.Input) (*ent.Deal, error) {
	return update(ctx, r.resolver, id, input, r.s.Deals.PayOff)
}

// Collection implements exec.DealResolver.
func (r dealResolver) Collection(ctx context.Context, x *ent.Deal) (*service.DealPosition, error) {
	return figure(ctx, x, dealID, r.s.Deals.Positions)
}

// Participations implements exec.DealResolver.
func (r dealResolver) Participations(ctx context.Context, x *ent.Deal) ([]*ent.Participation, error) {
	return several(ctx, x, dealID, r.s.Participations.OfDeals)
}

// ParticipationProblems implements exec.DealResolver.
func (r dealResolver) ParticipationProblems(ctx context.Context, x *ent.Deal) ([]string, error) {
	problems, err := figure(ctx, x, dealID, r.s.Deals.ParticipationProblems)
	if problems == nil && err == nil {
		return []string{}, nil
	}
	return problems, err
}

// Disbursements implements exec.DealResolver.
func (r dealResolver) Disbursements(ctx context.Context, x *ent.Deal) ([]*ent.Disbursement, error) {
	return several(ctx, x, dealID, r.s.Disbursements.OfDeals)
}

// LedgerEntries implements exec.DealResolver.
func (r dealResolver) LedgerEntries(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.Journal], error) {
	return connected(
		pageOf(ctx, x, dealID, service.JournalListing, pageArgs{first, after, filter, sort}, r.s.Ledger.EntriesOfDeals),
	)
}

// History implements exec.DealResolver.
func (r dealResolver) History(
	ctx context.Context, x *ent.Deal, first *int, after *string, filter, sort model.Input,
) (*model.Connection[ent.AuditEntry], error) {
	return connected(pageOf(ctx, x, dealID, service.AuditListing, pageArgs{first, after, filter, sort}, r.s.Audit.OfDeals))
}
