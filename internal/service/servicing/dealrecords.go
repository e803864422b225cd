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

// addStipulations creates the deal's stipulations from the tenant's templates for its product, except those
// with the given codes.
func addStipulations(ctx context.Context, t *unit.Tx, d *ent.Deal, except ...string) error {
	templates, err := t.StipulationTemplate.Query().
		Where(stipulationtemplate.ProductEQ(d.ProductType),
			stipulationtemplate.RequirementNEQ(deal.NotUsed)).
		Order(stipulationtemplate.ByPosition(), stipulationtemplate.ByID()).All(ctx)
	if err != nil || len(templates) == 0 {
		return err
	}
	var rows []*ent.StipulationCreate
	for _, tpl := range templates {
		if !slices.Contains(except, tpl.Code) {
			rows = append(rows, t.Stipulation.Create().SetDealID(d.ID).SetCode(tpl.Code).SetTitle(tpl.Title).
				SetRequired(true).SetWaivable(tpl.Requirement == deal.Waivable).
				SetNillableMonths(tpl.Months).SetPosition(tpl.Position))
		}
	}
	if len(rows) == 0 {
		return nil
	}
	created, err := t.Stipulation.CreateBulk(rows...).Save(ctx)
	if err != nil {
		return err
	}
	unit.AlsoCreated(t, "stipulation", created...)
	return nil
}

// checkDeletable returns an error if the deal cannot be deleted.
func checkDeletable(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	// Offers are counted through their submissions, postings through their journal entries.
	ownTables := []string{stipulation.Table, note.Table, approval.Table, entposting.Table}
	var houseSubmissions []*ent.Submission
	if d.State == deal.Inception || d.State == deal.Withdrawn {
		var err error
		if houseSubmissions, err = t.Submission.Query().Where(pipeline.OfHouse(d.ID)).All(ctx); err != nil {
			return err
		}
		ownTables = append(ownTables, submission.Table)
	}
	found, err := t.Dependents(ctx, ent.TypeDeal, d.ID, ownTables...)
	if err != nil {
		return err
	}
	if slices.Contains(ownTables, submission.Table) {
		others, err := t.Submission.Query().Where(submission.DealID(d.ID), submission.Not(pipeline.OfHouse(d.ID))).Count(ctx)
		if err != nil {
			return err
		}
		if others > 0 {
			found = append(found, store.Dependents{Table: submission.Table, Count: others})
		}
	}
	for _, s := range houseSubmissions {
		offers, err := t.Dependents(ctx, ent.TypeSubmission, s.ID, note.Table)
		if err != nil {
			return err
		}
		found = append(found, offers...)
	}
	return unit.StillReferred("deal", found)
}

// deleteDealRecords deletes what belongs to a deal: its house submission, its stipulations and the notes on
// both.
func deleteDealRecords(ctx context.Context, t *unit.Tx, dealID int) error {
	houseSubmissions, err := t.Submission.Query().Where(pipeline.OfHouse(dealID)).All(ctx)
	if err != nil {
		return err
	}
	for _, s := range houseSubmissions {
		if err := workspace.DropNotes(ctx, t, note.SubmissionID(s.ID)); err != nil {
			return err
		}
		if err := t.Submission.DeleteOne(s).Exec(ctx); err != nil {
			return err
		}
	}
	unit.AlsoDeleted(t, "submission", houseSubmissions...)
	if err := deleteStipulations(ctx, t, stipulation.DealID(dealID)); err != nil {
		return err
	}
	return workspace.DropNotes(ctx, t, note.DealID(dealID))
}

// deleteStipulations deletes the matching stipulations.
func deleteStipulations(ctx context.Context, t *unit.Tx, which ...predicate.Stipulation) error {
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

// replaceStipulations follows a change of product: it deletes stipulations that are still open and adds those
// of the new product that the deal does not have yet.
func replaceStipulations(ctx context.Context, t *unit.Tx, d *ent.Deal) error {
	unanswered := stipulation.StatusEQ(deal.StipRequested)
	if err := deleteStipulations(ctx, t, stipulation.DealID(d.ID), unanswered); err != nil {
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
	return addStipulations(ctx, t, d, codes...)
}
