package pipeline

import (
	"context"

	"paydown/ent"
	"paydown/ent/funder"
	"paydown/ent/predicate"
	"paydown/ent/submission"
	"paydown/ent/submissionstatus"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/books"
	"paydown/internal/service/identity"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
	"paydown/internal/webhook"
)

// Submissions are deals put before funders.
type Submissions struct{ core *unit.Core }

// SubmissionListing describes the list.
var SubmissionListing = &list.Listing[ent.Submission]{
	Resource: "submissions", Scope: auth.Read("submissions"),
	Sorts: []list.Sort{
		{Name: "submittedAt", Column: submission.FieldSubmittedAt, Kind: list.IsTime},
		{Name: "statusChangedAt", Column: submission.FieldStatusChangedAt, Kind: list.IsTime},
	},
	Filters: []list.Filter{
		{Name: "dealId", Column: submission.FieldDealID, Kind: list.IsID, Doc: "Only submissions of this deal"},
		{Name: "funderId", Column: submission.FieldFunderID, Kind: list.IsID, Doc: "Only submissions to this funder"},
	},
	Expands: []list.Expand{
		{Name: "funder", Scope: auth.Read("submissions")},
		{Name: "status", Scope: auth.Read("submissions")},
		{Name: "deal", Scope: auth.Read("submissions")},
	},
}

// SubmissionFields are who looks after a submission: ids of active members of staff.
type SubmissionFields struct {
	UnderwriterID input.Opt[int] `json:"underwriterId" check:"gte=1" doc:"Member of staff who underwrites it"`
	AssignedToID  input.Opt[int] `json:"assignedToId" check:"gte=1" doc:"Member of staff whose work it is"`
	DelegatedToID input.Opt[int] `json:"delegatedToId" check:"gte=1" doc:"Member of staff who stands in"`
}

// NewSubmission is what a submission is made of.
type NewSubmission struct {
	DealID   input.Opt[int] `json:"dealId" check:"gte=1" need:"create" doc:"Deal that is submitted"`
	FunderID input.Opt[int] `json:"funderId" check:"gte=1" need:"create" doc:"Funder it is put before"`
	SubmissionFields
}

// SubmissionMove is where a submission is moved.
type SubmissionMove struct {
	StatusID        input.Opt[int] `json:"statusId" check:"gte=1" need:"create" doc:"Step of the pipeline"`
	DeclineReasonID input.Opt[int] `json:"declineReasonId" check:"gte=1" doc:"Why the funder declines; needed by a step of the category DECLINED, and by no other"`
}

// List returns a page of them, each with what it always includes.
func (s Submissions) List(ctx context.Context, params map[string]string) (*list.Page[ent.Submission], error) {
	return list.Read(ctx, s.core, SubmissionListing, params,
		s.core.Store.Reader().Submission.Query().WithFunder().WithStatus().WithDeal())
}

// Create puts a deal that is not funded yet before an active funder. A deal has one submission to a funder at a time:
// while there is one that has not ended, another is a conflict.
func (s Submissions) Create(ctx context.Context, in NewSubmission) (*ent.Submission, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("submissions"), func(ctx context.Context, t *unit.Tx) (*ent.Submission, error) {
		dealID, funderID := in.DealID.Or(0), in.FunderID.Or(0)
		references := append(in.references(), unit.Reference{Path: "dealId", Record: "Deal", ID: &dealID}, unit.Reference{Path: "funderId", Record: "Funder", ID: &funderID})
		if err := t.Require(ctx, references...); err != nil {
			return nil, err
		}
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return nil, err
		}
		if err := identity.Assignable(ctx, t, in.references()...); err != nil {
			return nil, err
		}
		return submit(ctx, t, d, funderID, in.SubmissionFields)
	})
}

func (f SubmissionFields) references() []unit.Reference {
	return []unit.Reference{
		{Path: "underwriterId", Record: "User", ID: f.UnderwriterID.Ptr()},
		{Path: "assignedToId", Record: "User", ID: f.AssignedToID.Ptr()},
		{Path: "delegatedToId", Record: "User", ID: f.DelegatedToID.Ptr()},
	}
}

