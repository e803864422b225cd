package parties

import (
	"context"
	"strings"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/lead"
	"paydown/ent/merchant"
	"paydown/ent/merchantcontact"
	"paydown/ent/merchantstatus"
	"paydown/ent/note"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
	"paydown/internal/webhook"
)

// Merchants is the aggregate of merchants.
type Merchants struct{ core *unit.Core }

// MerchantInput is the input for creating or updating a merchant.
type MerchantInput struct {
	input.Unchanged
	LegalName            input.Opt[string]       `json:"legalName" check:"name" need:"create" doc:"Registered name" example:"Harbor Street Bakery LLC"`
	DBAName              input.Opt[string]       `json:"dbaName" check:"text" doc:"Trade name, if different" example:"Harbor Street Bakery"`
	Email                input.Opt[string]       `json:"email" check:"email" example:"owner@harborstreet.example"`
	Phone                input.Opt[string]       `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	Website              input.Opt[string]       `json:"website" check:"web" example:"https://harborstreet.example"`
	FederalID            input.Opt[string]       `json:"federalId" check:"ein" doc:"EIN: nine digits, the hyphen is optional" example:"12-3456789"`
	Industry             input.Opt[string]       `json:"industry" check:"text" example:"Restaurants"`
	NAICSCode            input.Opt[string]       `json:"naicsCode" check:"text" example:"311811"`
	SICCode              input.Opt[string]       `json:"sicCode" check:"text" example:"5461"`
	BusinessType         input.Opt[string]       `json:"businessType" check:"text" doc:"Legal form" example:"LLC"`
	StartedOn            input.Opt[civil.Date]   `json:"startedOn" doc:"Day the business began" example:"2016-05-01"`
	StateOfIncorporation input.Opt[string]       `json:"stateOfIncorporation" check:"usstate" example:"DE"`
	AnnualRevenue        input.Opt[money.Amount] `json:"annualRevenue" check:"gte=0" doc:"In dollars" example:"640000.00"`
	AddressLine1         input.Opt[string]       `json:"addressLine1" check:"text" example:"14 Harbor Street"`
	AddressLine2         input.Opt[string]       `json:"addressLine2" check:"text" example:"Unit B"`
	City                 input.Opt[string]       `json:"city" check:"text" example:"New York"`
	State                input.Opt[string]       `json:"state" check:"usstate" doc:"State of the principal place of business" example:"NY"`
	PostalCode           input.Opt[string]       `json:"postalCode" check:"zip" example:"10004"`
	HomeBased            input.Opt[bool]         `json:"homeBased" need:"value" doc:"Run from a home; default: false"`
	ECommerce            input.Opt[bool]         `json:"eCommerce" need:"value" doc:"Sells online; default: false"`
	ReferenceID          input.Opt[string]       `json:"referenceId" check:"text" doc:"The caller's own reference" example:"crm-1042"`
	MerchantStatusID     input.Opt[int]          `json:"merchantStatusId" check:"gte=1" by:"staff" doc:"The company's own label"`
	ExternalSource       input.Opt[string]       `json:"externalSource" check:"text" by:"staff" doc:"Other system that the merchant came from; externalRef is its id there"`
	ExternalRef          input.Opt[string]       `json:"externalRef" check:"text" by:"staff" doc:"Id in externalSource, unique among merchants"`
}

func (in MerchantInput) references() []unit.Reference {
	return []unit.Reference{{Path: "merchantStatusId", Record: "MerchantStatus", ID: in.MerchantStatusID.Ptr()}}
}

// MerchantListing describes the list of merchants.
var MerchantListing = &list.Listing[ent.Merchant]{
	Resource: "merchants", Scope: auth.Read("merchants"),
	Sorts: []list.Sort{
		{Name: "legalName", Column: merchant.FieldLegalName, Kind: list.IsText},
		{Name: "dbaName", Column: merchant.FieldDbaName, Kind: list.IsText},
	},
	Search: []string{merchant.FieldLegalName, merchant.FieldDbaName},
}

// List returns a page of merchants.
func (s Merchants) List(ctx context.Context, req list.Request) (*list.Page[ent.Merchant], error) {
	return list.Read(ctx, s.core, MerchantListing, req, s.core.Store.Reader().Merchant.Query())
}

// Get returns one merchant with its contacts.
func (s Merchants) Get(ctx context.Context, id int) (*ent.Merchant, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("merchants")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().Merchant.Query().Where(merchant.ID(id)).
		WithContacts(func(q *ent.MerchantContactQuery) { q.Order(merchantcontact.ByID()) }).Only(ctx)
	return row, unit.NotFound(err, "merchant")
}

// Statuses lists the tenant's labels for merchants in order, including inactive ones.
func (s Merchants) Statuses(ctx context.Context) ([]*ent.MerchantStatus, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("merchants")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().MerchantStatus.Query().Order(merchantstatus.ByPosition(), merchantstatus.ByID()).All(ctx)
}

// Create creates a merchant.
func (s Merchants) Create(ctx context.Context, in MerchantInput) (*ent.Merchant, error) {
	if err := input.ValidateBy(ctx, in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *unit.Tx) (*ent.Merchant, error) {
		return MakeMerchant(ctx, t, in)
	})
}

// MakeMerchant creates a merchant within an open write. The caller has checked in.
func MakeMerchant(ctx context.Context, t *unit.Tx, in MerchantInput) (*ent.Merchant, error) {
	if err := t.Require(ctx, in.references()...); err != nil {
		return nil, err
	}
	create := t.Merchant.Create().SetNillableFederalIDDigits(DigitsOf(in.FederalID))
	row, err := unit.Create(ctx, t, "merchant", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, unit.TakenExternal(err, "merchant")
	}
	t.Emit("merchant", row.ID, webhook.MerchantCreated{MerchantID: row.ID, LegalName: row.LegalName})
	return row, nil
}

// DigitsOf returns the digits of an EIN, by which merchants are matched.
func DigitsOf(ein input.Opt[string]) *string {
	text, ok := ein.Get()
	if !ok {
		return nil
	}
	digits := strings.ReplaceAll(text, "-", "")
	return &digits
}

// Update changes a merchant.
func (s Merchants) Update(ctx context.Context, id int, in MerchantInput) (*ent.Merchant, error) {
	if err := input.ValidateBy(ctx, in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *unit.Tx) (*ent.Merchant, error) {
		before, err := LockMerchant(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := t.Unchanged(ctx, in.Unchanged, "merchant", "merchant", id, before.UpdatedAt); err != nil {
			return nil, err
		}
		var digits []input.Change
		if !in.FederalID.Absent() {
			digits = []input.Change{input.Set(merchant.FieldFederalIDDigits, input.Nullable(DigitsOf(in.FederalID)))}
		}
		if err := t.Require(ctx, in.references()...); err != nil {
			return nil, err
		}
		update := t.Merchant.Update().Where(merchant.ID(id))
		row, err := unit.Update(ctx, t, "merchant", id, before, in, update.Mutation(), update.Save, digits...)
		return row, unit.TakenExternal(err, "merchant")
	})
}

// Delete deletes a merchant that nothing depends on, with its contacts and notes. Leads that became this
// merchant are kept.
func (s Merchants) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := t.Merchant.Query().Where(merchant.ID(id), unit.LockedToDelete).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "merchant")
		}
		ownTables := []string{merchantcontact.Table, note.Table, lead.Table}
		if err := t.Unreferenced(ctx, "merchant", ent.TypeMerchant, id, ownTables...); err != nil {
			return 0, err
		}
		contacts, err := t.MerchantContact.Query().Where(merchantcontact.MerchantID(id)).
			Order(merchantcontact.ByID()).All(ctx)
		if err != nil {
			return 0, err
		}
		if _, err := t.MerchantContact.Delete().Where(merchantcontact.MerchantID(id)).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "merchant")
		}
		unit.AlsoDeleted(t, "merchantContact", contacts...)
		if err := detachLeads(ctx, t, id); err != nil {
			return 0, err
		}
		if err := workspace.DropNotes(ctx, t, note.MerchantID(id)); err != nil {
			return 0, err
		}
		if err := t.Merchant.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "merchant")
		}
		t.Record("merchant.delete", "merchant", id, nil, before, nil)
		return id, nil
	})
}

// detachLeads removes the reference to the merchant from the leads that became it.
func detachLeads(ctx context.Context, t *unit.Tx, merchantID int) error {
	rows, err := t.Lead.Query().Where(lead.MerchantID(merchantID), unit.Locked).Order(lead.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "lead", rows, []input.Change{input.Set(lead.FieldMerchantID, nil)},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.Lead.Update().Where(lead.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// LockMerchant locks a merchant until the transaction ends and returns it. Errors: not found.
func LockMerchant(ctx context.Context, t *unit.Tx, id int) (*ent.Merchant, error) {
	row, err := t.Merchant.Query().Where(merchant.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "merchant")
}
