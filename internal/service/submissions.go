package service

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/funder"
	"paydown/ent/predicate"
	"paydown/ent/submission"
	"paydown/ent/submissionstatus"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/webhook"
)

// Submissions are deals put before funders.
type Submissions struct{ *core }

// SubmissionListing describes the list.
var SubmissionListing = &Listing[ent.Submission]{
	Resource: "submissions", Scope: auth.Read("submissions"),
	Sorts: []Sort{
		{"submittedAt", submission.FieldSubmittedAt, IsTime},
		{"statusChangedAt", submission.FieldStatusChangedAt, IsTime},
	},
	Filters: []Filter{
		{Name: "dealId", Column: submission.FieldDealID, Kind: IsID, Doc: "Only submissions of this deal"},
		{Name: "funderId", Column: submission.FieldFunderID, Kind: IsID, Doc: "Only submissions to this funder"},
	},
	Expands: []Expand{
		{"funder", auth.Read("submissions")},
		{"status", auth.Read("submissions")},
		{"deal", auth.Read("submissions")},
	},
}

// SubmissionFields are who looks after a submission: ids of active members of staff.
type SubmissionFields struct {
	UnderwriterID Opt[int] `json:"underwriterId" check:"gte=1" doc:"Member of staff who underwrites it"`
	AssignedToID  Opt[int] `json:"assignedToId" check:"gte=1" doc:"Member of staff whose work it is"`
	DelegatedToID Opt[int] `json:"delegatedToId" check:"gte=1" doc:"Member of staff who stands in"`
}

// NewSubmission is what a submission is made of.
type NewSubmission struct {
	DealID   Opt[int] `json:"dealId" check:"gte=1" need:"create" doc:"Deal that is submitted"`
	FunderID Opt[int] `json:"funderId" check:"gte=1" need:"create" doc:"Funder it is put before"`
	SubmissionFields
}

// SubmissionMove is where a submission is moved.
type SubmissionMove struct {
	StatusID        Opt[int] `json:"statusId" check:"gte=1" need:"create" doc:"Step of the pipeline"`
	DeclineReasonID Opt[int] `json:"declineReasonId" check:"gte=1" doc:"Why the funder declines; needed by a step of the category DECLINED, and by no other"`
}

// List returns a page of them, each with what it always includes.
func (s Submissions) List(ctx context.Context, params map[string]string) (*Page[ent.Submission], error) {
	return page(ctx, s.core, SubmissionListing, params,
		s.store.Reader().Submission.Query().WithFunder().WithStatus().WithDeal())
}

// Create puts a deal that is not funded yet before an active funder. A deal has one submission to a funder at a time:
// while there is one that has not ended, another is a conflict.
func (s Submissions) Create(ctx context.Context, in NewSubmission) (*ent.Submission, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("submissions"), func(ctx context.Context, t *tx) (*ent.Submission, error) {
		dealID, funderID := in.DealID.Or(0), in.FunderID.Or(0)
		references := append(in.references(), reference{"dealId", "Deal", &dealID}, reference{"funderId", "Funder", &funderID})
		if err := t.require(ctx, references...); err != nil {
			return nil, err
		}
		d, err := t.lockDeal(ctx, dealID)
		if err != nil {
			return nil, err
		}
		if err := t.assignable(ctx, in.references()...); err != nil {
			return nil, err
		}
		return t.submit(ctx, d, funderID, in.SubmissionFields)
	})
}

func (f SubmissionFields) references() []reference {
	return []reference{
		{"underwriterId", "User", f.UnderwriterID.Ptr()},
		{"assignedToId", "User", f.AssignedToID.Ptr()},
		{"delegatedToId", "User", f.DelegatedToID.Ptr()},
	}
}

