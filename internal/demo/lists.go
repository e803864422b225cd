package demo

import (
	"context"

	"paydown/ent"
)

// lists are the ids of what a company begins with, by code or, for labels of merchants, by name.
type lists struct {
	labels, returnCodes, dispositions, steps, declineReasons map[string]int
}

func (b *builder) readLists(ctx context.Context) error {
	ctx = b.as(ctx, requestPrefix)
	labels, err := b.Merchants.Statuses(ctx)
	if err != nil {
		return err
	}
	b.lists.labels = idsBy(labels, func(r *ent.MerchantStatus) (string, int) { return r.Name, r.ID })
	codes, err := b.BounceCodes.List(ctx)
	if err != nil {
		return err
	}
	b.lists.returnCodes = idsBy(codes, func(r *ent.BounceCode) (string, int) { return r.Code, r.ID })
	dispositions, err := b.Communications.DispositionReasons(ctx)
	if err != nil {
		return err
	}
	b.lists.dispositions = idsBy(dispositions, func(r *ent.DispositionReason) (string, int) { return r.Code, r.ID })
	steps, err := b.Submissions.Statuses(ctx)
	if err != nil {
		return err
	}
	b.lists.steps = idsBy(steps, func(r *ent.SubmissionStatus) (string, int) { return r.Code, r.ID })
	reasons, err := b.Submissions.DeclineReasons(ctx)
	b.lists.declineReasons = idsBy(reasons, func(r *ent.DeclineReason) (string, int) { return r.Code, r.ID })
	return err
}

func idsBy[E any](rows []*E, called func(*E) (string, int)) map[string]int {
	ids := make(map[string]int, len(rows))
	for _, row := range rows {
		name, id := called(row)
		ids[name] = id
	}
	return ids
}
