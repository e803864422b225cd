package workspace

import (
	"context"

	"paydown/ent"
	"paydown/ent/note"
	"paydown/ent/predicate"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// DropNotes deletes the notes about a record that is being deleted.
func DropNotes(ctx context.Context, t *unit.Tx, about predicate.Note) error {
	rows, err := t.Note.Query().Where(about).Order(note.ByID()).All(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	_, err = t.Note.Delete().Where(about).Exec(ctx)
	unit.AlsoDeleted(t, "note", rows...)
	return err
}

// Notes are notes of members of staff about leads, merchants, deals and submissions. An actor who may read
// such a record may read the notes about it; writing one also requires the scope to write communications.
type Notes struct{ core *unit.Core }

// NoteFields are the fields of a note that can be changed later.
type NoteFields struct {
	Body     input.Opt[string] `json:"body" check:"words" need:"create"`
	IsPinned input.Opt[bool]   `json:"isPinned" need:"value" doc:"Whether it is pinned; default: false"`
}

// NewNote describes a note to create. It is about exactly one record.
type NewNote struct {
	LeadID       input.Opt[int] `json:"leadId" check:"gte=1" doc:"The lead it is about"`
	MerchantID   input.Opt[int] `json:"merchantId" check:"gte=1" doc:"The merchant it is about"`
	DealID       input.Opt[int] `json:"dealId" check:"gte=1" doc:"The deal it is about"`
	SubmissionID input.Opt[int] `json:"submissionId" check:"gte=1" doc:"The submission it is about"`
	NoteFields
}

// noteListing describes the list of notes about records of a resource.
func noteListing(resource string) *list.Listing[ent.Note] {
	return &list.Listing[ent.Note]{
		Resource: "notes", Scope: auth.Read(resource), ByIDOnly: true,
		Filters: []list.Filter{
			{
				Name: "isPinned", Column: note.FieldIsPinned, Kind: list.IsBool,
				Doc: "true: only pinned notes; false: only others",
			},
		},
	}
}

// NoteListing describes the lists of notes. The required scope depends on the record that the notes are
// about.
var NoteListing = noteListing("communications")

var (
	notesOnLeads       = noteListing("leads")
	notesOnMerchants   = noteListing("merchants")
	notesOnDeals       = noteListing("deals")
	notesOnSubmissions = noteListing("submissions")
)

func (s Notes) about(
	ctx context.Context, l *list.Listing[ent.Note], filter, column string, ids []int, req list.Request,
) (map[int]*list.Page[ent.Note], error) {
	belonging := list.Belonging{Filter: filter, Column: column}
	return list.PageOfEach(ctx, s.core, l, belonging, ids, req, s.core.Store.Reader().Note.Query())
}

// OfLeads returns a page of notes for each lead.
func (s Notes) OfLeads(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.Note], error) {
	return s.about(ctx, notesOnLeads, "leadId", note.FieldLeadID, ids, req)
}

// OfMerchants returns a page of notes for each merchant.
func (s Notes) OfMerchants(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.Note], error) {
	return s.about(ctx, notesOnMerchants, "merchantId", note.FieldMerchantID, ids, req)
}

// OfDeals returns a page of notes for each deal.
func (s Notes) OfDeals(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.Note], error) {
	return s.about(ctx, notesOnDeals, "dealId", note.FieldDealID, ids, req)
}

// OfSubmissions returns a page of notes for each submission.
func (s Notes) OfSubmissions(ctx context.Context, ids []int, req list.Request) (map[int]*list.Page[ent.Note], error) {
	return s.about(ctx, notesOnSubmissions, "submissionId", note.FieldSubmissionID, ids, req)
}

// subject is a record that a note may be about.
type subject struct {
	unit.Reference
	resource string
}

// subjects returns the records that the input names.
func (in NewNote) subjects() []subject {
	var named []subject
	for _, s := range []subject{
		{unit.Reference{Path: "leadId", Record: "Lead", ID: in.LeadID.Ptr()}, "leads"},
		{unit.Reference{Path: "merchantId", Record: "Merchant", ID: in.MerchantID.Ptr()}, "merchants"},
		{unit.Reference{Path: "dealId", Record: "Deal", ID: in.DealID.Ptr()}, "deals"},
		{unit.Reference{Path: "submissionId", Record: "Submission", ID: in.SubmissionID.Ptr()}, "submissions"},
	} {
		if s.ID != nil {
			named = append(named, s)
		}
	}
	return named
}

// Create creates a note about a record that the actor may read.
func (s Notes) Create(ctx context.Context, in NewNote) (*ent.Note, error) {
	problems := input.Check(in, input.ForCreate)
	named := in.subjects()
	if len(named) != 1 {
		problems = input.MergeProblems(problems, []fault.Detail{{
			Path: "dealId", Message: "exactly one of leadId, merchantId, dealId and submissionId is required",
		}})
	}
	if len(problems) > 0 {
		return nil, fault.Invalid(problems...)
	}
	if _, err := unit.RequireScope(ctx, auth.Read(named[0].resource)); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("communications"), func(ctx context.Context, t *unit.Tx) (*ent.Note, error) {
		if err := t.Require(ctx, named[0].Reference); err != nil {
			return nil, err
		}
		create := t.Note.Create()
		if t.Actor.IsUser() {
			create.SetAuthorID(t.Actor.ID)
		}
		row, err := unit.Create(ctx, t, "note", in, create.Mutation(), create.Save)
		if err == nil {
			t.Record("note.create", "note", row.ID, row.DealID, nil, row)
		}
		return row, err
	})
}

// Update changes or pins a note. Only its author and actors who may edit company settings can do this.
func (s Notes) Update(ctx context.Context, id int, in NoteFields) (*ent.Note, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("communications"), func(ctx context.Context, t *unit.Tx) (*ent.Note, error) {
		before, err := lockNote(ctx, t, id)
		if err != nil {
			return nil, err
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if len(changes) == 0 {
			return before, nil
		}
		update := t.Note.Update().Where(note.ID(id))
		after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
		if err == nil {
			t.Record("note.update", "note", id, before.DealID, before, after)
		}
		return after, err
	})
}

// Delete deletes a note. Only its author and actors who may edit company settings can do this.
func (s Notes) Delete(ctx context.Context, id int) (int, error) {
	return unit.Write(ctx, s.core, auth.Write("communications"), func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := lockNote(ctx, t, id)
		if err != nil {
			return 0, err
		}
		if err := t.Note.DeleteOneID(id).Exec(ctx); err != nil {
			return 0, err
		}
		t.Record("note.delete", "note", id, before.DealID, before, nil)
		return id, nil
	})
}

// lockNote locks a note that the actor may change. A note about a record that the actor cannot read is not
// found.
func lockNote(ctx context.Context, t *unit.Tx, id int) (*ent.Note, error) {
	row, err := t.Note.Query().Where(note.ID(id), unit.Locked).Only(ctx)
	if err != nil {
		return nil, unit.NotFound(err, "note")
	}
	for resource, subject := range map[string]*int{
		"leads": row.LeadID, "merchants": row.MerchantID, "deals": row.DealID, "submissions": row.SubmissionID,
	} {
		if subject != nil && !t.Actor.May(auth.Read(resource)) {
			return nil, fault.Missing("note")
		}
	}
	if author := row.AuthorID; t.Actor.IsUser() && author != nil && *author == t.Actor.ID ||
		t.Actor.Has(auth.EditCompanySettings) {
		return row, nil
	}
	return nil, fault.New(fault.Forbidden, "Only the note's author or a member with the permission %s can change it.",
		auth.EditCompanySettings)
}
