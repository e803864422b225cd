package origination

import (
	"context"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/applicationsubmission"
	"paydown/ent/lead"
	"paydown/ent/note"
	"paydown/internal/auth"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
	"paydown/internal/webhook"
)

// Leads are businesses that may want financing.
type Leads struct{ core *unit.Core }

// LeadInput holds what a caller sets on a lead.
type LeadInput struct {
	input.Unchanged
	BusinessName    input.Opt[string]       `json:"businessName" check:"name" need:"create" doc:"Business name" example:"Harbor Street Bakery LLC"`
	DBAName         input.Opt[string]       `json:"dbaName" check:"text" doc:"Trade name, if different" example:"Harbor Street Bakery"`
	ContactName     input.Opt[string]       `json:"contactName" check:"text" doc:"Contact person" example:"Dana Whitfield"`
	Email           input.Opt[string]       `json:"email" check:"email" example:"owner@harborstreet.example"`
	Phone           input.Opt[string]       `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	RequestedAmount input.Opt[money.Amount] `json:"requestedAmount" check:"gte=0" doc:"Requested financing, in dollars" example:"50000.00"`
	Source          input.Opt[string]       `json:"source" check:"text" doc:"Where the lead came from, in the tenant's own words" example:"website"`
	Status          input.Opt[lead.Status]  `json:"status" need:"value" doc:"Status of the lead; default on creation: NEW"`
	Notes           input.Opt[string]       `json:"notes" check:"notes" doc:"Free text"`
	OwnerID         input.Opt[int]          `json:"ownerId" check:"gte=1" by:"staff" doc:"User who works the lead"`
	NextActionAt    input.Opt[civil.Moment] `json:"nextActionAt" by:"staff" doc:"Time of the owner's next action"`
}

// LeadListing describes the list of leads.
var LeadListing = &list.Listing[ent.Lead]{
	Resource: "leads", Scope: auth.Read("leads"),
	Sorts: []list.Sort{
		{Name: "businessName", Column: lead.FieldBusinessName, Kind: list.IsText},
		{Name: "status", Column: lead.FieldStatus, Kind: list.IsText},
		{Name: "nextActionAt", Column: lead.FieldNextActionAt, Kind: list.IsTime},
		{Name: "requestedAmount", Column: lead.FieldRequestedAmount, Kind: list.IsDecimal},
	},
	Filters: []list.Filter{
		{
			Name: "status", Column: lead.FieldStatus, Kind: list.IsEnum, Values: lead.Status("").Values(),
			Doc: "Only leads with this status",
		},
		{Name: "source", Column: lead.FieldSource, Kind: list.IsText, Doc: "Only leads with exactly this source"},
	},
	Search: []string{lead.FieldBusinessName, lead.FieldDbaName, lead.FieldContactName, lead.FieldEmail},
}

// List returns a page of leads.
func (s Leads) List(ctx context.Context, req list.Request) (*list.Page[ent.Lead], error) {
	return list.Read(ctx, s.core, LeadListing, req, s.core.Store.Reader().Lead.Query())
}

// Get returns a lead. Errors: forbidden, not found.
func (s Leads) Get(ctx context.Context, id int) (*ent.Lead, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("leads")); err != nil {
		return nil, err
	}
	row, err := s.core.Store.Reader().Lead.Get(ctx, id)
	return row, unit.NotFound(err, "lead")
}

// Create creates a lead.
func (s Leads) Create(ctx context.Context, in LeadInput) (*ent.Lead, error) {
	if err := input.ValidateBy(ctx, in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *unit.Tx) (*ent.Lead, error) {
		return createLead(ctx, t, in)
	})
}

// createLead is Create inside an open write; in must have been checked.
func createLead(ctx context.Context, t *unit.Tx, in LeadInput) (*ent.Lead, error) {
	if err := checkOwner(ctx, t, in); err != nil {
		return nil, err
	}
	create := t.Lead.Create()
	row, err := unit.Create(ctx, t, "lead", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, err
	}
	t.Emit("lead", row.ID, webhook.LeadCreated{
		LeadID: row.ID, BusinessName: row.BusinessName, Status: string(row.Status), Source: row.Source,
	})
	return row, nil
}

// Update changes a lead. A changed status emits an event.
func (s Leads) Update(ctx context.Context, id int, in LeadInput) (*ent.Lead, error) {
	if err := input.ValidateBy(ctx, in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *unit.Tx) (*ent.Lead, error) {
		before, err := lockLead(ctx, t, id)
		if err != nil {
			return nil, err
		}
		if err := t.Unchanged(ctx, in.Unchanged, "lead", "lead", id, before.UpdatedAt); err != nil {
			return nil, err
		}
		if err := checkOwner(ctx, t, in); err != nil {
			return nil, err
		}
		update := t.Lead.Update().Where(lead.ID(id))
		after, err := unit.Update(ctx, t, "lead", id, before, in, update.Mutation(), update.Save)
		if err != nil {
			return nil, err
		}
		if before.Status != after.Status {
			t.Emit("lead", id, webhook.LeadStatusChanged{LeadID: id, From: string(before.Status), To: string(after.Status)})
		}
		return after, nil
	})
}

// Delete deletes a lead with its notes. Its applications remain.
func (s Leads) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := t.Lead.Query().Where(lead.ID(id), unit.LockedToDelete).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "lead")
		}
		along := []string{applicationsubmission.Table, note.Table}
		if err := t.Unreferenced(ctx, "lead", ent.TypeLead, id, along...); err != nil {
			return 0, err
		}
		if err := detachApplications(ctx, t, id); err != nil {
			return 0, err
		}
		if err := workspace.DropNotes(ctx, t, note.LeadID(id)); err != nil {
			return 0, err
		}
		if err := t.Lead.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, unit.InUse(err, "lead")
		}
		t.Record("lead.delete", "lead", id, nil, before, nil)
		return id, nil
	})
}

// detachApplications removes the reference to a lead from its applications.
func detachApplications(ctx context.Context, t *unit.Tx, leadID int) error {
	rows, err := t.ApplicationSubmission.Query().Where(applicationsubmission.LeadID(leadID), unit.Locked).
		Order(applicationsubmission.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "application", rows, []input.Change{input.Set(applicationsubmission.FieldLeadID, nil)},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.ApplicationSubmission.Update().Where(applicationsubmission.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// checkOwner refuses an owner who is not an active member of staff.
func checkOwner(ctx context.Context, t *unit.Tx, in LeadInput) error {
	owner := unit.Reference{Path: "ownerId", Record: "User", ID: in.OwnerID.Ptr()}
	if err := t.Require(ctx, owner); err != nil {
		return err
	}
	return identity.Assignable(ctx, t, owner)
}

func lockLead(ctx context.Context, t *unit.Tx, id int) (*ent.Lead, error) {
	row, err := t.Lead.Query().Where(lead.ID(id), unit.Locked).Only(ctx)
	return row, unit.NotFound(err, "lead")
}
