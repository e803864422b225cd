package parties

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/ent/iso"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/fault"
	"paydown/internal/pricing"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// ISOs is the aggregate of ISOs: brokers who bring deals.
type ISOs struct{ core *unit.Core }

// ISOInput is the input for creating or updating an ISO.
type ISOInput struct {
	Name           input.Opt[string]          `json:"name" check:"name" need:"create" example:"Gulf Coast Brokers LLC"`
	Type           input.Opt[iso.Type]        `json:"type" need:"value" doc:"Default: BROKER"`
	ISOType        input.Opt[string]          `json:"isoType" check:"text" doc:"The tenant's own label"`
	ContactName    input.Opt[string]          `json:"contactName" check:"text" example:"Dana Whitfield"`
	Email          input.Opt[string]          `json:"email" check:"email" example:"deals@gulfcoast.example"`
	Phone          input.Opt[string]          `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(504) 555-0142"`
	Website        input.Opt[string]          `json:"website" check:"web" example:"https://gulfcoast.example"`
	Domains        input.Opt[[]string]        `json:"domains" check:"domain" need:"value" doc:"Email domains whose senders count as the ISO"`
	EmailAddresses input.Opt[[]string]        `json:"emailAddresses" check:"email" need:"value"`
	CommissionRule input.Opt[json.RawMessage] `json:"commissionRule" check:"object" doc:"What the ISO earns. In the form {\"version\": 1, \"rules\": [{\"basis\", \"value\", minTermDays, maxTermDays, minFundedAmount, maxFundedAmount}], \"renewals\": [...]} the first rule whose limits match a deal sets its commission, unless the deal gives one; renewals use their own list, or the rules of new deals if it is missing. Any other object is stored but sets no commission"`
	Requires1099   input.Opt[bool]            `json:"requires1099" column:"requires_1099" need:"value" doc:"Default: false"`
	IsActive       input.Opt[bool]            `json:"isActive" need:"value" doc:"Default: true"`
	Notes          input.Opt[string]          `json:"notes" check:"notes" doc:"Free text"`

	EIN               input.Opt[string]       `json:"ein" check:"ein" by:"staff" doc:"Nine digits, the hyphen is optional" example:"12-3456789"`
	EntityType        input.Opt[string]       `json:"entityType" check:"text" by:"staff" doc:"Legal form" example:"LLC"`
	SignerName        input.Opt[string]       `json:"signerName" check:"name" by:"staff" doc:"Who signs the agreement for the ISO"`
	SignerTitle       input.Opt[string]       `json:"signerTitle" check:"text" by:"staff"`
	AddressLine1      input.Opt[string]       `json:"addressLine1" check:"text" by:"staff"`
	AddressLine2      input.Opt[string]       `json:"addressLine2" check:"text" by:"staff"`
	City              input.Opt[string]       `json:"city" check:"text" by:"staff"`
	State             input.Opt[string]       `json:"state" check:"usstate" by:"staff" example:"LA"`
	PostalCode        input.Opt[string]       `json:"postalCode" check:"zip" by:"staff" example:"70112"`
	AgreementSignedAt input.Opt[civil.Moment] `json:"agreementSignedAt" by:"staff" doc:"When the ISO signed its agreement; without it the ISO's deals are blocked by ISO_NOT_ELIGIBLE"`
	W9OnFileAt        input.Opt[civil.Moment] `json:"w9OnFileAt" column:"w9_on_file_at" by:"staff" doc:"When the W-9 was received"`
	VoidedCheckAt     input.Opt[civil.Moment] `json:"voidedCheckAt" by:"staff" doc:"When the voided check was received"`
	IDOnFileAt        input.Opt[civil.Moment] `json:"idOnFileAt" by:"staff" doc:"When the signer's ID was received"`
}

// check reports every problem of an ISO's values. The dates of documents on file cannot be in the future.
func (s ISOs) check(ctx context.Context, in ISOInput, mode input.Mode) error {
	if err := input.RefuseStaffFields(ctx, in); err != nil {
		return err
	}
	problems := input.Check(in, mode)
	if raw, given := in.CommissionRule.Get(); given {
		_, ruleProblems := pricing.ParseCommissionRule(raw, "commissionRule")
		problems = input.MergeProblems(problems, ruleProblems)
	}
	if actor := auth.From(ctx); actor != nil {
		for _, f := range []struct {
			name string
			at   input.Opt[civil.Moment]
		}{
			{"agreementSignedAt", in.AgreementSignedAt},
			{"w9OnFileAt", in.W9OnFileAt},
			{"voidedCheckAt", in.VoidedCheckAt},
			{"idOnFileAt", in.IDOnFileAt},
		} {
			if at, given := f.at.Get(); given && at.At(unit.ZoneOf(actor)).After(s.core.Store.Now()) {
				problems = append(problems, fault.Detail{Path: f.name, Message: "must not be in the future"})
			}
		}
	}
	if len(problems) > 0 {
		return fault.Invalid(problems...)
	}
	return nil
}

// ISOListing describes the list of ISOs.
var ISOListing = &list.Listing[ent.ISO]{
	Resource: "isos", Scope: auth.Read("isos"),
	Sorts: []list.Sort{
		{Name: "name", Column: iso.FieldName, Kind: list.IsText},
	},
	Search: []string{iso.FieldName, iso.FieldContactName, iso.FieldEmail},
}

// List returns a page of ISOs.
func (s ISOs) List(ctx context.Context, req list.Request) (*list.Page[ent.ISO], error) {
	return list.Read(ctx, s.core, ISOListing, req, s.core.Store.Reader().ISO.Query())
}

// Get returns one ISO.
func (s ISOs) Get(ctx context.Context, id int) (*ent.ISO, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("isos")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().ISO.Get(ctx, id)
	return row, unit.NotFound(err, "ISO")
}

// Create creates an ISO.
func (s ISOs) Create(ctx context.Context, in ISOInput) (*ent.ISO, error) {
	if err := s.check(ctx, in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *unit.Tx) (*ent.ISO, error) {
		create := t.ISO.Create()
		return unit.Create(ctx, t, "iso", in, create.Mutation(), create.Save)
	})
}

// Update changes an ISO.
func (s ISOs) Update(ctx context.Context, id int, in ISOInput) (*ent.ISO, error) {
	if err := s.check(ctx, in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *unit.Tx) (*ent.ISO, error) {
		before, err := lockISO(ctx, t, id)
		if err != nil {
			return nil, err
		}
		update := t.ISO.Update().Where(iso.ID(id))
		return unit.Update(ctx, t, "iso", id, before, in, update.Mutation(), update.Save)
	})
}

// Delete deletes an ISO that no deal, payout item or commission offer refers to.
func (s ISOs) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("isos"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := t.ISO.Query().Where(iso.ID(id), unit.LockedToDelete).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "ISO")
		}
		if err := t.Unreferenced(ctx, "ISO", ent.TypeISO, id); err != nil {
			return 0, err
		}
		if err := t.ISO.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "ISO")
		}
		t.Record("iso.delete", "iso", id, nil, before, nil)
		return id, nil
	})
}

func lockISO(ctx context.Context, t *unit.Tx, id int) (*ent.ISO, error) {
	row, err := t.ISO.Query().Where(iso.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "ISO")
}
