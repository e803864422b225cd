package service

import (
	"context"

	"paydown/ent"
	"paydown/ent/declinereason"
	"paydown/ent/submission"
	"paydown/ent/submissionstatus"
	"paydown/internal/fault"
	"paydown/internal/webhook"
)

// Submit puts a deal before a funder besides the house.
func (s Seeds) Submit(ctx context.Context, dealID, funderID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		if _, err := t.lockDeal(ctx, dealID); err != nil {
			return 0, err
		}
		first, err := t.pipelineStatus(ctx, "NEW")
		if err != nil {
			return 0, err
		}
		made, err := t.Submission.Create().SetDealID(dealID).SetFunderID(funderID).SetStatusID(first.ID).
			SetSubmittedAt(t.At()).SetStatusChangedAt(t.At()).Save(ctx)
		if err != nil {
			return 0, err
		}
		t.record("submission.create", "submission", made.ID, &dealID, nil, made)
		return made.ID, nil
	})
}

// SeedStep is where a submission moves: the code of a pipeline status, and that of the reason where the funder declines.
type SeedStep struct{ Status, Reason string }

// MoveSubmission moves a submission along the tenant's pipeline.
func (s Seeds) MoveSubmission(ctx context.Context, id int, step SeedStep) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.Submission.Query().Where(submission.ID(id), locked).WithStatus().Only(ctx)
		if err != nil {
			return 0, missing(err, "submission")
		}
		return id, t.moveSubmission(ctx, before, step)
	})
}

// MoveHouse moves the submission of a deal to the tenant itself. It is sent in by its first move.
func (s Seeds) MoveHouse(ctx context.Context, dealID int, step SeedStep) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *tx) (int, error) {
		before, err := t.Submission.Query().Where(ofHouse(dealID), locked).WithStatus().Only(ctx)
		if err != nil {
			return 0, missing(err, "submission")
		}
		var also []columnChange
		if before.SubmittedAt == nil {
			also = append(also, columnChange{submission.FieldSubmittedAt, t.At()})
		}
		return before.ID, t.moveSubmission(ctx, before, step, also...)
	})
}

func (t *tx) moveSubmission(ctx context.Context, before *ent.Submission, step SeedStep, also ...columnChange) error {
	from := before.Edges.Status
	to, err := t.pipelineStatus(ctx, step.Status)
	if err != nil {
		return err
	}
	if from.Category.Ended() || from.ID == to.ID {
		return fault.Conflictf("A submission that is %s cannot become %s.", from.Code, to.Code)
	}
	changes := []columnChange{{submission.FieldStatusID, to.ID}, {submission.FieldStatusChangedAt, t.At()}}
	changes = append(changes, also...)
	if to.Category.NeedsReason() {
		reason, err := t.DeclineReason.Query().Where(declinereason.Code(step.Reason)).Only(ctx)
		if err != nil {
			return missing(err, "decline reason")
		}
		changes = append(changes,
			columnChange{submission.FieldDeclineReasonID, reason.ID}, columnChange{submission.FieldDeclinedAt, t.At()})
	}
	update := t.Submission.Update().Where(submission.ID(before.ID))
	after, err := stored(ctx, t, before, changes, update.Mutation(), update.Save)
	if err != nil {
		return err
	}
	t.record("submission.update", "submission", before.ID, &before.DealID, before, after)
	moved := webhook.SubmissionStatusChanged{
		SubmissionID: before.ID, DealID: before.DealID, FunderID: before.FunderID, From: from.Code, To: to.Code,
	}
	t.emit("submission", before.ID, moved)
	return nil
}

func (t *tx) pipelineStatus(ctx context.Context, code string) (*ent.SubmissionStatus, error) {
	row, err := t.SubmissionStatus.Query().Where(submissionstatus.Code(code)).Only(ctx)
	return row, missing(err, "submission status")
}
