package servicing

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/note"
	entposting "paydown/ent/posting"
	"paydown/ent/predicate"
	"paydown/ent/stipulation"
	"paydown/ent/stipulationtemplate"
	"paydown/ent/submission"
	"paydown/internal/deal"
	"paydown/internal/service/pipeline"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
	"paydown/internal/store"
)

// askStipulations makes the deal's stipulations from the tenant's templates for its product, but those of the given codes.
func askStipulations(ctx context.Context, t *unit.Tx, d *ent.Deal, but ...string) error {
	templates, err := t.StipulationTemplate.Query().
		Where(stipulationtemplate.ProductEQ(d.ProductType),
			stipulationtemplate.RequirementNEQ(deal.NotUsed)).
		Order(stipulationtemplate.ByPosition(), stipulationtemplate.ByID()).All(ctx)
	if err != nil || len(templates) == 0 {
		return err
	}
	var rows []*ent.StipulationCreate
	for _, tpl := range templates {
		if !slices.Contains(but, tpl.Code) {
			rows = append(rows, t.Stipulation.Create().SetDealID(d.ID).SetCode(tpl.Code).SetTitle(tpl.Title).
				SetRequired(true).SetWaivable(tpl.Requirement == deal.Waivable).
				SetNillableMonths(tpl.Months).SetPosition(tpl.Position))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	made, err := t.Stipulation.CreateBulk(rows...).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "stipulation", made...)
	return nil
}

// undeletable is why a deal cannot be deleted, if so.
func undeletable(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	// Offers count with their submissions, postings with their ledger entries.
	along := []string{stipulation.Table, note.Table, approval.Table, entposting.Table}
	var papers []*ent.Submission
	if d.State == deal.Inception || d.State == deal.Withdrawn {
		var err error
		if papers, err = t.Submission.Query().Where(pipeline.OfHouse(d.ID)).All(ctx); err != nil {
			return err
		}
		along = append(along, submission.Table)
	}
	found, err := t.Dependents(ctx, ent.TypeDeal, d.ID, along...)
	if err != nil {
		return err
	}
	if slices.Contains(along, submission.Table) {
		others, err := t.Submission.Query().Where(submission.DealID(d.ID), submission.Not(pipeline.OfHouse(d.ID))).Count(ctx)
		if err != nil {
			return err
		}
		if others > 0 {
			found = append(found, store.Dependents{Table: submission.Table, Count: others})
		}
	}
	for _, s := range papers {
		offers, err := t.Dependents(ctx, ent.TypeSubmission, s.ID, note.Table)
		if err != nil {
			return err
		}
		found = append(found, offers...)
	}
	return unit.StillReferred("deal", found)
}

// dropPapers removes what goes with a deal: its house submission, its stipulations and the notes about either.
func dropPapers(ctx context.Context, t *unit.Tx, dealID int) error {
	papers, err := t.Submission.Query().Where(pipeline.OfHouse(dealID)).All(ctx)
	if err != nil {
		return err
	}
	for _, s := range papers {
		if err := workspace.DropNotes(ctx, t, note.SubmissionID(s.ID)); err != nil {
			return err
		}
		if err := t.Submission.DeleteOne(s).Exec(ctx); err != nil {
			return err
		}
	}
	unit.AlsoDeleted(t, "submission", papers...)
	if err := dropStipulations(ctx, t, stipulation.DealID(dealID)); err != nil {
		return err
	}
	return workspace.DropNotes(ctx, t, note.DealID(dealID))
}

// dropStipulations removes what is no longer asked for.
func dropStipulations(ctx context.Context, t *unit.Tx, which ...predicate.Stipulation) error {
	rows, err := t.Stipulation.Query().Where(which...).Where(unit.Locked).Order(stipulation.ByID()).All(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	ids := make([]int, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	_, err = t.Stipulation.Delete().Where(stipulation.IDIn(ids...)).Exec(ctx)
	unit.AlsoDeleted(t, "stipulation", rows...)
	return err
}

// askOtherStipulations follows a change of the product: what was asked for and not answered goes, what the product asks
// for besides what stays is added.
func askOtherStipulations(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	unanswered := stipulation.StatusEQ(deal.StipRequested)
	if err := dropStipulations(ctx, t, stipulation.DealID(d.ID), unanswered); err != nil {
		return err
	}
	kept, err := t.Stipulation.Query().Where(stipulation.DealID(d.ID)).All(ctx)
	if err != nil {
		return err
	}
	codes := make([]string, len(kept))
	for i, s := range kept {
		codes[i] = s.Code
	}
	return askStipulations(ctx, t, d, codes...)
}