// assignable refuses members of staff who are disabled.
func (t *tx) assignable(ctx context.Context, members ...reference) error {
	var ids []int
	for _, r := range members {
		if r.id != nil {
			ids = append(ids, *r.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	disabled, err := t.User.Query().Where(user.IDIn(ids...), user.IsActive(false)).IDs(ctx)
	if err != nil || len(disabled) == 0 {
		return err
	}
	refused := fault.Conflictf("Work goes to active members of staff only.")
	for _, r := range members {
		if r.id != nil && slices.Contains(disabled, *r.id) {
			refused = refused.With(r.path, "is a member of staff who is disabled")
		}
	}
	return refused
}

// submit makes the submission of a deal, which is locked, to a funder.
func (t *tx) submit(ctx context.Context, d *ent.Deal, funderID int, by SubmissionFields) (*ent.Submission, error) {
	if d.State.Live() || d.State == deal.Withdrawn {
		return nil, fault.Conflictf("The deal is %s; it is submitted to nobody any more.", d.State).
			With("dealId", "is a deal in %s", d.State)
	}
	to, err := t.Funder.Get(ctx, funderID)
	if err != nil {
		return nil, missing(err, "funder")
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
	first, err := t.firstStep(ctx, deal.CategoryOpen)
	if err != nil {
		return nil, err
	}
	create := t.Submission.Create().SetDealID(d.ID).SetFunderID(funderID).SetStatusID(first.ID).
		SetSubmittedAt(t.At()).SetStatusChangedAt(t.At())
	if err := setColumns(create.Mutation(), columnsOf(by, nil, t.zone())); err != nil {
		return nil, err
	}
	made, err := create.Save(ctx)
	if err == nil {
		t.record("submission.create", "submission", made.ID, &d.ID, nil, made)
	}
	return made, err
}

// Update changes who looks after a submission.
func (s Submissions) Update(ctx context.Context, id int, in SubmissionFields) (*ent.Submission, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("submissions"), func(ctx context.Context, t *tx) (*ent.Submission, error) {
		before, err := t.lockSubmission(ctx, submission.ID(id))
		if err != nil {
			return nil, err
		}
		if err := t.require(ctx, in.references()...); err != nil {
			return nil, err
		}
		if err := t.assignable(ctx, in.references()...); err != nil {
			return nil, err
		}
		changes := columnsOf(in, before, t.zone())
		if len(changes) == 0 {
			return before, nil
		}
		update := t.Submission.Update().Where(submission.ID(id))
		after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
		if err == nil {
			t.record("submission.update", "submission", id, &before.DealID, before, after)
		}
		return after, err
	})
}

// Move takes a submission to another step of the pipeline. What its category allows, see deal.SubmissionCategory; a
// submission that ends takes its open offers along. The step it is at already is no move.
func (s Submissions) Move(ctx context.Context, id int, in SubmissionMove) (*ent.Submission, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return write(ctx, s.core, auth.Write("submissions"), func(ctx context.Context, t *tx) (*ent.Submission, error) {
		before, err := t.lockSubmission(ctx, submission.ID(id))
		if err != nil {
			return nil, err
		}
		err = t.require(ctx, reference{"statusId", "SubmissionStatus", in.StatusID.Ptr()},
			reference{"declineReasonId", "DeclineReason", in.DeclineReasonID.Ptr()})
		if err != nil {
			return nil, err
		}
		to, err := t.SubmissionStatus.Get(ctx, in.StatusID.Or(0))
		if err != nil {
			return nil, err
		}
		return t.moveSubmission(ctx, before, to, in.DeclineReasonID.Ptr())
	})
}

// lockSubmission locks one submission after its deal, and loads the step it is at.
func (t *tx) lockSubmission(ctx context.Context, which predicate.Submission) (*ent.Submission, error) {
	found, err := t.Submission.Query().Where(which).Only(ctx)
	if err != nil {
		return nil, missing(err, "submission")
	}
	if _, err := t.lockDeal(ctx, found.DealID); err != nil {
		return nil, err
	}
	row, err := t.Submission.Query().Where(submission.ID(found.ID), locked).WithStatus().Only(ctx)
	return row, missing(err, "submission")
}

// moveSubmission moves a submission, which is locked, because somebody asks for it.
func (t *tx) moveSubmission(
	ctx context.Context, before *ent.Submission, to *ent.SubmissionStatus, reason *int,
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
	after, err := t.enterStep(ctx, before, to, reason)
	if err != nil {
		return nil, err
	}
	t.record("submission.update", "submission", before.ID, &before.DealID, before, after)
	if to.Category.Ended() {
		err = t.endOffersOn(ctx, before)
	}
	return after, err
}

func stepOf(s *ent.SubmissionStatus) deal.PipelineStatus {
	return deal.PipelineStatus{Code: s.Code, Name: s.Name, Category: s.Category, Position: s.Position}
}

// enterStep stores the step that a submission comes to, and tells the world. It is submitted by its first step at the
// latest: the one to the house waits until somebody takes it up.
func (t *tx) enterStep(
	ctx context.Context, before *ent.Submission, to *ent.SubmissionStatus, reason *int,
) (*ent.Submission, error) {
	changes := []columnChange{{submission.FieldStatusID, to.ID}, {submission.FieldStatusChangedAt, t.At()}}
	if before.SubmittedAt == nil {
		changes = append(changes, columnChange{submission.FieldSubmittedAt, t.At()})
	}
	if reason != nil {
		changes = append(changes, columnChange{submission.FieldDeclineReasonID, *reason},
			columnChange{submission.FieldDeclinedAt, t.At()})
	}
	update := t.Submission.Update().Where(submission.ID(before.ID))
	after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
	if err != nil {
		return nil, err
	}
	after.Edges.Status = to
	t.emit("submission", before.ID, webhook.SubmissionStatusChanged{
		SubmissionID: before.ID, DealID: before.DealID, FunderID: before.FunderID,
		From: before.Edges.Status.Code, To: to.Code,
	})
	return after, nil
}

// advance has a submission, which is locked with its step, follow what happened to its offer or deal: to the first step
// in use of the category. It stays where it is if it has come so far already, has ended, or the pipeline has no such step.
func (t *tx) advance(ctx context.Context, before *ent.Submission, to deal.SubmissionCategory) error {
	if !before.Edges.Status.Category.Precedes(to) {
		return nil
	}
	step, err := t.firstStep(ctx, to)
	if ent.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return err
	}
	after, err := t.enterStep(ctx, before, step, nil)
	if err == nil {
		alsoChanged(t, "submission", before, after)
	}
	return err
}

// firstStep is the step of a category that is in use and comes first.
func (t *tx) firstStep(ctx context.Context, category deal.SubmissionCategory) (*ent.SubmissionStatus, error) {
	return t.SubmissionStatus.Query().
		Where(submissionstatus.CategoryEQ(category), submissionstatus.IsActive(true)).
		Order(submissionstatus.ByPosition(), submissionstatus.ByID()).First(ctx)
}

// submitToHouse makes the submission that every deal begins with: to the tenant's own funder, at the first open step.
func (t *tx) submitToHouse(ctx context.Context, d *ent.Deal) error {
	house, err := t.Funder.Query().Where(funder.IsHouse(true)).Only(ctx)
	if err != nil {
		return err
	}
	first, err := t.firstStep(ctx, deal.CategoryOpen)
	if err != nil {
		return err
	}
	made, err := t.Submission.Create().SetDealID(d.ID).SetFunderID(house.ID).SetStatusID(first.ID).
		SetStatusChangedAt(t.At()).Save(ctx)
	if err != nil {
		return err
	}
	alsoMade(t, "submission", made)
	return nil
}

// ofHouse is the submission of a deal to the tenant itself.
func ofHouse(dealID int) predicate.Submission {
	return submission.And(submission.DealID(dealID), submission.HasFunderWith(funder.IsHouse(true)))
}

// ByIDs returns those of the submissions that there are, by id.
func (s Submissions) ByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.Submission, error) {
	return byIDs(ctx, through, ids, s.store.Reader().Submission.Query())
}
