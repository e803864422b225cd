package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/document"
	"paydown/internal/auth"
	"paydown/internal/files"
)

// Documents are files about deals and merchants. What is known of each is a record; its bytes lie in the store of files, or
// with somebody else.
type Documents struct {
	*core
	files   *files.Store // nil: no files are kept
	uploads *uploads
}

// DocumentListing describes the list.
var DocumentListing = &Listing[ent.Document]{
	Resource: "documents", Scope: auth.Read("deals"), ByIDOnly: true,
	Filters: []Filter{
		{Name: "dealId", Column: document.FieldDealID, Kind: IsID, Doc: "Only those of this deal"},
		{Name: "merchantId", Column: document.FieldMerchantID, Kind: IsID, Doc: "Only those of this merchant"},
	},
}

// List returns a page of them.
func (s Documents) List(ctx context.Context, params map[string]string) (*Page[ent.Document], error) {
	return page(ctx, s.core, DocumentListing, params, s.store.Reader().Document.Query())
}

// OfDeals returns a page of the documents of each of the deals.
func (s Documents) OfDeals(ctx context.Context, ids []int, params map[string]string) (map[int]*Page[ent.Document], error) {
	return pageOfEach(ctx, s.core, DocumentListing, belonging{"dealId", document.FieldDealID}, ids, params,
		s.store.Reader().Document.Query())
}

// OfMerchants returns a page of the documents of each of the merchants.
func (s Documents) OfMerchants(
	ctx context.Context, ids []int, params map[string]string,
) (map[int]*Page[ent.Document], error) {
	return pageOfEach(ctx, s.core, DocumentListing, belonging{"merchantId", document.FieldMerchantID}, ids, params,
		s.store.Reader().Document.Query())
}

// ByIDs returns those of the documents that there are, by id.
func (s Documents) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Document, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Document.Query())
}