// submit makes the submission of a deal, which is locked, to a funder.
func submit(ctx context.Context, t *unit.Tx, d *ent.Deal, funderID int, by SubmissionFields) (*ent.Submission, error) {
	if d.State.Live() || d.State == deal.Withdrawn {
		return nil, fault.Conflictf("The deal is %s; it is submitted to nobody any more.", d.State).
			With("dealId", "is a deal in %s", d.State)
	}
	to, err := t.Funder.Get(ctx, funderID)
	if err != nil {
		return nil, unit.NotFound(err, "funder")
	}
	if !to.IsActive {
		return nil, fault.Conflictf("The funder is not active.").With("funderId", "is a funder that is not active")
	}
	live, err := t.Submission.Query().Where(submission.DealID(d.ID), submission.FunderID(funderID),
		submission.HasStatusWith(submissionstatus.CategoryNotIn(deal.EndedCategories()...))).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if live {
		return nil, fault.Conflictf("The deal is before this funder already.").
			With("funderId", "has a submission of the deal that has not ended")
	}
	first, err := firstStep(ctx, t, deal.CategoryOpen)
	if err != nil {
		return nil, err
	}
	create := t.Submission.Create().SetDealID(d.ID).SetFunderID(funderID).SetStatusID(first.ID).
		SetSubmittedAt(t.At()).SetStatusChangedAt(t.At())
	if err := input.SetColumns(create.Mutation(), input.ChangesOf(by, nil, t.Zone())); err != nil {
		return nil, err
	}
	made, err := create.Save(ctx)
	if err == nil {
		t.Record("submission.create", "submission", made.ID, &d.ID, nil, made)
	}
	return made, err
}

// Update changes who looks after a submission.
func (s Submissions) Update(ctx context.Context, id int, in SubmissionFields) (*ent.Submission, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("submissions"), func(ctx context.Context, t *unit.Tx) (*ent.Submission, error) {
		before, err := LockSubmission(ctx, t, submission.ID(id))
		if err != nil {
			return nil, err
		}
		if err := t.Require(ctx, in.references()...); err != nil {
			return nil, err
		}
		if err := identity.Assignable(ctx, t, in.references()...); err != nil {
			return nil, err
		}
		changes := input.ChangesOf(in, before, t.Zone())
		if len(changes) == 0 {
			return before, nil
		}
		update := t.Submission.Update().Where(submission.ID(id))
		after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
		if err == nil {
			t.Record("submission.update", "submission", id, &before.DealID, before, after)
		}
		return after, err
	})
}

// Move takes a submission to another step of the pipeline. What its category allows, see deal.SubmissionCategory; a
// submission that ends takes its open offers along. The step it is at already is no move.
func (s Submissions) Move(ctx context.Context, id int, in SubmissionMove) (*ent.Submission, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("submissions"), func(ctx context.Context, t *unit.Tx) (*ent.Submission, error) {
		before, err := LockSubmission(ctx, t, submission.ID(id))
		if err != nil {
			return nil, err
		}
		err = t.Require(ctx, unit.Reference{Path: "statusId", Record: "SubmissionStatus", ID: in.StatusID.Ptr()},
			unit.Reference{Path: "declineReasonId", Record: "DeclineReason", ID: in.DeclineReasonID.Ptr()})
		if err != nil {
			return nil, err
		}
		to, err := t.SubmissionStatus.Get(ctx, in.StatusID.Or(0))
		if err != nil {
			return nil, err
		}
		return moveSubmission(ctx, t, before, to, in.DeclineReasonID.Ptr())
	})
}

// LockSubmission locks one submission after its deal, and loads the step it is at.
func LockSubmission(ctx context.Context, t *unit.Tx, which predicate.Submission) (*ent.Submission, error) {
	found, err := t.Submission.Query().Where(which).Only(ctx)
	if err != nil {
		return nil, unit.NotFound(err, "submission")
	}
	if _, err := books.LockDeal(ctx, t, found.DealID); err != nil {
		return nil, err
	}
	row, err := t.Submission.Query().Where(submission.ID(found.ID), unit.Locked).WithStatus().Only(ctx)
	return row, unit.NotFound(err, "submission")
}

