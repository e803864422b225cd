package service

import (
	"context"
	"fmt"
	"slices"

	"paydown/ent"
	"paydown/ent/declinereason"
	"paydown/ent/submissionstatus"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/store"
)

// StatusFields are what somebody sets of a step of the pipeline at any time.
type StatusFields struct {
	Name     Opt[string] `json:"name" check:"name" need:"create" example:"Under review"`
	Position Opt[int]    `json:"position" check:"gte=0,lte=100000" need:"value" doc:"Its place among the others; last unless given"`
	IsActive Opt[bool]   `json:"isActive" need:"value" doc:"Whether submissions move there; true unless given"`
}

// NewSubmissionStatus is what a step of the pipeline is made of. What it is called by rules and events, and what it
// means, never changes.
type NewSubmissionStatus struct {
	Code     Opt[string]                  `json:"code" check:"code" need:"create" example:"UNDER_REVIEW"`
	Category Opt[deal.SubmissionCategory] `json:"category" need:"create" doc:"What the step means to the product"`
	StatusFields
}

// NewDeclineReason is what a reason to decline is made of.
type NewDeclineReason struct {
	Code Opt[string] `json:"code" check:"code" need:"create" example:"LOW_REVENUE"`
	StatusFields
}

// PipelineStep is a step of the pipeline with what is there.
type PipelineStep struct {
	Status *ent.SubmissionStatus
	// Count is how many submissions are there, FundedAmount what their deals are to be funded with together.
	Count        int
	FundedAmount money.Amount
}

// Pipeline lists the steps of the pipeline in order, each with how much is there. Steps that are not in use are left out
// where nothing is there.
func (s Submissions) Pipeline(ctx context.Context) ([]*PipelineStep, error) {
	actor, err := permit(ctx, auth.Read("submissions"))
	if err != nil {
		return nil, err
	}
	statuses, err := s.Statuses(ctx)
	if err != nil {
		return nil, err
	}
	sums, err := s.store.PipelineSums(ctx, actor.TenantID)
	if err != nil {
		return nil, err
	}
	steps := []*PipelineStep{}
	for _, status := range statuses {
		if sum := sums[status.ID]; status.IsActive || sum.Count > 0 {
			steps = append(steps, &PipelineStep{status, sum.Count, money.Cents(sum.Cents)})
		}
	}
	return steps, nil
}

// Statuses lists the steps of the pipeline in order, those that are not in use too.
func (s Submissions) Statuses(ctx context.Context) ([]*ent.SubmissionStatus, error) {
	if _, err := permit(ctx, auth.Read("submissions")); err != nil {
		return nil, err
	}
	return s.store.Reader().SubmissionStatus.Query().
		Order(submissionstatus.ByPosition(), submissionstatus.ByID()).All(ctx)
}

// DeclineReasons lists the reasons for which funders decline in order, those that are not in use too.
func (s Submissions) DeclineReasons(ctx context.Context) ([]*ent.DeclineReason, error) {
	if _, err := permit(ctx, auth.Read("submissions")); err != nil {
		return nil, err
	}
	return s.store.Reader().DeclineReason.Query().Order(declinereason.ByPosition(), declinereason.ByID()).All(ctx)
}

// DeclineReasonsByIDs returns those of the reasons that there are, by id.
func (s Submissions) DeclineReasonsByIDs(ctx context.Context, through auth.Scope, ids []int) (map[int]*ent.DeclineReason, error) {
	return byIDs(ctx, through, ids, s.store.Reader().DeclineReason.Query())
}

// settle runs a change of a company's settings by somebody who may make it.
func settle[T any](ctx context.Context, c *core, work func(context.Context, *tx) (T, error)) (T, error) {
	actor, err := entitled(ctx, auth.EditCompanySettings)
	if err != nil {
		var none T
		return none, err
	}
	return transact(ctx, c, actor, work)
}

// CreateStatus adds a step to the pipeline.
func (s Submissions) CreateStatus(ctx context.Context, in NewSubmissionStatus) (*ent.SubmissionStatus, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return settle(ctx, s.core, func(ctx context.Context, t *tx) (*ent.SubmissionStatus, error) {
		if in.Position.Absent() {
			last, err := t.SubmissionStatus.Query().Order(submissionstatus.ByPosition(descending())).First(ctx)
			if err != nil && !ent.IsNotFound(err) {
				return nil, err
			}
			in.Position = Some(placeAfter(last, func(r *ent.SubmissionStatus) int { return r.Position }))
		}
		create := t.SubmissionStatus.Create()
		row, err := made(ctx, t, "submissionStatus", in, create.Mutation(), create.Save)
		return row, takenCode(err)
	})
}

// placeAfter is a place behind the last one, with room in between; that may be nil.
func placeAfter[E any](last *E, position func(*E) int) int {
	if last == nil {
		return placesApart
	}
	return position(last) + placesApart
}

const placesApart = 10

func takenCode(err error) error {
	if store.IsDuplicate(err) {
		return fault.Conflictf("There is one with this code already.").With("code", "is taken").Because(err)
	}
	return err
}

// UpdateStatus changes a step of the pipeline. The last open step in use stays in use, since every deal begins there.
func (s Submissions) UpdateStatus(ctx context.Context, id int, in StatusFields) (*ent.SubmissionStatus, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return settle(ctx, s.core, func(ctx context.Context, t *tx) (*ent.SubmissionStatus, error) {
		all, err := t.lockStatuses(ctx)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(r *ent.SubmissionStatus) bool { return r.ID == id })
		if i < 0 {
			return nil, fault.Missing("submission status")
		}
		if active, given := in.IsActive.Get(); given && !active && !slices.ContainsFunc(all, func(r *ent.SubmissionStatus) bool {
			return r.ID != id && r.Category == deal.CategoryOpen && r.IsActive
		}) {
			return nil, fault.Conflictf("Every deal begins at an open step, and this is the last one in use.").
				With("isActive", "must stay true while no other step of the category %s is in use", deal.CategoryOpen)
		}
		update := t.SubmissionStatus.Update().Where(submissionstatus.ID(id))
		return changed(ctx, t, "submissionStatus", id, all[i], in, update.Mutation(), update.Save)
	})
}

