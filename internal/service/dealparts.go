package service

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/approval"
	"paydown/ent/note"
	entposting "paydown/ent/posting"
	"paydown/ent/predicate"
	"paydown/ent/statementanalysis"
	"paydown/ent/stipulation"
	"paydown/ent/stipulationtemplate"
	"paydown/ent/submission"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
	"paydown/internal/store"
)

// askStipulations makes the deal's stipulations from the tenant's templates for its product, but those of the given codes.
func (t *tx) askStipulations(ctx context.Context, d *ent.Deal, but ...string) error {
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
	alsoMade(t, "stipulation", made...)
	return nil
}

// undeletable is why a deal cannot be deleted, if so.
func (t *tx) undeletable(ctx context.Context, d *ent.Deal) error {
	// Offers count with their submissions, postings with their ledger entries.
	along := []string{stipulation.Table, note.Table, approval.Table, entposting.Table}
	var papers []*ent.Submission
	if d.State == deal.Inception || d.State == deal.Withdrawn {
		var err error
		if papers, err = t.Submission.Query().Where(ofHouse(d.ID)).All(ctx); err != nil {
			return err
		}
		along = append(along, submission.Table)
	}
	found, err := t.Dependents(ctx, ent.TypeDeal, d.ID, along...)
	if err != nil {
		return err
	}
	if slices.Contains(along, submission.Table) {
		others, err := t.Submission.Query().Where(submission.DealID(d.ID), submission.Not(ofHouse(d.ID))).Count(ctx)
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
	return stillReferred("deal", found)
}

// dropPapers removes what goes with a deal: its house submission, its stipulations and the notes about either.
func (t *tx) dropPapers(ctx context.Context, dealID int) error {
	papers, err := t.Submission.Query().Where(ofHouse(dealID)).All(ctx)
	if err != nil {
		return err
	}
	for _, s := range papers {
		if err := t.dropNotes(ctx, note.SubmissionID(s.ID)); err != nil {
			return err
		}
		if err := t.Submission.DeleteOne(s).Exec(ctx); err != nil {
			return err
		}
	}
	alsoRemoved(t, "submission", papers...)
	if err := t.dropStipulations(ctx, stipulation.DealID(dealID)); err != nil {
		return err
	}
	return t.dropNotes(ctx, note.DealID(dealID))
}

// dropStipulations removes what is no longer asked for.
func (t *tx) dropStipulations(ctx context.Context, which ...predicate.Stipulation) error {
	rows, err := t.Stipulation.Query().Where(which...).Where(locked).Order(stipulation.ByID()).All(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	ids := make([]int, len(rows))
	for i, row := range rows {
		ids[i] = row.ID
	}
	_, err = t.Stipulation.Delete().Where(stipulation.IDIn(ids...)).Exec(ctx)
	alsoRemoved(t, "stipulation", rows...)
	return err
}

// dropNotes removes the notes about a record that goes.
func (t *tx) dropNotes(ctx context.Context, about predicate.Note) error {
	rows, err := t.Note.Query().Where(about).Order(note.ByID()).All(ctx)
	if err != nil || len(rows) == 0 {
		return err
	}
	_, err = t.Note.Delete().Where(about).Exec(ctx)
	alsoRemoved(t, "note", rows...)
	return err
}

// askOtherStipulations follows a change of the product: what was asked for and not answered goes, what the product asks
// for besides what stays is added.
func (t *tx) askOtherStipulations(ctx context.Context, d *ent.Deal) error {
	unanswered := stipulation.StatusEQ(deal.StipRequested)
	if err := t.dropStipulations(ctx, stipulation.DealID(d.ID), unanswered); err != nil {
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
	return t.askStipulations(ctx, d, codes...)
}

// monthlyRevenue is the merchant's average monthly true revenue as the deal's latest analysis has it; nil without one.
func (t *tx) monthlyRevenue(ctx context.Context, dealID int) (*money.Amount, error) {
	latest, err := t.latestAnalysis(ctx, dealID)
	if err != nil || latest == nil {
		return nil, err
	}
	return latest.AvgMonthlyTrueRevenue, nil
}

// latestAnalysis is the deal's newest statement analysis; nil where there is none.
func (t *tx) latestAnalysis(ctx context.Context, dealID int) (*ent.StatementAnalysis, error) {
	row, err := t.StatementAnalysis.Query().Where(statementanalysis.DealID(dealID)).
		Order(statementanalysis.ByVersion(descending())).First(ctx)
	if ent.IsNotFound(err) {
		return nil, nil
	}
	return row, err
}

// reference is an id in a body: where it stands and what it must name.
type reference struct {
	path, record string
	id           *int
}

// require checks that every id names a record of the tenant, and reports all that do not.
func (t *tx) require(ctx context.Context, references ...reference) error {
	var unknown []fault.Detail
	for _, r := range references {
		if r.id == nil {
			continue
		}
		found, err := t.Has(ctx, r.record, *r.id)
		if err != nil {
			return err
		}
		if !found {
			unknown = append(unknown, fault.Detail{Path: r.path, Message: "no such record"})
		}
	}
	if len(unknown) > 0 {
		return fault.UnknownReference(unknown...)
	}
	return nil
}
