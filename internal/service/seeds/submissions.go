package seeds

import (
	"context"

	"paydown/ent/declinereason"
	"paydown/ent/predicate"
	"paydown/ent/submission"
	"paydown/ent/submissionstatus"
	"paydown/internal/service/books"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/unit"
)

// Submit puts a deal before a funder besides the house.
func (s Seeds) Submit(ctx context.Context, dealID, funderID int) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return 0, err
		}
		made, err := pipeline.Submit(ctx, t, d, funderID, pipeline.SubmissionFields{})
		if err != nil {
			return 0, err
		}
		return made.ID, nil
	})
}

// SeedStep is where a submission moves: the code of a pipeline status, and that of the reason where the funder declines.
type SeedStep struct{ Status, Reason string }

// MoveSubmission moves a submission along the tenant's pipeline.
func (s Seeds) MoveSubmission(ctx context.Context, id int, step SeedStep) (int, error) {
	return s.move(ctx, submission.ID(id), step)
}

// MoveHouse moves the submission of a deal to the tenant itself.
func (s Seeds) MoveHouse(ctx context.Context, dealID int, step SeedStep) (int, error) {
	return s.move(ctx, pipeline.OfHouse(dealID), step)
}

func (s Seeds) move(ctx context.Context, which predicate.Submission, step SeedStep) (int, error) {
	return seed(ctx, s.core, func(ctx context.Context, t *unit.Tx) (int, error) {
		before, err := pipeline.LockSubmission(ctx, t, which)
		if err != nil {
			return 0, err
		}
		to, err := t.SubmissionStatus.Query().Where(submissionstatus.Code(step.Status)).Only(ctx)
		if err != nil {
			return 0, unit.NotFound(err, "submission status")
		}
		reason, err := declineReason(ctx, t, step.Reason)
		if err != nil {
			return 0, err
		}
		_, err = pipeline.MoveSubmission(ctx, t, before, to, reason)
		return before.ID, err
	})
}

// declineReason is the id of the reason with that code; nil for "".
func declineReason(ctx context.Context, t *unit.Tx, code string) (*int, error) {
	if code == "" {
		return nil, nil //nolint:nilnil // nobody declines
	}
	row, err := t.DeclineReason.Query().Where(declinereason.Code(code)).Only(ctx)
	if err != nil {
		return nil, unit.NotFound(err, "decline reason")
	}
	return &row.ID, nil
}
