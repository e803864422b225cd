package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/merchantcontact"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// ByIDs returns the existing merchants among ids, by id.
func (s Merchants) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Merchant, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Merchant.Query())
}

// ByIDs returns the existing ISOs among ids, by id.
func (s ISOs) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.ISO, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().ISO.Query())
}

// ByIDs returns the existing funders among ids, by id.
func (s Funders) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Funder, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Funder.Query())
}

// ByIDs returns the existing syndicators among ids, by id.
func (s Syndicators) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Syndicator, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Syndicator.Query())
}

// Contacts lists the contacts of each merchant, by its id.
func (s Merchants) Contacts(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int][]*ent.MerchantContact, error) {
	return list.ReadOfEach(ctx, through, merchantcontact.FieldMerchantID, ids,
		s.core.Store.Reader().MerchantContact.Query())
}
