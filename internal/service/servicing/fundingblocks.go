package servicing

import (
	"context"

	entgo "entgo.io/ent"

	"paydown/ent"
	"paydown/ent/fundingoverride"
	"paydown/internal/auth"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/service/books"
	"paydown/internal/service/input"
	"paydown/internal/service/list"
	"paydown/internal/service/unit"
)

// NewFundingOverride is the input for overriding a funding block.
type NewFundingOverride struct {
	Code   input.Opt[string] `json:"code" check:"code" need:"create" doc:"Code of the funding block" example:"OPEN_POSITION"`
	Reason input.Opt[string] `json:"reason" check:"words" need:"create" doc:"Why the block is overridden"`
}

// Blocks lists the funding blocks that currently apply to a deal's move to PREFUNDED or FUNDED, including
// overridden ones. Other moves are not guarded and have none. It changes nothing.
func (s Deals) Blocks(ctx context.Context, d *ent.Deal, to deal.State) ([]*deal.Block, error) {
	actor, err := unit.RequireScope(ctx, auth.Read("deals"))
	if err != nil {
		return nil, err
	}
	blocks, err := assess(ctx, s.core.View(actor), d, to)
	shown := make([]*deal.Block, len(blocks))
	for i := range blocks {
		shown[i] = &blocks[i]
	}
	return shown, err
}

// Override overrides a soft funding block that applies to a deal, for as long as the deal keeps its current
// terms. Any change of a term voids the override for good, even if the term is changed back, because the
// override was given for these terms. Only a member of staff with the permission can override, never a key.
// Overriding a block again returns the existing override.
func (s Deals) Override(ctx context.Context, dealID int, in NewFundingOverride) (*ent.FundingOverride, error) {
	actor, err := unit.RequirePermission(ctx, auth.OverrideFunding)
	if err != nil {
		return nil, err
	}
	if !actor.IsUser() {
		return nil, fault.New(fault.Forbidden, "Only a member of staff can override a funding block.")
	}
	if err := input.Validate(in, input.ForCreate); err != nil {
		return nil, err
	}
	return unit.Write(ctx, s.core, auth.Write("deals"), func(
		ctx context.Context, t *unit.Tx,
	) (*ent.FundingOverride, error) {
		d, err := books.LockDeal(ctx, t, dealID)
		if err != nil {
			return nil, err
		}
		return override(ctx, t, d, deal.BlockCode(in.Code.Or("")), in.Reason.Or(""))
	})
}

func override(
	ctx context.Context, t *unit.Tx, d *ent.Deal, code deal.BlockCode, reason string,
) (*ent.FundingOverride, error) {
	rule, known := deal.RuleOf(code)
	switch {
	case !known:
		return nil, fault.Field("code", "must be the code of a funding block")
	case rule.Hard:
		return nil, fault.Conflictf("The block %s cannot be overridden.", code).
			With("code", "must be a block that can be overridden")
	case d.State.Live():
		return nil, fault.Conflictf("The deal is %s; it has no funding blocks any more.", d.State)
	}
	given, err := t.FundingOverride.Query().Where(fundingoverride.DealID(d.ID), fundingoverride.BlockCode(code),
		fundingoverride.VoidedAtIsNil()).Only(ctx)
	if err == nil || !ent.IsNotFound(err) {
		return given, err
	}
	applies := false
	for _, to := range rule.At {
		blocks, err := assess(ctx, t, d, to)
		if err != nil {
			return nil, err
		}
		for _, b := range blocks {
			applies = applies || b.Code == code
		}
	}
	if !applies {
		return nil, fault.Conflictf("The block %s does not currently apply to the deal.", code).
			With("code", "must be a block that applies to the deal")
	}
	created, err := t.FundingOverride.Create().SetDealID(d.ID).SetBlockCode(code).SetReason(reason).
		SetUserID(t.Actor.ID).SetTermsHash(TermsHash(t, d)).Save(ctx)
	if err == nil {
		t.Record("fundingOverride.create", "fundingOverride", created.ID, &d.ID, nil, created)
	}
	return created, err
}

// Overrides lists the funding overrides of each deal.
func (s Deals) Overrides(ctx context.Context, through auth.Scope, ids []int) (map[int][]*ent.FundingOverride, error) {
	return list.ReadOfEach(ctx, through, fundingoverride.FieldDealID, ids, s.core.Store.Reader().FundingOverride.Query())
}

// overrides returns the deal's blocks that have an active override.
func overrides(ctx context.Context, t *unit.Tx, d *ent.Deal) (map[deal.BlockCode]bool, error) {
	rows, err := t.FundingOverride.Query().
		Where(fundingoverride.DealID(d.ID), fundingoverride.VoidedAtIsNil()).All(ctx)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	overridden := map[deal.BlockCode]bool{}
	for _, o := range rows {
		overridden[o.BlockCode] = true
	}
	return overridden, nil
}

// voidOverrides voids the overrides of a deal whose terms changed before funding.
func voidOverrides(ctx context.Context, t *unit.Tx, dealID int) error {
	rows, err := t.FundingOverride.Query().
		Where(fundingoverride.DealID(dealID), fundingoverride.VoidedAtIsNil()).All(ctx)
	if err != nil {
		return err
	}
	return unit.StoreAll(ctx, t, "fundingOverride", rows, []input.Change{input.Set(fundingoverride.FieldVoidedAt, t.At())},
		func(ids []int) (entgo.Mutation, func(context.Context) (int, error)) {
			update := t.FundingOverride.Update().Where(fundingoverride.IDIn(ids...))
			return update.Mutation(), update.Save
		})
}
