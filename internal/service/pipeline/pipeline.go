package pipeline

import (
	"context"
	"slices"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/declinereason"
	"paydown/ent/submissionstatus"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// StatusFields are the fields of a submission status that can be set at any time.
type StatusFields struct {
	Name     input.Opt[string] `json:"name" check:"name" need:"create" example:"Under review"`
	Position input.Opt[int]    `json:"position" check:"gte=0,lte=100000" need:"value" doc:"Position in the list; default: last"`
	IsActive input.Opt[bool]   `json:"isActive" need:"value" doc:"Whether submissions can move to it; default: true"`
}

// NewSubmissionStatus is the input for creating a submission status. Its code and category can never change.
type NewSubmissionStatus struct {
	Code     input.Opt[string]                  `json:"code" check:"code" need:"create" example:"UNDER_REVIEW"`
	Category input.Opt[deal.SubmissionCategory] `json:"category" need:"create" doc:"What the status means to the system"`
	StatusFields
}

// NewDeclineReason is the input for creating a decline reason.
type NewDeclineReason struct {
	Code input.Opt[string] `json:"code" check:"code" need:"create" example:"LOW_REVENUE"`
	StatusFields
}

// SubmissionStatusTotal is a submission status with its number of submissions.
type SubmissionStatusTotal struct {
	Status *ent.SubmissionStatus
	// Count is the number of submissions, FundedAmount the sum of their deals' funded amounts.
	Count        int
	FundedAmount money.Amount
}

// Pipeline lists the statuses of the pipeline in order, each with its submissions. It leaves out inactive
// statuses without submissions.
func (s Submissions) Pipeline(ctx context.Context) ([]*SubmissionStatusTotal, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("submissions"))
	if err != nil {
		return nil, err
	}
	statuses, err := s.Statuses(ctx)
	if err != nil {
		return nil, err
	}
	sums, err := s.core.Store.PipelineSums(ctx, actor.TenantID)
	if err != nil {
		return nil, err
	}
	totals := []*SubmissionStatusTotal{}
	for _, status := range statuses {
		if sum := sums[status.ID]; status.IsActive || sum.Count > 0 {
			totals = append(totals, &SubmissionStatusTotal{status, sum.Count, money.Cents(sum.Cents)})
		}
	}
	return totals, nil
}

// Statuses lists the statuses of the pipeline in order, including inactive ones.
func (s Submissions) Statuses(ctx context.Context) ([]*ent.SubmissionStatus, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("submissions")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().SubmissionStatus.Query().
		Order(submissionstatus.ByPosition(), submissionstatus.ByID()).All(ctx)
}

// DeclineReasons lists the decline reasons in order, including inactive ones.
func (s Submissions) DeclineReasons(ctx context.Context) ([]*ent.DeclineReason, error) {
	if _, err := unit.RequireScope(ctx, auth.Read("submissions")); err != nil {
		return nil, err
	}
	return s.core.Store.Reader().DeclineReason.Query().Order(declinereason.ByPosition(), declinereason.ByID()).All(ctx)
}

// DeclineReasonsByIDs returns the existing decline reasons among ids, by id.
func (s Submissions) DeclineReasonsByIDs(
	ctx context.Context, through auth.Scope, ids []int,
) (map[int]*ent.DeclineReason, error) {
	return list.ByIDs(ctx, through, ids, s.core.Store.Reader().DeclineReason.Query())
}

// CreateStatus adds a status to the pipeline.
func (s Submissions) CreateStatus(ctx context.Context, in NewSubmissionStatus) (*ent.SubmissionStatus, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.SubmissionStatus, error) {
		if in.Position.Absent() {
			last, err := t.SubmissionStatus.Query().Order(submissionstatus.ByPosition(unit.Descending())).First(ctx)
			place, err := list.PlaceAfter(last, err)
			if err != nil {
				return nil, err
			}
			in.Position = input.Some(place)
		}
		create := t.SubmissionStatus.Create()
		row, err := unit.Create(ctx, t, "submissionStatus", in, create.Mutation(), create.Save)
		return row, list.TakenCode(err)
	})
}

