package parties

import (
	"context"

	"paydown/ent"
	"paydown/ent/funder"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/store"
)

// Funders is the aggregate of funders that deals are submitted to. One of them, the house funder, is the tenant
// itself.
type Funders struct{ core *unit.Core }

// FunderInput is the input for creating or updating a funder.
type FunderInput struct {
	Name        input.Opt[string] `json:"name" check:"name" need:"create" example:"Northline Capital"`
	ContactName input.Opt[string] `json:"contactName" check:"text" example:"Dana Whitfield"`
	Email       input.Opt[string] `json:"email" check:"email" example:"deals@northline.example"`
	Phone       input.Opt[string] `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	Website     input.Opt[string] `json:"website" check:"web" example:"https://northline.example"`
	IsHouse     input.Opt[bool]   `json:"isHouse" need:"value" doc:"The tenant itself; every tenant already has one such funder"`
	IsActive    input.Opt[bool]   `json:"isActive" need:"value" doc:"Default: true"`
	Notes       input.Opt[string] `json:"notes" check:"notes" doc:"Free text"`
}

// FunderListing describes the list of funders.
var FunderListing = &list.Listing[ent.Funder]{
	Resource: "funders", Scope: auth.Read("funders"),
	Sorts: []list.Sort{
		{Name: "name", Column: funder.FieldName, Kind: list.IsText},
	},
	Search: []string{funder.FieldName, funder.FieldContactName, funder.FieldEmail},
}

// List returns a page of funders.
func (s Funders) List(ctx context.Context, req list.Request) (*list.Page[ent.Funder], error) {
	return list.Read(ctx, s.core, FunderListing, req, s.core.Store.Reader().Funder.Query())
}

// Get returns one funder.
func (s Funders) Get(ctx context.Context, id int) (*ent.Funder, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("funders")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().Funder.Get(ctx, id)
	return row, unit.NotFound(err, "funder")
}

// Create creates a funder. A second house funder is a conflict.
func (s Funders) Create(ctx context.Context, in FunderInput) (*ent.Funder, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("funders"), func(ctx context.Context, t *unit.Tx) (*ent.Funder, error) {
		create := t.Funder.Create()
		row, err := unit.Create(ctx, t, "funder", in, create.Mutation(), create.Save)
		return row, secondHouse(err)
	})
}

// Update changes a funder. The house funder remains the house funder.
func (s Funders) Update(ctx context.Context, id int, in FunderInput) (*ent.Funder, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("funders"), func(ctx context.Context, t *unit.Tx) (*ent.Funder, error) {
		before, err := lockFunder(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if house, given := in.IsHouse.Get(); given && before.IsHouse && !house {
			return nil, fault.Conflictf("The house funder must remain the house funder.").
				With("isHouse", "must be true for the house funder")
		}
		update := t.Funder.Update().Where(funder.ID(id))
		after, err := unit.Update(ctx, t, "funder", id, before, in, update.Mutation(), update.Save)
		return after, secondHouse(err)
	})
}

// secondHouse translates a violation of the unique index on the house funder.
func secondHouse(err error) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("The tenant already has a house funder.").
			With("isHouse", "must be false: another funder is the house funder").Because(err)
	}
	return err
}

// Delete deletes a funder that no submission and no deal refers to. The house funder cannot be deleted.
func (s Funders) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("funders"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := t.Funder.Query().Where(funder.ID(id), unit.LockedToDelete).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "funder")
		}
		if before.IsHouse {
			return 0, fault.Conflictf("The house funder cannot be deleted.")
		}
		if err := t.Unreferenced(ctx, "funder", ent.TypeFunder, id); err != nil {
			return 0, err
		}
		if err := t.Funder.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "funder")
		}
		t.Record("funder.delete", "funder", id, nil, before, nil)
		return id, nil
	})
}

func lockFunder(ctx context.Context, t *unit.Tx, id int) (*ent.Funder, error) {
	row, err := t.Funder.Query().Where(funder.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "funder")
}
