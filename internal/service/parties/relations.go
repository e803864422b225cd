package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/merchantcontact"
	"paydown/internal/auth"
	"paydown/internal/service/list"
)

// ByIDs returns those of the merchants that there are, by id.
func (s Merchants) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Merchant, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Merchant.Query())
}

// ByIDs returns those of the ISOs that there are, by id.
func (s ISOs) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.ISO, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().ISO.Query())
}

// ByIDs returns those of the funders that there are, by id.
func (s Funders) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Funder, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Funder.Query())
}

// ByIDs returns those of the syndicators that there are, by id.
func (s Syndicators) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Syndicator, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Syndicator.Query())
}

// Contacts lists the contacts of each of them, by id.
func (s Merchants) Contacts(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.MerchantContact, error) {
	return list.ReadOfEach(ctx, through, merchantcontact.FieldMerchantID, ids, s.core.Store.Reader().MerchantContact.Query())
}
