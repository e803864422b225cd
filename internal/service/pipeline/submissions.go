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

// Submissions is the aggregate of submissions: deals sent to funders.
type Submissions struct{ core *unit.Core }

// SubmissionListing describes the list of submissions.
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

// SubmissionFields name the active members of staff who work on a submission, by id.
type SubmissionFields struct {
	UnderwriterID input.Opt[int] `json:"underwriterId" check:"gte=1" doc:"Member of staff who underwrites it"`
	AssignedToID  input.Opt[int] `json:"assignedToId" check:"gte=1" doc:"Member of staff it is assigned to"`
	DelegatedToID input.Opt[int] `json:"delegatedToId" check:"gte=1" doc:"Member of staff it is delegated to"`
}

// NewSubmission is the input for creating a submission.
type NewSubmission struct {
	DealID   input.Opt[int] `json:"dealId" check:"gte=1" need:"create" doc:"Deal to submit"`
	FunderID input.Opt[int] `json:"funderId" check:"gte=1" need:"create" doc:"Funder to submit to"`
	SubmissionFields
}

// SubmissionMove is the input for moving a submission to another status.
type SubmissionMove struct {
	StatusID        input.Opt[int] `json:"statusId" check:"gte=1" need:"create" doc:"Status in the pipeline"`
	DeclineReasonID input.Opt[int] `json:"declineReasonId" check:"gte=1" doc:"Why the funder declines; required for a status of the category DECLINED, and not allowed for others"`
}

// List returns a page of submissions with the relations they always include.
func (s Submissions) List(ctx context.Context, req list.Request) (*list.Page[ent.Submission], error) {
	return list.Read(ctx, s.core, SubmissionListing, req,
		s.core.Store.Reader().Submission.Query().WithFunder().WithStatus().WithDeal())
}

