package graph

import (
	"context"

	"paydown/ent"
	"paydown/graph/model"
)

// BankAccount implements exec.QueryResolver.
func (r queryResolver) BankAccount(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	return r.s.BankAccounts.Get(ctx, id)
}

// AddBankAccount implements exec.MutationResolver.
func (r mutationResolver) AddBankAccount(ctx context.Context, input model.Input) (*ent.BankAccountToken, error) {
	return create(ctx, r.resolver, input, r.s.BankAccounts.Add)
}

// VerifyBankAccount implements exec.MutationResolver.
func (r mutationResolver) VerifyBankAccount(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	return r.s.BankAccounts.Verify(ctx, id)
}

// RevokeBankAccount implements exec.MutationResolver.
func (r mutationResolver) RevokeBankAccount(ctx context.Context, id int) (*ent.BankAccountToken, error) {
	return r.s.BankAccounts.Revoke(ctx, id)
}

// BankAccounts implements exec.MerchantResolver.
func (r merchantResolver) BankAccounts(ctx context.Context, x *ent.Merchant) ([]*ent.BankAccountToken, error) {
	return several(ctx, x, merchantID, r.s.BankAccounts.OfMerchants)
}

// BankAccounts implements exec.DealResolver.
func (r dealResolver) BankAccounts(ctx context.Context, x *ent.Deal) ([]*ent.BankAccountToken, error) {
	return several(ctx, x, dealID, r.s.BankAccounts.OfDeals)
}

type bankAccountResolver struct{ *resolver }

// Merchant implements exec.BankAccountTokenResolver.
func (r bankAccountResolver) Merchant(ctx context.Context, x *ent.BankAccountToken) (*ent.Merchant, error) {
	return one(ctx, x, func(x *ent.BankAccountToken) *int { return &x.MerchantID }, r.s.Merchants.ByIDs)
}

// Deal implements exec.BankAccountTokenResolver.
func (r bankAccountResolver) Deal(ctx context.Context, x *ent.BankAccountToken) (*ent.Deal, error) {
	return one(ctx, x, func(x *ent.BankAccountToken) *int { return x.DealID }, r.s.Deals.ByIDs)
}
