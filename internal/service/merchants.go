package service

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
	"paydown/internal/webhook"
)

// Merchants are the businesses that are, were or want to be financed.
type Merchants struct{ *core }

// MerchantInput is what a caller sets of a merchant.
type MerchantInput struct {
	Unchanged
	LegalName            Opt[string]       `json:"legalName" check:"name" need:"create" doc:"Registered name" example:"Harbor Street Bakery LLC"`
	DBAName              Opt[string]       `json:"dbaName" check:"text" doc:"Trade name, where it differs" example:"Harbor Street Bakery"`
	Email                Opt[string]       `json:"email" check:"email" example:"owner@harborstreet.example"`
	Phone                Opt[string]       `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	Website              Opt[string]       `json:"website" check:"web" example:"https://harborstreet.example"`
	FederalID            Opt[string]       `json:"federalId" check:"ein" doc:"EIN: nine digits, the hyphen is optional" example:"12-3456789"`
	Industry             Opt[string]       `json:"industry" check:"text" example:"Restaurants"`
	NAICSCode            Opt[string]       `json:"naicsCode" check:"text" example:"311811"`
	SICCode              Opt[string]       `json:"sicCode" check:"text" example:"5461"`
	BusinessType         Opt[string]       `json:"businessType" check:"text" doc:"Legal form" example:"LLC"`
	StartedOn            Opt[civil.Date]   `json:"startedOn" doc:"Day the business began" example:"2016-05-01"`
	StateOfIncorporation Opt[string]       `json:"stateOfIncorporation" check:"usstate" example:"DE"`
	AnnualRevenue        Opt[money.Amount] `json:"annualRevenue" check:"gte=0" doc:"In dollars" example:"640000.00"`
	AddressLine1         Opt[string]       `json:"addressLine1" check:"text" example:"14 Harbor Street"`
	AddressLine2         Opt[string]       `json:"addressLine2" check:"text" example:"Unit B"`
	City                 Opt[string]       `json:"city" check:"text" example:"New York"`
	State                Opt[string]       `json:"state" check:"usstate" doc:"State of the principal place of business" example:"NY"`
	PostalCode           Opt[string]       `json:"postalCode" check:"zip" example:"10004"`
	HomeBased            Opt[bool]         `json:"homeBased" need:"value" doc:"Run from a home; false unless given"`
	ECommerce            Opt[bool]         `json:"eCommerce" need:"value" doc:"Sells on line; false unless given"`
	ReferenceID          Opt[string]       `json:"referenceId" check:"text" doc:"The caller's own reference" example:"crm-1042"`
	MerchantStatusID     Opt[int]          `json:"merchantStatusId" check:"gte=1" by:"staff" doc:"Label of the company's own"`
	ExternalSource       Opt[string]       `json:"externalSource" check:"text" by:"staff" doc:"Other system that the merchant came from; externalRef is its id there"`
	ExternalRef          Opt[string]       `json:"externalRef" check:"text" by:"staff" doc:"Id in externalSource; no other merchant has the same"`
}

func (in MerchantInput) references() []reference {
	return []reference{{"merchantStatusId", "MerchantStatus", in.MerchantStatusID.Ptr()}}
}

// MerchantListing describes the list of merchants.
var MerchantListing = &Listing[ent.Merchant]{
	Resource: "merchants", Scope: auth.Read("merchants"),
	Sorts: []Sort{
		{"legalName", merchant.FieldLegalName, IsText},
		{"dbaName", merchant.FieldDbaName, IsText},
	},
	Search: []string{merchant.FieldLegalName, merchant.FieldDbaName},
}

// List returns a page of merchants.
func (s Merchants) List(ctx context.Context, params map[string]string) (*Page[ent.Merchant], error) {
	return page(ctx, s.core, MerchantListing, params, s.store.Reader().Merchant.Query())
}

// Get returns one merchant with its contacts.
func (s Merchants) Get(ctx context.Context, id int) (*ent.Merchant, error) {
	if _, err := permit(ctx, auth.Read("merchants")); err != nil {
		return nil, err
	}
	row, err := s.store.Reader().Merchant.Query().Where(merchant.ID(id)).
		WithContacts(func(q *ent.MerchantContactQuery) { q.Order(merchantcontact.ByID()) }).Only(ctx)
	return row, missing(err, "merchant")
}

// Statuses lists the labels that the company has for merchants, in their order, those that are not in use too.
func (s Merchants) Statuses(ctx context.Context) ([]*ent.MerchantStatus, error) {
	if _, err := permit(ctx, auth.Read("merchants")); err != nil {
		return nil, err
	}
	return s.store.Reader().MerchantStatus.Query().Order(merchantstatus.ByPosition(), merchantstatus.ByID()).All(ctx)
}

// Create makes a merchant.
func (s Merchants) Create(ctx context.Context, in MerchantInput) (*ent.Merchant, error) {
	if err := checkedBy(ctx, in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *tx) (*ent.Merchant, error) {
		return t.makeMerchant(ctx, in)
	})
}

// makeMerchant is the work of Create: in has been checked.
func (t *tx) makeMerchant(ctx context.Context, in MerchantInput) (*ent.Merchant, error) {
	if err := t.require(ctx, in.references()...); err != nil {
		return nil, err
	}
	create := t.Merchant.Create().SetNillableFederalIDDigits(digitsOf(in.FederalID))
	row, err := made(ctx, t, "merchant", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, takenExternal(err, "merchant")
	}
	t.emit("merchant", row.ID, webhook.MerchantCreated{MerchantID: row.ID, LegalName: row.LegalName})
	return row, nil
}

// digitsOf is the EIN by which merchants are matched.
func digitsOf(ein Opt[string]) *string {
	text, ok := ein.Get()
	if !ok {
		return nil
	}
	digits := strings.ReplaceAll(text, "-", "")
	return &digits
}

// Update changes a merchant.
func (s Merchants) Update(ctx context.Context, id int, in MerchantInput) (*ent.Merchant, error) {
	if err := checkedBy(ctx, in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *tx) (*ent.Merchant, error) {
		before, err := t.lockMerchant(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := t.unchanged(ctx, in.Unchanged, "merchant", "merchant", id, before.UpdatedAt); err != nil {
			return nil, err
		}
		var digits []columnChange
		if !in.FederalID.Absent() {
			digits = []columnChange{{merchant.FieldFederalIDDigits, nullable(digitsOf(in.FederalID))}}
		}
		if err := t.require(ctx, in.references()...); err != nil {
			return nil, err
		}
		update := t.Merchant.Update().Where(merchant.ID(id))
		row, err := changed(ctx, t, "merchant", id, before, in, update.Mutation(), update.Save, digits...)
		return row, takenExternal(err, "merchant")
	})
}

// Delete removes a merchant that nothing depends on, with its contacts and the notes about it. Leads that became it stay.
func (s Merchants) Delete(ctx context.Context, id int) (int, error) {
	return write(ctx, s.core, auth.Write("merchants"), func(ctx context.Context, t *tx) (int, error) {
		before, err := t.Merchant.Query().Where(merchant.ID(id), lockedToDelete).Only(ctx)
		if err != nil {
			return 0, missing(err, "merchant")
		}
		along := []string{merchantcontact.Table, note.Table, lead.Table}
		if err := t.unreferenced(ctx, "merchant", ent.TypeMerchant, id, along...); err != nil {
			return 0, err
		}
		contacts, err := t.MerchantContact.Query().Where(merchantcontact.MerchantID(id)).
			Order(merchantcontact.ByID()).All(ctx)
		if err != nil {
			return 0, err
		}
		if _, err := t.MerchantContact.Delete().Where(merchantcontact.MerchantID(id)).Exec(ctx); err != nil {
			return 0, inUse(err, "merchant")
		}
		alsoRemoved(t, "merchantContact", contacts...)
		if err := t.detachLeads(ctx, id); err != nil {
			return 0, err
		}
		if err := t.dropNotes(ctx, note.MerchantID(id)); err != nil {
			return 0, err
		}
		if err := t.Merchant.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, inUse(err, "merchant")
		}
		t.record("merchant.delete", "merchant", id, nil, before, nil)
		return id, nil
	})
}

// detachLeads has the leads that became a merchant name it no longer.
func (t *tx) detachLeads(ctx context.Context, merchantID int) error {
	rows, err := t.Lead.Query().Where(lead.MerchantID(merchantID), locked).Order(lead.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return allStored(ctx, t, "lead", rows, []columnChange{{lead.FieldMerchantID, nil}},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.Lead.Update().Where(lead.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

func (t *tx) lockMerchant(ctx context.Context, id int) (*ent.Merchant, error) {
	row, err := t.Merchant.Query().Where(merchant.ID(id), locked).Only(ctx)
	return row, missing(err, "merchant")
}
