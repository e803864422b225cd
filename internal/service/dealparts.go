package service

import (
	"context"
	"slices"

	"paydown/ent"
	"paydown/ent/funder"
	"paydown/ent/journal"
	entpayment "paydown/ent/payment"
	"paydown/ent/statementanalysis"
	"paydown/ent/stipulation"
	"paydown/ent/stipulationtemplate"
	"paydown/ent/submission"
	"paydown/ent/submissionstatus"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/money"
)

// submitToHouse makes the submission that every deal begins with: to the tenant's own funder, at the first open status.
func (t *tx) submitToHouse(ctx context.Context, d *ent.Deal) error {
	house, err := t.Funder.Query().Where(funder.IsHouse(true)).Only(ctx)
	if err != nil {
		return err
	}
	status, err := t.SubmissionStatus.Query().
		Where(submissionstatus.CategoryEQ(deal.CategoryOpen), submissionstatus.IsActive(true)).
		Order(submissionstatus.ByPosition(), submissionstatus.ByID()).First(ctx)
	if err != nil {
		return err
	}
	made, err := t.Submission.Create().SetDealID(d.ID).SetFunderID(house.ID).SetStatusID(status.ID).
		SetStatusChangedAt(t.At()).Save(ctx)
	if err != nil {
		return err
	}
	t.alsoMade("submission", made.ID)
	return nil
}

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
	ids := make([]int, len(made))
	for i, m := range made {
		ids[i] = m.ID
	}
	t.alsoMade("stipulation", ids...)
	return nil
}

// undeletable is why a deal cannot be deleted, if so.
func (t *tx) undeletable(ctx context.Context, d *ent.Deal) error {
	ofDeal := submission.DealID(d.ID)
	if d.State == deal.Inception || d.State == deal.Withdrawn {
		ofDeal = submission.And(ofDeal, submission.Not(submission.HasFunderWith(funder.IsHouse(true))))
	}
	return dependents(ctx, "deal",
		dependent{"submissions", "submission", t.Submission.Query().Where(ofDeal).Count},
		dependent{"payments", "payment", t.Payment.Query().Where(entpayment.DealID(d.ID)).Count},
		dependent{"statementAnalyses", "statement analysis", t.StatementAnalysis.Query().Where(statementanalysis.DealID(d.ID)).Count},
		dependent{"journals", "ledger entry", t.Journal.Query().Where(journal.DealID(d.ID)).Count},
	)
}

func (t *tx) dropHouseSubmission(ctx context.Context, dealID int) error {
	ids, err := t.Submission.Query().Where(submission.DealID(dealID)).IDs(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = t.Submission.Delete().Where(submission.DealID(dealID)).Exec(ctx)
	t.alsoRemoved("submission", ids...)
	return err
}

// askOtherStipulations follows a change of the product: what was asked for and not answered goes, what the product asks
// for besides what stays is added.
func (t *tx) askOtherStipulations(ctx context.Context, d *ent.Deal) error {
	unanswered := stipulation.StatusEQ(deal.StipRequested)
	ids, err := t.Stipulation.Query().Where(stipulation.DealID(d.ID), unanswered).IDs(ctx)
	if err != nil {
		return err
	}
	if _, err := t.Stipulation.Delete().Where(stipulation.DealID(d.ID), unanswered).Exec(ctx); err != nil {
		return err
	}
	t.alsoRemoved("stipulation", ids...)
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

func (t *tx) dropStipulations(ctx context.Context, dealID int) error {
	ids, err := t.Stipulation.Query().Where(stipulation.DealID(dealID)).IDs(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	_, err = t.Stipulation.Delete().Where(stipulation.DealID(dealID)).Exec(ctx)
	t.alsoRemoved("stipulation", ids...)
	return err
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
