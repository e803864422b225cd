package identity

import (
	"context"
	"encoding/json"

	"paydown/ent"
	"paydown/internal/deal"
	"paydown/internal/ledger"
	"paydown/internal/payment"
	"paydown/internal/service/input"
	"paydown/internal/service/unit"
	"paydown/internal/underwriting"
)

// This file creates a tenant's default data. From then on the data is the tenant's own.

// createDefaults creates all default data of a new tenant.
func createDefaults(ctx context.Context, t *unit.Tx, profile string) error {
	for _, step := range []func(context.Context, *unit.Tx) error{
		createAccounts, createHouseFunder, createPipeline, createStipulationTemplates, createBounceCodes, createRoles,
		createUnderwritingPolicy,
	} {
		if err := step(ctx, t); err != nil {
			return err
		}
	}
	policy, err := adoptPolicy(ctx, t, profile)
	if err == nil {
		unit.AlsoCreated(t, "fundingPolicy", policy)
	}
	return err
}

// createRows stores default rows and lists them in the audit entry of the tenant's creation.
func createRows[E any](ctx context.Context, t *unit.Tx, entity string, save func(context.Context) ([]*E, error)) error {
	rows, err := save(ctx)
	for _, row := range rows {
		t.Affect(entity, unit.Created, input.ColumnValue(row, "id").(int))
	}
	return err
}

func createAccounts(ctx context.Context, t *unit.Tx) error {
	rows := make([]*ent.AccountCreate, len(ledger.Chart))
	for i, head := range ledger.Chart {
		rows[i] = t.Account.Create().SetCode(string(head.Account)).SetName(head.Title).SetType(string(head.Type))
	}
	return createRows(ctx, t, "account", t.Account.CreateBulk(rows...).Save)
}

func createHouseFunder(ctx context.Context, t *unit.Tx) error {
	return createRows(ctx, t, "funder", t.Funder.CreateBulk(t.Funder.Create().SetName("House").SetIsHouse(true)).Save)
}

func createPipeline(ctx context.Context, t *unit.Tx) error {
	statuses := make([]*ent.SubmissionStatusCreate, len(deal.DefaultPipeline))
	for i, s := range deal.DefaultPipeline {
		statuses[i] = t.SubmissionStatus.Create().SetCode(s.Code).SetName(s.Name).
			SetCategory(s.Category).SetPosition(s.Position)
	}
	if err := createRows(ctx, t, "submissionStatus", t.SubmissionStatus.CreateBulk(statuses...).Save); err != nil {
		return err
	}
	reasons := make([]*ent.DeclineReasonCreate, len(deal.DefaultDeclineReasons))
	for i, r := range deal.DefaultDeclineReasons {
		reasons[i] = t.DeclineReason.Create().SetCode(r.Code).SetName(r.Name).SetPosition(i)
	}
	if err := createRows(ctx, t, "declineReason", t.DeclineReason.CreateBulk(reasons...).Save); err != nil {
		return err
	}
	endings := make([]*ent.DispositionReasonCreate, len(deal.DefaultDispositionReasons))
	for i, r := range deal.DefaultDispositionReasons {
		endings[i] = t.DispositionReason.Create().SetCode(r.Code).SetName(r.Name).SetPosition(i)
	}
	if err := createRows(ctx, t, "dispositionReason", t.DispositionReason.CreateBulk(endings...).Save); err != nil {
		return err
	}
	labels := make([]*ent.MerchantStatusCreate, len(deal.DefaultMerchantStatuses))
	for i, name := range deal.DefaultMerchantStatuses {
		labels[i] = t.MerchantStatus.Create().SetName(name).SetPosition(i)
	}
	return createRows(ctx, t, "merchantStatus", t.MerchantStatus.CreateBulk(labels...).Save)
}

func createStipulationTemplates(ctx context.Context, t *unit.Tx) error {
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
	return createRows(ctx, t, "stipulationTemplate", t.StipulationTemplate.CreateBulk(rows...).Save)
}

func createBounceCodes(ctx context.Context, t *unit.Tx) error {
	rows := make([]*ent.BounceCodeCreate, len(payment.Returns))
	for i, r := range payment.Returns {
		rows[i] = t.BounceCode.Create().SetCode(r.Code).SetTitle(r.Title).
			SetAction(r.Action).SetReturnClass(r.Class).SetRetryable(r.Retryable())
		if fee := r.Fee(); fee != nil {
			rows[i].SetFee(*fee)
		}
	}
	return createRows(ctx, t, "bounceCode", t.BounceCode.CreateBulk(rows...).Save)
}

func createUnderwritingPolicy(ctx context.Context, t *unit.Tx) error {
	rules, err := json.Marshal(underwriting.DefaultPolicy())
	if err != nil {
		return err
	}
	first := t.UnderwritingPolicy.Create().SetName("Underwriting guidelines").SetVersion(1).SetRules(rules)
	return createRows(ctx, t, "underwritingPolicy", t.UnderwritingPolicy.CreateBulk(first).Save)
}