// Create submits a deal that is not funded yet to an active funder. It is a conflict if the deal already has a
// submission to this funder that has not ended.
func (s Submissions) Create(ctx context.Context, in NewSubmission) (*ent.Submission, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("submissions"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Submission, error) {
		dealID, funderID := in.DealID.Or(0), in.FunderID.Or(0)
		references := append(in.references(),
			unit.Reference{Path: "dealId", Record: "Deal", ID: &dealID},
			unit.Reference{Path: "funderId", Record: "Funder", ID: &funderID})
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

// submit creates the submission of a locked deal to a funder.
func submit(ctx context.Context, t *unit.Tx, d *ent.Deal, funderID int, by SubmissionFields) (*ent.Submission, error) {
	if d.State.Live() || d.State == deal.Withdrawn {
		return nil, fault.Conflictf("The deal is %s; it can no longer be submitted.", d.State).
			With("dealId", "must not name a deal that is %s", d.State)
	}
	to, err := t.Funder.Get(ctx, funderID)
	if err != nil {
		return nil, unit.NotFound(err, "funder")
	}
	if !to.IsActive {
		return nil, fault.Conflictf("The funder is not active.").With("funderId", "must name an active funder")
	}
	live, err := t.Submission.Query().Where(submission.DealID(d.ID), submission.FunderID(funderID),
		submission.HasStatusWith(submissionstatus.CategoryNotIn(deal.EndedCategories()...))).Exist(ctx)
	if err != nil {
		return nil, err
	}
	if live {
		return nil, fault.Conflictf("The deal is already submitted to this funder.").
			With("funderId", "must name a funder without an open submission of the deal")
	}
	first, err := firstStatus(ctx, t, deal.CategoryOpen)
	if err != nil {
		return nil, err
	}
	create := t.Submission.Create().SetDealID(d.ID).SetFunderID(funderID).SetStatusID(first.ID).
		SetSubmittedAt(t.At()).SetStatusChangedAt(t.At())
	if err := input.SetColumns(create.Mutation(), input.ChangesOf(by, nil, t.Zone())); err != nil {
		return nil, err
	}
	created, err := create.Save(ctx)
	if err == nil {
		t.Record("submission.create", "submission", created.ID, &d.ID, nil, created)
	}
	return created, err
}

// change runs a write on a locked submission.
func (s Submissions) change(
	ctx context.Context, id int, work func(context.Context, *unit.Tx, *ent.Submission) (*ent.Submission, error),
) (*ent.Submission, error) {
	return unit.Write(ctx, s.core, auth.Write("submissions"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.Submission, error) {
		before, err := LockSubmission(ctx, t, submission.ID(id))
		if err != nil {
			return nil, err
		}
		return work(ctx, t, before)
	})
}

// Update changes who works on a submission.
func (s Submissions) Update(ctx context.Context, id int, in SubmissionFields) (*ent.Submission, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return s.change(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.Submission) (*ent.Submission, error) {
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

// Move moves a submission to another status of the pipeline, as far as deal.SubmissionCategory allows. If that
// ends the submission, its open offers end too. A move to the current status does nothing.
func (s Submissions) Move(ctx context.Context, id int, in SubmissionMove) (*ent.Submission, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return s.change(ctx, id, func(ctx context.Context, t *unit.Tx, before *ent.Submission) (*ent.Submission, error) {
		err := t.Require(ctx, unit.Reference{Path: "statusId", Record: "SubmissionStatus", ID: in.StatusID.Ptr()},
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

// LockSubmission locks one submission after its deal, and loads its status.
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

// moveSubmission runs a requested move of a locked submission.
func moveSubmission(
	ctx context.Context, t *unit.Tx, before *ent.Submission, to *ent.SubmissionStatus, reason *int,
) (*ent.Submission, error) {
	from := before.Edges.Status
	switch {
	case to.Category.NeedsReason() && reason == nil && from.ID != to.ID:
		return nil, fault.Field("declineReasonId", "is required for a status of the category %s", to.Category)
	case !to.Category.NeedsReason() && reason != nil:
		return nil, fault.Field("declineReasonId", "must only be set for a status of the category %s", deal.CategoryDeclined)
	case from.ID == to.ID:
		return before, nil
	}
	if err := deal.AllowedSubmissionMove(pipelineStatus(from), pipelineStatus(to)); err != nil {
		return nil, err
	}
	if !to.IsActive {
		return nil, fault.Conflictf("The status %s is not active.", to.Code).
			With("statusId", "must name an active status")
	}
	after, err := enterStatus(ctx, t, before, to, reason)
	if err != nil {
		return nil, err
	}
	t.Record("submission.update", "submission", before.ID, &before.DealID, before, after)
	if to.Category.Ended() {
		err = endOffersOn(ctx, t, before)
	}
	return after, err
}

// pipelineStatus converts a stored status.
func pipelineStatus(s *ent.SubmissionStatus) deal.PipelineStatus {
	return deal.PipelineStatus{Code: s.Code, Name: s.Name, Category: s.Category, Position: s.Position}
}

// enterStatus stores the submission's new status and emits the event. The first move sets submittedAt, if it is
// not set: the house submission counts as submitted only when staff start working on it.
func enterStatus(
	ctx context.Context, t *unit.Tx, before *ent.Submission, to *ent.SubmissionStatus, reason *int,
) (*ent.Submission, error) {
	changes := []input.Change{
		input.Set(submission.FieldStatusID, to.ID), input.Set(submission.FieldStatusChangedAt, t.At()),
	}
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

// Advance moves a locked submission, with its status loaded, to the first active status of a category, after
// its offer or deal changed. It does nothing if the submission is already that far or has ended, or if the
// pipeline has no such status.
func Advance(ctx context.Context, t *unit.Tx, before *ent.Submission, to deal.SubmissionCategory) error {
	if !before.Edges.Status.Category.Precedes(to) {
		return nil
	}
	step, err := firstStatus(ctx, t, to)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	after, err := enterStatus(ctx, t, before, step, nil)
	if err == nil {
		unit.AlsoUpdated(t, "submission", before, after)
	}
	return err
}

// firstStatus returns the first active status of a category.
func firstStatus(ctx context.Context, t *unit.Tx, category deal.SubmissionCategory) (*ent.SubmissionStatus, error) {
	return t.SubmissionStatus.Query().
		Where(submissionstatus.CategoryEQ(category), submissionstatus.IsActive(true)).
		Order(submissionstatus.ByPosition(), submissionstatus.ByID()).First(ctx)
}

// SubmitToHouse creates the submission that every deal starts with: to the tenant's own funder, in the first
// open status.
func SubmitToHouse(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	house, err := t.Funder.Query().Where(funder.IsHouse(true)).Only(ctx)
	if err != nil {
		return err
	}
	first, err := firstStatus(ctx, t, deal.CategoryOpen)
	if err != nil {
		return err
	}
	created, err := t.Submission.Create().SetDealID(d.ID).SetFunderID(house.ID).SetStatusID(first.ID).
		SetStatusChangedAt(t.At()).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "submission", created)
	return nil
}

// OfHouse matches the submission of a deal to the tenant itself.
func OfHouse(dealID int) predicate.Submission {
	return submission.And(submission.DealID(dealID), submission.HasFunderWith(funder.IsHouse(true)))
}

// ByIDs returns the existing submissions among ids, by id.
func (s Submissions) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Submission, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().Submission.Query())
}
