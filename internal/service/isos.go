package service

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/ent/iso"
	"paydown/internal/auth"
)

// ISOs are the brokers who bring deals.
type ISOs struct{ *core }

// ISOInput is what a caller sets of an ISO.
type ISOInput struct {
	Name           Opt[string]          `json:"name" check:"name" need:"create" example:"Gulf Coast Brokers LLC"`
	Type           Opt[iso.Type]        `json:"type" need:"value" doc:"BROKER unless given"`
	ISOType        Opt[string]          `json:"isoType" check:"text" doc:"A label of the tenant's own"`
	ContactName    Opt[string]          `json:"contactName" check:"text" example:"Dana Whitfield"`
	Email          Opt[string]          `json:"email" check:"email" example:"deals@gulfcoast.example"`
	Phone          Opt[string]          `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(504) 555-0142"`
	Website        Opt[string]          `json:"website" check:"web" example:"https://gulfcoast.example"`
	Domains        Opt[[]string]        `json:"domains" check:"domain" need:"value" doc:"Mail domains whose senders are taken to be the ISO"`
	EmailAddresses Opt[[]string]        `json:"emailAddresses" check:"email" need:"value"`
	CommissionRule Opt[json.RawMessage] `json:"commissionRule" check:"object" doc:"What the ISO earns, in the tenant's own form"`
	Requires1099   Opt[bool]            `json:"requires1099" column:"requires_1099" need:"value" doc:"False unless given"`
	IsActive       Opt[bool]            `json:"isActive" need:"value" doc:"True unless given"`
	Notes          Opt[string]          `json:"notes" check:"notes" doc:"Free text"`
}

// ISOListing describes the list of ISOs.
var ISOListing = &Listing[ent.ISO]{
	Resource: "isos", Scope: auth.Read("isos"),
	Sorts: []Sort{
		{"name", iso.FieldName, IsText},
	},
	Search: []string{iso.FieldName, iso.FieldContactName, iso.FieldEmail},
}

// List returns a page of ISOs.
func (s ISOs) List(ctx context.Context, params map[string]string) (*Page[ent.ISO], error) {
	return page(ctx, s.core, ISOListing, params, s.store.Reader().ISO.Query())
}

// Get returns one ISO.
func (s ISOs) Get(ctx context.Context, id int) (*ent.ISO, error) {
	if _, err := permit(ctx, auth.Read("isos")); err != nil {
		return nil, err
	}
	row, err := s.store.Reader().ISO.Get(ctx, id)
	return row, missing(err, "ISO")
}

// Create makes an ISO.
func (s ISOs) Create(ctx context.Context, in ISOInput) (*ent.ISO, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *tx) (*ent.ISO, error) {
		create := t.ISO.Create()
		return made(ctx, t, "iso", in, create.Mutation(), create.Save)
	})
}

// Update changes an ISO.
func (s ISOs) Update(ctx context.Context, id int, in ISOInput) (*ent.ISO, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *tx) (*ent.ISO, error) {
		before, err := t.lockISO(ctx, id)
		if err != nil {
			return nil, err
		}
		update := t.ISO.Update().Where(iso.ID(id))
		return changed(ctx, t, "iso", id, before, in, update.Mutation(), update.Save)
	})
}

// Delete removes an ISO that nothing refers to: no deal, payout item or commission offer.
func (s ISOs) Delete(ctx context.Context, id int) (int, error) {
	return write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *tx) (int, error) {
		before, err := t.ISO.Query().Where(iso.ID(id), lockedToDelete).Only(ctx)
		if err != nil {
			return 0, missing(err, "ISO")
		}
		if err := t.unreferenced(ctx, "ISO", ent.TypeISO, id); err != nil {
			return 0, err
		}
		if err := t.ISO.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, inUse(err, "ISO")
		}
		t.record("iso.delete", "iso", id, nil, before, nil)
		return id, nil
	})
}

func (t *tx) lockISO(ctx context.Context, id int) (*ent.ISO, error) {
	row, err := t.ISO.Query().Where(iso.ID(id), locked).Only(ctx)
	return row, missing(err, "ISO")
}
