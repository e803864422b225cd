package service

import (
	"context"

	"paydown/ent"
	"paydown/internal/deal"
	"paydown/internal/ledger"
	"paydown/internal/payment"
)

// What every tenant begins with. All of it is the tenant's own data from then on.

func (t *tx) openAccounts(ctx context.Context) error {
	rows := make([]*ent.AccountCreate, len(ledger.Chart))
	for i, head := range ledger.Chart {
		rows[i] = t.Account.Create().SetCode(string(head.Account)).SetName(head.Title).SetType(string(head.Type))
	}
	return t.Account.CreateBulk(rows...).Exec(ctx)
}

func (t *tx) makeHouseFunder(ctx context.Context) error {
	return t.Funder.Create().SetName("House").SetIsHouse(true).Exec(ctx)
}

func (t *tx) makePipeline(ctx context.Context) error {
	statuses := make([]*ent.SubmissionStatusCreate, len(deal.DefaultPipeline))
	for i, s := range deal.DefaultPipeline {
		statuses[i] = t.SubmissionStatus.Create().SetCode(s.Code).SetName(s.Name).
			SetCategory(s.Category).SetPosition(s.Position)
	}
	if err := t.SubmissionStatus.CreateBulk(statuses...).Exec(ctx); err != nil {
		return err
	}
	reasons := make([]*ent.DeclineReasonCreate, len(deal.DefaultDeclineReasons))
	for i, r := range deal.DefaultDeclineReasons {
		reasons[i] = t.DeclineReason.Create().SetCode(r.Code).SetName(r.Name).SetPosition(i)
	}
	if err := t.DeclineReason.CreateBulk(reasons...).Exec(ctx); err != nil {
		return err
	}
	endings := make([]*ent.DispositionReasonCreate, len(deal.DefaultDispositionReasons))
	for i, r := range deal.DefaultDispositionReasons {
		endings[i] = t.DispositionReason.Create().SetCode(r.Code).SetName(r.Name).SetPosition(i)
	}
	if err := t.DispositionReason.CreateBulk(endings...).Exec(ctx); err != nil {
		return err
	}
	labels := make([]*ent.MerchantStatusCreate, len(deal.DefaultMerchantStatuses))
	for i, name := range deal.DefaultMerchantStatuses {
		labels[i] = t.MerchantStatus.Create().SetName(name).SetPosition(i)
	}
	return t.MerchantStatus.CreateBulk(labels...).Exec(ctx)
}

func (t *tx) makeStipulationTemplates(ctx context.Context) error {
	var rows []*ent.StipulationTemplateCreate
	for _, product := range deal.Products {
		for _, s := range deal.Matrix(product) {
			row := t.StipulationTemplate.Create().SetProduct(product).SetCode(s.Code).SetTitle(s.Title).
				SetRequirement(s.Requirement).SetPosition(s.Position)
			if s.Months > 0 {
				row.SetMonths(s.Months)
			}
			rows = append(rows, row)
		}
	}
	return t.StipulationTemplate.CreateBulk(rows...).Exec(ctx)
}

func (t *tx) makeBounceCodes(ctx context.Context) error {
	rows := make([]*ent.BounceCodeCreate, len(payment.Returns))
	for i, r := range payment.Returns {
		rows[i] = t.BounceCode.Create().SetCode(r.Code).SetTitle(r.Title).
			SetAction(r.Action).SetReturnClass(r.Class)
	}
	return t.BounceCode.CreateBulk(rows...).Exec(ctx)
}
