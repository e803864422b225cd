package workspace

import (
	"context"

	"paydown/ent"
	"paydown/ent/document"
	"paydown/internal/auth"
	"paydown/internal/files"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// Documents are files of deals and merchants. The metadata is a record; the file is in the file store or
// stored elsewhere.
type Documents struct {
	core    *unit.Core
	Files   *files.Store // nil: no files are stored
	uploads *uploads
}

// DocumentListing describes the list.
var DocumentListing = &list.Listing[ent.Document]{
	Resource: "documents", Scope: auth.Read("deals"), ByIDOnly: true,
	Filters: []list.Filter{
		{Name: "dealId", Column: document.FieldDealID, Kind: list.IsID, Doc: "Only documents of this deal"},
		{Name: "merchantId", Column: document.FieldMerchantID, Kind: list.IsID, Doc: "Only documents of this merchant"},
	},
}

// List returns a page of documents.
func (s Documents) List(ctx context.Context, req list.Request) (*list.Page[ent.Document], error) {
	return list.Read(ctx, s.core, DocumentListing, req, s.core.Store.Reader().Document.Query())
}

// OfDeals returns a page of documents for each deal.
func (s Documents) OfDeals(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.Document], error) {
	ofDeal := list.Belonging{Filter: "dealId", Column: document.FieldDealID}
	return list.PageOfEach(ctx, s.core, DocumentListing, ofDeal, ids, req,
		s.core.Store.Reader().Document.Query())
}

// OfMerchants returns a page of documents for each merchant.
func (s Documents) OfMerchants(
	ctx context.Context, ids []int, req list.Request,
) (map[int]*list.Page[ent.Document], error) {
	ofMerchant := list.Belonging{Filter: "merchantId", Column: document.FieldMerchantID}
	return list.PageOfEach(ctx, s.core, DocumentListing, ofMerchant, ids, req,
		s.core.Store.Reader().Document.Query())
}

// ByIDs returns the existing documents among ids, by id.
func (s Documents) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Document, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Document.Query())
}