func (t *tx) lockStatuses(ctx context.Context) ([]*ent.SubmissionStatus, error) {
	return t.SubmissionStatus.Query().Where(locked).Order(submissionstatus.ByID()).All(ctx)
}

// ReorderStatuses puts the steps of the pipeline into the order of the ids, which name each of them once, and returns
// them in it.
func (s Submissions) ReorderStatuses(ctx context.Context, ids []int) ([]*ent.SubmissionStatus, error) {
	return settle(ctx, s.core, func(ctx context.Context, t *tx) ([]*ent.SubmissionStatus, error) {
		all, err := t.lockStatuses(ctx)
		if err != nil {
			return nil, err
		}
		ordered, err := inOrder(all, ids, func(r *ent.SubmissionStatus) int { return r.ID })
		if err != nil {
			return nil, err
		}
		for i, before := range ordered {
			position := placesApart * (i + 1)
			if before.Position == position {
				continue
			}
			update := t.SubmissionStatus.Update().Where(submissionstatus.ID(before.ID))
			next, err := stored(ctx, t, before, []columnChange{{submissionstatus.FieldPosition, position}}, update.Mutation(), update.Save)
			if err != nil {
				return nil, err
			}
			ordered[i] = next
			alsoChanged(t, "submissionStatus", before, next)
		}
		t.reordered("submissionStatus")
		return ordered, nil
	})
}

// reordered notes that the write put records into another order, if it did.
func (t *tx) reordered(entity string) {
	if len(t.effects) > 0 {
		t.record(entity+".reorder", "tenant", t.actor.TenantID, nil, nil, nil)
	}
}

// inOrder are the records in the order of the ids, which must name each of them once.
func inOrder[E any](all []*E, ids []int, id func(*E) int) ([]*E, error) {
	ordered := make([]*E, 0, len(all))
	for i, want := range ids {
		at := slices.IndexFunc(all, func(r *E) bool { return id(r) == want })
		if at < 0 {
			return nil, fault.UnknownReference(fault.Detail{Path: fmt.Sprintf("ids.%d", i), Message: "no such record"})
		}
		if slices.Contains(ids[:i], want) {
			return nil, fault.Field("ids", "must name each of the %d records once", len(all))
		}
		ordered = append(ordered, all[at])
	}
	if len(ordered) != len(all) {
		return nil, fault.Field("ids", "must name each of the %d records once", len(all))
	}
	return ordered, nil
}

// CreateDeclineReason adds a reason for which funders decline.
func (s Submissions) CreateDeclineReason(ctx context.Context, in NewDeclineReason) (*ent.DeclineReason, error) {
	if err := checked(in, ForCreate); err != nil {
		return nil, err
	}
	return settle(ctx, s.core, func(ctx context.Context, t *tx) (*ent.DeclineReason, error) {
		if in.Position.Absent() {
			last, err := t.DeclineReason.Query().Order(declinereason.ByPosition(descending())).First(ctx)
			if err != nil && !ent.IsNotFound(err) {
				return nil, err
			}
			in.Position = Some(placeAfter(last, func(r *ent.DeclineReason) int { return r.Position }))
		}
		create := t.DeclineReason.Create()
		row, err := made(ctx, t, "declineReason", in, create.Mutation(), create.Save)
		return row, takenCode(err)
	})
}

// UpdateDeclineReason changes a reason for which funders decline. One that is not in use any more stays with the
// submissions that name it.
func (s Submissions) UpdateDeclineReason(ctx context.Context, id int, in StatusFields) (*ent.DeclineReason, error) {
	if err := checked(in, ForUpdate); err != nil {
		return nil, err
	}
	return settle(ctx, s.core, func(ctx context.Context, t *tx) (*ent.DeclineReason, error) {
		before, err := t.DeclineReason.Query().Where(declinereason.ID(id), locked).Only(ctx)
		if err != nil {
			return nil, missing(err, "decline reason")
		}
		update := t.DeclineReason.Update().Where(declinereason.ID(id))
		return changed(ctx, t, "declineReason", id, before, in, update.Mutation(), update.Save)
	})
}

// ReorderDeclineReasons puts the reasons into the order of the ids, which name each of them once, and returns them in it.
func (s Submissions) ReorderDeclineReasons(ctx context.Context, ids []int) ([]*ent.DeclineReason, error) {
	return settle(ctx, s.core, func(ctx context.Context, t *tx) ([]*ent.DeclineReason, error) {
		all, err := t.DeclineReason.Query().Where(locked).Order(declinereason.ByID()).All(ctx)
		if err != nil {
			return nil, err
		}
		ordered, err := inOrder(all, ids, func(r *ent.DeclineReason) int { return r.ID })
		if err != nil {
			return nil, err
		}
		for i, before := range ordered {
			position := placesApart * (i + 1)
			if before.Position == position {
				continue
			}
			update := t.DeclineReason.Update().Where(declinereason.ID(before.ID))
			next, err := stored(ctx, t, before, []columnChange{{declinereason.FieldPosition, position}}, update.Mutation(), update.Save)
			if err != nil {
				return nil, err
			}
			ordered[i] = next
			alsoChanged(t, "declineReason", before, next)
		}
		t.reordered("declineReason")
		return ordered, nil
	})
}