// moveSubmission moves a submission, which is locked, because somebody asks for it.
func moveSubmission(
	ctx context.Context, t *unit.Tx, before *ent.Submission, to *ent.SubmissionStatus, reason *int,
) (*ent.Submission, error) {
	from := before.Edges.Status
	switch {
	case to.Category.NeedsReason() && reason == nil && from.ID != to.ID:
		return nil, fault.Field("declineReasonId", "is required by a step of the category %s", to.Category)
	case !to.Category.NeedsReason() && reason != nil:
		return nil, fault.Field("declineReasonId", "is for a step of the category %s", deal.CategoryDeclined)
	case from.ID == to.ID:
		return before, nil
	}
	if err := deal.AllowedSubmissionMove(stepOf(from), stepOf(to)); err != nil {
		return nil, err
	}
	if !to.IsActive {
		return nil, fault.Conflictf("The step %s is not in use any more.", to.Code).With("statusId", "is a step that is not active")
	}
	after, err := enterStep(ctx, t, before, to, reason)
	if err != nil {
		return nil, err
	}
	t.Record("submission.update", "submission", before.ID, &before.DealID, before, after)
	if to.Category.Ended() {
		err = endOffersOn(ctx, t, before)
	}
	return after, err
}

func stepOf(s *ent.SubmissionStatus) deal.PipelineStatus {
	return deal.PipelineStatus{Code: s.Code, Name: s.Name, Category: s.Category, Position: s.Position}
}

// enterStep stores the step that a submission comes to, and tells the world. It is submitted by its first step at the
// latest: the one to the house waits until somebody takes it up.
func enterStep(
	ctx context.Context, t *unit.Tx, before *ent.Submission, to *ent.SubmissionStatus, reason *int,
) (*ent.Submission, error) {
	changes := []input.Change{input.Set(submission.FieldStatusID, to.ID), input.Set(submission.FieldStatusChangedAt, t.At())}
	if before.SubmittedAt == nil {
		changes = append(changes, input.Set(submission.FieldSubmittedAt, t.At()))
	}
	if reason != nil {
		changes = append(changes, input.Set(submission.FieldDeclineReasonID, *reason),
			input.Set(submission.FieldDeclinedAt, t.At()))
	}
	update := t.Submission.Update().Where(submission.ID(before.ID))
	after, err := unit.Store(ctx, t, before, changes, update.Mutation(), update.Save)
	if err != nil {
		return nil, err
	}
	after.Edges.Status = to
	t.Emit("submission", before.ID, webhook.SubmissionStatusChanged{
		SubmissionID: before.ID, DealID: before.DealID, FunderID: before.FunderID,
		From: before.Edges.Status.Code, To: to.Code,
	})
	return after, nil
}

// Advance has a submission, which is locked with its step, follow what happened to its offer or deal: to the first step
// in use of the category. It stays where it is if it has come so far already, has ended, or the pipeline has no such step.
func Advance(ctx context.Context, t *unit.Tx, before *ent.Submission, to deal.SubmissionCategory) error {
	if !before.Edges.Status.Category.Precedes(to) {
		return nil
	}
	step, err := firstStep(ctx, t, to)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	after, err := enterStep(ctx, t, before, step, nil)
	if err == nil {
		unit.AlsoUpdated(t, "submission", before, after)
	}
	return err
}

// firstStep is the step of a category that is in use and comes first.
func firstStep(ctx context.Context, t *unit.Tx, category deal.SubmissionCategory) (*ent.SubmissionStatus, error) {
	return t.SubmissionStatus.Query().
		Where(submissionstatus.CategoryEQ(category), submissionstatus.IsActive(true)).
		Order(submissionstatus.ByPosition(), submissionstatus.ByID()).First(ctx)
}

// SubmitToHouse makes the submission that every deal begins with: to the tenant's own funder, at the first open step.
func SubmitToHouse(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	house, err := t.Funder.Query().Where(funder.IsHouse(true)).Only(ctx)
	if err != nil {
		return err
	}
	first, err := firstStep(ctx, t, deal.CategoryOpen)
	if err != nil {
		return err
	}
	made, err := t.Submission.Create().SetDealID(d.ID).SetFunderID(house.ID).SetStatusID(first.ID).
		SetStatusChangedAt(t.At()).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "submission", made)
	return nil
}

// OfHouse is the submission of a deal to the tenant itself.
func OfHouse(dealID int) predicate.Submission {
	return submission.And(submission.DealID(dealID), submission.HasFunderWith(funder.IsHouse(true)))
}

// ByIDs returns those of the submissions that there are, by id.
func (s Submissions) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Submission, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Submission.Query())
}
