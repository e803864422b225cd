package service

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
	"paydown/internal/webhook"
)

// Leads are businesses that might want financing.
type Leads struct{ *core }

// LeadInput is what a caller sets of a lead.
type LeadInput struct {
	Unchanged
	BusinessName    Opt[string]       `json:"businessName" check:"name" need:"create" doc:"Name the business goes by" example:"Harbor Street Bakery LLC"`
	DBAName         Opt[string]       `json:"dbaName" check:"text" doc:"Trade name, where it differs" example:"Harbor Street Bakery"`
	ContactName     Opt[string]       `json:"contactName" check:"text" doc:"Person to speak to" example:"Dana Whitfield"`
	Email           Opt[string]       `json:"email" check:"email" example:"owner@harborstreet.example"`
	Phone           Opt[string]       `json:"phone" check:"phone" doc:"E.164 or a US form; kept as given" example:"(212) 555-0142"`
	RequestedAmount Opt[money.Amount] `json:"requestedAmount" check:"gte=0" doc:"Financing asked for, in dollars" example:"50000.00"`
	Source          Opt[string]       `json:"source" check:"text" doc:"Where the lead came from, in the tenant's own words" example:"website"`
	Status          Opt[lead.Status]  `json:"status" need:"value" doc:"Where the lead stands; NEW on creation unless given"`
	Notes           Opt[string]       `json:"notes" check:"notes" doc:"Free text"`
	OwnerID         Opt[int]          `json:"ownerId" check:"gte=1" by:"staff" doc:"User who works the lead"`
	NextActionAt    Opt[civil.Moment] `json:"nextActionAt" by:"staff" doc:"When the owner does something about it next"`
}

// LeadListing describes the list of leads.
var LeadListing = &Listing[ent.Lead]{
	Resource: "leads", Scope: auth.Read("leads"),
	Sorts: []Sort{
		{"businessName", lead.FieldBusinessName, IsText},
		{"status", lead.FieldStatus, IsText},
		{"nextActionAt", lead.FieldNextActionAt, IsTime},
		{"requestedAmount", lead.FieldRequestedAmount, IsDecimal},
	},
	Filters: []Filter{
		{
			Name: "status", Column: lead.FieldStatus, Kind: IsEnum, Values: lead.Status("").Values(),
			Doc: "Only leads of this status",
		},
		{Name: "source", Column: lead.FieldSource, Kind: IsText, Doc: "Only leads of exactly this source"},
	},
	Search: []string{lead.FieldBusinessName, lead.FieldDbaName, lead.FieldContactName, lead.FieldEmail},
}

// List returns a page of leads.
func (s Leads) List(ctx context.Context, params map[string]string) (*Page[ent.Lead], error) {
	return page(ctx, s.core, LeadListing, params, s.store.Reader().Lead.Query())
}

// Get returns one lead.
func (s Leads) Get(ctx context.Context, id int) (*ent.Lead, error) {
	if _, err := permit(ctx, auth.Read("leads")); err != nil {
		return nil, err
	}
	row, err := s.store.Reader().Lead.Get(ctx, id)
	return row, missing(err, "lead")
}

// Create takes a lead in.
func (s Leads) Create(ctx context.Context, in LeadInput) (*ent.Lead, error) {
	if err := checkedBy(ctx, in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *tx) (*ent.Lead, error) {
		return t.makeLead(ctx, in)
	})
}

// makeLead is the work of Create: in has been checked.
func (t *tx) makeLead(ctx context.Context, in LeadInput) (*ent.Lead, error) {
	if err := t.owned(ctx, in); err != nil {
		return nil, err
	}
	create := t.Lead.Create()
	row, err := made(ctx, t, "lead", in, create.Mutation(), create.Save)
	if err != nil {
		return nil, err
	}
	t.emit("lead", row.ID, webhook.LeadCreated{
		LeadID: row.ID, BusinessName: row.BusinessName, Status: string(row.Status), Source: row.Source,
	})
	return row, nil
}

// Update changes a lead; a changed status is told to the world.
func (s Leads) Update(ctx context.Context, id int, in LeadInput) (*ent.Lead, error) {
	if err := checkedBy(ctx, in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *tx) (*ent.Lead, error) {
		before, err := t.lockLead(ctx, id)
		if err != nil {
			return nil, err
		}
		if err := t.unchanged(ctx, in.Unchanged, "lead", "lead", id, before.UpdatedAt); err != nil {
			return nil, err
		}
		if err := t.owned(ctx, in); err != nil {
			return nil, err
		}
		update := t.Lead.Update().Where(lead.ID(id))
		after, err := changed(ctx, t, "lead", id, before, in, update.Mutation(), update.Save)
		if err != nil {
			return nil, err
		}
		if before.Status != after.Status {
			t.emit("lead", id, webhook.LeadStatusChanged{LeadID: id, From: string(before.Status), To: string(after.Status)})
		}
		return after, nil
	})
}

// Delete removes a lead with the notes about it. Applications that came in with it stay.
func (s Leads) Delete(ctx context.Context, id int) (int, error) {
	return write(ctx, s.core, auth.Write("leads"), func(ctx context.Context, t *tx) (int, error) {
		before, err := t.Lead.Query().Where(lead.ID(id), lockedToDelete).Only(ctx)
		if err != nil {
			return 0, missing(err, "lead")
		}
		along := []string{applicationsubmission.Table, note.Table}
		if err := t.unreferenced(ctx, "lead", ent.TypeLead, id, along...); err != nil {
			return 0, err
		}
		if err := t.detachApplications(ctx, id); err != nil {
			return 0, err
		}
		if err := t.dropNotes(ctx, note.LeadID(id)); err != nil {
			return 0, err
		}
		if err := t.Lead.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, inUse(err, "lead")
		}
		t.record("lead.delete", "lead", id, nil, before, nil)
		return id, nil
	})
}

// detachApplications has the applications that came in with a lead name it no longer.
func (t *tx) detachApplications(ctx context.Context, leadID int) error {
	rows, err := t.ApplicationSubmission.Query().Where(applicationsubmission.LeadID(leadID), locked).
		Order(applicationsubmission.ByID()).All(ctx)
	if err != nil {
		return err
	}
	return allStored(ctx, t, "application", rows, []columnChange{{applicationsubmission.FieldLeadID, nil}},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.ApplicationSubmission.Update().Where(applicationsubmission.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}

// owned refuses an owner who is no active member of staff.
func (t *tx) owned(ctx context.Context, in LeadInput) error {
	owner := reference{"ownerId", "User", in.OwnerID.Ptr()}
	if err := t.require(ctx, owner); err != nil {
		return err
	}
	return t.assignable(ctx, owner)
}

func (t *tx) lockLead(ctx context.Context, id int) (*ent.Lead, error) {
	row, err := t.Lead.Query().Where(lead.ID(id), locked).Only(ctx)
	return row, missing(err, "lead")
}