// UpdateStatus changes a status of the pipeline. The last active open status cannot be deactivated, because new
// deals start there.
func (s Submissions) UpdateStatus(ctx context.Context, id int, in StatusFields) (*ent.SubmissionStatus, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.SubmissionStatus, error) {
		all, err := lockStatuses(ctx, t)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(r *ent.SubmissionStatus) bool { return r.ID == id })
		if i < 0 {
			return nil, fault.Missing("submission status")
		}
		otherOpen := slices.ContainsFunc(all, func(r *ent.SubmissionStatus) bool {
			return r.ID != id && r.Category == deal.CategoryOpen && r.IsActive
		})
		if active, given := in.IsActive.Get(); given && !active && !otherOpen {
			return nil, fault.Conflictf("At least one open status must stay active, because new deals start there.").
				With("isActive", "must be true while no other status of the category %s is active", deal.CategoryOpen)
		}
		update := t.SubmissionStatus.Update().Where(submissionstatus.ID(id))
		return unit.Update(ctx, t, "submissionStatus", id, all[i], in, update.Mutation(), update.Save)
	})
}

func lockStatuses(ctx context.Context, t *unit.Tx) ([]*ent.SubmissionStatus, error) {
	return t.SubmissionStatus.Query().Where(unit.Locked).Order(submissionstatus.ByID()).All(ctx)
}

// ReorderStatuses sorts the statuses into the order of ids, which must name each status once, and returns them.
func (s Submissions) ReorderStatuses(ctx context.Context, ids []int) ([]*ent.SubmissionStatus, error) {
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) ([]*ent.SubmissionStatus, error) {
		all, err := lockStatuses(ctx, t)
		if err != nil {
			return nil, err
		}
		move := func(id int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.SubmissionStatus.Update().Where(submissionstatus.ID(id))
			return update.Mutation(), update.Save
		}
		return list.Reorder(ctx, t, "submissionStatus", all, ids, move)
	})
}

// CreateDeclineReason adds a decline reason.
func (s Submissions) CreateDeclineReason(ctx context.Context, in NewDeclineReason) (*ent.DeclineReason, error) {
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.DeclineReason, error) {
		if in.Position.Absent() {
			place, err := list.PlaceAfter(t.DeclineReason.Query().Order(declinereason.ByPosition(unit.Descending())).First(ctx))
			if err != nil {
				return nil, err
			}
			in.Position = input.Some(place)
		}
		create := t.DeclineReason.Create()
		row, err := unit.Create(ctx, t, "declineReason", in, create.Mutation(), create.Save)
		return row, list.TakenCode(err)
	})
}

// UpdateDeclineReason changes a decline reason. An inactive reason stays on the submissions that name it.
func (s Submissions) UpdateDeclineReason(ctx context.Context, id int, in StatusFields) (*ent.DeclineReason, error) {
	if err := input.Validate(in, input.ForUpdate); err != nil {
		return nil, err
	}
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) (*ent.DeclineReason, error) {
		before, err := t.DeclineReason.Query().Where(declinereason.ID(id), unit.Locked).Only(ctx)
		if err != nil {
			return nil, unit.NotFound(err, "decline reason")
		}
		update := t.DeclineReason.Update().Where(declinereason.ID(id))
		return unit.Update(ctx, t, "declineReason", id, before, in, update.Mutation(), update.Save)
	})
}

// ReorderDeclineReasons sorts the reasons into the order of ids, which must name each reason once, and returns
// them.
func (s Submissions) ReorderDeclineReasons(ctx context.Context, ids []int) ([]*ent.DeclineReason, error) {
	return unit.ChangeSettings(ctx, s.core, func(ctx context.Context, t *unit.Tx) ([]*ent.DeclineReason, error) {
		all, err := t.DeclineReason.Query().Where(unit.Locked).Order(declinereason.ByID()).All(ctx)
		if err != nil {
			return nil, err
		}
		move := func(id int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.DeclineReason.Update().Where(declinereason.ID(id))
			return update.Mutation(), update.Save
		}
		return list.Reorder(ctx, t, "declineReason", all, ids, move)
	})
}
